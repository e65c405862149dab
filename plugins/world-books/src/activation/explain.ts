import type { ActivationResult } from "./activation.ts";

/** Explains to people why an entry was activated or not. */
export interface Explanation {
  readonly entry_id: string;
  readonly name: string;
  readonly world_book: string;
  readonly score: number;
  readonly sources: readonly string[];
  /** Keywords with their positions, such as `user:4-10 tavern`. */
  readonly keywords: readonly string[];
  readonly reason?: string;
}

const MAX_HITS = 10;

export function toExplanation({ lore, book, score, sources, hits, reason }: ActivationResult): Explanation {
  const places = lore.alwaysOn ? ["always_on", ...sources] : sources;
  return {
    entry_id: lore.id,
    name: lore.name,
    world_book: book.name,
    score,
    sources: places,
    keywords: hits.slice(0, MAX_HITS).map(({ place, start, end, keyword }) => `${place}:${start}-${end} ${keyword}`),
    ...(reason && { reason }),
  };
}
