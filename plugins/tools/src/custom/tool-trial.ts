import { AppError, type Clock, type LocalizedError, type Redaction, toLocalizedError } from "@parley/core";
import { requestSecrets, type ToolTrialRequest } from "../schema.ts";
import { toolsTexts } from "../texts.ts";
import type { CustomTools } from "./custom-tools.ts";
import { callHttp, type HttpCallDeps } from "./http-call.ts";
import type { ToolRequest } from "./http-request.ts";

const MAX_RESULT_CHARS = 20_000;

/** Result of one test call of a tool, with its request. */
export interface ToolTrial {
  readonly request: { readonly [Key in keyof ToolRequest]: ToolRequest[Key] | null } | null;
  readonly status: number | null;
  readonly result: string | null;
  readonly error: LocalizedError | null;
  readonly duration_ms: number;
}

export interface ToolTrialDeps extends HttpCallDeps {
  readonly custom: Pick<CustomTools, "createArgumentCheck" | "find" | "run">;
  readonly redaction: () => Redaction;
  readonly clock: Clock;
}

/** Calls a tool as a model would; the tool need not be stored. */
export async function tryTool(
  { parameters, implementation, arguments: args }: ToolTrialRequest,
  deps: ToolTrialDeps,
  signal: AbortSignal,
): Promise<ToolTrial> {
  const { custom, clock, redaction } = deps;
  const problem = (await custom.createArgumentCheck({ parameters, implementation }))(args);
  if (problem !== undefined) throw toolsTexts.error("bad_request", "unfit", { problem }, { field: "arguments" });
  const startedMs = clock.monotonic();
  const observed: { request?: ToolRequest; status?: number } = {};
  const observer = {
    request: (request: ToolRequest) => Object.assign(observed, { request }),
    status: (status: number) => Object.assign(observed, { status }),
  };
  const outcome = (
    implementation.type === "http"
      ? callHttp({ ...implementation, error_message: "" }, args, deps, signal, observer)
      : custom.run({ implementation }, args, signal)
  ).then(
    (result) => ({ result: result.slice(0, MAX_RESULT_CHARS), error: null }),
    (error: unknown) => {
      // An error of the called service is part of the result.
      if (!AppError.is(error)) throw error;
      return { result: null, error: toLocalizedError(error) };
    },
  );
  const { result, error } = await outcome;
  const { request, status = null } = observed;
  const masked = request && requestSecrets.masked(request);
  const shown = masked && { ...masked, body: masked.body?.slice(0, MAX_RESULT_CHARS) ?? null };
  const duration_ms = Math.round(clock.monotonic() - startedMs);
  return redaction().mask({ request: shown ?? null, status, result, error, duration_ms });
}
