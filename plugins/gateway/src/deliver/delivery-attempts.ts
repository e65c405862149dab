import {
  type ChannelConfig,
  type Channels,
  type Clock,
  DeliveryError,
  deadline,
  deliveryDetail,
  deliverySentence,
  type Logger,
} from "@parley/core";
import type { FailPoint } from "../fail-point.ts";
import type { Delivery } from "../store/delivery.ts";
import type { GatewayStore } from "../store/gateway-store.ts";
import { gatewayTexts } from "../texts.ts";
import type { CircuitBreakers } from "./circuit-breakers.ts";
import type { ConnectedChannel } from "./connected-channel.ts";
import { recoverDelivery } from "./delivery-queues.ts";
import type { AttemptResult, OutcomePolicy } from "./outcome-policy.ts";
import { createSendRateLimiter, type SendRateLimiter } from "./send-rate-limiter.ts";
import { SENDING_STOPPED, type SendingPermit } from "./sending-permit.ts";
import { resolveUnknownOutcome } from "./unknown-outcome.ts";

const BEING_SENT = gatewayTexts.message("trace_sending");
const SEND_TIMEOUT_MS = 30_000;
/** Lifetime of a delivery while its channel is disabled. */
const DISABLED_TTL_MS = 24 * 3_600_000;

/** Sends single deliveries. */
export interface DeliveryAttempts {
  /** Sends the delivery and returns the outcome; until that is stored, further calls return it without sending. */
  attempt(delivery: Delivery): Promise<AttemptResult>;
  /** Called when the outcome of the last attempt is stored. */
  markStored(deliveryId: string): void;
  /** True when the delivery may be sent now: the channel is connected, and neither circuit breaker nor rate limit delays it. */
  canSendNow(delivery: Delivery): Promise<boolean>;
  /** Marks a delivery as stored in flight, so that it may be sent. */
  approve(deliveryId: string): void;
  /** Discards everything cached about a delivery. */
  forget(deliveryId: string): void;
}

export interface DeliveryAttemptsDeps {
  readonly store: Pick<GatewayStore, "updateDelivery">;
  readonly outcomePolicy: OutcomePolicy;
  readonly breakers: CircuitBreakers;
  readonly permit: SendingPermit;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failPoint: FailPoint;
  /** Returns the configured channels; undefined while no plugin provides them. */
  readonly channels: () => Channels | undefined;
  readonly findConnected: (channelId: string) => ConnectedChannel | undefined;
  /** Returns false when other nodes may regard this one as gone. */
  readonly isAlive: () => boolean;
  /** Returns false when another node owns the partition, or will own it shortly. */
  readonly canProcess: (delivery: Delivery) => boolean;
  /** Called when the delivery is stored as in flight, so that the cached one is never sent as a waiting one. */
  readonly markSending: (delivery: Delivery) => void;
  /** Returns the adapter's timeout of one send in milliseconds, by channel type; undefined for the default. */
  readonly getSendTimeoutMs: (type: string) => number | undefined;
}

interface AttemptsState extends DeliveryAttemptsDeps {
  readonly rateLimiter: SendRateLimiter;
  /** Ids of the deliveries that are stored as in flight. */
  readonly approved: Set<string>;
  readonly reconcilingSinceMs: Map<string, number>;
  /** Outcomes that are not stored yet, by delivery id. */
  readonly unsavedResults: Map<string, AttemptResult>;
}

export function createDeliveryAttempts(deps: DeliveryAttemptsDeps): DeliveryAttempts {
  const rateLimiter = createSendRateLimiter(deps.clock, deps.permit);
  const state: AttemptsState = {
    ...deps,
    rateLimiter,
    approved: new Set(),
    reconcilingSinceMs: new Map(),
    unsavedResults: new Map(),
  };
  const { unsavedResults } = state;
  return {
    async attempt(delivery) {
      const result = unsavedResults.get(delivery.id) ?? (await attempt(state, delivery));
      unsavedResults.set(delivery.id, result);
      return result;
    },
    markStored: (deliveryId) => void unsavedResults.delete(deliveryId),
    canSendNow: (delivery) => canSendNow(state, delivery),
    approve: (deliveryId) => void state.approved.add(deliveryId),
    forget(deliveryId) {
      state.approved.delete(deliveryId);
      state.reconcilingSinceMs.delete(deliveryId);
      unsavedResults.delete(deliveryId);
      state.rateLimiter.forget(deliveryId);
    },
  };
}

async function canSendNow(state: AttemptsState, delivery: Delivery): Promise<boolean> {
  const { findConnected, permit, breakers, rateLimiter, canProcess } = state;
  const connection = findConnected(delivery.channelId);
  if (!connection || !canProcess(delivery) || permit.isPaused() || breakers.isOpen(delivery.channelId)) return false;
  return !connection.link.pace || rateLimiter.tryAcquire(delivery, connection);
}

