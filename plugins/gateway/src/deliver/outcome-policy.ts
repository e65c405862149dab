import {
  AppError,
  type Clock,
  DeliveryError,
  type DeliveryFailure,
  deliveryDetail,
  type IdempotencyMode,
  type ItemFailure,
  type Receipt,
  toItemFailure,
  toTraceMessage,
} from "@parley/core";
import type { EventLog } from "../observe/event-log.ts";
import type { Delivery } from "../store/delivery.ts";
import type { DeliveryChange } from "../store/outbox.ts";
import { gatewayTexts } from "../texts.ts";
import type { CircuitBreakers } from "./circuit-breakers.ts";

/** Maximum number of counted attempts for one delivery. */
export const MAX_ATTEMPTS = 3;
/** Messages for a delivery by how well its arrival is known. */
const DELIVERED: Readonly<Record<Receipt["quality"], ItemFailure>> = {
  built: gatewayTexts.message("trace_built"),
  accepted: gatewayTexts.message("trace_delivered", { quality: gatewayTexts.localized("quality_accepted") }),
  confirmed: gatewayTexts.message("trace_delivered", { quality: gatewayTexts.localized("quality_confirmed") }),
};
const MAX_THROTTLES = 30;
/** Minimum wait when a platform throttles. */
const MIN_THROTTLE_MS = 1_000;
export const MAX_BACKOFF_MS = 60_000;

/** The outcome of one attempt. */
export interface AttemptResult {
  readonly change: DeliveryChange | undefined;
  readonly isFinal: boolean;
  /** Milliseconds until the next attempt in this conversation. */
  readonly waitMs: number;
  /** New id of the conversation, when the platform reported one. */
  readonly movedTo?: string;
}

/** Decides from the result of an attempt what happens to its delivery, and logs that. */
export interface OutcomePolicy {
  logEvent(delivery: Delivery, status: string, message: ItemFailure): void;
  finishUndelivered(delivery: Delivery, state: "dead" | "expired", cause: string, reason: ItemFailure): AttemptResult;
  finishDelivered(delivery: Delivery, receipt: Receipt): AttemptResult;
  /** Returns the outcome for an error, by its class. */
  handleFailure(delivery: Delivery, mode: IdempotencyMode, error: unknown): AttemptResult;
  /** Returns the delay before the next attempt, in milliseconds. */
  getBackoffMs(tries: number): number;
  counts(): { readonly delivered: number; readonly dead: number };
}

export interface OutcomePolicyDeps {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly breakers: CircuitBreakers;
  /** Returns a number from 0 to 1; tests replace it. */
  readonly random: () => number;
}

interface PolicyState extends OutcomePolicyDeps {
  readonly counts: { delivered: number; dead: number };
}

export function createOutcomePolicy(deps: OutcomePolicyDeps): OutcomePolicy {
  const policy: PolicyState = { ...deps, counts: { delivered: 0, dead: 0 } };
  return {
    logEvent: (delivery, status, message) => logEvent(policy, delivery, status, message),
    finishUndelivered: (...rest) => finishUndelivered(policy, ...rest),
    finishDelivered: (delivery, receipt) => finishDelivered(policy, delivery, receipt),
    handleFailure: (delivery, mode, error) => handleFailure(policy, delivery, mode, error),
    getBackoffMs: (tries) => getBackoffMs(deps, tries),
    counts: () => policy.counts,
  };
}

interface SendFailure {
  readonly failure: DeliveryFailure;
  readonly reason: ItemFailure;
}

function getBackoffMs({ random }: OutcomePolicyDeps, tries: number): number {
  return Math.min(MAX_BACKOFF_MS, 1_000 * 2 ** Math.max(0, tries - 1)) * (0.5 + random() / 2);
}

function logEvent(
  { log }: OutcomePolicyDeps,
  delivery: Delivery,
  status: string,
  message: ItemFailure,
  code?: string,
): void {
  const text = toTraceMessage(message);
  log.add({
    traceId: delivery.message.traceId,
    status,
    ...text,
    channelId: delivery.channelId,
    conversationId: delivery.conversationId,
    deliveryId: delivery.id,
    ...(code !== undefined && { error: { code, ...text } }),
  });
}

function finishUndelivered(
  policy: PolicyState,
  delivery: Delivery,
  state: "dead" | "expired",
  cause: string,
  reason: ItemFailure,
): AttemptResult {
  policy.counts.dead += 1;
  const status = cause === "no_sender" ? "no_sender" : "delivery_failed";
  logEvent(policy, delivery, status, reason, cause);
  return { change: { state, cause, reason, attempts: delivery.attempts }, isFinal: true, waitMs: 0 };
}

