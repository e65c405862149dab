import type { RecordableHistogram } from "node:perf_hooks";
import type { Measurement, Probe } from "@parley/core";
import type { EventLog } from "./event-log.ts";
import type { RunningGateway } from "./gateway.ts";
import type { MinuteMetrics } from "./minute-metrics.ts";
import type { StateCounters } from "./state-counters.ts";

export interface ProbeParts {
  readonly gateway: () => RunningGateway;
  readonly counters: StateCounters;
  readonly log: EventLog;
  readonly metrics: Pick<MinuteMetrics, "ackTimes" | "turnTimes">;
}

/** What the gateway says of itself at `/metrics`. */
export function gatewayProbe(parts: ProbeParts): Probe {
  return {
    id: "gateway",
    measure: async () => [...turnMeasures(parts), ...stateMeasures(parts), ...timeMeasures(parts)],
  };
}

function turnMeasures({ gateway }: ProbeParts): readonly Measurement[] {
  const { waiting, oldestAgeMs = 0, running, turns, places, worker, duplicates, deliveries } = gateway().counts();
  const isWorking = Number(worker === "running");
  return [
    one("parley_inbox_waiting", "Messages that wait for their turn.", "gauge", waiting),
    one("parley_inbox_oldest_seconds", "Age of the message that waits longest.", "gauge", oldestAgeMs / 1000),
    one("parley_turns_running", "Turns under way.", "gauge", running),
    one("parley_turns_total", "Turns begun since the start.", "counter", turns),
    one("parley_turns_places", "Turns that may run at once.", "gauge", places),
    one("parley_worker_running", "1: messages of channels are worked on.", "gauge", isWorking),
    one("parley_duplicates_total", "Copies of messages recognised since the start.", "counter", duplicates),
    one("parley_deliveries_waiting", "Deliveries under way or waiting.", "gauge", deliveries.waiting),
  ];
}

function stateMeasures({ counters, log }: ProbeParts): readonly Measurement[] {
  const items = Object.entries(counters.items.counts());
  const deliveries = Object.entries(counters.deliveries.counts());
  const dropped = [...counters.dropped()];
  return [
    many("parley_items", "Messages by state.", "gauge", "state", items),
    many("parley_deliveries", "Deliveries by state.", "gauge", "state", deliveries),
    many("parley_dropped_total", "What was given up since the start.", "counter", "reason", dropped),
    one("parley_history_rows_total", "Rows of history since the start.", "counter", log.written()),
    one("parley_history_dropped_total", "Rows of history left out under load.", "counter", log.dropped()),
  ];
}

function timeMeasures({ metrics }: ProbeParts): readonly Measurement[] {
  return [
    times("parley_ack_seconds", "From receipt to the stored message.", metrics.ackTimes),
    times("parley_turn_seconds", "From the beginning of a turn to its stored end.", metrics.turnTimes),
  ];
}

function one(name: string, help: string, kind: Measurement["kind"], value: number): Measurement {
  return { name, help, kind, samples: [{ value }] };
}

function many(
  name: string,
  help: string,
  kind: Measurement["kind"],
  label: string,
  values: readonly (readonly [string, number])[],
): Measurement {
  return { name, help, kind, samples: values.map(([key, value]) => ({ labels: { [label]: key }, value })) };
}

function times(name: string, help: string, histogram: RecordableHistogram): Measurement {
  const samples = [50, 90, 99].map((share) => ({
    labels: { quantile: String(share / 100) },
    value: histogram.count === 0 ? 0 : histogram.percentile(share) / 1e6,
  }));
  return { name, help, kind: "gauge", samples };
}
