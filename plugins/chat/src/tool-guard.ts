import { AppError, type Clock, type Tool, type ToolCaller, type ToolContext, type ToolGuard } from "@parley/core";
import type { CallLimits } from "./call-limits.ts";
import { checkedArgs } from "./tool-args.ts";
import type { AuditedCall, AuditStatus, ToolAudit } from "./tool-audit.ts";
import { checkScope, checkSwitch, type ToolPolicy } from "./tool-policy.ts";

const DEFAULT_TIMEOUT_MS = 30_000;

export interface ToolGuardParts {
  readonly tools: () => readonly Tool[];
  readonly policy: ToolPolicy;
  readonly limits: CallLimits;
  readonly audit: ToolAudit;
  readonly clock: Clock;
}

/** Stands in front of every tool; the order of its checks is the contract's (mcp §4). */
export function createToolGuard({ tools, policy, limits, audit, clock }: ToolGuardParts): ToolGuard {
  const isAudited = ({ risk }: Tool) => risk !== "read" && policy.isAudited;

  const checked = (tool: Tool, given: unknown, caller: ToolCaller): unknown => {
    checkSwitch(tool, policy);
    checkScope(tool, caller.scopes);
    const { confirm, ...rest } = asObject(given);
    checkConfirm(tool, confirm, caller);
    const value = checkedArgs(tool, rest);
    limits.check(tool, JSON.stringify(value), caller.id);
    return value;
  };

  const run = async (call: AuditedCall): Promise<unknown> => {
    if (!isAudited(call.tool)) return runInTime(call);
    const begun = clock.monotonic();
    const row = await audit.begin(call);
    const durationMs = () => clock.monotonic() - begun;
    try {
      const result = await runInTime(call);
      const summary = JSON.stringify(result) ?? "";
      await row.complete({ status: "completed", result: "ok", summary, durationMs: durationMs() });
      return result;
    } catch (error) {
      const { code, message } = asAppError(error);
      await row.complete({ status: "failed", result: code, summary: message, durationMs: durationMs() });
      throw error;
    }
  };

  return {
    list(audience) {
      const shown = tools().filter((tool) => tool.audience.includes(audience));
      return [...new Map(shown.map((tool) => [tool.name, tool])).values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async call(name, given, caller, context) {
      const tool = tools().find((one) => one.name === name && one.audience.includes(caller.audience));
      if (!tool) throw new AppError("not_found", `tool '${name}' does not exist`);
      let args: unknown;
      try {
        args = checked(tool, given, caller);
      } catch (error) {
        const { code, message } = asAppError(error);
        const refused = { status: statusOf(code), result: code, summary: message };
        if (isAudited(tool)) await audit.refused({ tool, args: given, caller, context }, refused);
        throw error;
      }
      return run({ tool, args, caller, context });
    },
  };
}

// A model's own `confirm` counts for nothing: only a client whose user confirmed there may give it.
function checkConfirm({ name, risk }: Tool, confirm: unknown, { audience }: ToolCaller): void {
  if (risk !== "high" || (audience === "mcp" && confirm === true)) return;
  throw new AppError("confirmation_required", `${name} needs confirm: true from a person`);
}

async function runInTime({ tool, args, context }: AuditedCall): Promise<unknown> {
  const ms = tool.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(ms)]);
  const over = new Promise<never>((_, reject) => {
    const abort = () =>
      reject(
        context.signal.aborted
          ? context.signal.reason
          : new AppError("timed_out", `${tool.name} took longer than ${ms / 1000} s`),
      );
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
  return Promise.race([tool.run(args, { ...context, signal } satisfies ToolContext), over]);
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value))
    throw new AppError("bad_request", "arguments: must be an object");
  return value as Readonly<Record<string, unknown>>;
}

function asAppError(error: unknown): AppError {
  return AppError.is(error) ? error : new AppError("internal", "internal error", { cause: error });
}

function statusOf(code: AppError["code"]): AuditStatus {
  if (code === "confirmation_required") return "confirmation_required";
  if (code === "bad_request") return "validation_failed";
  return code === "permission_denied" ? "denied" : "failed";
}
