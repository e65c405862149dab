import { vi } from "vitest";

/** Maximum milliseconds of a step in a check, also on a busy machine. */
export const STEP_TIMEOUT_MS = 10_000;
const POLL_MS = 5;

/** Waits for a promise; fails with the sentence after the maximum time of a step. */
export async function withTimeout<T>(promise: Promise<T>, sentence: string, limitMs = STEP_TIMEOUT_MS): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${sentence} within ${limitMs / 1_000} s`)), limitMs);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for a condition; fails with the sentence after the maximum time. */
export function waitUntil(holds: () => boolean, sentence: () => string, limitMs = STEP_TIMEOUT_MS): Promise<void> {
  return vi.waitFor(
    () => {
      if (!holds()) throw new Error(`${sentence()} within ${limitMs / 1_000} s`);
    },
    { timeout: limitMs, interval: POLL_MS },
  );
}

/** Returns the error that a promise rejects with; fails with a sentence when it resolves. */
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

/** Runs the event loop for a few turns, so that pending work completes. */
export async function flushEventLoop(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