function finishDelivered(policy: PolicyState, delivery: Delivery, receipt: Receipt): AttemptResult {
  policy.counts.delivered += 1;
  policy.breakers.onSuccess(delivery.channelId);
  const { quality } = receipt;
  logEvent(policy, delivery, quality === "built" ? "built" : "delivered", DELIVERED[quality]);
  return { change: { state: "delivered", receipt }, isFinal: true, waitMs: 0 };
}

function handleFailure(policy: PolicyState, delivery: Delivery, mode: IdempotencyMode, error: unknown): AttemptResult {
  const { breakers } = policy;
  const deliveryError = DeliveryError.is(error) ? error : undefined;
  const failed: SendFailure = { failure: deliveryError?.failure ?? "ambiguous", reason: toSendReason(error) };
  const { failure, reason } = failed;
  if (failure === "not_sent") {
    breakers.onNotSent(delivery.channelId);
    return retryLater(policy, delivery, failed, getBackoffMs(policy, delivery.attempts));
  }
  if (failure === "auth") return retryLater(policy, delivery, failed, breakers.onUnauthorized(delivery.channelId));
  breakers.onSuccess(delivery.channelId);
  if (failure === "migrated" && deliveryError?.conversationId !== undefined)
    return retryMigrated(policy, delivery, failed, deliveryError.conversationId);
  if (failure === "throttled") return retryThrottled(policy, delivery, failed, deliveryError?.retryAfterMs);
  if (failure === "window_closed") return finishUndelivered(policy, delivery, "expired", failure, reason);
  if (PERMANENT_FAILURES.has(failure)) return finishUndelivered(policy, delivery, "dead", failure, reason);
  const isRepeatable = failure === "unavailable" || mode === "native_key" || mode === "natural";
  return isRepeatable ? retryCounted(policy, delivery, failed) : markUnknown(policy, delivery, failed);
}

function retryLater(
  policy: PolicyState,
  delivery: Delivery,
  { failure, reason }: SendFailure,
  waitMs: number,
  change: Partial<DeliveryChange> = {},
): AttemptResult {
  logEvent(policy, delivery, "delivery_failed", reason, failure);
  // The column holds integers.
  const nextMs = Math.ceil(policy.clock.now() + waitMs);
  return { change: { state: "pending", cause: failure, reason, nextMs, ...change }, isFinal: false, waitMs };
}

function retryThrottled(
  policy: PolicyState,
  delivery: Delivery,
  failed: SendFailure,
  retryAfterMs: number | undefined,
): AttemptResult {
  const { throttles } = delivery;
  if (throttles >= MAX_THROTTLES) return finishUndelivered(policy, delivery, "dead", "throttled", failed.reason);
  const hasRetryAfter = retryAfterMs !== undefined && Number.isFinite(retryAfterMs);
  const baseMs = hasRetryAfter ? Math.max(MIN_THROTTLE_MS, retryAfterMs) : Math.min(120_000, 2_000 * 2 ** throttles);
  const waitMs = Math.ceil(baseMs * (1 + policy.random() * 0.1));
  return retryLater(policy, delivery, failed, waitMs, { throttles: throttles + 1 });
}

function retryMigrated(
  policy: PolicyState,
  delivery: Delivery,
  failed: SendFailure,
  conversationId: string,
): AttemptResult {
  const attempts = delivery.attempts + 1;
  const isSame = conversationId === delivery.conversationId;
  // Stops after some attempts, so that two conversations that moved to each other cause no endless loop.
  if (isSame || attempts >= MAX_ATTEMPTS)
    return finishUndelivered(policy, delivery, "dead", "permanent", failed.reason);
  return { ...retryLater(policy, delivery, failed, 0, { attempts }), movedTo: conversationId };
}

function retryCounted(policy: PolicyState, delivery: Delivery, failed: SendFailure): AttemptResult {
  const attempts = delivery.attempts + 1;
  if (attempts >= MAX_ATTEMPTS)
    return finishUndelivered(policy, { ...delivery, attempts }, "dead", failed.failure, failed.reason);
  return retryLater(policy, delivery, failed, getBackoffMs(policy, attempts), { state: "failed", attempts });
}

function markUnknown(policy: PolicyState, delivery: Delivery, { failure, reason }: SendFailure): AttemptResult {
  logEvent(policy, delivery, "unknown_after_send", reason, failure);
  const attempts = delivery.attempts + 1;
  const change = { state: "unknown_after_send", cause: failure, reason, attempts } as const;
  return { change, isFinal: false, waitMs: 0 };
}

/** Converts an adapter's error, with its localized detail if it has one. */
function toSendReason(error: unknown): ItemFailure {
  if (AppError.is(error)) return toItemFailure(error);
  if (!(error instanceof Error)) return { error: `the adapter failed with ${String(error)}` };
  const detail = deliveryDetail(error);
  return { error: error.message, ...(detail && { detail }) };
}

const PERMANENT_FAILURES: ReadonlySet<DeliveryFailure> = new Set(["permanent", "payload", "no_sender", "migrated"]);
