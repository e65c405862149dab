import { type Measurement, type Probe, samplesBy, toMeasurement } from "@parley/core";
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

/** Creates the probe that reports the gateway's metrics at `/metrics`. */
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
    toMeasurement(WAITING, waiting),
    toMeasurement(OLDEST, oldestAgeMs / 1000),
    toMeasurement(RUNNING, running),
    toMeasurement(TURNS, turns),
    toMeasurement(CONCURRENCY_LIMIT, concurrency),
    toMeasurement(WORKER, Number(worker === "running")),
    toMeasurement(DUPLICATES, duplicates),
    toMeasurement(DELIVERIES_WAITING, deliveries.waiting),
  ];
}

function measureStates({ counters, log }: ProbeDeps): readonly Measurement[] {
  return [
    toMeasurement(ITEMS, samplesBy("state", Object.entries(counters.items.counts()))),
    toMeasurement(DELIVERIES, samplesBy("state", Object.entries(counters.deliveries.counts()))),
    toMeasurement(DROPPED, samplesBy("reason", counters.dropped())),
    toMeasurement(HISTORY_ROWS, log.getWrittenCount()),
    toMeasurement(HISTORY_DROPPED, log.getDroppedCount()),
  ];
}

function measureDurations({ metrics }: ProbeDeps): readonly Measurement[] {
  return [
    toMeasurement(ACK_DURATIONS, metrics.ackDurations.samples()),
    toMeasurement(TURN_DURATIONS, metrics.turnDurations.samples()),
  ];
}
