import {
  AppError,
  type Clock,
  DeliveryError,
  type DeliveryFailure,
  deliveryDetail,
  type IdempotencyMode,
  type ItemFailure,
  inBothLanguages,
  itemFailure,
  type Receipt,
} from "@parley/core";
import type { CircuitBreakers } from "./circuit-breakers.ts";
import type { EventLog } from "./event-log.ts";
import type { Delivery, DeliveryChange } from "./store/outbox.ts";

/** Counted tries of one delivery. */
export const TRIES = 3;
const MAX_THROTTLES = 30;
/** The least that is waited for a platform that asks to wait. */
const MIN_THROTTLE_MS = 1_000;
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

/** What a try means for its delivery, told in the log. */
export interface DeliveryVerdicts {
  note(delivery: Delivery, status: string, message: string): void;
  gaveUp(delivery: Delivery, state: "dead" | "expired", cause: string, said: ItemFailure): Attempt;
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

interface Verdicts extends VerdictParts {
  readonly counts: { delivered: number; dead: number };
}

export function createVerdicts(parts: VerdictParts): DeliveryVerdicts {
  const verdicts: Verdicts = { ...parts, counts: { delivered: 0, dead: 0 } };
  return {
    note: (delivery, status, error) => note(verdicts, delivery, status, { error }),
    gaveUp: (...given) => gaveUp(verdicts, ...given),
    done: (delivery, receipt) => done(verdicts, delivery, receipt),
    judge: (delivery, mode, error) => judge(verdicts, delivery, mode, error),
    backoff: (tries) => backoff(parts, tries),
    counts: () => verdicts.counts,
  };
}

interface Failure {
  readonly failure: DeliveryFailure;
  readonly said: ItemFailure;
}

function backoff({ random }: VerdictParts, tries: number): number {
  return Math.min(MAX_NOT_SENT_MS, 1_000 * 2 ** Math.max(0, tries - 1)) * (0.5 + random() / 2);
}

function note(
  { log }: VerdictParts,
  delivery: Delivery,
  status: string,
  { error: message, detail }: ItemFailure,
  code?: string,
): void {
  log.add({
    traceId: delivery.message.traceId,
    status,
    message,
    channelId: delivery.channelId,
    conversationId: delivery.conversationId,
    deliveryId: delivery.id,
    ...(code !== undefined && { error: { code, message } }),
    ...(detail && { metadata: { why: inBothLanguages(message, detail) } }),
  });
}

function gaveUp(
  verdicts: Verdicts,
  delivery: Delivery,
  state: "dead" | "expired",
  cause: string,
  said: ItemFailure,
): Attempt {
  verdicts.counts.dead += 1;
  const status = cause === "no_sender" ? "no_sender" : "delivery_failed";
  note(verdicts, delivery, status, said, cause);
  return { change: { state, cause, said, attempts: delivery.attempts }, isFinal: true, wait: 0 };
}

function done(verdicts: Verdicts, delivery: Delivery, receipt: Receipt): Attempt {
  verdicts.counts.delivered += 1;
  verdicts.breakers.worked(delivery.channelId);
  if (receipt.quality === "built") note(verdicts, delivery, "built", { error: "given with the answer to the request" });
  else note(verdicts, delivery, "delivered", { error: `delivered (${receipt.quality})` });
  return { change: { state: "delivered", receipt }, isFinal: true, wait: 0 };
}

function judge(verdicts: Verdicts, delivery: Delivery, mode: IdempotencyMode, error: unknown): Attempt {
  const { breakers } = verdicts;
  const known = DeliveryError.is(error) ? error : undefined;
  const failed: Failure = { failure: known?.failure ?? "ambiguous", said: saidOf(error) };
  const { failure, said } = failed;
  if (failure === "not_sent") {
    breakers.notSent(delivery.channelId);
    return again(verdicts, delivery, failed, backoff(verdicts, delivery.attempts));
  }
  if (failure === "auth") return again(verdicts, delivery, failed, breakers.refused(delivery.channelId));
  breakers.worked(delivery.channelId);
  if (failure === "migrated" && known?.conversationId !== undefined)
    return migrated(verdicts, delivery, failed, known.conversationId);
  if (failure === "throttled") return throttled(verdicts, delivery, failed, known?.retryAfterMs);
  if (failure === "window_closed") return gaveUp(verdicts, delivery, "expired", failure, said);
  if (FOR_GOOD.has(failure)) return gaveUp(verdicts, delivery, "dead", failure, said);
  const isRepeatable = failure === "unavailable" || mode === "native_key" || mode === "natural";
  return isRepeatable ? counted(verdicts, delivery, failed) : unknown(verdicts, delivery, failed);
}

function again(
  verdicts: Verdicts,
  delivery: Delivery,
  { failure, said }: Failure,
  wait: number,
  change: Partial<DeliveryChange> = {},
): Attempt {
  note(verdicts, delivery, "delivery_failed", said, failure);
  // Stored, it is a whole number.
  const nextMs = Math.ceil(verdicts.clock.now() + wait);
  return { change: { state: "pending", cause: failure, said, nextMs, ...change }, isFinal: false, wait };
}

function throttled(verdicts: Verdicts, delivery: Delivery, failed: Failure, retryAfterMs: number | undefined): Attempt {
  const { throttles } = delivery;
  if (throttles >= MAX_THROTTLES) return gaveUp(verdicts, delivery, "dead", "throttled", failed.said);
  const isGiven = retryAfterMs !== undefined && Number.isFinite(retryAfterMs);
  const wait = isGiven ? Math.max(MIN_THROTTLE_MS, retryAfterMs) : Math.min(120_000, 2_000 * 2 ** throttles);
  const most = Math.ceil(wait * (1 + verdicts.random() * 0.1));
  return again(verdicts, delivery, failed, most, { throttles: throttles + 1 });
}

function migrated(verdicts: Verdicts, delivery: Delivery, failed: Failure, conversationId: string): Attempt {
  const attempts = delivery.attempts + 1;
  const isSame = conversationId === delivery.conversationId;
  // Two conversations that name each other would send it back and forth.
  if (isSame || attempts >= TRIES) return gaveUp(verdicts, delivery, "dead", "permanent", failed.said);
  return { ...again(verdicts, delivery, failed, 0, { attempts }), movedTo: conversationId };
}

function counted(verdicts: Verdicts, delivery: Delivery, failed: Failure): Attempt {
  const attempts = delivery.attempts + 1;
  if (attempts >= TRIES) return gaveUp(verdicts, { ...delivery, attempts }, "dead", failed.failure, failed.said);
  return again(verdicts, delivery, failed, backoff(verdicts, attempts), { state: "failed", attempts });
}

function unknown(verdicts: Verdicts, delivery: Delivery, { failure, said }: Failure): Attempt {
  note(verdicts, delivery, "unknown_after_send", said, failure);
  const attempts = delivery.attempts + 1;
  const change = { state: "unknown_after_send", cause: failure, said, attempts } as const;
  return { change, isFinal: false, wait: 0 };
}

/** What an adapter throws besides brings its words along like any failure. */
function saidOf(error: unknown): ItemFailure {
  if (AppError.is(error)) return itemFailure(error);
  if (!(error instanceof Error)) return { error: `the adapter failed with ${String(error)}` };
  const detail = deliveryDetail(error);
  return { error: error.message, ...(detail && { detail }) };
}

const FOR_GOOD: ReadonlySet<DeliveryFailure> = new Set(["permanent", "payload", "no_sender", "migrated"]);
