import { createHash } from "node:crypto";
import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from "@ai-sdk/provider";
import {
  type AnswerContent,
  type AnsweringModel,
  AppError,
  DATA_BLOCK_RULE,
  type Files,
  fittingPictures,
  isToolParts,
  type ModelAnswer,
  type ModelCalls,
  modelError,
  openPicture,
  type Picture,
  type PromptRoom,
  type RequestedTool,
  readToolFailure,
  readToolResult,
  type SpeakOrder,
  type Tool,
  type ToolContext,
  type ToolGuard,
  type ToolResult,
  toDataBlock,
  toolOutput,
} from "@parley/core";
import { automationTexts } from "../texts.ts";
import { attachUsage, type Ledger } from "./ledger.ts";
import { truncate } from "./truncate.ts";

/** Maximum length of a tool result for a model, since a long result would fill its context. */
const MAX_RESULT_CHARS = 20_000;
const MAX_SAME_CALLS = 3;
const MAX_TOOLS = 128;
const MAX_PICTURES = 8;

export interface AiTask {
  /** Prefix of the keys of its steps; unique in the run. */
  readonly key: string;
  readonly system: string;
  readonly prompt: string;
  /** Names of the tools it may use; absent for all enabled tools. */
  readonly tools?: readonly string[] | undefined;
  readonly modelId?: string | undefined;
  readonly maxRounds: number;
  /** Maximum number of retries after a failed answer. */
  readonly retries: number;
}

export interface AiCaller {
  readonly traceId: string;
  readonly sessionId: string;
  readonly ownerId: string;
  readonly signal: AbortSignal;
  readonly ledger: Ledger;
  /** Order with the right to send to people on platforms. */
  readonly speaks: SpeakOrder;
}

export interface AiLoopDeps {
  readonly models: () => ModelCalls;
  readonly guard: () => ToolGuard | undefined;
  /** Returns the storage for pictures that tools return. */
  readonly files: () => Pick<Files, "put" | "open"> | undefined;
}

interface Round {
  readonly text: string;
  readonly calls: readonly RequestedTool[];
  readonly parts?: ProviderParts;
}

/** An answer in its provider's format, and the model that gave it; other models may reject that format. */
interface ProviderParts {
  readonly giver: string;
  readonly content: AnswerContent;
}

function toModelKey({ modelId, protocol, model }: AnsweringModel): string {
  return [modelId, protocol, model].join(" ");
}

