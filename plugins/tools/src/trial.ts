import { AppError, type Clock, type Redaction, type ToldFailure, toldFailure } from "@parley/core";
import type { CustomTools } from "./custom-tools.ts";
import { callHttp, type HttpCallParts } from "./http-call.ts";
import type { ToolRequest } from "./http-request.ts";
import { toolFailure } from "./said-failures.ts";
import { requestSecrets, type TryBody } from "./schema.ts";

const MAX_SHOWN = 20_000;

/** One call of a tool, with the request that was sent and what came of it. */
export interface ToolTrial {
  readonly request: { readonly [Key in keyof ToolRequest]: ToolRequest[Key] | null } | null;
  readonly status: number | null;
  readonly result: string | null;
  readonly error: ToldFailure | null;
  readonly duration_ms: number;
}

export interface TrialParts extends HttpCallParts {
  readonly custom: Pick<CustomTools, "checked" | "find" | "run">;
  readonly redaction: () => Redaction;
  readonly clock: Clock;
}

/** Calls a tool as a model would, whether it is kept already or not. */
export async function tryTool(
  { parameters, implementation, arguments: args }: TryBody,
  parts: TrialParts,
  signal: AbortSignal,
): Promise<ToolTrial> {
  const { custom, clock, redaction } = parts;
  const problem = (await custom.checked({ parameters, implementation }))(args);
  if (problem !== undefined) throw toolFailure("bad_request", "unfit", { problem }, { field: "arguments" });
  const begun = clock.monotonic();
  const seen: { request?: ToolRequest; status?: number } = {};
  const witness = {
    request: (request: ToolRequest) => Object.assign(seen, { request }),
    status: (status: number) => Object.assign(seen, { status }),
  };
  const outcome = (
    implementation.type === "http"
      ? callHttp({ ...implementation, error_message: "" }, args, parts, signal, witness)
      : custom.run({ implementation }, args, signal)
  ).then(
    (result) => ({ result: result.slice(0, MAX_SHOWN), error: null }),
    (error: unknown) => {
      // What went wrong outside is what the trial is for.
      if (!AppError.is(error)) throw error;
      return { result: null, error: toldFailure(error) };
    },
  );
  const { result, error } = await outcome;
  const { request, status = null } = seen;
  const masked = request && requestSecrets.masked(request);
  const shown = masked && { ...masked, body: masked.body?.slice(0, MAX_SHOWN) ?? null };
  const duration_ms = Math.round(clock.monotonic() - begun);
  return redaction().mask({ request: shown ?? null, status, result, error, duration_ms });
}
