import {
  type ChannelConfig,
  type ChannelLink,
  type Channels,
  type Clock,
  DeliveryError,
  deadline,
  deliveryDetail,
  deliverySentence,
  type IdempotencyMode,
  type Logger,
} from "@parley/core";
import type { CircuitBreakers } from "./circuit-breakers.ts";
import { resolveDoubt } from "./delivery-doubt.ts";
import { createDeliveryPace, type DeliveryPace } from "./delivery-pace.ts";
import { afterCrash } from "./delivery-queues.ts";
import type { Attempt, DeliveryVerdicts } from "./delivery-verdicts.ts";
import type { FailPoint } from "./fail-point.ts";
import { OVER, type SendingPermit } from "./sending-permit.ts";
import type { Delivery } from "./store/outbox.ts";
import type { GatewayStore } from "./store.ts";

const SEND_TIMEOUT_MS = 30_000;
/** Rows of a channel that is switched off are kept so long. */
const DISABLED_TTL_MS = 24 * 3_600_000;

/** A channel that can be sent to. */
export interface Connected {
  readonly channel: ChannelConfig;
  readonly link: ChannelLink;
  readonly mode: IdempotencyMode;
  /** Aborts when the link is taken out. */
  readonly leaving: AbortController;
}

/** Tries to send one delivery. */
export interface DeliveryAttempts {
  /** What a try came to. Until that is stored it is the answer to every further call: nothing is sent twice for it. */
  attempt(delivery: Delivery): Promise<Attempt>;
  /** What the last try came to is stored. */
  stored(deliveryId: string): void;
  /** True when it may go out this moment: a link is there and neither circuit nor pace holds it. */
  mayGoNow(delivery: Delivery): Promise<boolean>;
  /** It is stored as under way, and not yet sent. */
  clear(deliveryId: string): void;
  /** Nothing more is to be known of it. */
  forget(deliveryId: string): void;
}

export interface AttemptsParts {
  readonly store: Pick<GatewayStore, "changeDelivery">;
  readonly verdicts: DeliveryVerdicts;
  readonly breakers: CircuitBreakers;
  readonly permit: SendingPermit;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failPoint: FailPoint;
  /** Which channels there are; undefined while no plugin provides them. */
  readonly channels: () => Channels | undefined;
  readonly connected: (channelId: string) => Connected | undefined;
  /** False: other nodes may have taken this one for dead. */
  readonly isCounted: () => boolean;
  /** False: its home is another node's, or about to be. */
  readonly mayWork: (delivery: Delivery) => boolean;
  /** Marks a delivery in memory as `sending`, once that is stored: from then on it is never sent as one that waits. */
  readonly markSending: (delivery: Delivery) => void;
  /** How long one send may take on a channel of a type, as its adapter says. */
  readonly sendTimeoutMs: (type: string) => number | undefined;
}

interface Attempts extends AttemptsParts {
  readonly pace: DeliveryPace;
  /** Stored as under way. */
  readonly cleared: Set<string>;
  readonly lookingSinceMs: Map<string, number>;
  /** What tries came to that is not stored yet. */
  readonly unsaved: Map<string, Attempt>;
}

export function createAttempts(parts: AttemptsParts): DeliveryAttempts {
  const pace = createDeliveryPace(parts.clock, parts.permit);
  const attempts: Attempts = { ...parts, pace, cleared: new Set(), lookingSinceMs: new Map(), unsaved: new Map() };
  const { unsaved } = attempts;
  return {
    async attempt(delivery) {
      const tried = unsaved.get(delivery.id) ?? (await attempt(attempts, delivery));
      unsaved.set(delivery.id, tried);
      return tried;
    },
    stored: (deliveryId) => void unsaved.delete(deliveryId),
    mayGoNow: (delivery) => mayGoNow(attempts, delivery),
    clear: (deliveryId) => void attempts.cleared.add(deliveryId),
    forget(deliveryId) {
      attempts.cleared.delete(deliveryId);
      attempts.lookingSinceMs.delete(deliveryId);
      unsaved.delete(deliveryId);
      attempts.pace.forget(deliveryId);
    },
  };
}

