import perfHooks, { type RecordableHistogram } from "node:perf_hooks";
import { type Clock, createHistogram, type Histogram } from "@parley/core";

const MINUTE_MS = 60_000;
const KEPT = 60;

/** One minute of the gateway. Times are 0 where nothing was timed. */
export interface Minute {
  /** Its beginning, ISO 8601 UTC. */
  readonly at: string;
  readonly messages_in: number;
  readonly turns: number;
  readonly answers_out: number;
  readonly given_up: number;
  readonly ack_p99_ms: number;
  readonly turn_p50_ms: number;
  readonly turn_p99_ms: number;
}

type Count = "messages_in" | "answers_out" | "given_up";

/** The last hour minute by minute, in memory; what charts are drawn from. */
export interface MinuteMetrics {
  count(what: Count): void;
  /** Microseconds. */
  acknowledged(micros: number): void;
  ended(micros: number): void;
  /** Sixty minutes, oldest first, the last one under way; since the start. */
  all(): readonly Minute[];
  /** Since the start, in seconds. */
  readonly ackTimes: Histogram;
  readonly turnTimes: Histogram;
}

interface Slot {
  readonly minute: number;
  readonly counts: Record<Count, number>;
  readonly acks: RecordableHistogram;
  readonly turns: RecordableHistogram;
}

/** Of one minute, in microseconds: exact enough to give any share of it. */
const newTimes = () => perfHooks.createHistogram({ lowest: 1, highest: 3_600_000_000, figures: 2 });

export function createMinuteMetrics(clock: Clock): MinuteMetrics {
  const slots: Slot[] = [];
  const ackTimes = createHistogram();
  const turnTimes = createHistogram();
  const current = (): Slot => {
    const minute = Math.floor(clock.now() / MINUTE_MS);
    const last = slots.at(-1);
    // A clock that was set back goes on in the minute it was in.
    if (last && last.minute >= minute) return last;
    const counts = { messages_in: 0, answers_out: 0, given_up: 0 };
    const slot = { minute, counts, acks: newTimes(), turns: newTimes() };
    slots.push(slot);
    if (slots.length > KEPT) slots.shift();
    return slot;
  };
  return {
    ackTimes,
    turnTimes,
    count(what) {
      current().counts[what] += 1;
    },
    acknowledged(micros) {
      ackTimes.record(micros / 1e6);
      current().acks.record(micros);
    },
    ended(micros) {
      turnTimes.record(micros / 1e6);
      current().turns.record(micros);
    },
    all() {
      const last = current().minute;
      const known = new Map(slots.map((slot) => [slot.minute, slot]));
      return Array.from({ length: KEPT }, (_, index) => {
        const minute = last - KEPT + 1 + index;
        const slot = known.get(minute);
        return {
          at: new Date(minute * MINUTE_MS).toISOString(),
          messages_in: slot?.counts.messages_in ?? 0,
          turns: slot?.turns.count ?? 0,
          answers_out: slot?.counts.answers_out ?? 0,
          given_up: slot?.counts.given_up ?? 0,
          ack_p99_ms: millis(slot?.acks, 99),
          turn_p50_ms: millis(slot?.turns, 50),
          turn_p99_ms: millis(slot?.turns, 99),
        };
      });
    },
  };
}

function millis(times: RecordableHistogram | undefined, share: number): number {
  return !times || times.count === 0 ? 0 : Math.round(times.percentile(share) / 10) / 100;
}
