import type { RequestedTool, Usage } from "@parley/core";
import type { AnswerEnd } from "./running-answer.ts";

/** Data that a completion and all its chunks have in common. */
export interface CompletionHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

/** Returns the whole answer in the form of OpenAI's API. */
export function toCompletion(head: CompletionHead, { text, finishReason, refusal, toolCalls, usage }: AnswerEnd) {
  const message = {
    role: "assistant",
    content: text === "" && (toolCalls.length > 0 || refusal !== null) ? null : text,
    refusal,
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(toToolCall) }),
  };
  return {
    ...head,
    object: "chat.completion",
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    usage: toUsage(usage),
  };
}

/** Returns one event of a streamed answer. */
export function toChunk(head: CompletionHead, delta: object, finishReason: string | null = null) {
  const choice = { index: 0, delta, logprobs: null, finish_reason: finishReason };
  return { ...head, object: "chat.completion.chunk", choices: [choice] };
}

/** Returns the last event of a streamed answer, with its usage. */
export function toUsageChunk(head: CompletionHead, { usage }: AnswerEnd) {
  return { ...head, object: "chat.completion.chunk", choices: [], usage: toUsage(usage) };
}

/** Returns the tool calls of an answer as a piece of a stream. */
export function toToolCallDelta(calls: readonly RequestedTool[]) {
  return { tool_calls: calls.map((call, index) => ({ index, ...toToolCall(call) })) };
}

function toToolCall({ id, name, input }: RequestedTool) {
  return { id, type: "function", function: { name, arguments: input } };
}

function toUsage(usage: Usage | null) {
  const { input_tokens = 0, output_tokens = 0, total_tokens = 0, cache_read_tokens = 0 } = usage ?? {};
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens,
    prompt_tokens_details: { cached_tokens: cache_read_tokens },
  };
}
