import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import type { ModelProtocol } from "@parley/core";
import type { Encoder } from "./encoder.ts";

/** The one model of the package. */
export const MODEL = "universal-sentence-encoder-lite";
const MAX_TEXTS_PER_CALL = 32;

/** Creates the protocol of the model that comes with the package: without a key, an address and a network. */
export function createEncoderProtocol(encoder: Encoder): ModelProtocol {
  return {
    id: "sentence-encoder",
    name: "Sentence encoder (English)",
    purposes: ["embedding"],
    defaultBaseUrl: "",
    keyVariable: "",
    supports: { stream: false, tools: false, reasoning: false, vision: false },
    open: () => ({ embedding: createEmbeddingModel(encoder) }),
    list: async () => [{ id: MODEL, name: "Universal Sentence Encoder Lite" }],
  };
}

function createEmbeddingModel(encoder: Encoder): EmbeddingModelV4 {
  return {
    specificationVersion: "v4",
    provider: "sentence-encoder",
    modelId: MODEL,
    maxEmbeddingsPerCall: MAX_TEXTS_PER_CALL,
    supportsParallelCalls: false,
    async doEmbed({ values, abortSignal }) {
      const embeddings = await encoder.encode(values, abortSignal);
      return { embeddings: [...embeddings], usage: { tokens: 0 }, warnings: [] };
    },
  };
}