async function attempt(state: AttemptsState, delivery: Delivery): Promise<AttemptResult> {
  const { outcomePolicy, channels, clock, permit } = state;
  const channel = channels()?.get(delivery.channelId);
  const connection = state.findConnected(delivery.channelId);
  if (state.approved.delete(delivery.id)) {
    // The link was removed meanwhile; nothing was sent.
    if (!connection) return { change: { state: "pending" }, isFinal: false, waitMs: outcomePolicy.getBackoffMs(1) };
    return sendNow(state, delivery, connection);
  }
  if (!channel && !connection)
    return outcomePolicy.finishUndelivered(delivery, "dead", "no_sender", deliverySentence("channel_gone"));
  const isDisabled = connection === undefined && channel?.enabled === false;
  const expiresMs = isDisabled ? delivery.createdMs + DISABLED_TTL_MS : delivery.expiresMs;
  const isExpired = expiresMs !== null && expiresMs < clock.monotonic();
  if (delivery.state === "sending" || delivery.state === "unknown_after_send")
    return resolveUnknownOutcome(
      { ...state, stopSignal: permit.stopSignal },
      recoverDelivery(delivery),
      connection,
      isExpired,
    );
  if (isExpired)
    return outcomePolicy.finishUndelivered(delivery, "expired", "expired", deliverySentence("not_in_time"));
  if (!connection) return retryUnchanged(outcomePolicy.getBackoffMs(delivery.attempts));
  return (await waitForRateLimit(state, delivery, connection)) ?? storeAndSend(state, delivery, connection);
}

/** Waits for the rate limiter; returns undefined when the delivery may be sent, else its outcome: not sent. */
async function waitForRateLimit(
  { rateLimiter, outcomePolicy }: AttemptsState,
  delivery: Delivery,
  connection: ConnectedChannel,
): Promise<AttemptResult | undefined> {
  if (!connection.link.pace) return undefined;
  try {
    await rateLimiter.acquire(delivery, connection);
    return undefined;
  } catch (error) {
    // Sending was paused or stopped, or the delivery was cancelled or expired: it is checked again.
    if (error === SENDING_STOPPED) return retryUnchanged(0);
    return outcomePolicy.handleFailure(delivery, connection.mode, toNotSentError(error as Error));
  }
}

/** Stores the delivery as in flight, then sends it. */
async function storeAndSend(
  state: AttemptsState,
  delivery: Delivery,
  connection: ConnectedChannel,
): Promise<AttemptResult> {
  const waitMs = state.breakers.acquire(delivery.channelId);
  if (waitMs > 0) return retryUnchanged(waitMs);
  await state.store.updateDelivery(delivery.id, { state: "sending" });
  state.markSending(delivery);
  return sendNow(state, delivery, connection);
}

/** Sends a delivery that is stored as in flight. Sends nothing when other nodes may regard this one as gone. */
async function sendNow(state: AttemptsState, delivery: Delivery, connection: ConnectedChannel): Promise<AttemptResult> {
  const { outcomePolicy, rateLimiter, permit, failPoint } = state;
  rateLimiter.forget(delivery.id);
  // Nothing was sent, so the new owner of the partition may send it.
  if (!state.isAlive()) return { change: { state: "pending" }, isFinal: false, waitMs: outcomePolicy.getBackoffMs(1) };
  failPoint("sending");
  outcomePolicy.logEvent(delivery, "delivering", BEING_SENT);
  try {
    using limit = deadline(getTimeoutMs(state, connection.channel), permit.stopSignal);
    const sent = connection.link.send(delivery.message, limit.signal);
    setImmediate(failPoint, "sent");
    const receipt = await sent;
    failPoint("receipt-read");
    return outcomePolicy.finishDelivered(delivery, receipt);
  } catch (error) {
    return outcomePolicy.handleFailure(delivery, connection.mode, error);
  }
}

function getTimeoutMs(
  { getSendTimeoutMs }: AttemptsState,
  { type, config: { timeout_s: seconds } }: ChannelConfig,
): number {
  return seconds ? Number(seconds) * 1000 : (getSendTimeoutMs(type) ?? SEND_TIMEOUT_MS);
}

function toNotSentError(cause: Error): DeliveryError {
  const detail = deliveryDetail(cause);
  return new DeliveryError("not_sent", cause.message, { cause, ...(detail && { detail }) });
}

function retryUnchanged(waitMs: number): AttemptResult {
  return { change: undefined, isFinal: false, waitMs };
}
