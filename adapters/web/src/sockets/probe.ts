import { type Metric, type Probe, toMeasurement } from "@parley/core";
import type { SocketHub } from "./hub.ts";

const SOCKETS_METRIC: Metric = { name: "parley_web_sockets", help: "Open console sockets.", kind: "gauge" };
const SESSIONS_METRIC: Metric = {
  name: "parley_web_visible_sessions",
  help: "Sessions that somebody looks at through this process.",
  kind: "gauge",
};

/** Reports the number of open consoles. */
export function createSocketProbe(hub: SocketHub): Probe {
  return {
    id: "web",
    metrics: [SOCKETS_METRIC, SESSIONS_METRIC],
    async measure() {
      const { sockets, visibleSessions } = hub.getCounts();
      return [toMeasurement(SOCKETS_METRIC, sockets), toMeasurement(SESSIONS_METRIC, visibleSessions)];
    },
  };
}
