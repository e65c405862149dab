import type { Listed } from "../../api/client.ts";

export type CursorPage<Item> = Listed<Item> & { readonly next_cursor: string | null };
type Compare<Item> = (one: Item, other: Item) => number;

/**
 * Merges the refetched beginning of a list with the loaded pages: items pushed down stay, and the next page is
 * unchanged. Without an overlap only the new beginning is left, and following pages are refetched.
 */
export function mergePages<Item extends { readonly id: string }>(
  fresh: CursorPage<Item>,
  before: CursorPage<Item>,
  compare: Compare<Item>,
): CursorPage<Item> {
  const last = fresh.items.at(-1);
  if (fresh.next_cursor === null || last === undefined) return fresh;
  const ids = new Set(fresh.items.map(({ id }) => id));
  if (!before.items.some(({ id }) => ids.has(id))) return fresh;
  const below = before.items.filter((item) => !ids.has(item.id) && compare(item, last) > 0);
  const items = [...fresh.items, ...below];
  const isWhole = before.next_cursor !== null || items.length === fresh.total;
  return isWhole ? { ...fresh, items, next_cursor: before.next_cursor } : fresh;
}

/** Removes duplicates: an item that moved up between two fetches is in both pages, and the first is newer. */
export function uniqueById<Item extends { readonly id: string }>(items: readonly Item[]): readonly Item[] {
  const seenIds = new Set<string>();
  return items.filter(({ id }) => !seenIds.has(id) && seenIds.add(id));
}
