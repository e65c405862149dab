import type { LanguageModelV4, LanguageModelV4FunctionTool, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { AppError, type ChosenModel, type Clock, type Models, type TokenUsage, type Usage } from "@parley/core";

export interface AskedCall {
  readonly id: string;
  readonly tool: string;
  /** JSON, as the model wrote it. */
  readonly input: string;
}

export interface ModelSaid {
  readonly text: string;
  readonly calls: readonly AskedCall[];
  readonly usage: Usage;
}

export interface AskParts {
  readonly models: Pick<Models, "choose" | "failure">;
  readonly usage: Pick<TokenUsage, "record">;
  readonly clock: Clock;
}

export interface Asking {
  readonly prompt: LanguageModelV4Prompt;
  readonly tools: readonly LanguageModelV4FunctionTool[];
  readonly user: string;
  readonly traceId: string;
  readonly signal: AbortSignal;
}

/** Asks the chat model once and notes what it cost. `unavailable`, `upstream_failed` or `timed_out` when it does not answer. */
export async function askModel({ models, usage, clock }: AskParts, asking: Asking): Promise<ModelSaid> {
  const model = await models.choose("chat");
  const { language, parameters } = model;
  if (!language) throw new AppError("unavailable", "the chat model cannot talk");
  const { tools, prompt, signal } = asking;
  const begun = clock.monotonic();
  const noted = (input_tokens: number, output_tokens: number, ok: boolean) =>
    usage.record({
      model_id: model.modelId,
      model: model.model,
      purpose: "chat",
      session_id: null,
      user: asking.user,
      trace_id: asking.traceId,
      input_tokens,
      output_tokens,
      duration_ms: clock.monotonic() - begun,
      ok,
    });
  try {
    const result = await language.doGenerate({
      prompt,
      maxOutputTokens: parameters.maxTokens,
      temperature: parameters.temperature,
      ...(tools.length > 0 && parameters.supportsTools && { tools: [...tools], toolChoice: { type: "auto" } }),
      abortSignal: signal,
    });
    const [input_tokens, output_tokens] = [result.usage.inputTokens.total ?? 0, result.usage.outputTokens.total ?? 0];
    const cost = await noted(input_tokens, output_tokens, true);
    return {
      text: textOf(result.content),
      calls: callsOf(result.content),
      usage: { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens, cost },
    };
  } catch (error) {
    await noted(0, 0, false);
    signal.throwIfAborted();
    throw failureOf(error, models, model);
  }
}

type Content = Awaited<ReturnType<LanguageModelV4["doGenerate"]>>["content"];

function textOf(content: Content): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

function callsOf(content: Content): readonly AskedCall[] {
  return content.flatMap((part) =>
    part.type === "tool-call" ? [{ id: part.toolCallId, tool: part.toolName, input: part.input }] : [],
  );
}

function failureOf(error: unknown, models: Pick<Models, "failure">, { label }: ChosenModel): AppError {
  if (AppError.is(error)) return error;
  const { category, detail } = models.failure(error);
  const code = category === "timeout" ? "timed_out" : category === "no_key" ? "unavailable" : "upstream_failed";
  return new AppError(code, `${label} did not answer (${category}): ${detail}`, { cause: error });
}
