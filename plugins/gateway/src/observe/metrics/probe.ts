import { type Measurement, measured, type Probe, samplesBy } from "@parley/core";
import type { RunningGateway } from "../../gateway.ts";
import type { EventLog } from "../event-log.ts";
import {
  ACK_DURATIONS,
  CONCURRENCY_LIMIT,
  DELIVERIES,
  DELIVERIES_WAITING,
  DROPPED,
  DUPLICATES,
  GATEWAY_METRICS,
  HISTORY_DROPPED,
  HISTORY_ROWS,
  ITEMS,
  OLDEST,
  RUNNING,
  TURN_DURATIONS,
  TURNS,
  WAITING,
  WORKER,
} from "./metric-definitions.ts";
import type { MinuteMetrics } from "./minute-metrics.ts";
import type { StateCounters } from "./state-counters.ts";

export interface ProbeDeps {
  readonly gateway: () => RunningGateway;
  readonly counters: StateCounters;
  readonly rebuildCounters: () => Promise<void>;
  readonly log: EventLog;
  readonly metrics: Pick<MinuteMetrics, "ackDurations" | "turnDurations">;
}

/** The gateway's metrics at `/metrics`. */
export function createGatewayProbe(deps: ProbeDeps): Probe {
  return {
    id: "gateway",
    metrics: GATEWAY_METRICS,
    async measure() {
      await deps.rebuildCounters();
      return [...measureTurns(deps), ...measureStates(deps), ...measureDurations(deps)];
    },
  };
}

function measureTurns({ gateway }: ProbeDeps): readonly Measurement[] {
  const { waiting, oldestAgeMs = 0, running, turns, concurrency, worker, duplicates, deliveries } = gateway().counts();
  return [
    measured(WAITING, waiting),
    measured(OLDEST, oldestAgeMs / 1000),
    measured(RUNNING, running),
    measured(TURNS, turns),
    measured(CONCURRENCY_LIMIT, concurrency),
    measured(WORKER, Number(worker === "running")),
    measured(DUPLICATES, duplicates),
    measured(DELIVERIES_WAITING, deliveries.waiting),
  ];
}

function measureStates({ counters, log }: ProbeDeps): readonly Measurement[] {
  return [
    measured(ITEMS, samplesBy("state", Object.entries(counters.items.counts()))),
    measured(DELIVERIES, samplesBy("state", Object.entries(counters.deliveries.counts()))),
    measured(DROPPED, samplesBy("reason", counters.dropped())),
    measured(HISTORY_ROWS, log.written()),
    measured(HISTORY_DROPPED, log.dropped()),
  ];
}

function measureDurations({ metrics }: ProbeDeps): readonly Measurement[] {
  return [
    measured(ACK_DURATIONS, metrics.ackDurations.samples()),
    measured(TURN_DURATIONS, metrics.turnDurations.samples()),
  ];
}