/** Calls a model and runs its tool calls until it answers. Each answer and each call is a step of the ledger. */
export async function askWithTools(deps: AiLoopDeps, task: AiTask, caller: AiCaller): Promise<string> {
  const tools = selectTools(deps.guard(), task.tools);
  const system = [task.system, tools.length === 0 ? "" : DATA_BLOCK_RULE].filter(Boolean).join("\n\n");
  const systemMessages = system === "" ? [] : [{ role: "system", content: system } as const];
  const initialMessages: LanguageModelV4Prompt = [
    ...systemMessages,
    { role: "user", content: [{ type: "text", text: task.prompt }] },
  ];
  const rounds: ToolRound[] = [];
  const counts = new Map<string, number>();
  for (let round = 1; ; round += 1) {
    const isLast = round >= task.maxRounds;
    const pictures = await loadPictures(deps, rounds);
    const prompt = (room: PromptRoom) => [
      ...initialMessages,
      ...rounds.flatMap((one) => toRoundMessages(one, room, pictures)),
    ];
    const answer = await askOnce(deps, task, caller, { prompt, tools, round, isLast });
    const { text, calls } = answer;
    if (calls.length === 0) return text;
    if (isLast) throw automationTexts.error("conflict", "rounds", { rounds: task.maxRounds });
    const results: ToolCallResult[] = [];
    for (const [index, call] of calls.entries()) {
      const key = `${call.name} ${hashText(call.input)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      const isLoop = (counts.get(key) ?? 0) > MAX_SAME_CALLS;
      results.push(isLoop ? REPEATED_CALL : await callOnce(deps, call, caller, `${task.key}.${round}.${index + 1}`));
    }
    rounds.push({ answer, results });
  }
}

interface ToolCallResult {
  readonly isOk: boolean;
  readonly text: string;
  /** True for text of others, which the model gets as a data block. */
  readonly isData?: true;
  readonly pictures?: readonly string[];
}

/** One answer with tool calls, and their results. */
interface ToolRound {
  readonly answer: Round;
  readonly results: readonly ToolCallResult[];
}

const REPEATED_CALL: ToolCallResult = { isOk: false, text: "rate_limited: the same call was made too often" };
const NO_PICTURES: ReadonlyMap<string, Picture> = new Map();

/** Loads the newest pictures of tool results, as many as one request may have. */
async function loadPictures({ files }: AiLoopDeps, rounds: readonly ToolRound[]) {
  const urls = rounds.flatMap(({ results }) => results.flatMap(({ pictures = [] }) => pictures)).toReversed();
  const store = files();
  const opened = store
    ? await Promise.all(urls.slice(0, MAX_PICTURES).map(async (url) => [url, await openIfPresent(url, store)] as const))
    : [];
  return fittingPictures(opened.flatMap(([url, picture]) => (picture ? [[url, picture] as const] : [])));
}

/** Opens a file; undefined when it was deleted in the meantime, so that only its name is sent. */
async function openIfPresent(url: string, files: Pick<Files, "open">): Promise<Picture | undefined> {
  return openPicture(url, files).catch((error: unknown) => {
    if (AppError.is(error) && error.code === "not_found") return undefined;
    throw error;
  });
}

function toRoundMessages(
  { answer: { text, calls, parts }, results }: ToolRound,
  { model, isSeeing }: PromptRoom,
  pictures: ReadonlyMap<string, Picture>,
): LanguageModelV4Prompt {
  const content = parts?.giver === toModelKey(model) ? parts.content : undefined;
  const visiblePictures = isSeeing ? pictures : NO_PICTURES;
  const toolCalls = calls.map(
    ({ id, name, input }) =>
      ({ type: "tool-call", toolCallId: id, toolName: name, input: parseArguments(input) }) as const,
  );
  const textParts = text === "" ? [] : [{ type: "text", text } as const];
  const toolResults = calls.flatMap(({ id, name }, index) => {
    const result = results[index];
    if (!result) return [];
    const text = result.isData ? toDataBlock(name, result.text) : result.text;
    const output = toolOutput({ pictures: [], ...result, text }, result.isOk, visiblePictures);
    return [{ type: "tool-result", toolCallId: id, toolName: name, output } as const];
  });
  return [
    { role: "assistant", content: content ? [...content] : [...textParts, ...toolCalls] },
    { role: "tool", content: toolResults },
  ];
}

interface Question {
  readonly prompt: (room: PromptRoom) => LanguageModelV4Prompt;
  readonly tools: readonly Tool[];
  readonly round: number;
  readonly isLast: boolean;
}

async function askOnce(
  { models }: AiLoopDeps,
  task: AiTask,
  { ledger, traceId, sessionId, signal }: AiCaller,
  { prompt, tools, round, isLast }: Question,
): Promise<Round> {
  const step = {
    key: `${task.key}.${round}`,
    name: `model, round ${round}`,
    action: "model",
    input: round === 1 ? { system: task.system, prompt: task.prompt } : { round },
    isRisky: false,
    retries: task.retries,
  };
  const stored = await ledger.once(step, async () => {
    const { answer } = models().ask({
      purpose: "chat",
      messages: prompt,
      tools: tools.map(toFunctionTool),
      toolChoice: isLast ? "none" : "auto",
      session: sessionId,
      traceId,
      signal,
      ...(task.modelId !== undefined && { sessionModelId: task.modelId }),
    });
    const modelAnswer = await answer;
    signal.throwIfAborted();
    assertComplete(modelAnswer);
    const { text, toolCalls, usage, content } = modelAnswer;
    const hidden: ProviderParts | undefined =
      content && toolCalls.length > 0 ? { giver: toModelKey(modelAnswer.model), content } : undefined;
    return { output: { text, calls: toolCalls }, hidden, usage };
  });
  const parts = ledger.hidden(step.key) as ProviderParts | undefined;
  return { ...stored, ...(parts && { parts }) };
}

function assertComplete({ ending, failure, usage }: ModelAnswer): void {
  if (ending === "failed" && failure) throw attachUsage(modelError(failure), usage);
  if (ending === "aborted") throw attachUsage(automationTexts.error("timed_out", "model_stopped"), usage);
}

/** Runs a tool call of a model. A rejected call is returned to the model, and the run continues. */
async function callOnce({ guard, files }: AiLoopDeps, call: RequestedTool, caller: AiCaller, key: string) {
  const tool = guard()
    ?.list("ai")
    .find(({ name }) => name === call.name);
  const args = parseArguments(call.input);
  const step = { key, name: call.name, action: "tool", input: args, isRisky: tool?.risk !== "read" };
  return caller.ledger.once(step, async (): Promise<{ readonly output: ToolCallResult }> => {
    try {
      const value = await runTool(guard(), call.name, args, caller);
      return { output: toCallResult(true, await readToolResult(value, call.name, files(), caller.signal), tool) };
    } catch (error) {
      if (caller.signal.aborted || !AppError.is(error)) throw error;
      return { output: toCallResult(false, await readToolFailure(error, call.name, files(), caller.signal), tool) };
    }
  });
}

function toCallResult(isOk: boolean, { text, pictures }: ToolResult, tool: Tool | undefined): ToolCallResult {
  const isData = tool?.isExternal === true || tool?.answersAreData === true;
  return { isOk, text: toResultText(text), ...(isData && { isData }), ...(pictures.length > 0 && { pictures }) };
}

/** Runs a tool through the guard for a model or a step; no person can confirm it. */
export async function runTool(
  guard: ToolGuard | undefined,
  name: string,
  args: unknown,
  { traceId, sessionId, ownerId, signal, speaks: order }: Omit<AiCaller, "ledger">,
): Promise<unknown> {
  if (!guard) throw automationTexts.error("unavailable", "no_tools");
  const context: ToolContext = { signal, traceId, sessionId, callerId: ownerId, isAdmin: true, order, progress() {} };
  return guard.call(name, args, { audience: "ai", id: traceId, confirms: false }, context);
}

/** Returns the text of a tool result, truncated to a length that a model can use. */
export function toResultText(value: unknown): string {
  const text =
    typeof value === "string"
      ? value
      : isToolParts(value)
        ? value.parts.map((part) => ("text" in part ? part.text : `[${part.type}, ${part.mimeType}]`)).join("\n")
        : (JSON.stringify(value) ?? "null");
  return text.length <= MAX_RESULT_CHARS
    ? text
    : `${truncate(text, MAX_RESULT_CHARS)}… [cut: ${text.length} characters]`;
}

function selectTools(guard: ToolGuard | undefined, names: readonly string[] | undefined): readonly Tool[] {
  const all = guard?.callable("ai") ?? [];
  return (names ? all.filter(({ name }) => names.includes(name)) : all).slice(0, MAX_TOOLS);
}

function toFunctionTool({ name, purpose, args, inputSchema }: Tool): LanguageModelV4FunctionTool {
  const schema = inputSchema ?? args["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  return {
    type: "function",
    name,
    description: purpose,
    inputSchema: schema as LanguageModelV4FunctionTool["inputSchema"],
  };
}

function parseArguments(input: string): unknown {
  try {
    return input.trim() === "" ? {} : JSON.parse(input);
  } catch {
    // The guard reports the invalid arguments.
    return input;
  }
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