async function mayGoNow(attempts: Attempts, delivery: Delivery): Promise<boolean> {
  const { connected, permit, breakers, pace, mayWork } = attempts;
  const to = connected(delivery.channelId);
  if (!to || !mayWork(delivery) || permit.isHeld() || breakers.isOpen(delivery.channelId)) return false;
  return !to.link.pace || pace.isGranted(delivery, to);
}

async function attempt(attempts: Attempts, delivery: Delivery): Promise<Attempt> {
  const { verdicts, channels, clock, permit } = attempts;
  const channel = channels()?.get(delivery.channelId);
  const to = attempts.connected(delivery.channelId);
  if (attempts.cleared.delete(delivery.id)) {
    // The link went away in the same moment: nothing was sent.
    if (!to) return { change: { state: "pending" }, isFinal: false, wait: verdicts.backoff(1) };
    return sendNow(attempts, delivery, to);
  }
  if (!channel && !to) return verdicts.gaveUp(delivery, "dead", "no_sender", deliverySentence("channel_gone"));
  const isOff = to === undefined && channel?.enabled === false;
  const expiresMs = isOff ? delivery.createdMs + DISABLED_TTL_MS : delivery.expiresMs;
  const isExpired = expiresMs !== null && expiresMs < clock.monotonic();
  if (delivery.state === "sending" || delivery.state === "unknown_after_send")
    return resolveDoubt({ ...attempts, stopping: permit.stopping }, afterCrash(delivery), to, isExpired);
  if (isExpired) return verdicts.gaveUp(delivery, "expired", "expired", deliverySentence("not_in_time"));
  if (!to) return unchanged(verdicts.backoff(delivery.attempts));
  return (await heldByPace(attempts, delivery, to)) ?? sendStored(attempts, delivery, to);
}

/** Whoever waits when the process ends was certainly not sent. Undefined: it may go. */
async function heldByPace(
  { pace, verdicts }: Attempts,
  delivery: Delivery,
  to: Connected,
): Promise<Attempt | undefined> {
  if (!to.link.pace) return undefined;
  try {
    await pace.granted(delivery, to);
    return undefined;
  } catch (error) {
    // Paused, stopped, taken out or too late: it is looked at again.
    if (error === OVER) return unchanged(0);
    return verdicts.judge(delivery, to.mode, notSent(error as Error));
  }
}

/** First it is stored that it is under way. */
async function sendStored(attempts: Attempts, delivery: Delivery, to: Connected): Promise<Attempt> {
  const closedMs = attempts.breakers.tryNow(delivery.channelId);
  if (closedMs > 0) return unchanged(closedMs);
  await attempts.store.changeDelivery(delivery.id, { state: "sending" });
  attempts.markSending(delivery);
  return sendNow(attempts, delivery, to);
}

/** It is stored as under way: nothing but the request itself stands between that and the wire. */
async function sendNow(attempts: Attempts, delivery: Delivery, to: Connected): Promise<Attempt> {
  const { verdicts, pace, permit, failPoint } = attempts;
  pace.forget(delivery.id);
  // Nothing was sent: whoever works for the channel now may send it.
  if (!attempts.isCounted()) return { change: { state: "pending" }, isFinal: false, wait: verdicts.backoff(1) };
  failPoint("sending");
  verdicts.note(delivery, "delivering", "being sent");
  try {
    using limit = deadline(timeoutMsOf(attempts, to.channel), permit.stopping);
    const sent = to.link.send(delivery.message, limit.signal);
    setImmediate(failPoint, "sent");
    const receipt = await sent;
    failPoint("receipt-read");
    return verdicts.done(delivery, receipt);
  } catch (error) {
    return verdicts.judge(delivery, to.mode, error);
  }
}

function timeoutMsOf({ sendTimeoutMs }: Attempts, { type, config: { timeout_s: seconds } }: ChannelConfig): number {
  return seconds ? Number(seconds) * 1000 : (sendTimeoutMs(type) ?? SEND_TIMEOUT_MS);
}

function notSent(cause: Error): DeliveryError {
  const detail = deliveryDetail(cause);
  return new DeliveryError("not_sent", cause.message, { cause, ...(detail && { detail }) });
}

function unchanged(wait: number): Attempt {
  return { change: undefined, isFinal: false, wait };
}
