import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { localVector } from "@parley/core/text";

/** Computes vectors without a provider, as a model of the offline protocol. */
export const localEmbedding: EmbeddingModelV4 = {
  specificationVersion: "v4",
  provider: "offline",
  modelId: "local",
  maxEmbeddingsPerCall: undefined,
  supportsParallelCalls: true,
  async doEmbed({ values }) {
    return { embeddings: values.map((value) => [...localVector(value)]), usage: { tokens: 0 }, warnings: [] };
  },
};
