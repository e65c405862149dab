import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { AppError, deadline, withoutNul } from "@parley/core";
import type { AskedTool, ModelRequest } from "./model-call.ts";

/** What a model said in one call; filled while it speaks, so that nothing is lost when it breaks off. */
export interface ModelResponse {
  text: string;
  thinking: string;
  toolCalls: AskedTool[];
  finish: string | undefined;
  usage: LanguageModelV4Usage | undefined;
}

export async function listen(
  request: ModelRequest,
  prompt: LanguageModelV4Prompt,
  response: ModelResponse,
): Promise<void> {
  const { model, signal } = request;
  const { language, parameters } = model;
  if (!language) throw new AppError("unavailable", `the model '${model.label}' cannot chat`);
  using idle = deadline(parameters.timeoutMs, signal);
  const abortSignal = idle.signal;
  const options = callOptions(request, prompt, abortSignal);
  abortSignal.throwIfAborted();
  if (!request.onText || !parameters.supportsStream) {
    const { content, finishReason, usage } = await orAborted(language.doGenerate(options), abortSignal);
    for (const part of content) hearContent(part, response, request);
    response.finish = finishReason.unified;
    response.usage = usage;
    return;
  }
  for await (const part of partsOf(language, options, abortSignal)) {
    idle.restart();
    hearPart(part, response, request);
  }
}

function callOptions(
  { model, tools = [], toolChoice = "auto", maxTokens }: ModelRequest,
  prompt: LanguageModelV4Prompt,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  const { temperature, topP, frequencyPenalty, presencePenalty, maxTokens: most } = model.parameters;
  return {
    prompt,
    maxOutputTokens: Math.min(maxTokens ?? most, most),
    temperature,
    topP,
    // Some servers refuse the fields; 0 is what their absence means.
    ...(frequencyPenalty !== 0 && { frequencyPenalty }),
    ...(presencePenalty !== 0 && { presencePenalty }),
    ...(tools.length > 0 && { tools: [...tools], toolChoice: { type: toolChoice } }),
    abortSignal,
  };
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

function hearPart(part: LanguageModelV4StreamPart, response: ModelResponse, request: ModelRequest): void {
  if (part.type === "text-delta") {
    hearText(part.delta, response, request);
  } else if (part.type === "reasoning-delta") {
    response.thinking += part.delta;
  } else if (part.type === "tool-call" && !part.providerExecuted) {
    response.toolCalls.push({ id: part.toolCallId, name: part.toolName, input: part.input });
  } else if (part.type === "error") {
    throw part.error;
  } else if (part.type === "finish") {
    response.finish = part.finishReason.unified;
    response.usage = part.usage;
  }
}

function hearContent(part: LanguageModelV4Content, response: ModelResponse, request: ModelRequest): void {
  if (part.type === "text") hearText(part.text, response, request);
  if (part.type === "reasoning") response.thinking += part.text;
  if (part.type === "tool-call" && !part.providerExecuted) {
    response.toolCalls.push({ id: part.toolCallId, name: part.toolName, input: part.input });
  }
}

function hearText(given: string, response: ModelResponse, { onText }: ModelRequest): void {
  const delta = withoutNul(given);
  if (delta === "") return;
  response.text += delta;
  onText?.(delta);
}

function orAborted<Value>(work: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(
      (value) => {
        signal.removeEventListener("abort", abort);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener("abort", abort);
        reject(signal.aborted ? signal.reason : error);
      },
    );
  });
}
