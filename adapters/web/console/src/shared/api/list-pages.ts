/** The part of a list that a request reads. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** The beginning of a page: an offset, and in lists that are read along a cursor that cursor; empty for the first page. */
export interface PageStart {
  readonly offset: number;
  readonly cursor: string;
}

/** One page of a list as the service answers it: with the count of all matches, the cursor of the next page, or both. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly total?: number;
  readonly next_cursor?: string | null;
}

/** Reads one page; a route takes the offset or the cursor. */
export type ReadPage<Item> = (page: Page, cursor: string, signal?: AbortSignal) => Promise<ListPage<Item>>;

type GetId<Item> = (item: Item) => string;

export const FIRST_PAGE: PageStart = { offset: 0, cursor: "" };
const MAX_LIMIT = 500;

/** Returns the start of the page after this one; undefined after the last one. */
export function toNextStart<Item>(
  { items, total = 0, next_cursor }: ListPage<Item>,
  start: PageStart,
  limit: number,
): PageStart | undefined {
  const offset = start.offset + limit;
  if (next_cursor !== undefined) return next_cursor === null ? undefined : { offset, cursor: next_cursor };
  return items.length > 0 && offset < total ? { offset, cursor: "" } : undefined;
}

/** Reads a list to its end. */
export async function readAllPages<Item>(read: ReadPage<Item>, getId: GetId<Item>): Promise<readonly Item[]> {
  const pages: (readonly Item[])[] = [];
  for (let start: PageStart | undefined = FIRST_PAGE; start; ) {
    const page: ListPage<Item> = await read({ limit: MAX_LIMIT, offset: start.offset }, start.cursor);
    pages.push(page.items);
    start = toNextStart(page, start, MAX_LIMIT);
  }
  return toUniqueItems(pages.flat(), getId);
}

/** Reads a list to its end, as one page. */
export async function readWholeList<Item extends { readonly id: string }>(
  read: (page: Page) => Promise<ListPage<Item>>,
): Promise<{ readonly items: readonly Item[] }> {
  return { items: await readAllPages(read, ({ id }) => id) };
}

/**
 * Merges the refetched beginning of a list with the loaded pages: items pushed down stay, and the next page is
 * unchanged. Without an overlap only the new beginning is left, and following pages are refetched.
 */
export function mergePages<Item>(
  fresh: ListPage<Item>,
  before: ListPage<Item>,
  getId: GetId<Item>,
  compare: (one: Item, other: Item) => number,
): ListPage<Item> {
  const last = fresh.items.at(-1);
  if (!fresh.next_cursor || last === undefined) return fresh;
  const ids = new Set(fresh.items.map(getId));
  if (!before.items.some((item) => ids.has(getId(item)))) return fresh;
  const below = before.items.filter((item) => !ids.has(getId(item)) && compare(item, last) > 0);
  const items = [...fresh.items, ...below];
  const isWhole = Boolean(before.next_cursor) || items.length === fresh.total;
  return isWhole ? { ...fresh, items, next_cursor: before.next_cursor ?? null } : fresh;
}

/** Removes duplicates: an item that moved up between two fetches is in both pages, and the first is newer. */
export function toUniqueItems<Item>(items: readonly Item[], getId: GetId<Item>): readonly Item[] {
  const seenIds = new Set<string>();
  return items.filter((item) => {
    const id = getId(item);
    return !seenIds.has(id) && seenIds.add(id);
  });
}
