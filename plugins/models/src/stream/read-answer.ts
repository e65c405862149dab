import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { type AnswerContent, deadline, type RequestedTool, removeNul } from "@parley/core";
import { raceWithSignal } from "@parley/core/async";
import { modelsTexts } from "../texts.ts";
import { type AnswerCollector, createAnswerCollector } from "./answer-content.ts";
import type { MaskedStream, SecretMask } from "./secret-mask.ts";
import { createThinkTagParser, type ThinkTagParser } from "./think-tags.ts";

/** Longer than the answer of any model; text beyond it is garbage. */
const MAX_ANSWER_CHARS = 4_000_000;
/** Maximum duration of a call, which is that of a turn; an endless answer is cut here. */
const MAX_CALL_MS = 1_800_000;

/** The answer of one call. It is filled while it streams, so that an interruption loses nothing. */
export interface StreamedAnswer {
  text: string;
  thinking: string;
  toolCalls: RequestedTool[];
  /** The answer in the form in which its provider wants it back. */
  content: AnswerContent;
  finish: string | undefined;
  usage: LanguageModelV4Usage | undefined;
}

export interface AnswerListener {
  text(delta: string): void;
  thinking(delta: string): void;
  /** Called when the text so far turned out to be thinking; it is passed on again as thinking. */
  retract(): void;
}

/** Asks a model once, streamed or not. `idleMs` is the timeout of the first piece and between pieces. */
export async function readAnswer(
  language: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  {
    idleMs,
    isStreamed,
    signal,
    answer,
    to,
    mask,
    beginsThinking = false,
  }: {
    readonly idleMs: number;
    readonly isStreamed: boolean;
    readonly signal: AbortSignal;
    readonly answer: StreamedAnswer;
    readonly to: AnswerListener;
    readonly mask: SecretMask;
    /** True when the model is known to begin with thinking that has no opening tag. */
    readonly beginsThinking?: boolean;
  },
): Promise<void> {
  const beganMs = performance.now();
  using idle = deadline(idleMs, signal);
  const abortSignal = idle.signal;
  abortSignal.throwIfAborted();
  const callOptions = { ...options, abortSignal };
  const sink = createAnswerSink(answer, { to, mask, beginsThinking });
  try {
    if (!isStreamed) {
      const generated = await raceWithSignal(language.doGenerate(callOptions), abortSignal);
      const { content, finishReason, usage, response } = generated;
      if (options.includeRawChunks) sink.collector.addRaw(response?.body);
      for (const [index, part] of content.entries()) consumeContent(part, String(index), sink);
      answer.finish = finishReason.unified;
      answer.usage = usage;
      return;
    }
    let size = 0;
    for await (const part of streamParts(language, callOptions, abortSignal)) {
      size += getPartLength(part);
      if (size > MAX_ANSWER_CHARS) throw modelsTexts.error("too_large", "endless");
      if (performance.now() - beganMs > MAX_CALL_MS) throw new DOMException("it took too long", "TimeoutError");
      // Empty chunks do not count as a response.
      if (getPartLength(part) > 0) idle.restart();
      consumePart(part, sink);
    }
  } finally {
    // The rest is passed on even if the answer was interrupted.
    sink.text.end();
    for (const stream of sink.streams) stream.end();
    answer.content = sink.collector.content(mask);
  }
}

interface AnswerSink {
  readonly answer: StreamedAnswer;
  readonly text: ThinkTagParser;
  readonly thinking: (delta: string) => void;
  readonly mask: SecretMask;
  readonly collector: AnswerCollector;
  /** Streams that may have buffered the beginning of a secret. */
  readonly streams: readonly MaskedStream[];
}

interface AnswerSinkOptions {
  readonly to: AnswerListener;
  readonly mask: SecretMask;
  readonly beginsThinking: boolean;
}

function createAnswerSink(answer: StreamedAnswer, { to, mask, beginsThinking }: AnswerSinkOptions): AnswerSink {
  const thinkingStream = mask.stream((delta) => {
    answer.thinking += delta;
    to.thinking(delta);
  });
  const textStream = mask.stream((delta) => {
    answer.text += delta;
    to.text(delta);
  });
  const thinking = (delta: string) => {
    if (delta !== "") thinkingStream.write(delta);
  };
  const writeText = (given: string) => {
    const delta = removeNul(given);
    if (delta !== "") textStream.write(delta);
  };
  const retract = () => {
    textStream.end();
    answer.text = "";
    to.retract();
  };
  const text = createThinkTagParser(writeText, thinking, { retract, beginsThinking });
  const collector = createAnswerCollector();
  return { answer, text, thinking, mask, collector, streams: [thinkingStream, textStream] };
}

/** Yields the parts of a stream. Ends at once when `signal` aborts, even if the provider's library does not react. */
async function* streamParts(language: LanguageModelV4, options: LanguageModelV4CallOptions, signal: AbortSignal) {
  const { stream } = await raceWithSignal(language.doStream(options), signal);
  const reader = stream.getReader();
  // Cancelling a stream ends its pending read. It is not awaited, because a hanging provider may hang here too.
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield value;
    }
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

function getPartLength(part: LanguageModelV4StreamPart): number {
  switch (part.type) {
    case "text-delta":
    case "reasoning-delta":
    case "tool-input-delta":
      return part.delta.length;
    case "tool-call":
      return part.input.length + 1;
    case "file":
    case "finish":
      return 1;
    default:
      return 0;
  }
}

function consumePart(part: LanguageModelV4StreamPart, sink: AnswerSink): void {
  const { answer, text, thinking } = sink;
  collectMetadata(part, sink);
  if (part.type === "raw") sink.collector.addRaw(part.rawValue);
  if (part.type === "text-delta") {
    text.write(part.delta);
  } else if (part.type === "reasoning-delta") {
    thinking(part.delta);
  } else if (part.type === "tool-call" && !part.providerExecuted) {
    consumeToolCall(part, sink);
  } else if (part.type === "error") {
    throw part.error;
  } else if (part.type === "finish") {
    answer.finish = part.finishReason.unified;
    answer.usage = part.usage;
  }
}

/** Collects provider metadata. A signature may come with any part of a text or reasoning, including its end. */
function collectMetadata(part: LanguageModelV4StreamPart, { collector }: AnswerSink): void {
  const [kind, stage] = part.type.split("-");
  if (!("id" in part) || (kind !== "text" && kind !== "reasoning") || !stage) return;
  collector.add(
    kind,
    part.id,
    "delta" in part ? part.delta : "",
    "providerMetadata" in part ? part.providerMetadata : undefined,
  );
}

function consumeContent(part: LanguageModelV4Content, id: string, sink: AnswerSink): void {
  if (part.type === "text" || part.type === "reasoning") {
    sink.collector.add(part.type, id, part.text, part.providerMetadata);
  }
  if (part.type === "text") sink.text.write(part.text);
  if (part.type === "reasoning") sink.thinking(part.text);
  if (part.type === "tool-call" && !part.providerExecuted) consumeToolCall(part, sink);
}

function consumeToolCall(call: LanguageModelV4ToolCall, { answer, mask, collector }: AnswerSink): void {
  const { toolCallId, toolName, input, providerMetadata } = call;
  collector.addCall({ id: toolCallId, name: toolName, input }, providerMetadata);
  answer.toolCalls.push({ id: toolCallId, name: mask.maskText(toolName), input: mask.maskText(input) });
}
