import type { Clock } from "@parley/core";

const LOOK_EVERY_MS = 250;
/** A message may take so long on average beyond twice the time that it takes when nothing else is to be done. */
const LATE_MS = 16;
/** Late for so many looks in a row is more than a burst. */
const LOOKS = 8;
/** Where nothing came for so long, nothing is behind. */
const LONG_AGO_MS = 2_000;
/** So long the shortest time counts, and again as long: a disk may become slow. */
const SHORTEST_MS = 30_000;
const FEWEST = 8;
/** Late with the fewest for so many looks: their number is not the reason. */
const IN_VAIN = 4;
/** So long nothing is refused then. */
const LEFT_MS = 10_000;
/** From here on a limit means nothing. */
const MANY = 256;
const SHRINKAGE = 0.7;
const GROWTH = 1.25;

/**
 * How many messages may be on their way to the disk at once. While the service keeps up, and in a burst, any number;
 * when it is behind for longer, so few that each is acknowledged soon: the others are told to come again.
 */
export interface AcceptLimit {
  /** `storing`: so many are on their way. */
  isOver(storing: number): boolean;
  /** One was stored: what that took. */
  took(ms: number): void;
}

export function createAcceptLimit(clock: Pick<Clock, "monotonic">): AcceptLimit {
  const shortest = createShortest(clock);
  let lookedMs = clock.monotonic();
  let stored = 0;
  let sumMs = 0;
  let lateLooks = 0;
  let vainLooks = 0;
  let leftUntilMs = 0;
  let most = Number.POSITIVE_INFINITY;
  let peak = 0;
  const isBehind = (nowMs: number, sinceMs: number) =>
    nowMs >= leftUntilMs && sinceMs < LONG_AGO_MS && stored > 0 && sumMs / stored > LATE_MS + 2 * shortest.ms();
  const look = (nowMs: number, sinceMs: number) => {
    const isLate = isBehind(nowMs, sinceMs);
    lateLooks = isLate ? lateLooks + 1 : 0;
    vainLooks = isLate && most <= FEWEST ? vainLooks + 1 : 0;
    if (vainLooks >= IN_VAIN) {
      leftUntilMs = nowMs + LEFT_MS;
      most = Number.POSITIVE_INFINITY;
      vainLooks = 0;
    } else if (isLate && (most < MANY || lateLooks >= LOOKS))
      most = Math.max(FEWEST, Math.floor(Math.min(most, peak) * SHRINKAGE));
    else if (!isLate) most = sinceMs < LONG_AGO_MS ? Math.ceil(most * GROWTH) : Number.POSITIVE_INFINITY;
    peak = stored = sumMs = 0;
  };
  return {
    isOver(storing) {
      const nowMs = clock.monotonic();
      const sinceMs = nowMs - lookedMs;
      if (sinceMs >= LOOK_EVERY_MS) {
        look(nowMs, sinceMs);
        lookedMs = nowMs;
      }
      peak = Math.max(peak, storing + 1);
      return most < MANY && storing >= most;
    },
    took(ms) {
      stored += 1;
      sumMs += ms;
      shortest.note(ms);
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
