import { Button, Group, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTexts } from "../../i18n/i18n.ts";
import type { LoadedPart } from "./use-paged-list.ts";

interface LoadMoreProps {
  readonly list: LoadedPart;
  /** True to load also when the end becomes visible, for lists with nothing below them. */
  readonly isEndless?: boolean | undefined;
}

/** A button that loads more of a list, and how much of it is loaded; hidden at its end. */
export function LoadMore({ list, isEndless = false }: LoadMoreProps) {
  const { t, language } = useTexts();
  const end = useRef<HTMLDivElement>(null);
  const { data, hasNextPage, isFetching, isFetchingNextPage, fetchNextPage } = list;
  useEffect(() => {
    const element = end.current;
    // Fetching the next page would cancel a refetch of the first.
    if (!element || !isEndless || !hasNextPage || isFetching) return;
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage());
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [isEndless, hasNextPage, isFetching, fetchNextPage]);
  if (!hasNextPage) return null;
  const { items, total } = data ?? { items: [], total: 0 };
  return (
    <Group ref={end} justify="center" gap="xs" mt="xs">
      {total > items.length && (
        <Text size="xs" c="dimmed" data-testid="loaded-count">
          {t("loadedCount", { count: items.length.toLocaleString(language), total: total.toLocaleString(language) })}
        </Text>
      )}
      <Button
        size="compact-sm"
        variant="subtle"
        loading={isFetchingNextPage}
        onClick={() => void fetchNextPage({ cancelRefetch: false })}
        data-testid="show-more"
      >
        {t("showMore")}
      </Button>
    </Group>
  );
}
