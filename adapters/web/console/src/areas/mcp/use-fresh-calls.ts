import { useThrottledCallback } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { WATCHING } from "../../shared/live/link.ts";
import { useLive } from "../../shared/live/live.tsx";
import { readAgain } from "../../shared/live/read-again.ts";

const AT_MOST_EACH_MS = 500;

/** Reads the calls of tools again when one was made. */
export function useFreshCalls(): void {
  const live = useLive();
  const queries = useQueryClient();
  const readCalls = useThrottledCallback(() => void readAgain(queries, ["mcp_log"]), AT_MOST_EACH_MS);
  useEffect(() => live?.watch("mcp"), [live]);
  useEffect(
    () =>
      live?.subscribe(({ type, event }) => {
        if (type === WATCHING || (type === "mcp_event" && event === "tool_call")) readCalls();
      }),
    [live, readCalls],
  );
}
