import { vi } from "vitest";

/** Looks until it holds, also on a machine that is busy; gives what was found. */
export function eventually<Found>(check: () => Found | Promise<Found>): Promise<Found> {
  return vi.waitFor(check, { timeout: 15_000, interval: 25 });
}
