import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ObjectSchema } from "@hapi/joi";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { AnswerParameters } from "../../message.ts";
import type { TurnContext } from "../../points/turn/turn-stage.ts";
import type { Usage } from "../conversations/sessions.ts";
import type { Spender } from "./budgets.ts";
import type { ChosenModel, ModelFailure } from "./models.ts";

/** Attribution and abort signal of a model call. */
export interface CallOptions {
  /** Id of the session that its tokens are counted for. */
  readonly session?: string | null;
  readonly user?: string | null;
  /** Trace id that records the attempts; without one, and outside a turn, they are not recorded. */
  readonly traceId?: string | null;
  /** The calling turn: its trace records the attempts, its end stores their cost, and a replay gets the recorded answer. */
  readonly turn?: Pick<TurnContext, "trace" | "record" | "external" | "spender">;
  /** The person and credential that a call outside a turn is counted for. */
  readonly spender?: Spender;
  /** Signal that ends the call within 100 ms. */
  readonly signal: AbortSignal;
}

/** Limits for building a prompt; models of one queue may differ. */
export interface PromptRoom {
  readonly model: ChosenModel;
  /** Tools offered to the model; empty for a model without tool calls. */
  readonly tools: readonly LanguageModelV4FunctionTool[];
  /** Share of the model's context to use: 1, or less after the prompt was too long. */
  readonly share: number;
  /** False when the model accepts no pictures. */
  readonly isSeeing: boolean;
}

/** A request to a model. */
export interface ModelQuestion<Value = unknown> extends CallOptions {
  readonly purpose: "chat" | "vision" | "video" | "gate";
  /** The prompt, or a function that builds it for the model to be called. */
  readonly messages: LanguageModelV4Prompt | ((room: PromptRoom) => LanguageModelV4Prompt);
  readonly tools?: readonly LanguageModelV4FunctionTool[];
  /** Default `auto`. */
  readonly toolChoice?: "auto" | "none" | "required" | { readonly toolName: string };
  /** Schema of a JSON answer: the answer is validated, and requested once more when it does not match. */
  readonly schema?: ObjectSchema<Value>;
  /** Model that the session has chosen; it is tried first. */
  readonly sessionModelId?: string | null;
  /** Id of the only model to call, independent of the session's choice; `unavailable` when no enabled model has it. */
  readonly onlyModelId?: string;
  /** True streams the text where the model can; otherwise it arrives whole. */
  readonly isStreamed?: boolean;
  /** False when no viewer sees the stream, so that another model may restart a broken answer. Default true. */
  readonly isShown?: boolean;
  /** True makes one attempt at the first healthy model, for calls not worth a retry. */
  readonly isOnce?: boolean;
  readonly parameters?: AnswerParameters;
  /** Key of requests that begin alike, such as those of a conversation; providers cache their common beginning under it. Without one nothing is cached on purpose. */
  readonly cacheKey?: string;
}

/** A live event while a model answers. */
export type ModelPart =
  /**
   * A model is called; `after` is the failure of the previous attempt, whose text is void. Repeated without `after` when the text so
   * far turns out to be thinking.
   */
  | { readonly type: "attempt"; readonly model: AnsweringModel; readonly after: ModelFailure | null }
  | { readonly type: "thinking"; readonly text: string }
  /** A piece of text. After the first one no other model is tried when viewers see the stream. */
  | { readonly type: "text"; readonly text: string };

/** A tool call requested by a model. */
export interface RequestedTool {
  readonly id: string;
  readonly name: string;
  /** Arguments as the JSON text that the model wrote. */
  readonly input: string;
}

/** An answer's parts, returned to the model with the results of its tools and including the provider's own data. */
export type AnswerContent = Extract<LanguageModelV4Prompt[number], { readonly role: "assistant" }>["content"];

/** The model that answered or was called last. */
export type AnsweringModel = Pick<ChosenModel, "modelId" | "label" | "model" | "protocol" | "source">;

/** The complete answer of a model. */
export interface ModelAnswer<Value = unknown> {
  readonly model: AnsweringModel;
  readonly text: string;
  readonly thinking: string;
  readonly toolCalls: readonly RequestedTool[];
  /** Content to send back unchanged with tool results. For the provider only: never shown or exported, and stored only until the tools have answered. */
  readonly content?: AnswerContent;
  /** Parsed value of a request with a schema; absent when the answer did not end well. */
  readonly value?: Value;
  /** End of the answer. `failed` comes with `failure`; the partial answer is in `text`. */
  readonly ending: "done" | "length" | "aborted" | "failed";
  readonly failure?: ModelFailure;
  /** Total usage of all attempts. */
  readonly usage: Usage;
}

