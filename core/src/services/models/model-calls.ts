import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ObjectSchema } from "@hapi/joi";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { TurnContext } from "../../points/turn/turn-stage.ts";
import type { Usage } from "../conversations/sessions.ts";
import type { ChosenModel, ModelFailure } from "./models.ts";

/** For whom a model is called, and what ends the call. */
export interface CallOptions {
  /** Id of the session that its tokens are counted for. */
  readonly session?: string | null;
  readonly user?: string | null;
  /** Where the attempts are noted; without one, and outside a turn, they are not. */
  readonly traceId?: string | null;
  /** The turn that asks: the attempts stand on its trace, its end stores what they cost, and a replay is given the answer. */
  readonly turn?: Pick<TurnContext, "trace" | "record" | "external">;
  /** Ends the call within 100 ms. */
  readonly signal: AbortSignal;
}

/** What a prompt is made for: one model of the queue may take more than another. */
export interface PromptRoom {
  readonly model: ChosenModel;
  /** Empty for a model that calls none. */
  readonly tools: readonly LanguageModelV4FunctionTool[];
  /** Of its context: 1, or less after it found the prompt too long. */
  readonly share: number;
  /** False: it takes no pictures. */
  readonly isSeeing: boolean;
}

/** What a model is asked. */
export interface ModelQuestion<Value = unknown> extends CallOptions {
  readonly purpose: "chat" | "vision" | "video";
  /** The prompt, or what makes it for a model that is to be asked. */
  readonly messages: LanguageModelV4Prompt | ((room: PromptRoom) => LanguageModelV4Prompt);
  readonly tools?: readonly LanguageModelV4FunctionTool[];
  /** Default `auto`. */
  readonly toolChoice?: "auto" | "none";
  /** The answer is JSON that fits: it is checked, and asked for once more when it does not. */
  readonly schema?: ObjectSchema<Value>;
  /** The model that the session has chosen; it is asked first. */
  readonly sessionModelId?: string | null;
  /** This model and no other is asked, whatever the session has chosen; `unavailable` where there is none of this id that is on. */
  readonly onlyModelId?: string;
  /** True: the text comes in pieces where the model can; else it comes whole. */
  readonly isStreamed?: boolean;
  /** False: nobody sees the pieces, so another model may begin the answer anew where one breaks off. Default true. */
  readonly isShown?: boolean;
  /** True: one attempt at the first model that is healthy; for calls that are not worth a second one. */
  readonly isOnce?: boolean;
  readonly parameters?: { readonly maxTokens?: number; readonly temperature?: number };
}

/** What happens while a model answers. */
export type ModelPart =
  /**
   * A model is asked; `after` says why the one before it, or the attempt before, came to nothing. Text that came before does not
   * count. It comes again, without `after`, where that text turns out to be thinking.
   */
  | { readonly type: "attempt"; readonly model: AnsweringModel; readonly after: ModelFailure | null }
  | { readonly type: "thinking"; readonly text: string }
  /** After the first piece no other model is asked, where the question says that the pieces are shown. */
  | { readonly type: "text"; readonly text: string };

/** A call of a tool that a model asks for. */
export interface AskedTool {
  readonly id: string;
  readonly name: string;
  /** JSON as the model wrote it. */
  readonly input: string;
}

/** An answer as it goes back to the model with the results of its tools: its parts, with the provider's own data. */
export type AnswerContent = Extract<LanguageModelV4Prompt[number], { readonly role: "assistant" }>["content"];

/** Which model answered, or was asked last. */
export type AnsweringModel = Pick<ChosenModel, "modelId" | "label" | "model" | "protocol" | "source">;

/** What a model answered, whole. */
export interface ModelAnswer<Value = unknown> {
  readonly model: AnsweringModel;
  readonly text: string;
  readonly thinking: string;
  readonly toolCalls: readonly AskedTool[];
  /** What to send back with the results of tools, as it is. It is for the provider: never shown or exported, and stored only until the tools have answered. */
  readonly content?: AnswerContent;
  /** What a question with a schema is for; absent when the answer did not end well. */
  readonly value?: Value;
  /** `failed` carries `failure`; what was said before it is in `text`. */
  readonly ending: "done" | "length" | "aborted" | "failed";
  readonly failure?: ModelFailure;
  /** Of all attempts. */
  readonly usage: Usage;
}

