import { useEffect, useState } from "react";
import type { GatewayEvent } from "../../shared/api/gateway.ts";
import { useLive } from "../../shared/live/live-provider.tsx";
import { fromFrame, MAX_ROWS } from "./event-rows.ts";

/** Live gateway events, newest first; none are added while paused. */
export function useGatewayEvents(isPaused: boolean): readonly GatewayEvent[] {
  const live = useLive();
  const [events, setEvents] = useState<readonly GatewayEvent[]>([]);
  useEffect(() => live?.watch("gateway"), [live]);
  useEffect(() => {
    if (isPaused) return;
    return live?.subscribe((frame) => {
      const event = fromFrame(frame);
      if (event) setEvents((before) => [event, ...before].slice(0, MAX_ROWS));
    });
  }, [live, isPaused]);
  return events;
}
