import { type Clock, createHistogram, type Histogram } from "@parley/core";
import type { MinuteTable } from "../../store/tables.ts";
import { createDurationHistogram, type DurationHistogram } from "./duration-histogram.ts";

const MINUTE_MS = 60_000;
/** Number of minutes in the report. */
export const WINDOW_MINUTES = 60;

/** Metrics of the gateway in one minute. Durations are 0 when nothing was measured. */
export interface Minute {
  /** Start of the minute, ISO 8601 UTC. */
  readonly at: string;
  readonly messages_in: number;
  readonly turns: number;
  readonly answers_out: number;
  readonly given_up: number;
  readonly ack_p99_ms: number;
  readonly turn_p50_ms: number;
  readonly turn_p99_ms: number;
}

/** Counters of a minute; `given_up` counts dead-lettered and expired messages and deliveries. */
type CounterName = "messages_in" | "answers_out" | "given_up";

/** The counts of one node in a minute, as stored for the other nodes. */
export type MinuteCounts = Omit<MinuteTable, "node_id">;

/** Counters of the last hour by minute, in memory, for charts. */
export interface MinuteMetrics {
  count(what: CounterName): void;
  /** Records the duration of an acknowledgement in microseconds. */
  recordAck(micros: number): void;
  recordTurn(micros: number): void;
  /** Returns the last 60 minutes, oldest first, up to the current one, merged with the counts of other nodes. */
  getMinutes(others?: readonly MinuteCounts[]): readonly Minute[];
  /** Returns the minutes that changed since the last call. */
  takeChanged(): readonly MinuteCounts[];
  /** Durations of all acknowledgements since the start, in seconds. */
  readonly ackDurations: Histogram;
  readonly turnDurations: Histogram;
}

interface Slot {
  readonly minute: number;
  readonly counts: Record<CounterName, number>;
  readonly acks: DurationHistogram;
  readonly turns: DurationHistogram;
  isChanged: boolean;
}

export function createMinuteMetrics(clock: Clock): MinuteMetrics {
  const slots: Slot[] = [];
  const ackTimes = createHistogram();
  const turnTimes = createHistogram();
  const current = (): Slot => {
    const minute = getMinute(clock);
    const last = slots.at(-1);
    // If the clock was set back, counting stays in the latest minute.
    if (last && last.minute >= minute) return last;
    const slot = createEmptySlot(minute);
    slots.push(slot);
    if (slots.length > WINDOW_MINUTES) slots.shift();
    return slot;
  };
  const markChanged = () => Object.assign(current(), { isChanged: true });
  return {
    ackDurations: ackTimes,
    turnDurations: turnTimes,
    count(what) {
      markChanged().counts[what] += 1;
    },
    recordAck(micros) {
      ackTimes.record(micros / 1e6);
      markChanged().acks.record(micros);
    },
    recordTurn(micros) {
      turnTimes.record(micros / 1e6);
      markChanged().turns.record(micros);
    },
    getMinutes(others = []) {
      const last = current().minute;
      const known = new Map(slots.map((slot) => [slot.minute, slot]));
      const othersByMinute = Map.groupBy(others, ({ minute }) => Number(minute));
      return Array.from({ length: WINDOW_MINUTES }, (_, index) => {
        const minute = last - WINDOW_MINUTES + 1 + index;
        const own = known.get(minute);
        const theirs = othersByMinute.get(minute) ?? [];
        return toMinute(theirs.length === 0 ? (own ?? createEmptySlot(minute)) : mergeSlots(minute, own, theirs));
      });
    },
    takeChanged() {
      const rows = slots.filter(({ isChanged }) => isChanged).map(toMinuteCounts);
      for (const slot of slots) slot.isChanged = false;
      return rows;
    },
  };
}

export function getMinute(clock: Pick<Clock, "now">): number {
  return Math.floor(clock.now() / MINUTE_MS);
}

function createEmptySlot(minute: number): Slot {
  const counts = { messages_in: 0, answers_out: 0, given_up: 0 };
  return { minute, counts, acks: createDurationHistogram(), turns: createDurationHistogram(), isChanged: false };
}

function toMinuteCounts({ minute, counts, acks, turns }: Slot): MinuteCounts {
  return { minute, ...counts, acks: acks.serialize(), turns: turns.serialize() };
}

function mergeSlots(minute: number, own: Slot | undefined, others: readonly MinuteCounts[]): Slot {
  const sum = createEmptySlot(minute);
  for (const part of own ? [toMinuteCounts(own), ...others] : others) {
    for (const what of ["messages_in", "answers_out", "given_up"] as const) sum.counts[what] += Number(part[what]);
    sum.acks.merge(part.acks);
    sum.turns.merge(part.turns);
  }
  return sum;
}

function toMinute({ minute, counts, acks, turns }: Slot): Minute {
  return {
    at: new Date(minute * MINUTE_MS).toISOString(),
    ...counts,
    turns: turns.count,
    ack_p99_ms: acks.percentile(99),
    turn_p50_ms: turns.percentile(50),
    turn_p99_ms: turns.percentile(99),
  };
}
