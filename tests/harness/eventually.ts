import { vi } from "vitest";

/** Retries until the check passes, also on a busy machine; returns its result. */
export function eventually<Found>(check: () => Found | Promise<Found>): Promise<Found> {
  return vi.waitFor(check, { timeout: 15_000, interval: 25 });
}
