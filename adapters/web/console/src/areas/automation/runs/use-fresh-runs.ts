import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { SUBSCRIBED_EVENT } from "../../../shared/live/connection.ts";
import { useLive } from "../../../shared/live/live-provider.tsx";
import { refetch } from "../../../shared/live/refetch.ts";

/** Refetches runs when one starts or ends, and after missed events. */
export function useFreshRuns(): void {
  const live = useLive();
  const queries = useQueryClient();
  useEffect(() => live?.watch("tasks"), [live]);
  useEffect(
    () =>
      live?.subscribe(({ type, step }) => {
        if (type === SUBSCRIBED_EVENT || (type === "task_event" && step === null)) void refetch(queries, ["run"]);
      }),
    [live, queries],
  );
}
