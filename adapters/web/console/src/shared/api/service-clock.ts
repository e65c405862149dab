/** Smaller differences are latency and the header's resolution of one second, not a wrong clock. */
const MIN_SKEW_MS = 60_000;

/** Offset of the service's clock from this machine's, in milliseconds. */
let offsetMs = 0;

/** Corrects the clock by the `Date` header of a response. */
export function syncServiceClock(date: string | null): void {
  const at = Date.parse(date ?? "");
  if (Number.isNaN(at)) return;
  const skewMs = at - Date.now();
  offsetMs = Math.abs(skewMs) > MIN_SKEW_MS ? skewMs : 0;
}

/** Returns the current time of the service in milliseconds, to compare with its timestamps whatever the local clock says. */
export function getServiceTime(): number {
  return Date.now() + offsetMs;
}
