import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { type AnswerContent, type AskedTool, deadline, withoutNul } from "@parley/core";
import { modelFailure } from "../said-failures.ts";
import { type AnswerCollector, createAnswerCollector } from "./answer-content.ts";
import type { MaskedStream, SecretMask } from "./secret-mask.ts";
import { createThinkTags, type ThinkTags } from "./think-tags.ts";
import { orAborted } from "./within-time.ts";

/** More than any model answers; what sends more sends garbage. */
const MAX_CHARS = 4_000_000;
/** A turn at its longest: what speaks on and on ends here. */
const MAX_CALL_MS = 1_800_000;

/** What a model said in one call; filled while it speaks, so that nothing is lost when it breaks off. */
export interface Heard {
  text: string;
  thinking: string;
  toolCalls: AskedTool[];
  /** The answer as its provider wants it back. */
  content: AnswerContent;
  finish: string | undefined;
  usage: LanguageModelV4Usage | undefined;
}

export interface Listener {
  text(delta: string): void;
  thinking(delta: string): void;
  /** The text so far was thinking; it comes again as that. */
  retract(): void;
}

/** Asks once, whole or in pieces. `idleMs`: from the request to the first piece, and between pieces. */
export async function listen(
  language: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  {
    idleMs,
    isStreamed,
    signal,
    heard,
    to,
    mask,
    beginsThinking = false,
  }: {
    readonly idleMs: number;
    readonly isStreamed: boolean;
    readonly signal: AbortSignal;
    readonly heard: Heard;
    readonly to: Listener;
    readonly mask: SecretMask;
    /** True: the model is known to begin with thinking that nothing opens. */
    readonly beginsThinking?: boolean;
  },
): Promise<void> {
  using limit = deadline(MAX_CALL_MS, signal);
  using idle = deadline(idleMs, limit.signal);
  const abortSignal = idle.signal;
  abortSignal.throwIfAborted();
  const asked = { ...options, abortSignal };
  const ear = earOf(heard, { to, mask, beginsThinking });
  try {
    if (!isStreamed) {
      const { content, finishReason, usage } = await orAborted(language.doGenerate(asked), abortSignal);
      for (const [index, part] of content.entries()) hearContent(part, String(index), ear);
      heard.finish = finishReason.unified;
      heard.usage = usage;
      return;
    }
    let size = 0;
    for await (const part of partsOf(language, asked, abortSignal)) {
      size += lengthOf(part);
      if (size > MAX_CHARS) throw modelFailure("too_large", "endless");
      // What says nothing, however often, is silence.
      if (lengthOf(part) > 0) idle.restart();
      hearPart(part, ear);
    }
  } finally {
    // Also of an answer that breaks off.
    ear.text.end();
    for (const stream of ear.streams) stream.end();
    heard.content = ear.collector.content(mask);
  }
}

interface Ear {
  readonly heard: Heard;
  readonly text: ThinkTags;
  readonly thinking: (delta: string) => void;
  readonly mask: SecretMask;
  readonly collector: AnswerCollector;
  /** What may hold back the beginning of a secret. */
  readonly streams: readonly MaskedStream[];
}

interface EarOptions {
  readonly to: Listener;
  readonly mask: SecretMask;
  readonly beginsThinking: boolean;
}

function earOf(heard: Heard, { to, mask, beginsThinking }: EarOptions): Ear {
  const thought = mask.stream((delta) => {
    heard.thinking += delta;
    to.thinking(delta);
  });
  const said = mask.stream((delta) => {
    heard.text += delta;
    to.text(delta);
  });
  const thinking = (delta: string) => {
    if (delta !== "") thought.hear(delta);
  };
  const say = (given: string) => {
    const delta = withoutNul(given);
    if (delta !== "") said.hear(delta);
  };
  const retract = () => {
    said.end();
    heard.text = "";
    to.retract();
  };
  const text = createThinkTags(say, thinking, { retract, beginsThinking });
  return { heard, text, thinking, mask, collector: createAnswerCollector(), streams: [thought, said] };
}

/** The parts of a stream; ends at once when `signal` aborts, whatever the provider's library does. */
async function* partsOf(language: LanguageModelV4, options: LanguageModelV4CallOptions, signal: AbortSignal) {
  const { stream } = await orAborted(language.doStream(options), signal);
  const reader = stream.getReader();
  // A stream that is cancelled ends its pending read at once. Not awaited: a provider that hangs may hang here too.
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

function lengthOf(part: LanguageModelV4StreamPart): number {
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

function hearPart(part: LanguageModelV4StreamPart, ear: Ear): void {
  const { heard, text, thinking } = ear;
  collect(part, ear);
  if (part.type === "text-delta") {
    text.hear(part.delta);
  } else if (part.type === "reasoning-delta") {
    thinking(part.delta);
  } else if (part.type === "tool-call" && !part.providerExecuted) {
    hearCall(part, ear);
  } else if (part.type === "error") {
    throw part.error;
  } else if (part.type === "finish") {
    heard.finish = part.finishReason.unified;
    heard.usage = part.usage;
  }
}

/** A signature may come with any part of a text or a thought, also with its end. */
function collect(part: LanguageModelV4StreamPart, { collector }: Ear): void {
  const [kind, stage] = part.type.split("-");
  if (!("id" in part) || (kind !== "text" && kind !== "reasoning") || !stage) return;
  collector.add(
    kind,
    part.id,
    "delta" in part ? part.delta : "",
    "providerMetadata" in part ? part.providerMetadata : undefined,
  );
}

function hearContent(part: LanguageModelV4Content, id: string, ear: Ear): void {
  if (part.type === "text" || part.type === "reasoning") {
    ear.collector.add(part.type, id, part.text, part.providerMetadata);
  }
  if (part.type === "text") ear.text.hear(part.text);
  if (part.type === "reasoning") ear.thinking(part.text);
  if (part.type === "tool-call" && !part.providerExecuted) hearCall(part, ear);
}

function hearCall(call: LanguageModelV4ToolCall, { heard, mask, collector }: Ear): void {
  const { toolCallId, toolName, input, providerMetadata } = call;
  collector.call({ id: toolCallId, name: toolName, input }, providerMetadata);
  heard.toolCalls.push({ id: toolCallId, name: mask.text(toolName), input: mask.text(input) });
}
