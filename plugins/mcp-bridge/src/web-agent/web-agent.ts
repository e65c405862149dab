import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from "@ai-sdk/provider";
import {
  AppError,
  addUsage,
  type Caller,
  type Clock,
  type ConfirmableTools,
  DATA_BLOCK_RULE,
  deadline,
  hasScope,
  type ModelAnswer,
  type ModelCalls,
  modelError,
  newTraceId,
  notFound,
  type RequestedTool,
  type Tool,
  type ToolCaller,
  type ToolContext,
  type ToolGuard,
  toDataBlock,
  type Usage,
} from "@parley/core";
import { type List, type Page, toPage } from "@parley/core/http";
import { parseJsonObject } from "@parley/core/json";
import { toInputSchema } from "../server/describe-tool.ts";
import { mcpBridgeTexts } from "../texts.ts";
import type { PendingCalls } from "./pending-calls.ts";

const MAX_CALLS = 10;
const CHAT_TIMEOUT_MS = 120_000;
const MAX_RESULT_CHARS = 20_000;
const SYSTEM_PROMPT = `You help an administrator to look after a chat-bot service, by the tools that are offered to you.
Say plainly what you did and what you found. ${DATA_BLOCK_RULE}`;

export interface ToolsQuery extends Page {
  readonly permission?: "read" | "write";
}

export interface ExecuteBody {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly confirm: boolean;
  readonly confirm_id?: string;
}

export interface ChatBody {
  readonly message: string;
  readonly history: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
  readonly allow_write: boolean;
}

export interface UsedTool {
  readonly tool: string;
  readonly arguments: unknown;
  readonly ok: boolean;
}

export interface PendingCall {
  readonly tool: string;
  readonly arguments: unknown;
  readonly confirm_id: string;
  readonly expires_at: string;
}

export interface ChatAnswer {
  readonly message: string;
  readonly used_tools: readonly UsedTool[];
  /** Call that waits for a confirmation. */
  readonly pending: PendingCall | null;
  readonly usage: Usage;
}

/** Management tools for people in the console, called manually or in a chat. */
export interface WebAgent {
  tools(query: ToolsQuery): List<object>;
  execute(body: ExecuteBody, caller: Caller, signal: AbortSignal): Promise<object>;
  chat(body: ChatBody, caller: Caller, signal: AbortSignal): Promise<ChatAnswer>;
}

export interface WebAgentDeps {
  readonly calls: Pick<ModelCalls, "ask">;
  readonly guard: ToolGuard;
  readonly clock: Clock;
  readonly pending: PendingCalls;
}

export function createWebAgent(deps: WebAgentDeps): WebAgent {
  const { calls, guard, clock, pending } = deps;
  const find = (name: string) => {
    const tool = guard.list("web-agent").find((one) => one.name === name);
    if (!tool) throw notFound("tool", name);
    return tool;
  };
  const run = (tool: Tool, args: object, caller: Caller, isConfirmed: boolean, context: ToolContext) => {
    const toolCaller: ToolCaller = {
      audience: "web-agent",
      id: caller.credentialId,
      confirms: true,
      scopes: caller.scopes,
      via: { transport: "rest", client: caller.username },
    };
    const { confirm: _, ...own } = args as { readonly confirm?: unknown };
    return guard.call(tool.name, { ...own, ...(isConfirmed && { confirm: true }) }, toolCaller, context);
  };
  const contextOf = (caller: Caller, signal: AbortSignal, traceId = newTraceId(clock.now())): ToolContext => ({
    signal,
    traceId,
    callerId: caller.accountId,
    isAdmin: hasScope(caller, "admin"),
    progress: () => {},
  });

  return {
    tools({ permission, ...page }) {
      const rows = guard.list("web-agent").map((tool) => ({
        name: tool.name,
        description: tool.purpose,
        permission: getPermission(tool),
        high_risk: needsConfirmation(tool),
        parameters: toInputSchema(tool, false),
      }));
      return toPage(
        rows.filter((row) => permission === undefined || row.permission === permission),
        page,
      );
    },
    async execute({ tool: name, arguments: args, confirm, confirm_id }, caller, signal) {
      const tool = find(name);
      if (confirm_id !== undefined) await pending.redeem(confirm_id, caller.accountId, name, args);
      const begun = clock.monotonic();
      const isConfirmed = confirm || confirm_id !== undefined;
      if (getPermission(tool) === "write" && !isConfirmed) {
        throw mcpBridgeTexts.error("confirmation_required", "unconfirmed_change", { name });
      }
      const result = await run(tool, args, caller, isConfirmed, contextOf(caller, signal));
      return { tool: name, result: result ?? null, duration_ms: Math.round(clock.monotonic() - begun) };
    },
    async chat({ message, history, allow_write }, caller, given) {
      using limit = deadline(CHAT_TIMEOUT_MS, given);
      const { signal } = limit;
      const context = contextOf(caller, signal);
      const offered = guard.callable("web-agent");
      const used: UsedTool[] = [];
      const prompt: LanguageModelV4Prompt = [
        { role: "system", content: SYSTEM_PROMPT },
        ...history.map(({ role, content }) => ({ role, content: [{ type: "text" as const, text: content }] })),
        { role: "user", content: [{ type: "text", text: message }] },
      ];
      let usage: Usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0, cost: null };
      for (;;) {
        const tools = used.length < MAX_CALLS ? offered.map(toFunctionTool) : [];
        const asking = { messages: [...prompt], tools, user: caller.username, traceId: context.traceId, signal };
        const answer = await calls.ask({ purpose: "chat", ...asking }).answer;
        if (signal.aborted) throw toTimeoutError(signal.reason);
        if (answer.failure) throw modelError(answer.failure);
        usage = addUsage(usage, answer.usage);
        if (answer.toolCalls.length === 0) return { message: answer.text, used_tools: used, pending: null, usage };
        const waits = answer.toolCalls.find((call) => needsApproval(offered, call, allow_write));
        if (waits) {
          const args = parseJsonObject(waits.input.trim() || "{}") ?? {};
          const open = { tool: waits.name, arguments: args, ...pending.open(caller.accountId, waits.name, args) };
          const text = answer.text || `${waits.name} needs your word before it runs.`;
          return { message: text, used_tools: used, pending: open, usage };
        }
        const results = [];
        for (const call of answer.toolCalls) {
          const { text, entry } = await runAsked(call);
          used.push(entry);
          results.push({ call, text, ok: entry.ok });
        }
        prompt.push(...toPromptStep(answer, results));
      }

      async function runAsked(call: RequestedTool): Promise<{ readonly text: string; readonly entry: UsedTool }> {
        const args = parseJsonObject(call.input.trim() || "{}");
        try {
          if (!args) throw mcpBridgeTexts.error("bad_request", "arguments_json", {}, { field: "arguments" });
          if (used.length >= MAX_CALLS)
            throw mcpBridgeTexts.error("rate_limited", "calls_per_message", { most: MAX_CALLS });
          const result = await run(find(call.name), args, caller, allow_write, context);
          return {
            text: toDataBlock(call.name, (JSON.stringify(result) ?? "null").slice(0, MAX_RESULT_CHARS)),
            entry: { tool: call.name, arguments: args, ok: true },
          };
        } catch (error) {
          signal.throwIfAborted();
          const known = AppError.is(error) ? `${error.code}: ${error.message}` : "internal: the tool failed";
          return { text: known, entry: { tool: call.name, arguments: args ?? call.input, ok: false } };
        }
      }
    },
  };
}

