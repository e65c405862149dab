const DAY_MS = 86_400_000;
/** Maximum count of cached days, more than two years of plans. */
const MAX_CACHED_DAYS = 1_000;

/** Local time of a time zone; wall times are milliseconds as if the zone were UTC. */
export interface WallClock {
  toWallTime(instantMs: number): number;
  /** Returns the first instant with this wall time; for a time that is skipped, the one right after the gap. */
  toInstant(wallMs: number): number;
}

const clockByTimeZone = new Map<string, WallClock>();

/** Returns the wall clock of a time zone; throws a `RangeError` for an unknown zone. */
export function getWallClock(timezone: string): WallClock {
  const known = clockByTimeZone.get(timezone);
  if (known) return known;
  const made = createWallClock(timezone);
  clockByTimeZone.set(timezone, made);
  return made;
}

function createWallClock(timeZone: string): WallClock {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const readOffset = (instantMs: number) => {
    const parts = Object.fromEntries(format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instantMs / 1000) * 1000;
  };
  const starts = new Map<number, number>();
  const getDayStartOffset = (day: number) => {
    const known = starts.get(day);
    if (known !== undefined) return known;
    if (starts.size >= MAX_CACHED_DAYS) starts.clear();
    const made = readOffset(day * DAY_MS);
    starts.set(day, made);
    return made;
  };
  /** Clocks change at most once a day: with equal offsets at both ends no query is needed. */
  const offset = (instantMs: number) => {
    const day = Math.floor(instantMs / DAY_MS);
    const start = getDayStartOffset(day);
    return start === getDayStartOffset(day + 1) ? start : readOffset(instantMs);
  };
  const at = (instantMs: number) => instantMs + offset(instantMs);
  return {
    toWallTime: at,
    toInstant(wallMs) {
      const [before, after] = [wallMs - offset(wallMs - DAY_MS), wallMs - offset(wallMs + DAY_MS)];
      const shown = [before, after].filter((instant) => at(instant) === wallMs);
      if (shown.length > 0) return Math.min(...shown);
      // The clock is set forward between the two instants.
      let [low, high] = [Math.min(before, after), Math.max(before, after)];
      const early = offset(low);
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (offset(middle) === early) low = middle;
        else high = middle;
      }
      return high;
    },
  };
}
