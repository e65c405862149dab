import { AppError, type Clock, type ConversationMove, type DeliveryStatus } from "@parley/core";
import type { FailPoint } from "../fail-point.ts";
import type { Delivery } from "../store/delivery.ts";
import type { GatewayStore } from "../store/gateway-store.ts";
import type { DeliveryChange } from "../store/outbox.ts";
import { gatewayTexts } from "../texts.ts";
import type { DeliveryAttempts } from "./delivery-attempts.ts";
import { type DeliveryQueues, moveToConversation } from "./delivery-queues.ts";
import type { AttemptResult, OutcomePolicy } from "./outcome-policy.ts";
import { getPauseMs } from "./parts/answer-parts.ts";

/** Sends the first delivery of a conversation once, and applies the outcome. */
export interface DeliveryProcessor {
  processNext(key: string): Promise<void>;
  /** Moves all waiting deliveries to the conversation's new id. */
  moveConversation(move: ConversationMove): void;
  /** Resolves to the final status of a pending delivery. */
  waitForEnd(deliveryId: string): Promise<DeliveryStatus>;
  /** Called when a delivery was cancelled and left its queue. */
  onCancelled(delivery: Delivery): void;
}

export interface DeliveryProcessorDeps {
  readonly store: Pick<GatewayStore, "updateDelivery" | "listDeliveryStates">;
  readonly queues: DeliveryQueues;
  readonly attempts: DeliveryAttempts;
  readonly outcomePolicy: Pick<OutcomePolicy, "logEvent">;
  /** Counts a cancelled delivery. */
  readonly countCancelled: (deliveryId: string) => void;
  readonly clock: Pick<Clock, "monotonic">;
  readonly failPoint: FailPoint;
  /** Stores the conversation's new id. */
  readonly recordMove: (move: ConversationMove) => Promise<void>;
  /** Wakes conversations with waiting deliveries. */
  readonly wakeAll: (keys: Iterable<string>) => void;
}

type Waiters = Map<string, ((state: DeliveryStatus) => void)[]>;

export function createDeliveryProcessor(deps: DeliveryProcessorDeps): DeliveryProcessor {
  const waiters: Waiters = new Map();
  return {
    processNext: (key) => processNext(deps, waiters, key),
    onCancelled: (delivery) => onCancelled(deps, waiters, delivery),
    moveConversation: (move) => moveQueue(deps, move),
    waitForEnd: (id) => new Promise((resolve) => waiters.set(id, [...(waiters.get(id) ?? []), resolve])),
  };
}

async function processNext(deps: DeliveryProcessorDeps, waiters: Waiters, key: string): Promise<void> {
  const first = deps.queues.first(key);
  if (!first) return;
  try {
    await processFirst(deps, waiters, key, first);
  } catch (error) {
    if (!isCancelled(first, error)) throw error;
    deps.queues.shift(key);
    onCancelled(deps, waiters, first);
  }
}

/** True when the person wrote again, perhaps to another node, before the part of the answer could be sent. */
function isCancelled({ laterPart }: Delivery, error: unknown): boolean {
  return laterPart !== undefined && AppError.is(error) && error.code === "conflict";
}

function onCancelled({ attempts, countCancelled }: DeliveryProcessorDeps, waiters: Waiters, { id }: Delivery): void {
  attempts.forget(id);
  countCancelled(id);
  resolveWaiters(waiters, id, "expired");
}

function resolveWaiters(waiters: Waiters, id: string, status: DeliveryStatus): void {
  for (const resolve of waiters.get(id) ?? []) resolve(status);
  waiters.delete(id);
}

