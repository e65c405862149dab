import type { ModelAnswer } from "@parley/core";
import type { AssembledPrompt } from "../prompt/assemble-prompt.ts";

const MAX_TRACED_NAMES = 4_000;

/** Returns trace figures of the request: history and offered tools. */
export function toInputFigures(sent: AssembledPrompt | undefined, tools: readonly { readonly name: string }[]) {
  const names = tools.map(({ name }) => name).join(", ");
  return {
    ...(sent && { history: sent.includedCount, history_left_out: sent.omittedCount }),
    ...(tools.length > 0 && { tools_offered: tools.length, tool_names: names.slice(0, MAX_TRACED_NAMES) }),
  };
}

/** Returns trace figures of the call: model, ending and usage. */
export function toCallFigures({ model: { modelId, model }, usage, ending, toolCalls }: ModelAnswer) {
  const { input_tokens, output_tokens, cost } = usage;
  const price = cost === null ? {} : { cost };
  return { model_id: modelId, model, ending, input_tokens, output_tokens, ...price, tool_calls: toolCalls.length };
}
