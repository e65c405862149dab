import type { Probe } from "@parley/core";
import type { SocketHub } from "./hub.ts";

/** How many look at the console now. */
export function socketProbe(hub: SocketHub): Probe {
  return {
    id: "web",
    async measure() {
      const { sockets, visibleSessions } = hub.counts();
      return [
        gauge("parley_web_sockets", "Open console sockets.", sockets),
        gauge("parley_web_visible_sessions", "Sessions that somebody looks at.", visibleSessions),
      ];
    },
  };
}

function gauge(name: string, help: string, value: number) {
  return { name, help, kind: "gauge" as const, samples: [{ value }] };
}
