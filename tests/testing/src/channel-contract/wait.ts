import { vi } from "vitest";

/** Milliseconds that a step of a check may take, also on a machine that is busy. */
export const STEP_TIMEOUT_MS = 10_000;
const POLL_MS = 5;

/** Waits for a promise, and fails with a sentence when it takes longer than a step may. */
export async function withTimeout<T>(promise: Promise<T>, sentence: string, limitMs = STEP_TIMEOUT_MS): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${sentence} within ${limitMs / 1_000} s`)), limitMs);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits until a condition holds, and fails with a sentence when it does not in time. */
export function waitUntil(holds: () => boolean, sentence: () => string, limitMs = STEP_TIMEOUT_MS): Promise<void> {
  return vi.waitFor(
    () => {
      if (!holds()) throw new Error(`${sentence()} within ${limitMs / 1_000} s`);
    },
    { timeout: limitMs, interval: POLL_MS },
  );
}

/** The error that a promise fails with; fails with a sentence when it succeeds. */
export async function expectRejection(promise: Promise<unknown>, sentence: string): Promise<unknown> {
  const outcome = await withTimeout(
    promise.then(
      (value: unknown) => ({ value }),
      (error: unknown) => ({ error }),
    ),
    `${sentence}, but it neither failed nor succeeded`,
  );
  if ("error" in outcome) return outcome.error;
  throw new Error(`${sentence}, but it succeeded`);
}

/** Gives everything that is due in the event loop a few turns. */
export async function flushEventLoop(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
