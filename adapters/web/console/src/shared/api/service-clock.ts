/** What a request takes, and the second that the service leaves out, is no wrong clock. */
const MIN_SKEW_MS = 60_000;

/** How far the clock of the service is ahead of this machine's, in milliseconds. */
let offsetMs = 0;

/** Sets the clock right by the header `Date` of an answer. */
export function syncServiceClock(date: string | null): void {
  const at = Date.parse(date ?? "");
  if (Number.isNaN(at)) return;
  const off = at - Date.now();
  offsetMs = Math.abs(off) > MIN_SKEW_MS ? off : 0;
}

/** Now, as the service has it: what it tells the time of is compared with this, whatever the clock of this machine says. */
export function serviceNow(): number {
  return Date.now() + offsetMs;
}
