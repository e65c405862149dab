import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import {
  ANSWERS,
  type AnsweringModel,
  type AnswerParameters,
  AppError,
  addUsage,
  type Clock,
  derivedId,
  fittingPictures,
  type ModelAnswer,
  type ModelCalls,
  type ModelQuestion,
  modelError,
  type Reply,
  type Settings,
  type ToolCallRecord,
  type Turn,
  type TurnContext,
  type TurnStage,
  toLocalizedError,
  toolOutput,
  toTraceMessage,
  type Usage,
} from "@parley/core";
import { type AssembledPrompt, assemblePrompt, PROMPT_SIZE } from "../prompt/assemble-prompt.ts";
import { chatTexts } from "../texts.ts";
import { toCallFigures, toInputFigures } from "./answer-figures.ts";
import type { FileText } from "./file-texts.ts";
import { isPicture, listPictureUrls, type Pictures } from "./pictures.ts";
import type { SessionTitles } from "./session-titles.ts";
import { createThinkingSteps } from "./thinking-steps.ts";
import { type ToolRun, type TurnTools, toFunctionTool } from "./turn-tools.ts";

export interface AnswerDeps {
  readonly calls: Pick<ModelCalls, "ask">;
  readonly tools: TurnTools;
  readonly naming: SessionTitles;
  /** Reads stored pictures for models that see. */
  readonly pictures: (urls: readonly string[]) => Promise<Pictures>;
  /** Returns the texts of files that the model reads. */
  readonly texts: (turn: Turn) => Promise<ReadonlyMap<string, FileText>>;
  readonly settings: () => Pick<Settings, "get"> | undefined;
  readonly clock: Clock;
  /** Calls of the model in one turn. */
  readonly maxSteps: number;
}

const NO_PICTURES: Pictures = new Map();

/** Creates the stage that calls the model, runs its tools and streams its answer. */
export function createAnswerStage(deps: AnswerDeps): TurnStage {
  return {
    id: "chat.answer",
    phase: "answer",
    concerns: ({ replies, inbound: { kind, addressed } }) =>
      replies.length === 0 && kind !== "edit" && kind !== "recall" && addressed,
    async run(turn, context) {
      if (deps.settings()?.get(ANSWERS) === false)
        throw chatTexts.error("unavailable", "answers_off", {}, { isLasting: true });
      const response = await runModelSteps(turn, context, deps);
      throwIfSuspended(context.signal);
      const usage = response.usage ? { usage: response.usage } : {};
      const sized = response.prompt ? PROMPT_SIZE.with(turn, response.prompt.size) : turn;
      const reply = toReply(turn, response, context.signal);
      if (!reply) return { ...sized, ...usage };
      if (reply.cut) deps.naming.nameFromQuestion(turn);
      else deps.naming.nameFromReply(turn, reply.text, response.last.model);
      return { ...sized, ...usage, replies: [reply] };
    },
    async unanswered(turn) {
      // A filtered question is never stored and must not become a title.
      if (turn.userMessage) deps.naming.nameFromQuestion(turn);
      return [];
    },
  };
}

/** Combined result of all steps. */
interface ModelResponse {
  readonly text: string;
  readonly thinking: string;
  readonly toolCalls: readonly ToolCallRecord[];
  readonly usage: Usage | undefined;
  readonly prompt: AssembledPrompt | undefined;
  readonly last: ModelAnswer;
}

