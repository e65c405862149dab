import type { Clock } from "@parley/core";

const LOOK_EVERY_MS = 50;
/** So long a message may take on average, beyond twice the time that it takes when nothing else is to be done. */
const TARGET_MS = 16;
/** Late for so many looks in a row is more than a burst: half a second. */
const LOOKS = 10;
/** Where nothing came for so long, nothing is behind. */
const LONG_AGO_MS = 2_000;
/** So long the shortest time counts, and again as long: a disk may become slow. */
const SHORTEST_MS = 30_000;
/** Of what was seen before so much is forgotten with each look: one that is late says little. */
const SMOOTHING = 0.3;
const FEWEST = 8;
/** With the fewest for so many looks as late as before, or nearly: their number is not the reason. */
const IN_VAIN = 20;
const AS_LATE = 0.7;
/** So long nothing is refused then. */
const LEFT_MS = 10_000;
/** From here on a limit means nothing. */
const MANY = 256;
const GROWTH = 1.1;

/**
 * How many messages may be on their way to the disk at once. While the service keeps up, and in a burst, any number;
 * when it is behind, as many as are stored in the time that an acknowledgement may take: the others are told to come again.
 */
export interface AcceptLimit {
  isOver(storing: Storing): boolean;
  /** One was stored: what that took since it was read. */
  took(ms: number): void;
  /** The event loop's round was over so long after one was read: about as long others lie there until they are read. */
  lagged(ms: number): void;
}

/** What is on its way: of the channel that asks, of all, and of how many channels. */
export interface Storing {
  readonly own: number;
  readonly all: number;
  readonly channels: number;
}

export function createAcceptLimit(clock: Pick<Clock, "monotonic">): AcceptLimit {
  const shortest = createShortest(clock);
  const limit = createLimit();
  const storing = createMean();
  const lag = createMean();
  let lookedMs = clock.monotonic();
  let smoothMs: number | undefined;
  const look = (nowMs: number, sinceMs: number) => {
    const stored = storing.count();
    const tookMs = storing.take() + lag.take();
    if (sinceMs > LONG_AGO_MS) {
      limit.lift();
      smoothMs = undefined;
    } else if (stored > 0) {
      const targetMs = TARGET_MS + 2 * shortest.ms();
      smoothMs = smoothMs === undefined ? tookMs : smoothMs + SMOOTHING * (tookMs - smoothMs);
      limit.adjust({ nowMs, meanMs: smoothMs, targetMs, fitting: (stored / sinceMs) * targetMs });
    }
    lookedMs = nowMs;
  };
  return {
    isOver({ own, all, channels }) {
      const nowMs = clock.monotonic();
      if (nowMs - lookedMs >= LOOK_EVERY_MS) look(nowMs, nowMs - lookedMs);
      const most = limit.most();
      // Who has less than a fair share is not the reason.
      return most < MANY && all >= most && own * Math.max(1, channels) >= most;
    },
    took(ms) {
      storing.add(ms);
      shortest.note(ms);
    },
    lagged: lag.add,
  };
}

function createMean() {
  let count = 0;
  let sum = 0;
  return {
    count: () => count,
    add(value: number) {
      count += 1;
      sum += value;
    },
    /** The mean, 0 of nothing, and begins anew. */
    take(): number {
      const mean = count > 0 ? sum / count : 0;
      count = sum = 0;
      return mean;
    },
  };
}

/** What was seen since the last look. */
interface Look {
  readonly nowMs: number;
  readonly meanMs: number;
  readonly targetMs: number;
  /** As many are stored within the target, as things go (Little's law). */
  readonly fitting: number;
}

function createLimit() {
  let most = Number.POSITIVE_INFINITY;
  let lateLooks = 0;
  let vainLooks = 0;
  /** How late it was when the limit began. */
  let beforeMs = 0;
  let leftUntilMs = 0;
  const lift = () => {
    most = Number.POSITIVE_INFINITY;
    lateLooks = vainLooks = 0;
  };
  const isVain = (meanMs: number) => {
    vainLooks = most <= FEWEST && meanMs > beforeMs * AS_LATE ? vainLooks + 1 : 0;
    return vainLooks >= IN_VAIN;
  };
  return {
    most: () => most,
    lift,
    adjust({ nowMs, meanMs, targetMs, fitting }: Look) {
      if (nowMs < leftUntilMs) return;
      if (meanMs <= targetMs) {
        lateLooks = vainLooks = 0;
        most = most < MANY ? Math.ceil(most * GROWTH) : Number.POSITIVE_INFINITY;
        return;
      }
      lateLooks += 1;
      if (most >= MANY) beforeMs = meanMs;
      if (most < MANY || lateLooks >= LOOKS) most = Math.max(FEWEST, Math.floor(Math.min(most, fitting)));
      if (!isVain(meanMs)) return;
      lift();
      leftUntilMs = nowMs + LEFT_MS;
    },
  };
}

/** The shortest of the last times. */
function createShortest(clock: Pick<Clock, "monotonic">) {
  let sinceMs = clock.monotonic();
  let last = Number.POSITIVE_INFINITY;
  let current = Number.POSITIVE_INFINITY;
  return {
    ms: () => Math.min(last, current),
    note(ms: number) {
      if (clock.monotonic() - sinceMs > SHORTEST_MS) {
        sinceMs = clock.monotonic();
        last = current;
        current = ms;
      } else current = Math.min(current, ms);
    },
  };
}
