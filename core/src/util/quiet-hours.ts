const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;

/** Returns true when the moment lies in the hours, `22:00-07:30`, of the time zone's own clock. The end is exclusive; "" means never. */
export function isQuiet(hours: string, timeZone: string, atMs: number): boolean {
  return createQuietTest(hours, timeZone)(atMs);
}

/** Returns the first moment from `atMs` on that does not lie in the hours: `atMs` itself, or the full minute at their end. */
export function findQuietEnd(hours: string, timeZone: string, atMs: number): number {
  const isQuietAt = createQuietTest(hours, timeZone);
  let endMs = atMs;
  // Goes by the minute, because the clock may jump in these hours.
  while (isQuietAt(endMs)) endMs = (Math.floor(endMs / MINUTE_MS) + 1) * MINUTE_MS;
  return endMs;
}

function createQuietTest(hours: string, timeZone: string): (atMs: number) => boolean {
  const [from, to] = hours.split("-").map(toMinutes);
  if (from === undefined || to === undefined) return () => false;
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
  // The clock shows the minutes of the day, whatever the zone's offset is at that moment.
  return (atMs) => toOffset(toMinutes(clock.format(atMs)) - from) < toOffset(to - from);
}

function toMinutes(clock: string): number {
  const [hour = 0, minute = 0] = clock.split(":").map(Number);
  return hour * 60 + minute;
}

/** Returns the minutes as a time of day, 0 to 1,439. */
function toOffset(minutes: number): number {
  return (minutes + DAY_MINUTES) % DAY_MINUTES;
}
