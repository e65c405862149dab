import { createHash } from "node:crypto";
import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import {
  AppError,
  actorIdOf,
  type Clock,
  type Files,
  notFound,
  type Redaction,
  type RequestedTool,
  readToolFailure,
  readToolResult,
  type Tool,
  type ToolCallRecord,
  type ToolContext,
  type ToolGuard,
  type ToolResult,
  type TraceEntry,
  type Turn,
  type TurnContext,
  toDataBlock,
  toTraceMessage,
} from "@parley/core";
import { chatTexts } from "../texts.ts";

const MAX_RECORDED_CHARS = 10_000;
const MAX_MODEL_CHARS = 50_000;
const MAX_TOOLS = 128;
const MAX_SAME_CALLS = 3;
const MAX_TRACED_CHARS = 500;

export interface TurnToolsDeps {
  /** Returns the guard; undefined when there are no tools. */
  readonly guard: () => ToolGuard | undefined;
  /** Stores the pictures that tools return. */
  readonly files: () => Pick<Files, "put"> | undefined;
  readonly clock: Clock;
  readonly redaction: Pick<Redaction, "mask">;
}

/** The tools of a turn: those its channel, the configuration and the audience allow. */
export interface TurnTools {
  listAllowed(turn: Turn): readonly Tool[];
  /** Returns the count of tools beyond the number offered to a model at once. */
  countOmitted(turn: Turn): number;
  /** Creates the function that runs a model's tool calls. Rejections and errors of tools become records; an abort and internal errors around the call are thrown. */
  createRunner(turn: Turn, context: TurnContext): (asked: RequestedTool) => Promise<ToolRun>;
}

export interface ToolRun {
  readonly record: ToolCallRecord;
  /** Result for the model, longer than the recorded one. */
  readonly modelResult: ToolResult;
}

export function createTurnTools({ guard, files, clock, redaction }: TurnToolsDeps): TurnTools {
  /** Times at which other servers' tools were last called. */
  const lastUsedMs = new Map<string, number>();
  const selectTools = (tools: readonly Tool[]): readonly Tool[] => {
    if (tools.length <= MAX_TOOLS) return tools;
    // External tools are dropped first, least recently used ones before others.
    const rank = ({ isExternal, name }: Tool) => (isExternal ? (lastUsedMs.get(name) ?? -1) : Number.POSITIVE_INFINITY);
    const selected = tools.toSorted((a, b) => rank(b) - rank(a)).slice(0, MAX_TOOLS);
    return selected.sort((a, b) => (a.name < b.name ? -1 : 1));
  };
  const listCallable = ({ capabilities }: Turn) =>
    capabilities.supports_tools === true ? (guard()?.callable("ai") ?? []) : [];
  const listAllowed = (turn: Turn) => selectTools(listCallable(turn));
  return {
    listAllowed,
    countOmitted: (turn) => Math.max(0, listCallable(turn).length - MAX_TOOLS),
    createRunner(turn, context) {
      const counts = new Map<string, number>();
      return async (asked) => {
        const startedMs = clock.monotonic();
        const parsed = parseInput(asked.input);
        const argsKey = hash(parsed.ok ? parsed.args : asked.input);
        const key = `${asked.name} ${argsKey}`;
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        const outcome = !parsed.ok
          ? toFailedOutcome(new AppError("bad_request", "arguments: are not JSON"))
          : count > MAX_SAME_CALLS
            ? toFailedOutcome(new AppError("rate_limited", "the same call was made too often in this turn"))
            : await runGuarded(asked.name, parsed.args, argsKey, turn, context);
        const { status, result, pictures = [] } = outcome;
        const tool = listAllowed(turn).find(({ name: known }) => known === asked.name);
        if (tool?.isExternal) lastUsedMs.set(asked.name, startedMs);
        const args = parsed.ok ? parsed.args : asked.input;
        const duration_ms = Math.round(clock.monotonic() - startedMs);
        const { id, name } = asked;
        const modelText = result.slice(0, MAX_MODEL_CHARS);
        const tracedArgs = (JSON.stringify(redaction.mask(args)) ?? "").slice(0, MAX_TRACED_CHARS);
        context.trace(toTraceEntry({ name, ms: duration_ms, status, args: tracedArgs }));
        return {
          record: { id, name, arguments: args, status, result: result.slice(0, MAX_RECORDED_CHARS), duration_ms },
          // External results are marked as data.
          modelResult: {
            text: tool?.isExternal || tool?.answersAreData ? toDataBlock(name, modelText) : modelText,
            pictures,
          },
        };
      };
    },
  };

  async function runGuarded(
    name: string,
    args: unknown,
    argsKey: string,
    turn: Turn,
    context: TurnContext,
  ): Promise<Outcome> {
    const { traceId, session, inbound } = turn;
    const call = async (): Promise<Outcome> => {
      try {
        const found = guard();
        if (!found) throw notFound("tool", name);
        const caller = { audience: "ai", id: traceId, confirms: false } as const;
        const progress: ToolContext["progress"] = (text, level = "progress") =>
          context.emit({ type: "progress", text, level });
        const toolContext = {
          signal: context.signal,
          traceId,
          ...toSpeakerContext(session),
          callerId: actorIdOf(inbound.sender),
          inbound,
          isAdmin: inbound.sender.isAdmin,
          ...(inbound.isOperatorOnly && { isOperatorOnly: inbound.isOperatorOnly }),
          progress,
        };
        const value = await found.call(name, args, caller, toolContext);
        return toOutcome("ok", await readToolResult(value, name, files(), context.signal));
      } catch (error) {
        // The abort is not recorded as the call's result, because the turn ends here or runs again.
        if (context.signal.aborted) throw error;
        return toOutcome(getFailedStatus(error), await readToolFailure(error, name, files(), context.signal));
      }
    };
    const callOnce = async (): Promise<Outcome> => {
      try {
        return await context.once(`tool ${name} ${argsKey}`, call);
      } catch (error) {
        // After a crash the outcome of an earlier call is unknown, and the call is not repeated: the model gets that as its result.
        if (context.signal.aborted || !AppError.is(error)) throw error;
        return toFailedOutcome(error);
      }
    };
    const isRead = listAllowed(turn).find((tool) => tool.name === name)?.risk === "read";
    // A call that only reads may be repeated after a crash; one that changes something may not.
    return context.external({
      kind: "tool",
      name,
      key: argsKey,
      ask: () => (isRead ? call() : callOnce()),
      figures: ({ status }) => ({ status }),
    });
  }
}

