import { type InfiniteData, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError, parley, type Shapes } from "../../../shared/api/client.ts";
import type { ListPage, PageStart } from "../../../shared/api/list-pages.ts";
import { useLive } from "../../../shared/live/live-provider.tsx";

type Row = Shapes["SessionItem"];
type Pages = InfiniteData<ListPage<Row>, PageStart>;

export const SESSION_LIST = ["session", "list"] as const;

/** Refetches changed conversations beyond the first page of the list, one by one; polling covers the first page. */
export function useFreshSessions(): void {
  const live = useLive();
  const queries = useQueryClient();
  useEffect(
    () =>
      live?.subscribe(({ type, kind, id }) => {
        if (type === "resource_changed" && kind === "session") void refreshSession(queries, String(id));
      }),
    [live, queries],
  );
}

async function refreshSession(queries: QueryClient, id: string): Promise<void> {
  const lists = queries.getQueriesData<Pages>({ queryKey: SESSION_LIST });
  const isLoaded = lists.some(([, list]) =>
    list?.pages.slice(1).some(({ items }) => items.some((row) => row.id === id)),
  );
  if (!isLoaded) return;
  const fresh = await parley.get("/api/sessions/{session_id}", { path: { session_id: id } }).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "not_found") return undefined;
    throw error;
  });
  const refresh = (row: Row): readonly Row[] => {
    if (row.id !== id) return [row];
    return fresh && fresh.archived === row.archived ? [fresh] : [];
  };
  queries.setQueriesData<Pages>(
    { queryKey: SESSION_LIST },
    (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, items: page.items.flatMap(refresh) })) },
  );
}

/** Compares conversations in the order of the service: pinned first, then newest first. */
export function compareSessions(one: Row, other: Row): number {
  const [a, b] = [toSortKey(one), toSortKey(other)];
  return Number(other.pinned) - Number(one.pinned) || (a === b ? 0 : a < b ? 1 : -1);
}

const toSortKey = ({ last_message_at, created_at, id }: Row): string => `${last_message_at ?? created_at} ${id}`;
