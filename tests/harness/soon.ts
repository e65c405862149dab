import { vi } from "vitest";

/** Looks until it holds, also on a machine that is busy. */
export function soon(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 15_000, interval: 25 });
}
