import type { AnswerParameters } from "@parley/core";
import type { CompletionBody } from "./body.ts";

/** Returns the parameters of the model that a request sets. */
export function toParameters({
  temperature,
  top_p: topP,
  max_tokens,
  max_completion_tokens: maxTokens = max_tokens,
}: CompletionBody): AnswerParameters {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(maxTokens !== undefined && { maxTokens }),
  };
}