interface Outcome {
  readonly status: ToolCallRecord["status"];
  readonly result: string;
  readonly pictures?: readonly string[];
}

function toSpeakerContext({ id, character_id }: Turn["session"]): Pick<ToolContext, "sessionId" | "characterId"> {
  return { sessionId: id, ...(character_id !== null && { characterId: character_id }) };
}

function toOutcome(status: Outcome["status"], { text: result, pictures }: ToolResult): Outcome {
  return { status, result, ...(pictures.length > 0 && { pictures }) };
}

function toFailedOutcome(error: AppError): Outcome {
  return { status: getFailedStatus(error), result: `${error.code}: ${error.message}` };
}

function getFailedStatus(error: unknown): Outcome["status"] {
  const code = AppError.is(error) ? error.code : "internal";
  return code === "permission_denied" || code === "confirmation_required" ? "denied" : "error";
}

export function toFunctionTool({ name, purpose, args, inputSchema }: Tool): LanguageModelV4FunctionTool {
  const schema = inputSchema ?? args["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  return {
    type: "function",
    name,
    description: purpose,
    inputSchema: schema as LanguageModelV4FunctionTool["inputSchema"],
  };
}

function parseInput(input: string): { readonly ok: true; readonly args: unknown } | { readonly ok: false } {
  try {
    return { ok: true, args: input.trim() === "" ? {} : JSON.parse(input) };
  } catch {
    return { ok: false };
  }
}

function hash(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(sortKeys(value)))
    .digest("hex")
    .slice(0, 16);
}

// The same arguments in another order are the same call.
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sortKeys(one)]),
  );
}

function toTraceEntry(call: ToolCallFigures): TraceEntry {
  const { name, status, ms } = call;
  const message = toTraceMessage(chatTexts.message("trace_tool", { name, status, ms }));
  return { status: "dispatched", ...message, metadata: { what: "tool", ...call } };
}

interface ToolCallFigures {
  readonly name: string;
  readonly ms: number;
  readonly status: string;
  readonly args: string;
}
