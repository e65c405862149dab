import { Button } from "@mantine/core";
import {
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTexts } from "../../i18n/i18n.ts";
import { type CursorPage, mergePages, uniqueById } from "./merge-pages.ts";

const PAGE_SIZE = 50;

type Pages<Item> = UseInfiniteQueryResult<{ readonly items: readonly Item[]; readonly total: number }>;
type PageState = Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetching" | "isFetchingNextPage" | "fetchNextPage">;
type PageData<Item> = InfiniteData<CursorPage<Item>, string>;

/**
 * A list that loads page by page along its cursor, each page once. Refetches, every `refetchMs` or after a change,
 * read only the first page; `compare` decides which items it displaced and which are deleted.
 */
export function usePagedList<Item extends { readonly id: string }>(
  key: QueryKey,
  readPage: (cursor: string, limit: number, signal: AbortSignal) => Promise<CursorPage<Item>>,
  refetchMs: number,
  compare: (one: Item, other: Item) => number,
): Pages<Item> {
  const queries = useQueryClient();
  const read = (cursor: string, signal: AbortSignal) => readPage(cursor, PAGE_SIZE, signal);
  return useInfiniteQuery({
    queryKey: key,
    initialPageParam: "",
    async queryFn({ pageParam: cursor, signal }) {
      const cachedPages = queries.getQueryData<PageData<Item>>(key);
      const cached = cachedPages?.pages[cachedPages.pageParams.indexOf(cursor)];
      if (cursor !== "") return cached ?? read(cursor, signal);
      const fresh = await read(cursor, signal);
      return cached ? mergePages(fresh, cached, compare) : fresh;
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => ({
      items: uniqueById(pages.flatMap(({ items }) => items)),
      total: pages[0]?.total ?? 0,
    }),
    refetchInterval: refetchMs,
    placeholderData: keepPreviousData,
  });
}

/** Loads more when the end becomes visible; the button is for keyboards. */
export function LoadMore({ pages }: { readonly pages: PageState }) {
  const { t } = useTexts();
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetching, isFetchingNextPage, fetchNextPage } = pages;
  useEffect(() => {
    const element = end.current;
    // Fetching the next page would cancel a refetch of the first.
    if (!element || !hasNextPage || isFetching) return;
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage());
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [hasNextPage, isFetching, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div ref={end}>
      <Button
        fullWidth
        size="compact-sm"
        variant="subtle"
        loading={isFetchingNextPage}
        onClick={() => void fetchNextPage({ cancelRefetch: false })}
      >
        {t("showMore")}
      </Button>
    </div>
  );
}
