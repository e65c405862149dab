import { type Measurement, measured, type Probe, samplesBy } from "@parley/core";
import type { EventLog } from "./event-log.ts";
import type { RunningGateway } from "./gateway.ts";
import {
  ACK_TIMES,
  DELIVERIES,
  DELIVERIES_WAITING,
  DROPPED,
  DUPLICATES,
  GATEWAY_METRICS,
  HISTORY_DROPPED,
  HISTORY_ROWS,
  ITEMS,
  OLDEST,
  PLACES,
  RUNNING,
  TURN_TIMES,
  TURNS,
  WAITING,
  WORKER,
} from "./metrics.ts";
import type { MinuteMetrics } from "./minute-metrics.ts";
import type { StateCounters } from "./state-counters.ts";

export interface ProbeParts {
  readonly gateway: () => RunningGateway;
  readonly counters: StateCounters;
  readonly recount: () => Promise<void>;
  readonly log: EventLog;
  readonly metrics: Pick<MinuteMetrics, "ackTimes" | "turnTimes">;
}

/** What the gateway says of itself at `/metrics`. */
export function gatewayProbe(parts: ProbeParts): Probe {
  return {
    id: "gateway",
    metrics: GATEWAY_METRICS,
    async measure() {
      await parts.recount();
      return [...turnMeasures(parts), ...stateMeasures(parts), ...timeMeasures(parts)];
    },
  };
}

function turnMeasures({ gateway }: ProbeParts): readonly Measurement[] {
  const { waiting, oldestAgeMs = 0, running, turns, places, worker, duplicates, deliveries } = gateway().counts();
  return [
    measured(WAITING, waiting),
    measured(OLDEST, oldestAgeMs / 1000),
    measured(RUNNING, running),
    measured(TURNS, turns),
    measured(PLACES, places),
    measured(WORKER, Number(worker === "running")),
    measured(DUPLICATES, duplicates),
    measured(DELIVERIES_WAITING, deliveries.waiting),
  ];
}

function stateMeasures({ counters, log }: ProbeParts): readonly Measurement[] {
  return [
    measured(ITEMS, samplesBy("state", Object.entries(counters.items.counts()))),
    measured(DELIVERIES, samplesBy("state", Object.entries(counters.deliveries.counts()))),
    measured(DROPPED, samplesBy("reason", counters.dropped())),
    measured(HISTORY_ROWS, log.written()),
    measured(HISTORY_DROPPED, log.dropped()),
  ];
}

function timeMeasures({ metrics }: ProbeParts): readonly Measurement[] {
  return [measured(ACK_TIMES, metrics.ackTimes.samples()), measured(TURN_TIMES, metrics.turnTimes.samples())];
}
