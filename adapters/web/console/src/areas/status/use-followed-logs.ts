import { useThrottledCallback } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { WATCHING } from "../../shared/live/link.ts";
import { useLive } from "../../shared/live/live.tsx";
import { readAgain } from "../../shared/live/read-again.ts";

const AT_MOST_EACH_MS = 1_000;

/** Reads the lines again when one was written, by the socket's word. */
export function useFollowedLogs(isFollowing: boolean): void {
  const live = useLive();
  const queries = useQueryClient();
  const read = useThrottledCallback(() => void readAgain(queries, ["logs"]), AT_MOST_EACH_MS);
  useEffect(() => (isFollowing ? live?.watch("logs") : undefined), [live, isFollowing]);
  useEffect(() => {
    if (!isFollowing) return;
    return live?.subscribe(({ type }) => {
      if (type === WATCHING || type === "log_row") read();
    });
  }, [live, isFollowing, read]);
}
