import { type InfiniteData, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError, parley, type Shapes } from "../../shared/api/client.ts";
import { useLive } from "../../shared/live/live.tsx";
import { readAgain } from "../../shared/live/read-again.ts";
import type { CursorPage } from "../../shared/ui/joined-pages.ts";

type Row = Shapes["SessionItem"];
type Pages = InfiniteData<CursorPage<Row>, string>;

export const SESSION_LIST = ["session", "list"] as const;

/** Where much is said in many conversations, what lists them is read so often and no more. */
const AT_MOST_EVERY_MS = 1_000;
/** What shows the last message of conversations, and how many there were. */
const FOLLOWING = [SESSION_LIST, ["session", "recent"], ["stats", "today"]] as const;
/** `session_activity` is of conversations that are not open here, the others of the open one. */
const ACTIVITY = new Set(["session_activity", "new_message", "messages_removed"]);

/**
 * Lists of conversations follow what is said, at once. Of a long list only the beginning is read again: a conversation
 * further down that others change is read by itself.
 */
export function useFreshRows(): void {
  const live = useLive();
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isBehind = false;
    const follow = () => {
      isBehind = timer !== undefined;
      if (isBehind) return;
      for (const key of FOLLOWING) void readAgain(queries, key);
      timer = setTimeout(() => {
        timer = undefined;
        if (isBehind) follow();
      }, AT_MOST_EVERY_MS);
    };
    const stop = live?.subscribe(({ type, kind, id }) => {
      if (type === "resource_changed" && kind === "session") void freshen(queries, String(id));
      if (ACTIVITY.has(type)) follow();
    });
    return () => {
      clearTimeout(timer);
      stop?.();
    };
  }, [live, queries]);
}

async function freshen(queries: QueryClient, id: string): Promise<void> {
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
export function sessionOrder(one: Row, other: Row): number {
  const [a, b] = [placeOf(one), placeOf(other)];
  return Number(other.pinned) - Number(one.pinned) || (a === b ? 0 : a < b ? 1 : -1);
}

const placeOf = ({ last_message_at, created_at, id }: Row): string => `${last_message_at ?? created_at} ${id}`;
