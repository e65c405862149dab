import type { EmbeddingModelV4 } from "@ai-sdk/provider";

export const LOCAL_DIMENSIONS = 256;

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+|[\p{L}\p{N}]+/gu;
/** Scripts that put no space between words. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** A vector that needs no model: hashed words, and pairs of characters where words are not set apart; of length 1, or 0 for no word. */
export function localVector(text: string): Float32Array {
  const vector = new Float32Array(LOCAL_DIMENSIONS);
  for (const term of termsOf(text)) {
    const hash = hashOf(term);
    // Half of the terms count down, so that those which share a place do not add up.
    vector[hash % LOCAL_DIMENSIONS] = (vector[hash % LOCAL_DIMENSIONS] ?? 0) + (hash & 0x100 ? 1 : -1);
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

function* termsOf(text: string): Generator<string> {
  for (const [word] of text.normalize("NFKC").toLowerCase().matchAll(WORD)) {
    if (!UNSPACED.test(word)) {
      yield word;
      continue;
    }
    const characters = [...word];
    if (characters.length === 1) yield word;
    for (let at = 1; at < characters.length; at += 1) yield `${characters[at - 1]}${characters[at]}`;
  }
}

/** FNV-1a, mixed once more: its low bits alone are poor. */
function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at += 1) {
    hash ^= term.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 12;
  return hash >>> 0;
}

/** The same as a model of the offline protocol. */
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
