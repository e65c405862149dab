import { createHash } from "node:crypto";

/** Probabilities of faults from 0 to 1; default 0. */
export interface FaultOptions {
  /** The same seed with the same calls gives the same faults. */
  readonly seed: number;
  /** An event is sent twice. */
  readonly duplicate?: number;
  /** An event, or the answer to a call, is delayed. */
  readonly delay?: number;
  /** An event arrives after the following one. */
  readonly reorder?: number;
  /** A call is rejected because there were too many requests. */
  readonly tooMany?: number;
  /** A call is answered with a server error; half of these calls were executed nevertheless. */
  readonly serverError?: number;
  /** The connection stays open and silent; half of these calls were executed nevertheless. */
  readonly halfOpen?: number;
  /** A call is answered as successful but was not executed. */
  readonly lyingOk?: number;
  /** Maximum delay in milliseconds; default 20. */
  readonly longestDelayMs?: number;
}

export type FaultKind = "duplicate" | "delay" | "reorder" | "tooMany" | "serverError" | "halfOpen" | "lyingOk";

/** One injected fault. */
export interface InjectedFault {
  readonly kind: FaultKind;
  /** The platform's name of the call, or `event`. */
  readonly call: string;
  /** The conversation the call or event belongs to; "" for none. */
  readonly about: string;
  /** Number of earlier calls of this kind about the same conversation. */
  readonly index: number;
  /** True when the platform executed the call, whatever it responded. */
  readonly isDone: boolean;
}

/** The outcome of one call. */
export interface CallOutcome {
  readonly delayMs: number;
  /** Fault that replaces the right answer; at most one. */
  readonly kind?: "tooMany" | "serverError" | "halfOpen" | "lyingOk";
  readonly isDone: boolean;
}

/** The outcome of one event. */
export interface EventOutcome {
  readonly delayMs: number;
  readonly isDuplicated: boolean;
  readonly isReordered: boolean;
  readonly isHalfOpen: boolean;
}

export interface Faults {
  /** Every fault so far, oldest first. */
  readonly injected: readonly InjectedFault[];
  /** `mayLie` is true for a call with an effect, which can be answered as successful without being executed. */
  ofCall(call: string, about: string, mayLie?: boolean): CallOutcome;
  ofEvent(about: string): EventOutcome;
}

/** At most one of these happens per call, so the sum of their probabilities must not exceed 1. */
const REPLACING_KINDS = ["tooMany", "serverError", "halfOpen", "lyingOk"] as const;
const FAULT_KINDS = ["duplicate", "delay", "reorder", ...REPLACING_KINDS] as const;
const LONGEST_DELAY_MS = 20;

/** Decides faults by seed; without options there are none. Throws `RangeError` for an invalid probability. */
export function createFaults(options: FaultOptions = { seed: 0 }): Faults {
  for (const kind of FAULT_KINDS) checkProbability(kind, options[kind] ?? 0);
  const together = REPLACING_KINDS.reduce((sum, kind) => sum + (options[kind] ?? 0), 0);
  // Sums of tenths are not exact in floating point.
  checkProbability(REPLACING_KINDS.join(" + "), Number(together.toFixed(9)));
  const { seed, longestDelayMs = LONGEST_DELAY_MS } = options;
  const injected: InjectedFault[] = [];
  const counts = new Map<string, number>();

  /** Counts each call of each conversation separately, so that its faults do not depend on how busy other conversations are. */
  const drawNext = (call: string, about: string) => {
    const line = `${call}\0${about}`;
    const index = counts.get(line) ?? 0;
    counts.set(line, index + 1);
    const note = (kind: FaultKind, isDone: boolean) => void injected.push({ kind, call, about, index, isDone });
    return { draw: drawNumbers(`${seed}\0${line}\0${index}`), note };
  };
  return {
    injected,
    ofCall(call, about, mayLie = true) {
      const { draw, note } = drawNext(call, about);
      const [late, length, which, half] = draw;
      const delayMs = late < (options.delay ?? 0) ? 1 + Math.floor(length * longestDelayMs) : 0;
      let bound = 0;
      const drawn = REPLACING_KINDS.find((one) => {
        bound += options[one] ?? 0;
        return which < bound;
      });
      const kind = drawn === "lyingOk" && !mayLie ? undefined : drawn;
      const mayBeDone = kind === "serverError" || kind === "halfOpen";
      const isDone = kind === undefined || (mayBeDone && half < 0.5);
      if (delayMs > 0) note("delay", isDone);
      if (kind === undefined) return { delayMs, isDone };
      note(kind, isDone);
      return { delayMs, kind, isDone };
    },
    ofEvent(about) {
      const { draw, note } = drawNext("event", about);
      const [late, length, twice, order, open] = draw;
      const isHalfOpen = open < (options.halfOpen ?? 0);
      const outcome = {
        delayMs: late < (options.delay ?? 0) ? 1 + Math.floor(length * longestDelayMs) : 0,
        isDuplicated: !isHalfOpen && twice < (options.duplicate ?? 0),
        isReordered: order < (options.reorder ?? 0),
        isHalfOpen,
      };
      if (outcome.delayMs > 0) note("delay", true);
      if (outcome.isDuplicated) note("duplicate", true);
      if (outcome.isReordered) note("reorder", true);
      if (outcome.isHalfOpen) note("halfOpen", true);
      return outcome;
    },
  };
}

type Draws = readonly [number, number, number, number, number];

/** Derives five numbers from 0 (inclusive) to 1 from a text by a digest, which needs no state and is equal everywhere. */
function drawNumbers(place: string): Draws {
  const digest = createHash("sha256").update(place).digest();
  return [0, 4, 8, 12, 16].map((at) => digest.readUInt32BE(at) / 2 ** 32) as unknown as Draws;
}

function checkProbability(name: string, value: number): void {
  if (!(value >= 0 && value <= 1)) throw new RangeError(`${name}: must be from 0 to 1, is ${value}`);
}
