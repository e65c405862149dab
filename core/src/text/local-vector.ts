import { termsOf } from "./terms.ts";

/** Length of the local vectors. */
export const LOCAL_DIMENSIONS = 256;

/**
 * Returns a vector made without a model, of hashed word stems, and of character pairs in unspaced scripts; of length
 * 1, or 0 without words. Repeated terms count a little more, common ones less.
 */
export function localVector(text: string): Float32Array {
  const counts = new Map<string, number>();
  for (const { term, isCommon } of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + (isCommon ? 0.2 : 1));
  return vectorOf(counts);
}

/** Returns the local vector of counted terms. */
export function vectorOf(counts: ReadonlyMap<string, number>): Float32Array {
  const vector = new Float32Array(LOCAL_DIMENSIONS);
  for (const [term, count] of counts) {
    const hash = hashTerm(term);
    const weight = count < 1 ? count : 1 + Math.log(count);
    // Half of the terms count negatively, so that terms sharing a dimension do not add up.
    vector[hash % LOCAL_DIMENSIONS] = (vector[hash % LOCAL_DIMENSIONS] ?? 0) + (hash & 0x100 ? weight : -weight);
  }
  // A plain loop, because it runs for every passage searched.
  let squares = 0;
  for (let at = 0; at < LOCAL_DIMENSIONS; at += 1) squares += (vector[at] as number) ** 2;
  if (squares === 0) return vector;
  const length = Math.sqrt(squares);
  for (let at = 0; at < LOCAL_DIMENSIONS; at += 1) vector[at] = (vector[at] as number) / length;
  return vector;
}

/** Returns the cosine of two vectors of length 1. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] as number) * (b[at] as number);
  return sum;
}

/** FNV-1a with an additional mixing step, because its low bits alone are poorly distributed. */
function hashTerm(term: string): number {
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
