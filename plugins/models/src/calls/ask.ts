import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ObjectSchema } from "@hapi/joi";
import {
  type AnswerContent,
  type AnsweringModel,
  createPartQueue,
  deadline,
  estimateTokens,
  type ModelAnswer,
  type ModelCall,
  type ModelPart,
  type ModelQuestion,
  type PromptRoom,
  type RequestedTool,
} from "@parley/core";
import { findRejectedFeatures, type RequestFeature, toToolFeature } from "../failover/unsupported-features.ts";
import { addStreamHint } from "../providers/provider-error.ts";
import type { Catalog } from "../records/catalog.ts";
import { markCacheBreakpoints, toProviderOptions } from "../request/prompt-cache.ts";
import { addFormatInstruction, parseValue } from "../request/structured-output.ts";
import { type PortableTool, toPortableTool } from "../request/tool-schemas.ts";
import { toWellFormed } from "../request/well-formed.ts";
import { readAnswer, type StreamedAnswer } from "../stream/read-answer.ts";
import { withReasoningFields } from "../stream/reasoning-fields.ts";
import { createSecretMask } from "../stream/secret-mask.ts";
import { modelsTexts } from "../texts.ts";
import {
  countTokens,
  EMPTY_ANSWER,
  findAnswerFailure,
  toFailure,
  toPromptText,
  toUsageFigures,
} from "./answer-figures.ts";
import type { Attempt, AttemptOutcome } from "./attempt.ts";
import type { Attempts } from "./attempts.ts";

// Fallback timeout of a call, which the caller's signal usually ends earlier.
const MAX_ASK_MS = 3_600_000;

export interface AskDeps {
  readonly catalog: Pick<Catalog, "listQueue" | "requireEnabled" | "toFailure">;
  readonly attempts: Attempts;
}

interface AskResult extends Pick<StreamedAnswer, "text" | "thinking" | "toolCalls" | "content" | "finish"> {
  readonly value?: unknown;
}

