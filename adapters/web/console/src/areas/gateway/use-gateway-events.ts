import { useEffect, useState } from "react";
import type { GatewayEvent } from "../../shared/api/gateway.ts";
import { useLive } from "../../shared/live/live-provider.tsx";
import { MAX_ROWS, toGatewayEvent } from "./event-rows.ts";

/** Returns the live gateway events, newest first; adds none while paused. */
export function useGatewayEvents(isPaused: boolean): readonly GatewayEvent[] {
  const live = useLive();
  const [events, setEvents] = useState<readonly GatewayEvent[]>([]);
  useEffect(() => live?.watch("gateway"), [live]);
  useEffect(() => {
    if (isPaused) return;
    return live?.subscribe((frame) => {
      const event = toGatewayEvent(frame);
      if (event) setEvents((before) => [event, ...before].slice(0, MAX_ROWS));
    });
  }, [live, isPaused]);
  return events;
}
