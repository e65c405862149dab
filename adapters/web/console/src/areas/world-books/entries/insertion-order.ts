/** A list item with an order. */
export interface Ordered {
  readonly id: string;
  readonly insertion_order: number;
}

const ORDER_STEP = 10;
const MAX_ORDER = 100_000;

/**
 * Returns the changed orders after an item moves to index `to`: only its own where there is room between its new
 * neighbours, else those of the whole list, renumbered.
 */
export function computeMoves(list: readonly Ordered[], id: string, to: number): readonly Ordered[] {
  const moved = list.find((entry) => entry.id === id);
  if (!moved || list.indexOf(moved) === to) return [];
  const reordered = list.filter((entry) => entry.id !== id);
  reordered.splice(to, 0, moved);
  const [before, after] = [reordered[to - 1]?.insertion_order, reordered[to + 1]?.insertion_order];
  const low = before ?? Math.max(-1, (after ?? ORDER_STEP) - 2 * ORDER_STEP);
  const high = after ?? Math.min(MAX_ORDER + 1, (before ?? 0) + 2 * ORDER_STEP);
  if (high - low > 1) return [{ id, insertion_order: Math.floor((low + high) / 2) }];
  const step = Math.min(ORDER_STEP, Math.floor(MAX_ORDER / Math.max(1, reordered.length)));
  return reordered
    .map((entry, at) => ({ id: entry.id, insertion_order: at * step, previousOrder: entry.insertion_order }))
    .filter(({ insertion_order, previousOrder }) => insertion_order !== previousOrder)
    .map(({ id: changed, insertion_order }) => ({ id: changed, insertion_order }));
}

export function sortByOrder<Entry extends Ordered>(entries: readonly Entry[]): readonly Entry[] {
  return [...entries].sort((a, b) => a.insertion_order - b.insertion_order || (a.id < b.id ? -1 : 1));
}