/** Asks language models: text, tools, and values that fit a schema. */
export function createAsk({ catalog, attempts }: AskDeps) {
  /** Identities of models whose answers begin with thinking without an opening tag. */
  const modelsWithoutOpenTag = new Set<string>();
  /** Identity of the model that created each answer part, for parts that are sent back later. */
  const modelByPart = new WeakMap<object, string>();
  return <Value>(question: ModelQuestion<Value>): ModelCall<Value> => {
    const stop = new AbortController();
    const queue = createPartQueue<ModelPart>(() => stop.abort());
    const emit = (part: ModelPart) => {
      if (part.type === "text") hasEmittedText = true;
      if (part.type === "attempt") hasEmittedText = false;
      queue.push(part);
    };
    let hasEmittedText = false;
    const answer = (async () => {
      try {
        const { turn, purpose } = question;
        let content: AnswerContent | undefined;
        // Provider metadata is needed only within the turn, because recorded answers are never sent back.
        const live = async () => {
          const { content: given, ...answer } = await askModels(question, stop.signal, emit);
          content = given;
          return answer;
        };
        const recorded = turn
          ? await turn.external({ kind: "model", name: purpose, ask: live, figures: toUsageFigures })
          : await live();
        // An answer that was not streamed is emitted as one piece unless it failed.
        const isWhole = recorded.text !== "" && recorded.ending !== "failed";
        if (!hasEmittedText && isWhole) emit({ type: "text", text: recorded.text });
        return { ...recorded, ...(content && { content }) } as ModelAnswer<Value>;
      } finally {
        queue.end();
      }
    })();
    // Prevents an unhandled rejection when only the parts are consumed.
    answer.catch(() => {});
    return { parts: queue.parts, answer };
  };

  async function askModels(
    question: ModelQuestion,
    stopped: AbortSignal,
    emit: (part: ModelPart) => void,
  ): Promise<ModelAnswer> {
    using limit = deadline(MAX_ASK_MS, question.signal, stopped);
    const { signal } = limit;
    const { purpose, sessionModelId, onlyModelId } = question;
    const done = await attempts<AskResult>({
      purpose,
      options: { ...question, signal },
      queue:
        onlyModelId === undefined
          ? await catalog.listQueue(purpose, sessionModelId)
          : [await catalog.requireEnabled(purpose, onlyModelId)],
      isOnce: question.isOnce ?? false,
      emptyResult: { text: "", thinking: "", toolCalls: [], content: [], finish: undefined },
      onAttempt(model, after) {
        emit({ type: "attempt", model, after });
      },
      run: (attempt) => askOnce(question, attempt, emit),
    });
    const { model, usage, failure, result } = done;
    const { text, thinking, toolCalls, content, finish, value } = result;
    const ending = signal.aborted ? "aborted" : failure ? "failed" : finish === "length" ? "length" : "done";
    const isGood = ending === "done" || ending === "length";
    return {
      model,
      text,
      thinking,
      toolCalls,
      content,
      ending,
      usage,
      ...(ending === "failed" && failure && { failure }),
      ...(isGood && value !== undefined && { value }),
    };
  }

  async function askOnce(
    question: ModelQuestion,
    attempt: Attempt,
    emit: (part: ModelPart) => void,
  ): Promise<AttemptOutcome<AskResult>> {
    const { model, signal, disabled: without, onFirstToken } = attempt;
    const { language, parameters } = model;
    if (!language) throw modelsTexts.error("unavailable", "no_talk", { label: model.label });
    const { schema } = question;
    const { options, extras, offered } = buildOptions(question, attempt);
    const answer: StreamedAnswer = { ...EMPTY_ANSWER, toolCalls: [] };
    // A structured answer is not streamed.
    const isStreamed = question.isStreamed === true && parameters.supportsStream && !schema;
    let isShown = false;
    await attempt.reserve(() => ({
      input_tokens: estimateTokens(toPromptText(options.prompt)),
      output_tokens: options.maxOutputTokens ?? parameters.maxTokens,
    }));
    const thrown = await readAnswer(language, options, {
      idleMs: parameters.timeoutMs,
      isStreamed,
      signal,
      answer,
      mask: createSecretMask(model.secrets ?? []),
      beginsThinking: modelsWithoutOpenTag.has(model.identity),
      to: {
        retract() {
          modelsWithoutOpenTag.add(model.identity);
          if (isStreamed) emit({ type: "attempt", model: toAnsweringModel(model), after: null });
        },
        text(text) {
          onFirstToken();
          if (!isStreamed) return;
          isShown = question.isShown ?? true;
          emit({ type: "text", text });
        },
        thinking(text) {
          onFirstToken();
          if (isStreamed) emit({ type: "thinking", text });
        },
      },
    }).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    const read = thrown ? catalog.toFailure(signal.aborted ? signal.reason : thrown.error) : findAnswerFailure(answer);
    const isMute = isStreamed && answer.text === "" && answer.thinking === "" && answer.toolCalls.length === 0;
    const failure = read && thrown && isMute ? addStreamHint(read) : read;
    for (const part of answer.content) modelByPart.set(part, model.identity);
    answer.toolCalls = answer.toolCalls.map((call) => restoreArguments(call, offered));
    const tokens = countTokens(answer, options.prompt, failure !== undefined);
    const sent = { protocol: model.protocol, tools: offered.map(({ tool }) => tool) };
    const rejected = thrown ? findRejectedFeatures(thrown.error, sent) : [];
    if (failure || !schema)
      return {
        result: answer,
        tokens,
        isShown,
        optionalFeatures: extras,
        rejectedFeatures: rejected,
        ...(failure && { failure }),
      };
    const parsed = parseValue(answer.text, schema);
    if ("value" in parsed) return { result: { ...answer, value: parsed.value }, tokens, optionalFeatures: extras };
    return {
      result: answer,
      tokens,
      optionalFeatures: extras,
      failure: toFailure(
        "invalid_response",
        `the answer does not fit: ${parsed.problem.en}`,
        `应答不符合要求：${parsed.problem.zh}`,
      ),
      invalidAnswer: { text: answer.text, problem: parsed.problem.en },
    };

    function buildOptions(modelQuestion: ModelQuestion, { share, invalidAnswer }: Attempt) {
      const isCalling = parameters.supportsTools && !without.has("tools");
      const offered = (isCalling ? (modelQuestion.tools ?? []) : [])
        .map(toPortableTool)
        .filter(({ tool }) => !without.has(toToolFeature(tool)));
      const tools = offered.map(({ tool }) => tool);
      const room: PromptRoom = { model, tools, share, isSeeing: parameters.supportsVision && !without.has("pictures") };
      const messages =
        typeof modelQuestion.messages === "function" ? modelQuestion.messages(room) : modelQuestion.messages;
      const ownMessages = messages.map((message) => removeForeignMetadata(message, model.identity, modelByPart));
      const prompt = toWellFormed(
        schema ? addFormatInstruction(ownMessages, schema, invalidAnswer) : ownMessages,
        model.protocol,
      );
      // A prompt that is not built by a function cannot be built again without its images.
      const hasPictures = typeof modelQuestion.messages === "function" && prompt.some(hasFile);
      const found: RequestFeature[] = [
        ...(schema ? (["format"] as const) : []),
        ...(hasPictures ? (["pictures"] as const) : []),
      ];
      return { options: toCallOptions(modelQuestion, attempt, prompt, tools), extras: found, offered };
    }
  }
}