async function runModelSteps(turn: Turn, context: TurnContext, deps: AnswerDeps): Promise<ModelResponse> {
  const tools = deps.tools.listAllowed(turn).map(toFunctionTool);
  const omittedToolCount = deps.tools.countOmitted(turn);
  const runTool = deps.tools.createRunner(turn, context);
  const replyStream = createReplyStream(turn, context);
  const thinkingSteps = createThinkingSteps(toReplyId(turn.traceId), context, deps.clock);
  const userPictures = await deps.pictures(listPictureUrls(turn));
  const texts = await deps.texts(turn);
  const steps: Step[] = [];
  let toolPictures: Pictures = NO_PICTURES;
  const toolCalls: ToolCallRecord[] = [];
  const thinkingParts: string[] = [];
  let usage: Usage | undefined;
  let prompt: AssembledPrompt | undefined;

  for (let step = 1; ; step += 1) {
    // The last step offers no tools, so the model must answer.
    const isLast = step >= deps.maxSteps;
    replyStream.beginStep();
    const startedMs = deps.clock.monotonic();
    const call = deps.calls.ask({
      ...toQuestion(turn, context),
      messages({ isSeeing, ...room }) {
        const pictures = isSeeing ? selectPictures(turn, userPictures, toolPictures) : NO_PICTURES;
        prompt = assemblePrompt(turn, { ...room, pictures, texts });
        return [...prompt.messages, ...steps.flatMap((one) => toStepMessages(one, pictures))];
      },
      tools,
      toolChoice: isLast ? "none" : "auto",
    });
    for await (const part of call.parts) {
      if (part.type === "text") replyStream.say(part.text);
      if (part.type === "attempt") replyStream.restartStep();
      if (part.type === "thinking") thinkingSteps.addThinking(part.text);
    }
    const answer = await call.answer;
    const ms = Math.round(deps.clock.monotonic() - startedMs);
    const inputFigures = {
      ...(step === 1 && toInputFigures(prompt, tools)),
      ...(omittedToolCount > 0 && { tools_left_out: omittedToolCount }),
    };
    context.trace({
      status: "dispatched",
      ...toTraceMessage(chatTexts.message("trace_model", { model: answer.model.label, ending: answer.ending, ms })),
      metadata: { what: "model", call: step, ms, ...toCallFigures(answer), ...inputFigures },
    });
    usage = addUsage(usage, answer.usage);
    if (answer.thinking) thinkingParts.push(answer.thinking);
    const isFinal = answer.ending !== "done" || answer.toolCalls.length === 0 || isLast;
    if (isFinal) thinkingSteps.end();
    if (isFinal)
      return { text: replyStream.text(), thinking: thinkingParts.join("\n\n"), toolCalls, usage, prompt, last: answer };

    const ran: ToolRun[] = [];
    try {
      for (const asked of answer.toolCalls) ran.push(await thinkingSteps.runTool(asked.name, () => runTool(asked)));
    } catch (error) {
      if (!context.signal.aborted) throw error;
      const last: ModelAnswer = { ...answer, ending: "aborted" };
      return { text: replyStream.text(), thinking: thinkingParts.join("\n\n"), toolCalls, usage, prompt, last };
    }
    toolCalls.push(...ran.map(({ record }) => record));
    steps.push({ answer, ran });
    const returned = steps.flatMap((one) => one.ran.flatMap(({ modelResult }) => modelResult.pictures)).toReversed();
    if (returned.length > toolPictures.size) toolPictures = await deps.pictures(returned);
  }
}

/** Selects the pictures of a request: those of the answered message, then the newest of tools, then earlier ones. */
function selectPictures({ attachments }: Turn, userPictures: Pictures, toolPictures: Pictures): Pictures {
  const now = new Set(attachments.filter(isPicture).map(({ url }) => url));
  const [current, earlier] = [
    [...userPictures].filter(([url]) => now.has(url)),
    [...userPictures].filter(([url]) => !now.has(url)),
  ];
  return fittingPictures([...current, ...toolPictures, ...earlier]);
}

/** Returns the parts of the request that are equal in every step of a turn. */
function toQuestion(turn: Turn, context: TurnContext) {
  return {
    purpose: "chat",
    isStreamed: true,
    isShown: turn.capabilities.supports_stream === true,
    session: turn.session.id,
    cacheKey: turn.session.id,
    sessionModelId: turn.session.model_id,
    ...(turn.inbound.modelId !== undefined && { onlyModelId: turn.inbound.modelId }),
    parameters: toParameters(turn),
    user: turn.inbound.sender.name || turn.inbound.sender.id,
    traceId: turn.traceId,
    turn: context,
    signal: context.signal,
  } satisfies Omit<ModelQuestion, "messages" | "tools" | "toolChoice">;
}

/** An answer with tool calls, and the results of the calls. */
interface Step {
  readonly answer: Pick<ModelAnswer, "text" | "content">;
  readonly ran: readonly ToolRun[];
}

