import { useThrottledCallback } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { SUBSCRIBED_EVENT } from "../../shared/live/connection.ts";
import { useLive } from "../../shared/live/live-provider.tsx";
import { refetch } from "../../shared/live/refetch.ts";

const MIN_INTERVAL_MS = 1_000;

/** While following, refetches the log when the socket reports a new line, at most once per second. */
export function useLogTail(isFollowing: boolean): void {
  const live = useLive();
  const queries = useQueryClient();
  const read = useThrottledCallback(() => void refetch(queries, ["logs"]), MIN_INTERVAL_MS);
  useEffect(() => (isFollowing ? live?.watch("logs") : undefined), [live, isFollowing]);
  useEffect(() => {
    if (!isFollowing) return;
    return live?.subscribe(({ type }) => {
      if (type === SUBSCRIBED_EVENT || type === "log_row") read();
    });
  }, [live, isFollowing, read]);
}
