import { useThrottledCallback } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLive } from "../parts/live.tsx";
import { WATCHING } from "./link.ts";

const AT_MOST_EACH_MS = 500;

/** Reads the calls of tools again when one was made. */
export function useFreshCalls(): void {
  const live = useLive();
  const queries = useQueryClient();
  const readAgain = useThrottledCallback(
    () => void queries.invalidateQueries({ queryKey: ["mcp_log"] }),
    AT_MOST_EACH_MS,
  );
  useEffect(() => live?.watch("mcp"), [live]);
  useEffect(
    () =>
      live?.subscribe(({ type, event }) => {
        if (type === WATCHING || (type === "mcp_event" && event === "tool_call")) readAgain();
      }),
    [live, readAgain],
  );
}