function toCallOptions(
  { toolChoice = "auto", parameters: overrides = {}, schema, cacheKey }: ModelQuestion,
  { model, disabled: without }: Attempt,
  prompt: LanguageModelV4Prompt,
  tools: PromptRoom["tools"],
): LanguageModelV4CallOptions {
  const {
    temperature,
    topP,
    frequencyPenalty,
    presencePenalty,
    maxTokens: modelMaxTokens,
    unset = [],
  } = model.parameters;
  const limits = [overrides.maxTokens, unset.includes("maxTokens") ? undefined : modelMaxTokens].filter(
    (one) => one !== undefined,
  );
  const effectiveTemperature = overrides.temperature ?? (unset.includes("temperature") ? undefined : temperature);
  const effectiveTopP = overrides.topP ?? (unset.includes("topP") ? undefined : topP);
  return {
    prompt: markCacheBreakpoints(prompt, model, cacheKey).map(withReasoningFields),
    ...(model.protocol === "openai_chat" && { includeRawChunks: true }),
    ...(limits.length > 0 && { maxOutputTokens: Math.min(...limits) }),
    ...(effectiveTemperature !== undefined && { temperature: effectiveTemperature }),
    ...(effectiveTopP !== undefined && { topP: effectiveTopP }),
    // Some servers reject these fields; leaving them out means 0.
    ...(frequencyPenalty !== 0 && { frequencyPenalty }),
    ...(presencePenalty !== 0 && { presencePenalty }),
    ...(tools.length > 0 && { tools: [...tools], toolChoice: toToolChoice(toolChoice) }),
    ...(schema && !without.has("format") && { responseFormat: toResponseFormat(schema) }),
    providerOptions: toProviderOptions(model, cacheKey),
  };
}

function toToolChoice(
  choice: NonNullable<ModelQuestion["toolChoice"]>,
): NonNullable<LanguageModelV4CallOptions["toolChoice"]> {
  return typeof choice === "string" ? { type: choice } : { type: "tool", toolName: choice.toolName };
}

function toAnsweringModel({ modelId, label, model, protocol, source }: AnsweringModel): AnsweringModel {
  return { modelId, label, model, protocol, source };
}

/** Removes provider metadata of other models, which might reject it. */
function removeForeignMetadata(
  message: LanguageModelV4Prompt[number],
  identity: string,
  modelByPart: WeakMap<object, string>,
): LanguageModelV4Prompt[number] {
  if (message.role !== "assistant") return message;
  const content = message.content.flatMap((part): (typeof part)[] => {
    const sourceModel = modelByPart.get(part);
    if (sourceModel === undefined || sourceModel === identity) return [part];
    if (part.type !== "text" && part.type !== "tool-call") return [];
    const { providerOptions: _, ...plain } = part;
    return [plain];
  });
  return { ...message, content };
}

/** Returns the call with the argument names of the tool's own schema. */
function restoreArguments(call: RequestedTool, offered: readonly PortableTool[]): RequestedTool {
  const found = offered.find(({ tool }) => tool.name === call.name);
  try {
    return found?.restore ? { ...call, input: JSON.stringify(found.restore(JSON.parse(call.input))) } : call;
  } catch {
    // The tool call itself rejects arguments that are not valid JSON.
    return call;
  }
}

function toResponseFormat(schema: ObjectSchema): NonNullable<LanguageModelV4CallOptions["responseFormat"]> {
  const json = schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  return { type: "json", schema: json as never };
}

function hasFile({ content }: LanguageModelV4Prompt[number]): boolean {
  if (typeof content === "string") return false;
  return content.some((part) => {
    if (part.type !== "tool-result" || part.output.type !== "content") return part.type === "file";
    return part.output.value.some(({ type }) => type === "file");
  });
}