/** Creates the service that offers changing tools to a model and opens a confirmation for each call. */
export function createConfirmableTools(guard: ToolGuard, pending: PendingCalls): ConfirmableTools {
  const writing = () => guard.callable("web-agent").filter((tool) => getPermission(tool) === "write");
  return {
    offered: () => writing().map(toFunctionTool),
    open(accountId, name, args) {
      return writing().some((tool) => tool.name === name) ? pending.open(accountId, name, args) : undefined;
    },
  };
}

function getPermission({ risk }: Tool): "read" | "write" {
  return risk === "read" ? "read" : "write";
}

/** Returns true for tools that delete or send, which need a confirmation every time. */
function needsConfirmation({ deletes, enabledBy }: Tool): boolean {
  return deletes === true || enabledBy === "send_message_enabled";
}

function needsApproval(offered: readonly Tool[], { name }: RequestedTool, allowWrite: boolean): boolean {
  const tool = offered.find((one) => one.name === name);
  return tool !== undefined && getPermission(tool) === "write" && (!allowWrite || needsConfirmation(tool));
}

function toFunctionTool(tool: Tool): LanguageModelV4FunctionTool {
  return {
    type: "function",
    name: tool.name,
    description: tool.purpose,
    inputSchema: toInputSchema(tool, false) as LanguageModelV4FunctionTool["inputSchema"],
  };
}

interface FinishedCall {
  readonly call: RequestedTool;
  readonly text: string;
  readonly ok: boolean;
}

function toPromptStep({ text, content }: ModelAnswer, ran: readonly FinishedCall[]): LanguageModelV4Prompt {
  const textParts = text === "" ? [] : [{ type: "text" as const, text }];
  const calls = ran.map(
    ({ call }) =>
      ({
        type: "tool-call",
        toolCallId: call.id,
        toolName: call.name,
        input: parseJsonObject(call.input.trim() || "{}") ?? {},
      }) as const,
  );
  const results = ran.map(({ call, text: value, ok }) => {
    const output = { type: ok ? ("text" as const) : ("error-text" as const), value };
    return { type: "tool-result", toolCallId: call.id, toolName: call.name, output } as const;
  });
  return [
    { role: "assistant", content: content ? [...content] : [...textParts, ...calls] },
    { role: "tool", content: results },
  ];
}

/** Converts the timeout of a chat to a `timed_out` error. */
function toTimeoutError(reason: unknown): unknown {
  const isLate = reason instanceof Error && reason.name === "TimeoutError";
  return isLate ? mcpBridgeTexts.error("timed_out", "no_answer", { seconds: CHAT_TIMEOUT_MS / 1000 }) : reason;
}
