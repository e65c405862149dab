import { type InfiniteData, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError, parley, type Shapes } from "../../../shared/api/client.ts";
import { useLive } from "../../../shared/live/live-provider.tsx";
import type { CursorPage } from "../../../shared/ui/table/merge-pages.ts";

type Row = Shapes["SessionItem"];
type Pages = InfiniteData<CursorPage<Row>, string>;

export const SESSION_LIST = ["session", "list"] as const;

/** Refetches only changed conversations beyond the first page of a long list, one by one. */
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
  const isBelow = lists.some(([, list]) =>
    list?.pages.slice(1).some(({ items }) => items.some((row) => row.id === id)),
  );
  if (!isBelow) return;
  const now = await parley.get("/api/sessions/{session_id}", { path: { session_id: id } }).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "not_found") return undefined;
    throw error;
  });
  const replaced = (row: Row): readonly Row[] => {
    if (row.id !== id) return [row];
    return now && now.archived === row.archived ? [now] : [];
  };
  queries.setQueriesData<Pages>(
    { queryKey: SESSION_LIST },
    (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, items: page.items.flatMap(replaced) })) },
  );
}

/** As the service sorts them. */
export function compareSessions(one: Row, other: Row): number {
  const [a, b] = [toSortKey(one), toSortKey(other)];
  return Number(other.pinned) - Number(one.pinned) || (a === b ? 0 : a < b ? 1 : -1);
}

const toSortKey = ({ last_message_at, created_at, id }: Row): string => `${last_message_at ?? created_at} ${id}`;
