import type { ModelErrorCategory, ModelFailure } from "@parley/core";
import type { ConfiguredModel } from "../records/configured-model.ts";

const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 8000;
const MAX_RETRY_AFTER_MS = 5000;

/** Returns the milliseconds in which a model must begin to answer when another one is available. */
export function getFirstTokenTimeoutMs({ fields }: ConfiguredModel): number {
  return (fields.failover_timeout_s || fields.timeout_s) * 1000;
}

/** True when another model would fail in the same way. */
export function isFinalFailure({ category }: ModelFailure): boolean {
  return category === "bad_request" || category === "content_refused";
}

const RETRIED_ONCE: readonly ModelErrorCategory[] = ["rate_limited", "invalid_response", "context_length"];
const RETRIED: readonly ModelErrorCategory[] = ["network", "timeout", "server_error"];

/** Returns the delay until the same model is called again; undefined when it must not be called again. */
export function getRetryDelayMs(
  retryCount: number,
  { category, retryAfterMs }: ModelFailure,
  { fields }: ConfiguredModel,
  random: () => number,
): number | undefined {
  if (category === "rate_limited") {
    return retryCount === 0 && retryAfterMs !== null && retryAfterMs <= MAX_RETRY_AFTER_MS ? retryAfterMs : undefined;
  }
  if (RETRIED_ONCE.includes(category)) return retryCount === 0 ? 0 : undefined;
  if (!RETRIED.includes(category) || retryCount >= fields.retry_count) return undefined;
  return Math.min(BASE_DELAY_MS * 2 ** retryCount, MAX_DELAY_MS) * (0.5 + random() / 2);
}
