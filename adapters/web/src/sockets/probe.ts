import { type Metric, measured, type Probe } from "@parley/core";
import type { SocketHub } from "./hub.ts";

const SOCKETS: Metric = { name: "parley_web_sockets", help: "Open console sockets.", kind: "gauge" };
const SESSIONS: Metric = {
  name: "parley_web_visible_sessions",
  help: "Sessions that somebody looks at through this process.",
  kind: "gauge",
};

/** How many look at the console now. */
export function socketProbe(hub: SocketHub): Probe {
  return {
    id: "web",
    metrics: [SOCKETS, SESSIONS],
    async measure() {
      const { sockets, visibleSessions } = hub.counts();
      return [measured(SOCKETS, sockets), measured(SESSIONS, visibleSessions)];
    },
  };
}
