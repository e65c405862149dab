import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { WATCHING } from "../../shared/live/link.ts";
import { useLive } from "../../shared/live/live.tsx";
import { readAgain } from "../../shared/live/read-again.ts";

/** Reads runs again when one begins or ends, and when that may have happened unheard. */
export function useFreshRuns(): void {
  const live = useLive();
  const queries = useQueryClient();
  useEffect(() => live?.watch("tasks"), [live]);
  useEffect(
    () =>
      live?.subscribe(({ type, step }) => {
        if (type === WATCHING || (type === "task_event" && step === null)) void readAgain(queries, ["run"]);
      }),
    [live, queries],
  );
}
