import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { estimateTokens, type ModelAnswer, type ModelErrorCategory, type ModelFailure } from "@parley/core";
import type { StreamedAnswer } from "../stream/read-answer.ts";

export const EMPTY_ANSWER: StreamedAnswer = {
  text: "",
  thinking: "",
  toolCalls: [],
  content: [],
  finish: undefined,
  usage: undefined,
};

export function toFailure(category: ModelErrorCategory, detail: string, chinese: string): ModelFailure {
  return { category, detail, chinese, statusCode: null, retryAfterMs: null };
}

export function findAnswerFailure({ text, toolCalls, finish }: StreamedAnswer): ModelFailure | undefined {
  if (finish === undefined || finish === "error" || finish === "interrupted") {
    return { ...toFailure("invalid_response", "the answer broke off", ""), reason: "broken_off" };
  }
  if (text.trim() !== "" || toolCalls.length > 0) return undefined;
  if (finish === "content-filter") return toFailure("content_refused", "the provider refused to answer", "");
  return { ...toFailure("invalid_response", "the answer was empty", ""), reason: "empty" };
}

export function countTokens(
  { usage, text, thinking }: StreamedAnswer,
  prompt: LanguageModelV4Prompt,
  isFailed: boolean,
) {
  // A rejected request costs nothing; for an interrupted answer the provider's figures are missing.
  if (isFailed && !usage && text === "" && thinking === "") return { input_tokens: 0, output_tokens: 0 };
  return {
    input_tokens: usage?.inputTokens.total ?? estimateTokens(toPromptText(prompt)),
    output_tokens: usage?.outputTokens.total ?? estimateTokens(text + thinking),
    cache_read_tokens: usage?.inputTokens.cacheRead ?? 0,
    cache_write_tokens: usage?.inputTokens.cacheWrite ?? 0,
  };
}

/** Serializes the prompt without the bytes of files. */
export function toPromptText(prompt: LanguageModelV4Prompt): string {
  return JSON.stringify(prompt, (_key, value) => (value?.type === "file" ? { type: "file" } : value));
}

export function toUsageFigures({ model, usage, ending, toolCalls }: ModelAnswer) {
  const { input_tokens, output_tokens, cost } = usage;
  const price = cost === null ? {} : { cost };
  const { modelId: model_id, model: name } = model;
  return { model_id, model: name, ending, input_tokens, output_tokens, ...price, tool_calls: toolCalls.length };
}