async function processFirst(
  deps: DeliveryProcessorDeps,
  waiters: Waiters,
  key: string,
  first: Delivery,
): Promise<void> {
  const { store, queues, attempts, clock, failPoint } = deps;
  const result = await attempts.attempt(first);
  const { change, movedTo } = result;
  const isDelivered = change?.state === "delivered";
  const next = isDelivered ? await approveNext(deps, key) : undefined;
  if (change) await store.updateDelivery(first.id, change, next?.id);
  attempts.markStored(first.id);
  if (next) {
    attempts.approve(next.id);
    queues.replaceSecond(key, { ...next, state: "sending" });
  }
  if (isDelivered) failPoint("receipt-written");
  if (result.isFinal) return finish(deps, waiters, { key, delivery: first, result });
  queues.replaceFirst(key, { ...first, ...toPatch(change), nextMs: clock.monotonic() + result.waitMs });
  if (movedTo !== undefined) await followMove(deps, first, movedTo);
}

/** Returns the next part if it can be sent at once; it is stored as in flight with the previous part's receipt. */
async function approveNext(
  { queues, attempts, clock }: DeliveryProcessorDeps,
  key: string,
): Promise<Delivery | undefined> {
  const next = queues.second(key);
  if (next?.state !== "pending" || next.nextMs > clock.monotonic()) return undefined;
  // It may be cancelled until it is stored as in flight, which must not undo the receipt of the first.
  if (next.laterPart) return undefined;
  if (next.expiresMs !== null && next.expiresMs < clock.monotonic()) return undefined;
  return (await attempts.canSendNow(next)) ? next : undefined;
}

async function followMove(
  deps: DeliveryProcessorDeps,
  { channelId, conversationId, message }: Delivery,
  to: string,
): Promise<void> {
  const move = { channelId, from: conversationId, to, sessionId: message.sessionId };
  await deps.recordMove(move);
  moveQueue(deps, move);
}

function moveQueue({ queues, clock, wakeAll }: DeliveryProcessorDeps, move: ConversationMove): void {
  const moved = queues.take(`${move.channelId}\0${move.from}`);
  wakeAll(queues.add(moved.map((delivery) => moveToConversation(delivery, move, clock.monotonic()))));
}

interface Finished {
  readonly key: string;
  readonly delivery: Delivery;
  readonly result: AttemptResult;
}

async function finish(
  deps: DeliveryProcessorDeps,
  waiters: Waiters,
  { key, delivery, result: { change } }: Finished,
): Promise<void> {
  const { queues, attempts } = deps;
  attempts.forget(delivery.id);
  queues.shift(key);
  startPause(deps, key);
  const state = change?.state === "delivered" || change?.state === "expired" ? change.state : "dead";
  resolveWaiters(waiters, delivery.id, state);
  const { part, parts: all } = delivery.message;
  // The read may fail, but waiting callers have the result by now.
  if (part === all && all > 1) await logPartialFailure(deps, delivery);
}

/** Keeps the pause before the next part of an answer when the one before it was late. */
function startPause({ queues, clock }: DeliveryProcessorDeps, key: string): void {
  const next = queues.first(key);
  if (!next?.laterPart) return;
  queues.replaceFirst(key, { ...next, nextMs: Math.max(next.nextMs, clock.monotonic() + getPauseMs(next)) });
}

/** Logs a partial failure after the last part of a reply when recipients got only some of its parts. */
async function logPartialFailure({ store, outcomePolicy }: DeliveryProcessorDeps, last: Delivery): Promise<void> {
  const states = await store.listDeliveryStates(last.message.traceId);
  const deliveredCount = states.filter((state) => state === "delivered").length;
  if (deliveredCount === 0 || !states.some((state) => state === "dead" || state === "expired")) return;
  outcomePolicy.logEvent(
    last,
    "partial_failed",
    gatewayTexts.message("trace_partial", { arrived: deliveredCount, parts: states.length }),
  );
}

function toPatch(change: DeliveryChange | undefined): Partial<Delivery> {
  if (!change) return {};
  const { state, attempts, throttles } = change;
  return { state, ...(attempts !== undefined && { attempts }), ...(throttles !== undefined && { throttles }) };
}
