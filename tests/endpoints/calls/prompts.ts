import type { Call, Seed } from "../calls.ts";

const FIELDS = ["id", "content", "is_shared", "owner", "is_own"];

const createPrompt = async ({ api }: Seed): Promise<{ readonly prompt_id: string }> => {
  const { id } = await api.post<{ id: string }>("/api/prompts", { name: "Sum up", content: "Sum up {{text}}." });
  return { prompt_id: id };
};

/** A working call of every route of saved prompts. */
export const PROMPT_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/prompts": { gives: ["items", "total", "limit", "offset"] },
  "POST /api/prompts": { body: { name: "Greet", content: "Say hello." }, gives: FIELDS },
  "GET /api/prompts/{prompt_id}": { params: createPrompt, gives: FIELDS },
  "PUT /api/prompts/{prompt_id}": { params: createPrompt, body: { name: "Other" }, gives: [...FIELDS, "revision"] },
  "DELETE /api/prompts/{prompt_id}": { params: createPrompt, gives: ["id", "deleted"] },
};
