import { type Clock, createHistogram, type Histogram } from "@parley/core";
import { createMinuteTimes, type MinuteTimes } from "./minute-times.ts";
import type { MinuteTable } from "./tables.ts";

const MINUTE_MS = 60_000;
/** So many minutes are told of. */
export const KEPT = 60;

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

/** What one node counted in a minute, as it is kept for the others. */
export type CountedMinute = Omit<MinuteTable, "node_id">;

/** The last hour minute by minute, in memory; what charts are drawn from. */
export interface MinuteMetrics {
  count(what: Count): void;
  /** Microseconds. */
  acknowledged(micros: number): void;
  ended(micros: number): void;
  /** Sixty minutes, oldest first, the last one under way; since the start, together with what others counted. */
  all(others?: readonly CountedMinute[]): readonly Minute[];
  /** The minutes in which something was counted since this was last asked. */
  changed(): readonly CountedMinute[];
  /** Since the start, in seconds. */
  readonly ackTimes: Histogram;
  readonly turnTimes: Histogram;
}

interface Slot {
  readonly minute: number;
  readonly counts: Record<Count, number>;
  readonly acks: MinuteTimes;
  readonly turns: MinuteTimes;
  isChanged: boolean;
}

export function createMinuteMetrics(clock: Clock): MinuteMetrics {
  const slots: Slot[] = [];
  const ackTimes = createHistogram();
  const turnTimes = createHistogram();
  const current = (): Slot => {
    const minute = minuteOf(clock);
    const last = slots.at(-1);
    // A clock that was set back goes on in the minute it was in.
    if (last && last.minute >= minute) return last;
    const slot = emptySlot(minute);
    slots.push(slot);
    if (slots.length > KEPT) slots.shift();
    return slot;
  };
  const counting = () => Object.assign(current(), { isChanged: true });
  return {
    ackTimes,
    turnTimes,
    count(what) {
      counting().counts[what] += 1;
    },
    acknowledged(micros) {
      ackTimes.record(micros / 1e6);
      counting().acks.record(micros);
    },
    ended(micros) {
      turnTimes.record(micros / 1e6);
      counting().turns.record(micros);
    },
    all(others = []) {
      const last = current().minute;
      const known = new Map(slots.map((slot) => [slot.minute, slot]));
      const added = Map.groupBy(others, ({ minute }) => Number(minute));
      return Array.from({ length: KEPT }, (_, index) => {
        const minute = last - KEPT + 1 + index;
        const own = known.get(minute);
        const theirs = added.get(minute) ?? [];
        return shownMinute(theirs.length === 0 ? (own ?? emptySlot(minute)) : together(minute, own, theirs));
      });
    },
    changed() {
      const rows = slots.filter(({ isChanged }) => isChanged).map(countedMinute);
      for (const slot of slots) slot.isChanged = false;
      return rows;
    },
  };
}

export function minuteOf(clock: Pick<Clock, "now">): number {
  return Math.floor(clock.now() / MINUTE_MS);
}

function emptySlot(minute: number): Slot {
  const counts = { messages_in: 0, answers_out: 0, given_up: 0 };
  return { minute, counts, acks: createMinuteTimes(), turns: createMinuteTimes(), isChanged: false };
}

function countedMinute({ minute, counts, acks, turns }: Slot): CountedMinute {
  return { minute, ...counts, acks: acks.text(), turns: turns.text() };
}

function together(minute: number, own: Slot | undefined, others: readonly CountedMinute[]): Slot {
  const sum = emptySlot(minute);
  for (const one of own ? [countedMinute(own), ...others] : others) {
    for (const what of ["messages_in", "answers_out", "given_up"] as const) sum.counts[what] += Number(one[what]);
    sum.acks.add(one.acks);
    sum.turns.add(one.turns);
  }
  return sum;
}

function shownMinute({ minute, counts, acks, turns }: Slot): Minute {
  return {
    at: new Date(minute * MINUTE_MS).toISOString(),
    ...counts,
    turns: turns.count,
    ack_p99_ms: acks.percentile(99),
    turn_p50_ms: turns.percentile(50),
    turn_p99_ms: turns.percentile(99),
  };
}
