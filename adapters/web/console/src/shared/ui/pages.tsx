import { Button } from "@mantine/core";
import { keepPreviousData, type QueryKey, type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api, type Listed } from "../api/client.ts";
import { useTexts } from "../i18n/i18n.ts";

const SIZE = 50;

type Pages<Item> = UseInfiniteQueryResult<{ readonly items: readonly Item[]; readonly total: number }>;

/**
 * A list that grows page by page, each read once. Only a list of one page is read again by itself every `oftenMs`: what
 * changes further down is told over the socket.
 */
export function usePages<Item extends { readonly id: string }>(
  key: QueryKey,
  path: string,
  oftenMs: number,
): Pages<Item> {
  const joint = path.includes("?") ? "&" : "?";
  return useInfiniteQuery({
    queryKey: key,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      api.get<Listed<Item>>(`${path}${joint}limit=${SIZE}&offset=${pageParam}`, signal),
    getNextPageParam: ({ items, total }, _pages, offset) =>
      items.length > 0 && offset + SIZE < total ? offset + SIZE : null,
    select: ({ pages }) => ({
      // What moved up while pages were read is in two of them.
      items: [...new Map(pages.flatMap(({ items }) => items).map((item) => [item.id, item])).values()],
      total: pages[0]?.total ?? 0,
    }),
    refetchInterval: ({ state }) => (state.data && state.data.pages.length > 1 ? false : oftenMs),
    placeholderData: keepPreviousData,
  });
}

/** Reads on when its end comes into sight; the button is for who has no wheel. */
export function MoreRows({ pages }: { readonly pages: Pages<unknown> }) {
  const { t } = useTexts();
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  useEffect(() => {
    const element = end.current;
    if (!element || !hasNextPage || isFetchingNextPage) return;
    const watcher = new IntersectionObserver(([seen]) => seen?.isIntersecting && void fetchNextPage());
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div ref={end}>
      <Button
        fullWidth
        size="compact-sm"
        variant="subtle"
        loading={isFetchingNextPage}
        onClick={() => void fetchNextPage()}
      >
        {t("showMore")}
      </Button>
    </div>
  );
}
