import type { Call } from "../calls.ts";

const UNKNOWN_KEY = "parameters that mean nothing here are ignored";

/** A working call of every route of OpenAI's API. */
export const OPENAI_CALLS: Readonly<Record<string, Call>> = {
  "GET /v1/models": { isRaw: true, gives: ["data", "default"] },
  "GET /v1/models/{model}": {
    params: async () => ({ model: "default" }),
    isRaw: true,
    gives: ["default", "owned_by"],
  },
  "POST /v1/chat/completions": {
    body: { model: "default", messages: [{ role: "user", content: "hello" }] },
    isRaw: true,
    gives: ["choices", "hello", "finish_reason"],
    except: { unknownKey: UNKNOWN_KEY },
  },
};
