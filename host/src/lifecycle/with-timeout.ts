import type { Localized } from "@parley/core";
import { createError } from "../sentences.ts";

/** Resolves with the value of a promise; rejects with `timed_out` and the message after `ms` milliseconds. */
export async function withTimeout<T>(promise: Promise<T>, ms: number, message: Localized): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(createError("timed_out", message)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
