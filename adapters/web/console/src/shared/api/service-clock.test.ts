import { expect, test, vi } from "vitest";
import { getServiceTime, syncServiceClock } from "./service-clock.ts";

test("a clock that is days off is corrected by a response, whose duration changes nothing", () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 10) });
  try {
    syncServiceClock("Wed, 07 Jan 2026 00:00:00 GMT");
    expect(new Date(getServiceTime()).toISOString()).toBe("2026-01-07T00:00:00.000Z");
    syncServiceClock(null);
    expect(new Date(getServiceTime()).toISOString()).toBe("2026-01-07T00:00:00.000Z");
    syncServiceClock("Fri, 09 Jan 2026 23:59:58 GMT");
    expect(getServiceTime()).toBe(Date.now());
  } finally {
    vi.useRealTimers();
  }
});
