import type { ModelErrorCategory, ModelFailure } from "@parley/core";
import type { ConfiguredModel } from "../catalog.ts";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
const LONGEST_RETRY_AFTER_MS = 5000;

/** Milliseconds until a model must have begun to answer, where another one waits. */
export function patienceOf({ fields }: ConfiguredModel): number {
  return (fields.failover_timeout_s || fields.timeout_s) * 1000;
}

/** No other model would do better. */
export function isEnd({ category }: ModelFailure): boolean {
  return category === "bad_request" || category === "content_refused";
}

const ONCE: readonly ModelErrorCategory[] = ["rate_limited", "invalid_response", "context_length"];
const AGAIN: readonly ModelErrorCategory[] = ["network", "timeout", "server_error"];

/** Milliseconds until the same model is asked again; undefined when it must not be. */
export function pauseBefore(
  tries: number,
  { category, retryAfterMs }: ModelFailure,
  { fields }: ConfiguredModel,
  random: () => number,
): number | undefined {
  if (category === "rate_limited") {
    return tries === 0 && retryAfterMs !== null && retryAfterMs <= LONGEST_RETRY_AFTER_MS ? retryAfterMs : undefined;
  }
  if (ONCE.includes(category)) return tries === 0 ? 0 : undefined;
  if (!AGAIN.includes(category) || tries >= fields.retry_count) return undefined;
  return Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS) * (0.5 + random() / 2);
}
