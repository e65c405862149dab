import {
  AppError,
  type Clock,
  deadline,
  isToolParts,
  type Logger,
  notFound,
  readToolResult,
  type Tool,
  type ToolCaller,
  type ToolContext,
  type ToolGuard,
} from "@parley/core";
import { raceWithSignal } from "@parley/core/async";
import { mcpBridgeTexts } from "../texts.ts";
import type { CallLimits } from "./call-limits.ts";
import { validateArgs } from "./tool-args.ts";
import type { AuditedCall, ToolAudit } from "./tool-audit.ts";
import { checkCaller, checkScope, checkSwitch, type ToolPolicy } from "./tool-policy.ts";

const DEFAULT_TIMEOUT_MS = 30_000;

/** Asks a person to confirm a call; resolves to the approver's id, undefined when it was not approved. */
export type AskPerson = (call: AuditedCall) => Promise<string | undefined>;

export interface ToolGuardDeps {
  readonly tools: () => readonly Tool[];
  /** Returns true when the tool is enabled for our models. */
  readonly isEnabled: (tool: Tool) => boolean;
  readonly policy: ToolPolicy;
  readonly limits: CallLimits;
  readonly audit: ToolAudit;
  readonly clock: Clock;
  readonly askPerson: AskPerson;
  readonly log: Logger;
}

/** Creates the guard of all tools; the order of its checks is part of the contract. */
export function createToolGuard(deps: ToolGuardDeps): ToolGuard {
  const { tools, isEnabled, policy, limits, audit, clock, askPerson, log } = deps;
  const isAudited = ({ risk }: Tool) => risk !== "read" && policy.isAudited;
  const isVisible = (tool: Tool, audience: ToolCaller["audience"]) =>
    tool.audience.includes(audience) && tool.isOffered?.() !== false && (audience !== "ai" || isEnabled(tool));
  const all = () => {
    const byName = new Map<string, Tool>();
    // Of several tools with one name, the first one is used.
    for (const tool of tools()) if (!byName.has(tool.name)) byName.set(tool.name, tool);
    return [...byName.values()];
  };
  const listVisible = (audience: ToolCaller["audience"]) =>
    all()
      .filter((tool) => isVisible(tool, audience))
      .sort((a, b) => (a.name < b.name ? -1 : 1));

  const checkCall = async (asked: AuditedCall): Promise<AuditedCall> => {
    const { tool, args: given, caller, context } = asked;
    checkCaller(tool, caller);
    checkSwitch(tool, policy);
    checkScope(tool, policy, caller);
    const { confirm, rest } = splitConfirm(tool, given);
    const confirmBy = await requestConfirmation(asked, confirm, rest);
    const args = validateArgs(tool, rest as Readonly<Record<string, unknown>>);
    await limits.check(tool, JSON.stringify(args), caller.id);
    const isConfirmed = confirmBy !== undefined;
    return { tool, args, caller, context: { ...context, isConfirmed }, ...(isConfirmed && { confirmBy }) };
  };
  const requestConfirmation = async (
    asked: AuditedCall,
    confirm: unknown,
    rest: object,
  ): Promise<string | undefined> => {
    const { tool, caller, context } = asked;
    if (caller.confirms && (confirm === true || caller.hasConfirmed)) return "client";
    if (!policy.needsConfirm(tool) && !isUntrustedExternalAction(tool, context)) return undefined;
    // A client asks its own user. For calls of our own models the guard asks.
    const person = caller.confirms ? undefined : await askPerson({ ...asked, args: rest });
    if (person !== undefined) return person;
    throw mcpBridgeTexts.error("confirmation_required", "confirm_needed", { name: tool.name });
  };

  /** Runs a call; an internal error is logged for the operator, and callers only learn that it failed. */
  const runNamed = (call: AuditedCall): Promise<unknown> =>
    runWithTimeout(call).catch((error: unknown) => {
      const { tool, context } = call;
      const isKnown = AppError.is(error) || context.signal.aborted;
      if (!isKnown) log.error("a tool failed", { tool: tool.name, traceId: context.traceId, error });
      throw error;
    });

  const run = async (call: AuditedCall): Promise<unknown> => {
    if (!isAudited(call.tool)) return runNamed(call);
    const begun = clock.monotonic();
    const row = await audit.begin(call);
    const durationMs = () => clock.monotonic() - begun;
    try {
      const result = await runNamed(call);
      const summary = await summarizeResult(result, call);
      await row.complete({ status: "completed", result: "ok", summary, durationMs: durationMs() });
      return result;
    } catch (error) {
      const { code, message } = toAppError(error);
      await row.complete({ status: "failed", result: code, summary: message, durationMs: durationMs() });
      throw error;
    }
  };

  return {
    known: () => all().map(({ run: _run, ...shown }) => shown),
    list: listVisible,
    callable: (audience) => listVisible(audience).filter((tool) => policy.isSwitchedOn(tool) && policy.covers(tool)),
    async call(name, given, caller, context) {
      const tool = listVisible(caller.audience).find((one) => one.name === name);
      if (!tool) throw notFound("tool", name);
      const asked = { tool, args: given, caller, context };
      let call: AuditedCall;
      try {
        call = await checkCall(asked);
      } catch (error) {
        const { code, message } = toAppError(error);
        const rejected = { status: toCallStatus(code), result: code, summary: message };
        if (isAudited(tool)) await audit.recordRejected(asked, rejected);
        throw error;
      }
      return run(call);
    },
  };
}

/** Returns true for a call on an external server caused by a person on a channel without administrator rights; an administrator must confirm it. */
function isUntrustedExternalAction({ isExternal, risk }: Tool, { isAdmin }: ToolContext): boolean {
  return isExternal === true && risk !== "read" && isAdmin === false;
}

async function runWithTimeout({ tool, args, context }: AuditedCall): Promise<unknown> {
  const ms = tool.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  using limit = deadline(ms, context.signal);
  const { signal } = limit;
  try {
    return await raceWithSignal(tool.run(args, { ...context, signal } satisfies ToolContext), signal);
  } catch (error) {
    if (!signal.aborted || context.signal.aborted) throw error;
    throw mcpBridgeTexts.error("timed_out", "too_late", { name: tool.name, seconds: ms / 1000 });
  }
}

/** Separates `confirm` from the arguments; an external tool may have its own argument of that name. */
function splitConfirm({ isExternal }: Tool, given: unknown): { readonly confirm: unknown; readonly rest: object } {
  const args = toArgsObject(given);
  if (isExternal) return { confirm: undefined, rest: args };
  const { confirm, ...rest } = args;
  return { confirm, rest };
}

function toArgsObject(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value))
    throw mcpBridgeTexts.error("bad_request", "no_object", {}, { field: "arguments" });
  return value as Readonly<Record<string, unknown>>;
}

function toAppError(error: unknown): AppError {
  return AppError.is(error) ? error : new AppError("internal", "internal error", { cause: error });
}

function toCallStatus(code: AppError["code"]) {
  if (code === "confirmation_required") return "confirmation_required" as const;
  if (code === "bad_request") return "validation_failed" as const;
  return code === "permission_denied" ? ("denied" as const) : ("failed" as const);
}

/** Returns the logged summary of a result: pictures and sounds are named, not copied. */
async function summarizeResult(result: unknown, { tool, context: { signal } }: AuditedCall): Promise<string> {
  if (!isToolParts(result)) return JSON.stringify(result) ?? "";
  return (await readToolResult(result, tool.name, undefined, signal)).text;
}
