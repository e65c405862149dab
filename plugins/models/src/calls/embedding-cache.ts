import type { Cache, Caches } from "@parley/core";

const MAX_VECTORS = 20_000;
const TTL_MS = 180 * 86_400_000;

/** Cache of computed vectors, by text and model. */
export interface EmbeddingCache {
  /** Returns the cached vectors by their text. */
  read(space: string, texts: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  /** Stores vectors by their text; replaces those of the same text. */
  add(space: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
}

export function createEmbeddingCache(caches: Caches): EmbeddingCache {
  const cache: Cache<string> = caches.open("embeddings", { ttlMs: TTL_MS, max: MAX_VECTORS });
  const toKey = (space: string, text: string) => `${space}\n${text}`;
  return {
    async read(space, texts) {
      const textByKey = new Map(texts.map((text) => [toKey(space, text), text]));
      const found = await cache.getMany([...textByKey.keys()]);
      return new Map([...found].map(([key, vector]) => [textByKey.get(key) ?? "", decodeVector(vector)]));
    },
    add: (space, vectors) =>
      cache.setMany(new Map([...vectors].map(([text, vector]) => [toKey(space, text), encodeVector(vector)]))),
  };
}

/** 32-bit floats, little-endian on every machine this runs on. */
export function encodeVector(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}

export function decodeVector(text: string): Float32Array {
  const bytes = new Uint8Array(Buffer.from(text, "base64"));
  return new Float32Array(bytes.buffer);
}
