import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLive } from "../../../shared/live/live-provider.tsx";
import { refetch } from "../../../shared/live/refetch.ts";
import type { Entry } from "../api.ts";

/** Refetches the entries of a book after a remote change; changes made on this page are already in the list. */
export function useFreshEntries(bookId: string): void {
  const live = useLive();
  const queries = useQueryClient();
  useEffect(() => {
    const queryKey = ["world_book", "entries", bookId];
    return live?.subscribe(({ type, kind, id, action, revision }) => {
      if (type !== "resource_changed" || kind !== "entry") return;
      const cachedEntry = queries.getQueryData<readonly Entry[]>(queryKey)?.find((entry) => entry.id === id);
      const isShown =
        action === "deleted" ? cachedEntry === undefined : (cachedEntry?.revision ?? 0) >= Number(revision ?? 1);
      if (!isShown) void refetch(queries, queryKey);
    });
  }, [live, queries, bookId]);
}
