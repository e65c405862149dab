/** What has a place among others. */
export interface Placed {
  readonly id: string;
  readonly insertion_order: number;
}

const STEP = 10;
const MOST = 100_000;

/**
 * What becomes of the orders when one of the list moves to `to`: it alone changes where there is room between its new
 * neighbours, else all that come before or after it as far as is needed.
 */
export function moved(list: readonly Placed[], id: string, to: number): readonly Placed[] {
  const one = list.find((entry) => entry.id === id);
  if (!one || list.indexOf(one) === to) return [];
  const next = list.filter((entry) => entry.id !== id);
  next.splice(to, 0, one);
  const [before, after] = [next[to - 1]?.insertion_order, next[to + 1]?.insertion_order];
  const low = before ?? Math.max(-1, (after ?? STEP) - 2 * STEP);
  const high = after ?? Math.min(MOST + 1, (before ?? 0) + 2 * STEP);
  if (high - low > 1) return [{ id, insertion_order: Math.floor((low + high) / 2) }];
  const step = Math.min(STEP, Math.floor(MOST / Math.max(1, next.length)));
  return next
    .map((entry, at) => ({ id: entry.id, insertion_order: at * step, was: entry.insertion_order }))
    .filter(({ insertion_order, was }) => insertion_order !== was)
    .map(({ id: changed, insertion_order }) => ({ id: changed, insertion_order }));
}

export function inOrder<Entry extends Placed>(entries: readonly Entry[]): readonly Entry[] {
  return [...entries].sort((a, b) => a.insertion_order - b.insertion_order || (a.id < b.id ? -1 : 1));
}
