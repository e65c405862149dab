import type { Localized } from "@parley/core";
import { rejectAfter } from "@parley/core/async";
import { createError } from "../sentences.ts";

/** Resolves with the value of a promise; rejects with `timed_out` and the message after `ms` milliseconds. */
export function withTimeout<T>(promise: Promise<T>, ms: number, message: Localized): Promise<T> {
  return rejectAfter(promise, ms, () => createError("timed_out", message));
}