/** A question under way: what is said meanwhile, and the answer. */
export interface ModelCall<Value = unknown> {
  /** What the model says while it says it, for one reader; ends with the answer and never throws. Leaving it stops the call. */
  readonly parts: AsyncIterable<ModelPart>;
  /** Rejects only when nothing could be asked, such as for a purpose without a model: what a provider did is in the answer. */
  readonly answer: Promise<ModelAnswer<Value>>;
}

/** Texts as vectors. */
export interface Embedding {
  /** One for each text, in their order; all of one length. */
  readonly vectors: readonly Float32Array[];
  /** `local`, or the id of the model in force. */
  readonly modelId: string;
  /** The model in force at its address: only vectors of one space may be compared. */
  readonly space: string;
  readonly model: string;
  readonly dimensions: number;
  readonly isLocal: boolean;
  /** Texts that were in the cache cost nothing. */
  readonly usage: Usage;
}

/** How long one waits for a model. */
export interface PatientOptions extends CallOptions {
  /**
   * For whom the answer is only a help: one attempt of so long at a model that is well. Else it is asked like any other, in the
   * time that its record gives it.
   */
  readonly patienceMs?: number;
}

/** What vectors are kept by: those are compared that come from the same model at the same address and have the same length. */
export function vectorSpaceOf({ space, model, dimensions }: Pick<Embedding, "space" | "model" | "dimensions">): string {
  return `${space} ${model} ${dimensions}`;
}

/** How texts are made into vectors. */
export interface EmbedOptions extends PatientOptions {
  /** The length that vectors must have: others are a failure of the model, and none of them is kept. Default: any, the same for all. */
  readonly dimensions?: number;
}

/** Texts by what they are worth for a question. */
export interface Reranked {
  /** What each text is worth for the question, at its place: 0 to 1. */
  readonly scores: readonly number[];
  readonly model: AnsweringModel;
  readonly usage: Usage;
}

/** A file that a model made. */
export interface MadeFile {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
}

/** Pictures that a model made. */
export interface MadeImages {
  readonly images: readonly MadeFile[];
  readonly model: AnsweringModel;
  readonly usage: Usage;
}

/** For sound: what calls it, and which model. */
export interface SoundOptions extends CallOptions {
  /** Only this one: `not_found` when it is no enabled model of the purpose. */
  readonly modelId?: string;
}

/** Speech that a model made. */
export interface MadeSpeech extends MadeFile {
  readonly model: AnsweringModel;
}

/** What was said in a recording. */
export interface Transcript {
  readonly text: string;
  /** As the provider names it; null when it does not. */
  readonly language: string | null;
  readonly durationS: number | null;
  readonly model: AnsweringModel;
}

/**
 * The one way to a model: the queue of a purpose, repeats, the next model where that is allowed, cooldowns and
 * token limits. Every attempt is a row of token usage and stands on the trace.
 */
export interface ModelCalls {
  /** Begins at once. */
  ask<Value = unknown>(question: ModelQuestion<Value>): ModelCall<Value>;
  /**
   * Vectors by the model in force, or by one that makes the same ones; the local ones when no model is set up. Fails with the code
   * of the last failure.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Embedding>;
  /**
   * What texts are worth for a question, read beside it by the model of that purpose; undefined when none is set up. Fails with
   * the code of the last failure.
   */
  rerank(question: string, texts: readonly string[], options: PatientOptions): Promise<Reranked | undefined>;
  /** Not kept for replay, like speech: whoever stores the bytes keeps what became of them. */
  image(
    prompt: string,
    options: CallOptions & { readonly size?: string; readonly count?: number },
  ): Promise<MadeImages>;
  speech(
    text: string,
    options: SoundOptions & {
      readonly voice?: string;
      readonly format?: string;
      readonly speed?: number;
      readonly language?: string;
    },
  ): Promise<MadeSpeech>;
  transcribe(audio: MadeFile, options: SoundOptions & { readonly language?: string }): Promise<Transcript>;
}
export const ModelCalls: ServiceKey<ModelCalls> = serviceKey("model-calls");

/** The sum of what several calls cost. */
export function addUsage(a: Usage | undefined, b: Usage): Usage {
  if (!a) return b;
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    total_tokens: a.total_tokens + b.total_tokens,
    cost: a.cost === null && b.cost === null ? null : (a.cost ?? 0) + (b.cost ?? 0),
  };
}
