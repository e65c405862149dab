import { useThrottledCallback } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { SUBSCRIBED_EVENT } from "../../../shared/live/connection.ts";
import { useLive } from "../../../shared/live/live-provider.tsx";
import { refetch } from "../../../shared/live/refetch.ts";

const MIN_INTERVAL_MS = 500;

/** Refetches the call log after a tool call. */
export function useFreshCalls(): void {
  const live = useLive();
  const queries = useQueryClient();
  const refetchCalls = useThrottledCallback(() => void refetch(queries, ["mcp_log"]), MIN_INTERVAL_MS);
  useEffect(() => live?.watch("mcp"), [live]);
  useEffect(
    () =>
      live?.subscribe(({ type, event }) => {
        if (type === SUBSCRIBED_EVENT || (type === "mcp_event" && event === "tool_call")) refetchCalls();
      }),
    [live, refetchCalls],
  );
}
