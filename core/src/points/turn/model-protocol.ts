import type {
  EmbeddingModelV4,
  ImageModelV4,
  LanguageModelV4,
  RerankingModelV4,
  SpeechModelV4,
  TranscriptionModelV4,
} from "@ai-sdk/provider";
import Joi from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import { functionSchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";

/** Purposes for which models are called. */
export const MODEL_PURPOSES = [
  "chat",
  "vision",
  "video",
  "image_generation",
  "tts",
  "stt",
  "embedding",
  "rerank",
  "gate",
] as const;
/** Purpose of a model call. */
export type ModelPurpose = (typeof MODEL_PURPOSES)[number];

/** Resolved connection to a model. It contains the API key, so it is never stored or logged. */
export interface ModelConnection {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Merged into each request body. */
  readonly extraBody: Readonly<Record<string, unknown>>;
  /** False when `baseUrl` is the whole request address. */
  readonly appendPath: boolean;
  readonly supportsTools: boolean;
  /** Request fields that the model rejected; they are omitted. */
  readonly leaveOut?: ReadonlySet<string>;
  /** The only permitted way to send requests. */
  readonly fetch: typeof fetch;
}

/** A model in a server's list. */
export interface ListedModel {
  /** Model id used in calls. */
  readonly id: string;
  readonly name: string;
}

/** One wire protocol, over the AI SDK's provider interfaces. */
export interface ModelProtocol {
  readonly id: string;
  readonly name: string;
  readonly purposes: readonly ModelPurpose[];
  readonly defaultBaseUrl: string;
  /** Conventional environment variable of its key; "" when it needs none. */
  readonly keyVariable: string;
  readonly supports: {
    readonly stream: boolean;
    readonly tools: boolean;
    readonly reasoning: boolean;
    readonly vision: boolean;
  };
  /** Opens a model; returns a promise when a library must be loaded first. Sends nothing before the model is called. */
  open(connection: ModelConnection): OpenedModel | Promise<OpenedModel>;
  /** Lists the models of a server; ignores the connection's `model`. Absent: the protocol has no list. */
  list?(connection: ModelConnection, signal: AbortSignal): Promise<readonly ListedModel[]>;
}

/** Interfaces of a model by purpose. */
export interface OpenedModel {
  readonly language?: LanguageModelV4;
  readonly embedding?: EmbeddingModelV4;
  readonly image?: ImageModelV4;
  readonly speech?: SpeechModelV4;
  readonly transcription?: TranscriptionModelV4;
  readonly reranking?: RerankingModelV4;
}

/** The wire protocols models speak. */
export const ModelProtocols: ExtensionPoint<ModelProtocol> = extensionPoint("model-protocols", {
  accept: validateWith(
    Joi.object({
      id: wordSchema.required(),
      name: Joi.string().required(),
      purposes: Joi.array()
        .items(Joi.valid(...MODEL_PURPOSES))
        .required(),
      defaultBaseUrl: Joi.string().allow("").required(),
      keyVariable: Joi.string().allow("").required(),
      list: functionSchema,
      supports: Joi.object({
        stream: Joi.boolean().required(),
        tools: Joi.boolean().required(),
        reasoning: Joi.boolean().required(),
        vision: Joi.boolean().required(),
      })
        .unknown()
        .required(),
      open: functionSchema.required(),
    }).unknown(),
  ),
  unique: { kind: "model protocol", names: ({ id }) => [id] },
  ends: ["open", "list"],
});