function toStepMessages({ answer: { text, content }, ran }: Step, pictures: Pictures): LanguageModelV4Prompt {
  const calls = ran.map(
    ({ record: { id, name, arguments: input } }) =>
      ({ type: "tool-call", toolCallId: id, toolName: name, input }) as const,
  );
  const results = ran.map(({ record: { id, name, status }, modelResult }) => {
    const output = toolOutput(modelResult, status === "ok", pictures);
    return { type: "tool-result", toolCallId: id, toolName: name, output } as const;
  });
  const textParts = text === "" ? [] : [{ type: "text", text } as const];
  return [
    { role: "assistant", content: content ? [...content] : [...textParts, ...calls] },
    { role: "tool", content: results },
  ];
}

/** Streams the reply to live viewers; the text of a later step begins a new paragraph. */
function createReplyStream({ traceId, session }: Turn, { emit }: TurnContext) {
  const messageId = toReplyId(traceId);
  let spoken = "";
  let textBeforeStep = "";
  let isStarted = false;
  let isNewStep = false;
  const append = (delta: string) => {
    if (!isStarted) emit({ type: "start", messageId, sender: session.sender_name });
    isStarted = true;
    const gap = isNewStep && spoken !== "" && !spoken.endsWith("\n") ? "\n\n" : "";
    isNewStep = false;
    spoken += gap + delta;
    emit({ type: "delta", messageId, text: gap + delta });
  };
  return {
    say: append,
    beginStep() {
      isNewStep = true;
      textBeforeStep = spoken;
    },
    /** Discards the text of this step. */
    restartStep() {
      if (spoken === textBeforeStep) return;
      isNewStep = true;
      spoken = textBeforeStep;
      emit({ type: "start", messageId, sender: session.sender_name });
      if (textBeforeStep !== "") emit({ type: "delta", messageId, text: textBeforeStep });
    },
    text: () => spoken,
  };
}

function toReply(turn: Turn, response: ModelResponse, signal: AbortSignal): Reply | undefined {
  const { text, thinking, toolCalls, usage, last } = response;
  const { model, modelId }: AnsweringModel = last.model;
  const error = last.failure ? modelError(last.failure) : undefined;
  const cut = toCutReason(last, signal);
  if (text.trim() === "") {
    if (error) throw error;
    if (cut === "timeout") throw chatTexts.error("timed_out", "too_late");
    if (cut === "user") return undefined;
    throw chatTexts.error("upstream_failed", "tools_only");
  }
  return {
    id: toReplyId(turn.traceId),
    kind: "normal",
    text,
    attachments: [],
    ...(turn.session.sender_name && { sender: turn.session.sender_name }),
    model,
    modelId,
    ...(usage && { usage }),
    ...(thinking && { thinking }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(cut && { cut }),
    ...(cut === "error" && error && { error: toLocalizedError(error) }),
  };
}

/** Throws when the service or the worker stopped the run, which is then discarded and repeated. A stop by a person does not throw. */
function throwIfSuspended({ aborted, reason }: AbortSignal): void {
  if (aborted && AppError.is(reason) && reason.code === "unavailable") throw reason;
}

function toCutReason({ ending, failure }: ModelAnswer, signal: AbortSignal): Reply["cut"] {
  if (ending === "done") return undefined;
  if (ending === "length") return "length";
  if (ending === "failed") return failure?.category === "timeout" ? "timeout" : "error";
  return isTimeout(signal.reason) ? "timeout" : "user";
}

function isTimeout(reason: unknown): boolean {
  if (AppError.is(reason)) return reason.code === "timed_out";
  return reason instanceof Error && reason.name === "TimeoutError";
}

function toReplyId(traceId: string): string {
  return derivedId("msg", traceId, "reply");
}

/** Returns the model parameters that the session overrides, and above them those of the message. */
function toParameters({ session: { parameters }, inbound }: Turn): AnswerParameters {
  const { temperature = null, max_tokens = null } = parameters ?? {};
  return {
    ...(temperature !== null && { temperature }),
    ...(max_tokens !== null && { maxTokens: max_tokens }),
    ...inbound.parameters,
  };
}
