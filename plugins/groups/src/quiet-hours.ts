const DAY_MINUTES = 24 * 60;

/** Returns true when the moment lies in the hours, `22:00-07:30`, of the time zone's own clock. The end is exclusive; "" means never. */
export function isQuiet(hours: string, timeZone: string, atMs: number): boolean {
  const [from, to] = hours.split("-").map(toMinutes);
  if (from === undefined || to === undefined) return false;
  const sinceStart = toOffset(readClock(timeZone, atMs) - from);
  return sinceStart < toOffset(to - from);
}

/** Returns the minutes of the day on the time zone's clock, whatever its offset is at that moment. */
function readClock(timeZone: string, atMs: number): number {
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
  return toMinutes(clock.format(atMs));
}

function toMinutes(clock: string): number {
  const [hour = 0, minute = 0] = clock.split(":").map(Number);
  return hour * 60 + minute;
}

/** Returns the minutes as a time of day, 0 to 1,439. */
function toOffset(minutes: number): number {
  return (minutes + DAY_MINUTES) % DAY_MINUTES;
}
