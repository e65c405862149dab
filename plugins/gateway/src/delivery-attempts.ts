import {
  type ChannelConfig,
  type ChannelLink,
  type Channels,
  type Clock,
  DeliveryError,
  deadline,
  type IdempotencyMode,
  type Logger,
} from "@parley/core";
import type { CircuitBreakers } from "./circuit-breakers.ts";
import type { Attempt, DeliveryVerdicts } from "./delivery-verdicts.ts";
import type { FailPoint } from "./fail-point.ts";
import type { Delivery } from "./store/outbox.ts";
import type { GatewayStore } from "./store.ts";

const SEND_TIMEOUT_MS = 30_000;
const RECONCILE_EVERY_MS = 10_000;
const RECONCILES = 3;
/** Rows of a channel that is switched off are kept so long. */
const DISABLED_TTL_MS = 24 * 3_600_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A channel that can be sent to. */
export interface Connected {
  readonly channel: ChannelConfig;
  readonly link: ChannelLink;
  readonly mode: IdempotencyMode;
  /** Aborts when the link is taken out. */
  readonly leaving: AbortController;
}

/** Tries to send one delivery (gateway-delivery §6). */
export interface DeliveryAttempts {
  attempt(delivery: Delivery): Promise<Attempt>;
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
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failPoint: FailPoint;
  readonly channels: () => Channels | undefined;
  readonly connected: (channelId: string) => Connected | undefined;
  /** How long one send may take on a channel of a type, as its adapter says. */
  readonly sendTimeoutMs: (type: string) => number | undefined;
  /** Nothing new is begun. */
  readonly isHeld: () => boolean;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
  /** Aborts when the worker is stopped by hand. */
  readonly working: () => AbortSignal;
}

