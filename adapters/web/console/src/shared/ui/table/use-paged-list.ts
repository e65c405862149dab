import {
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useState } from "react";
import {
  FIRST_PAGE,
  type ListPage,
  mergePages,
  type PageStart,
  type ReadPage,
  toNextStart,
  toUniqueItems,
} from "../../api/list-pages.ts";

const PAGE_SIZE = 50;

interface PagedListOptions<Item> {
  readonly queryKey: QueryKey;
  readonly read: ReadPage<Item>;
  readonly getId: (item: Item) => string;
  /** Items per page; default 50. */
  readonly pageSize?: number;
  /** Interval of refetches, or a function of the loaded items; default: none. */
  readonly refetchMs?: number | false | ((items: readonly Item[]) => number | false);
  readonly refetchOnMount?: "always";
  readonly retry?: false;
  /** With the order of the list, refetches read only the first page and sort out what moved; otherwise every loaded page. */
  readonly compare?: (one: Item, other: Item) => number;
}

/** The loaded items of a list, with the count of all matches; of the loaded ones where the service does not count. */
interface LoadedItems<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** The loaded part of a list, and what loads more of it. */
export interface LoadedPart<Item = unknown> {
  readonly data: LoadedItems<Item> | undefined;
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: (options?: { readonly cancelRefetch: boolean }) => unknown;
}

export type PagedList<Item> = UseInfiniteQueryResult<LoadedItems<Item>>;
type LoadedPages<Item> = InfiniteData<ListPage<Item>, PageStart>;

/** A list of the service that loads page by page. The previous items stay while another search is loading. */
export function usePagedList<Item>(options: PagedListOptions<Item>): PagedList<Item> {
  const { queryKey, read, getId, pageSize = PAGE_SIZE, refetchMs = false, compare, ...rest } = options;
  const queries = useQueryClient();
  return useInfiniteQuery({
    ...rest,
    queryKey,
    initialPageParam: FIRST_PAGE,
    async queryFn({ pageParam: { offset, cursor }, signal }): Promise<ListPage<Item>> {
      const readPage = () => read({ limit: pageSize, offset }, cursor, signal);
      if (!compare) return readPage();
      const before = queries.getQueryData<LoadedPages<Item>>(queryKey);
      const cached = before?.pages[before.pageParams.findIndex((start) => start.cursor === cursor)];
      if (cursor !== "") return cached ?? readPage();
      const fresh = await readPage();
      return cached ? mergePages(fresh, cached, getId, compare) : fresh;
    },
    getNextPageParam: (page, _pages, start) => toNextStart(page, start, pageSize),
    select: ({ pages }: LoadedPages<Item>) => {
      const loaded = pages.flatMap((page) => page.items);
      const items = toUniqueItems(loaded, getId);
      return { items, total: pages[0]?.total ?? items.length };
    },
    refetchInterval: ({ state }) =>
      typeof refetchMs === "function" ? refetchMs(state.data?.pages.flatMap(({ items }) => items) ?? []) : refetchMs,
    placeholderData: keepPreviousData,
  });
}

/** The first items of a list that is loaded already. */
export function useFirstItems<Item>(
  items: readonly Item[],
  pageSize: number,
): LoadedPart<Item> & { readonly data: LoadedItems<Item> } {
  const [count, setCount] = useState(pageSize);
  return {
    data: { items: items.slice(0, count), total: items.length },
    hasNextPage: count < items.length,
    isFetching: false,
    isFetchingNextPage: false,
    fetchNextPage: () => setCount(count + pageSize),
  };
}
