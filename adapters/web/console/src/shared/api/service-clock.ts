/** Smaller differences are latency and the header's resolution of one second, not a wrong clock. */
const MIN_SKEW_MS = 60_000;

/** Offset of the service's clock from this machine's, in milliseconds. */
let offsetMs = 0;

/** Sets the clock right by the header `Date` of an answer. */
export function syncServiceClock(date: string | null): void {
  const at = Date.parse(date ?? "");
  if (Number.isNaN(at)) return;
  const off = at - Date.now();
  offsetMs = Math.abs(off) > MIN_SKEW_MS ? off : 0;
}

/** The current time of the service in milliseconds; compared with its timestamps, so that a wrong local clock does not matter. */
export function getServiceTime(): number {
  return Date.now() + offsetMs;
}