export function createAttempts(parts: AttemptsParts): DeliveryAttempts {
  const { store, verdicts, breakers, clock, logger, failPoint, channels, connected, isHeld, stopping, working } = parts;
  const { note, gaveUp, done, judge, backoff } = verdicts;
  const cleared = new Set<string>();
  /** The platform's word that a delivery may go, asked for already. */
  const paces = new Map<string, Promise<void>>();
  const timeoutMsOf = ({ type, config: { timeout_s: seconds } }: ChannelConfig) =>
    seconds ? Number(seconds) * 1000 : (parts.sendTimeoutMs(type) ?? SEND_TIMEOUT_MS);
  /** The platform's word that one delivery may go; asked for once. Rejects with `AbortError` when it is not waited for any more. */
  const paceFor = (delivery: Delivery, { link, leaving }: Connected): Promise<void> => {
    const known = paces.get(delivery.id);
    if (known) return known;
    const leftMs = delivery.expiresMs === null ? MAX_TIMER_MS : delivery.expiresMs - clock.monotonic();
    const limit = deadline(Math.min(leftMs, MAX_TIMER_MS), stopping, working(), leaving.signal);
    const asked = async () => {
      try {
        await link.pace?.(delivery.message, limit.signal);
      } catch (error) {
        paces.delete(delivery.id);
        throw limit.signal.aborted ? OVER : error;
      } finally {
        limit[Symbol.dispose]();
      }
    };
    const kept = asked();
    // Whoever waits for it hears of it; nobody may wait yet.
    kept.catch(() => {});
    paces.set(delivery.id, kept);
    return kept;
  };
  /** True when it may go out this moment: a link is there and neither circuit nor pace holds it. */
  const mayGoNow = async (delivery: Delivery): Promise<boolean> => {
    const to = connected(delivery.channelId);
    if (!to || isHeld() || breakers.isOpen(delivery.channelId)) return false;
    if (!to.link.pace) return true;
    return isResolved(paceFor(delivery, to));
  };
  /** Whoever waits when the process ends was certainly not sent. Undefined: it may go. */
  const waitedForPace = async (delivery: Delivery, to: Connected): Promise<Attempt | undefined> => {
    if (!to.link.pace) return undefined;
    try {
      await paceFor(delivery, to);
      return undefined;
    } catch (error) {
      // Paused, stopped, taken out or too late: it is looked at again.
      if (error === OVER) return { change: undefined, isFinal: false, wait: 0 };
      return judge(delivery, to.mode, new DeliveryError("not_sent", (error as Error).message, { cause: error }));
    }
  };
  const attempt = async (delivery: Delivery): Promise<Attempt> => {
    const channel = channels()?.get(delivery.channelId);
    const to = connected(delivery.channelId);
    if (cleared.delete(delivery.id)) {
      // The link went away in the same moment: nothing was sent.
      if (!to) return { change: { state: "pending" }, isFinal: false, wait: backoff(1) };
      return sendNow(delivery, to);
    }
    if (!channel && !to) return gaveUp(delivery, "dead", "no_sender", "the channel does not exist any more");
    const isOff = to === undefined && channel?.enabled === false;
    const expiresMs = isOff ? delivery.createdMs + DISABLED_TTL_MS : delivery.expiresMs;
    const isExpired = expiresMs !== null && expiresMs < clock.monotonic();
    if (delivery.state === "sending" || delivery.state === "unknown_after_send")
      return inDoubt(delivery, to, isExpired);
    if (isExpired) {
      return gaveUp(delivery, "expired", "expired", "it was not sent in time");
    }
    if (!to) return { change: undefined, isFinal: false, wait: backoff(delivery.attempts) };
    const held = await waitedForPace(delivery, to);
    if (held) return held;
    const closedMs = breakers.tryNow(delivery.channelId);
    if (closedMs > 0) return { change: undefined, isFinal: false, wait: closedMs };
    await store.changeDelivery(delivery.id, { state: "sending" });
    return sendNow(delivery, to);
  };
  /** It is stored as under way: nothing but the request itself stands between that and the wire. */
  const sendNow = async (delivery: Delivery, to: Connected): Promise<Attempt> => {
    paces.delete(delivery.id);
    failPoint("sending");
    note(delivery, "delivering", "being sent");
    try {
      using limit = deadline(timeoutMsOf(to.channel), stopping);
      const sent = to.link.send(delivery.message, limit.signal);
      setImmediate(failPoint, "sent");
      const receipt = await sent;
      failPoint("receipt-read");
      return done(delivery, receipt);
    } catch (error) {
      return judge(delivery, to.mode, error);
    }
  };
  /** The platform may have it: asked where it can be asked, repeated where that is safe, else left to a person. */
  const inDoubt = async (delivery: Delivery, to: Connected | undefined, isExpired: boolean): Promise<Attempt> => {
    if (!to && !isExpired) return { change: { state: "unknown_after_send" }, isFinal: false, wait: RECONCILE_EVERY_MS };
    if (!to) return gaveUp(delivery, "dead", "outcome_unknown", "it may have been sent: look before you repeat it");
    const policy = String(to.channel.config.on_unknown ?? "review");
    const repeat: Attempt = { change: { state: "pending", cause: "outcome_unknown" }, isFinal: false, wait: 0 };
    if (to.mode === "native_key" || to.mode === "natural" || policy === "resend") return repeat;
    if (policy !== "drop" && to.mode === "reconcile" && to.link.reconcile) {
      const found = await whatPlatformSays(to.link, delivery);
      const later = { change: { state: "unknown_after_send" }, isFinal: false, wait: RECONCILE_EVERY_MS } as const;
      // A platform that cannot be asked now has not said that it does not know.
      if (found === "unreachable" && !isExpired) return later;
      if (found === "delivered") return done(delivery, { quality: "confirmed" });
      if (found === "absent") return repeat;
      const attempts = delivery.attempts + 1;
      if (attempts < RECONCILES) {
        return { change: { state: "unknown_after_send", attempts }, isFinal: false, wait: RECONCILE_EVERY_MS };
      }
    }
    return gaveUp(delivery, "dead", "outcome_unknown", "it may have been sent: look before you repeat it");
  };
  const whatPlatformSays = async ({ reconcile }: ChannelLink, { message }: Delivery) => {
    try {
      return (await reconcile?.(message, stopping)) ?? "unknown";
    } catch (error) {
      if (DeliveryError.is(error) && error.failure === "not_sent") return "unreachable";
      logger.warn("a platform does not say what became of a delivery", { delivery: message.deliveryId, error });
      return "unknown";
    }
  };
  return {
    attempt,
    mayGoNow,
    clear: (deliveryId) => void cleared.add(deliveryId),
    forget(deliveryId) {
      cleared.delete(deliveryId);
      paces.delete(deliveryId);
    },
  };
}

/** The reason of what is given up because nothing is sent now. */
export const OVER = new DOMException("nothing is sent now", "AbortError");

/** Whether a promise is fulfilled as things stand: what needs time is not waited for. */
async function isResolved(work: Promise<unknown>): Promise<boolean> {
  const later = new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
  return Promise.race([work.then(() => true), later]).catch(() => false);
}
