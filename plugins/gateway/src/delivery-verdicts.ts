import { type Clock, DeliveryError, type DeliveryFailure, type IdempotencyMode, type Receipt } from "@parley/core";
import type { CircuitBreakers } from "./circuit-breakers.ts";
import type { EventLog } from "./event-log.ts";
import type { Delivery, DeliveryChange } from "./store/outbox.ts";

const TRIES = 3;
const MAX_THROTTLES = 30;
export const MAX_NOT_SENT_MS = 60_000;

/** What one try came to. */
export interface Attempt {
  readonly change: DeliveryChange | undefined;
  readonly isFinal: boolean;
  /** Until the next try of this conversation. */
  readonly wait: number;
  /** The conversation's new id. */
  readonly movedTo?: string;
}

/** What a try means for its delivery, told in the log (gateway-delivery §6). */
export interface DeliveryVerdicts {
  note(
    delivery: Delivery,
    status: string,
    message: string,
    failure?: { readonly code: string; readonly message: string },
  ): void;
  gaveUp(delivery: Delivery, state: "dead" | "expired", cause: string, text: string): Attempt;
  done(delivery: Delivery, receipt: Receipt): Attempt;
  /** By the class of the failure. */
  judge(delivery: Delivery, mode: IdempotencyMode, error: unknown): Attempt;
  /** Milliseconds until the next try. */
  backoff(tries: number): number;
  counts(): { readonly delivered: number; readonly dead: number };
}

export interface VerdictParts {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly breakers: CircuitBreakers;
  /** 0 to 1; replaceable in tests. */
  readonly random: () => number;
}

export function createVerdicts({ log, clock, breakers, random }: VerdictParts): DeliveryVerdicts {
  let delivered = 0;
  let dead = 0;
  const backoff = (tries: number) =>
    Math.min(MAX_NOT_SENT_MS, 1_000 * 2 ** Math.max(0, tries - 1)) * (0.5 + random() / 2);
  const note: DeliveryVerdicts["note"] = (delivery, status, message, failure) =>
    log.add({
      traceId: delivery.message.traceId,
      status,
      message,
      channelId: delivery.channelId,
      conversationId: delivery.conversationId,
      deliveryId: delivery.id,
      ...(failure && { error: failure }),
    });
  const gaveUp = (delivery: Delivery, state: "dead" | "expired", cause: string, text: string): Attempt => {
    dead += 1;
    note(delivery, cause === "no_sender" ? "no_sender" : "delivery_failed", text, { code: cause, message: text });
    return { change: { state, cause, error: text }, isFinal: true, wait: 0 };
  };
  const done = (delivery: Delivery, receipt: Receipt): Attempt => {
    delivered += 1;
    breakers.worked(delivery.channelId);
    if (receipt.quality === "built") note(delivery, "built", "given with the answer to the request");
    else note(delivery, "delivered", `delivered (${receipt.quality})`);
    return { change: { state: "delivered", receipt }, isFinal: true, wait: 0 };
  };

  const again = (
    delivery: Delivery,
    { failure, text }: { readonly failure: DeliveryFailure; readonly text: string },
    wait: number,
    change: Partial<DeliveryChange> = {},
  ): Attempt => {
    note(delivery, "delivery_failed", text, { code: failure, message: text });
    const now = { state: "pending", cause: failure, error: text, nextMs: clock.now() + wait } as const;
    return { change: { ...now, ...change }, isFinal: false, wait };
  };
  const throttled = (delivery: Delivery, text: string, retryAfterMs: number | undefined): Attempt => {
    const { throttles } = delivery;
    if (throttles >= MAX_THROTTLES) return gaveUp(delivery, "dead", "throttled", text);
    const wait = retryAfterMs ?? Math.min(120_000, 2_000 * 2 ** throttles);
    const most = Math.ceil(wait * (1 + random() * 0.1));
    return again(delivery, { failure: "throttled", text }, most, { throttles: throttles + 1 });
  };
  const migrated = (delivery: Delivery, text: string, conversationId: string): Attempt => {
    if (conversationId === delivery.conversationId) return gaveUp(delivery, "dead", "permanent", text);
    return { ...again(delivery, { failure: "migrated", text }, 0), movedTo: conversationId };
  };
  const tried = (delivery: Delivery, failure: DeliveryFailure, text: string): Attempt => {
    const attempts = delivery.attempts + 1;
    if (attempts >= TRIES) return gaveUp(delivery, "dead", failure, text);
    return again(delivery, { failure, text }, backoff(attempts), { state: "failed", attempts });
  };
  const unknown = (delivery: Delivery, failure: DeliveryFailure, text: string): Attempt => {
    note(delivery, "unknown_after_send", text, { code: failure, message: text });
    const change = { state: "unknown_after_send", cause: failure, error: text, attempts: 0 } as const;
    return { change, isFinal: false, wait: 0 };
  };
  const judge = (delivery: Delivery, mode: IdempotencyMode, error: unknown): Attempt => {
    const known = DeliveryError.is(error) ? error : undefined;
    const failure: DeliveryFailure = known?.failure ?? "ambiguous";
    const text = (error as Error).message;
    if (failure === "not_sent") {
      breakers.notSent(delivery.channelId);
      return again(delivery, { failure, text }, backoff(delivery.attempts));
    }
    if (failure === "auth") return again(delivery, { failure, text }, breakers.refused(delivery.channelId));
    breakers.worked(delivery.channelId);
    if (failure === "migrated" && known?.conversationId !== undefined)
      return migrated(delivery, text, known.conversationId);
    if (failure === "throttled") return throttled(delivery, text, known?.retryAfterMs);
    if (failure === "window_closed") return gaveUp(delivery, "expired", failure, text);
    if (FOR_GOOD.has(failure)) return gaveUp(delivery, "dead", failure, text);
    const isRepeatable = failure === "unavailable" || mode === "native_key" || mode === "natural";
    return isRepeatable ? tried(delivery, failure, text) : unknown(delivery, failure, text);
  };
  return { note, gaveUp, done, judge, backoff, counts: () => ({ delivered, dead }) };
}

const FOR_GOOD: ReadonlySet<DeliveryFailure> = new Set(["permanent", "payload", "no_sender", "migrated"]);