/** A running model request: its live parts and its answer. */
export interface ModelCall<Value = unknown> {
  /** Live parts of the answer, for one reader; ends with the answer and never throws. Leaving the loop stops the call. */
  readonly parts: AsyncIterable<ModelPart>;
  /** The final answer. Rejects only when no call was possible, such as for a purpose without a model or over a budget; provider errors are in the answer. */
  readonly answer: Promise<ModelAnswer<Value>>;
}

/** Vectors of texts. */
export interface Embedding {
  /** One vector per text, in their order; all have the same length. */
  readonly vectors: readonly Float32Array[];
  /** `local`, or the id of the current model. */
  readonly modelId: string;
  /** Vector space: the current model at its address. Only vectors of one space are comparable. */
  readonly space: string;
  readonly model: string;
  readonly dimensions: number;
  readonly isLocal: boolean;
  /** Usage of the call; cached texts cost nothing. */
  readonly usage: Usage;
}

/** Options of a model call with a limit on its patience. */
export interface PatientOptions extends CallOptions {
  /** Timeout in milliseconds for an optional answer: one attempt at a healthy model. Absent: a normal call with the timeouts of the model's record. */
  readonly patienceMs?: number;
}

/** Returns the key that vectors are stored under; only vectors of the same model, address and length are comparable. */
export function vectorSpaceOf({ space, model, dimensions }: Pick<Embedding, "space" | "model" | "dimensions">): string {
  return `${space} ${model} ${dimensions}`;
}

/** Options of embedding texts. */
export interface EmbedOptions extends PatientOptions {
  /** Required vector length; other lengths count as a model failure and none is stored. Default: any, the same for all. */
  readonly dimensions?: number;
}

/** Relevance of texts to a question. */
export interface Reranked {
  /** Relevance of each text to the question, 0 to 1, by index. */
  readonly scores: readonly number[];
  readonly model: AnsweringModel;
  readonly usage: Usage;
}

/** A file created by a model. */
export interface GeneratedFile {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
}

/** Pictures generated by a model. */
export interface GeneratedImages {
  readonly images: readonly GeneratedFile[];
  readonly model: AnsweringModel;
  readonly usage: Usage;
}

/** Options for speech and transcription calls. */
export interface SoundOptions extends CallOptions {
  /** Only this model; `not_found` when it is no enabled model of the purpose. */
  readonly modelId?: string;
}

/** Speech generated by a model. */
export interface GeneratedSpeech extends GeneratedFile {
  readonly model: AnsweringModel;
}

/** Transcript of a recording. */
export interface Transcript {
  readonly text: string;
  /** Language as the provider names it; null when unknown. */
  readonly language: string | null;
  readonly durationS: number | null;
  readonly model: AnsweringModel;
}

/**
 * The only way to call models: queue of a purpose, retries, fallback models where allowed, cooldowns and token
 * limits. Every attempt is a row of token usage and part of the trace.
 */
export interface ModelCalls {
  /** Starts a request at once. */
  ask<Value = unknown>(question: ModelQuestion<Value>): ModelCall<Value>;
  /** Embeds texts with the current model or an equivalent one; locally when no model is configured. Rejects with the code of the last failure. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Embedding>;
  /** Scores texts for a question with the rerank model; undefined when none is configured. Rejects with the code of the last failure. */
  rerank(question: string, texts: readonly string[], options: PatientOptions): Promise<Reranked | undefined>;
  /** Generates images. Not recorded for replay, like speech: the caller that stores the bytes records the result. */
  image(
    prompt: string,
    options: CallOptions & { readonly size?: string; readonly count?: number },
  ): Promise<GeneratedImages>;
  speech(
    text: string,
    options: SoundOptions & {
      readonly voice?: string;
      readonly format?: string;
      readonly speed?: number;
      readonly language?: string;
    },
  ): Promise<GeneratedSpeech>;
  transcribe(audio: GeneratedFile, options: SoundOptions & { readonly language?: string }): Promise<Transcript>;
}
export const ModelCalls: ServiceKey<ModelCalls> = serviceKey("model-calls");

/** Adds up the usage of several calls. */
export function addUsage(a: Usage | undefined, b: Usage): Usage {
  if (!a) return b;
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    total_tokens: a.total_tokens + b.total_tokens,
    cache_read_tokens: (a.cache_read_tokens ?? 0) + (b.cache_read_tokens ?? 0),
    cache_write_tokens: (a.cache_write_tokens ?? 0) + (b.cache_write_tokens ?? 0),
    cost: a.cost === null && b.cost === null ? null : (a.cost ?? 0) + (b.cost ?? 0),
  };
}
