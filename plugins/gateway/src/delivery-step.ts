import type { Clock, ConversationMove, DeliveryStatus } from "@parley/core";
import type { DeliveryAttempts } from "./delivery-attempts.ts";
import { type DeliveryQueues, inConversation } from "./delivery-queues.ts";
import type { Attempt, DeliveryVerdicts } from "./delivery-verdicts.ts";
import type { FailPoint } from "./fail-point.ts";
import type { Delivery, DeliveryChange } from "./store/outbox.ts";
import type { GatewayStore } from "./store.ts";

/** One try of the first delivery of a conversation, and what follows from it. */
export interface DeliverySteps {
  step(key: string): Promise<void>;
  /** All that waits for the old conversation goes on in the new one. */
  move(move: ConversationMove): void;
  /** Resolves when a delivery that is under way ends. */
  ended(deliveryId: string): Promise<DeliveryStatus>;
}

export interface StepParts {
  readonly store: Pick<GatewayStore, "changeDelivery" | "deliveryStates">;
  readonly queues: DeliveryQueues;
  readonly attempts: DeliveryAttempts;
  readonly verdicts: Pick<DeliveryVerdicts, "note">;
  readonly clock: Pick<Clock, "monotonic">;
  readonly failPoint: FailPoint;
  /** Stores that a conversation has another id. */
  readonly record: (move: ConversationMove) => Promise<void>;
  /** Looks at conversations for which something waits. */
  readonly wakeAll: (keys: Iterable<string>) => void;
}

type Waiters = Map<string, ((state: DeliveryStatus) => void)[]>;

export function createDeliverySteps(parts: StepParts): DeliverySteps {
  const waiters: Waiters = new Map();
  return {
    step: (key) => step(parts, waiters, key),
    move: (move) => moveAll(parts, move),
    ended: (id) => new Promise((resolve) => waiters.set(id, [...(waiters.get(id) ?? []), resolve])),
  };
}

async function step(parts: StepParts, waiters: Waiters, key: string): Promise<void> {
  const { store, queues, attempts, clock, failPoint } = parts;
  const first = queues.first(key);
  if (!first) return;
  const tried = await attempts.attempt(first);
  const { change, movedTo } = tried;
  const isDelivered = change?.state === "delivered";
  const next = isDelivered ? await nextCleared(parts, key) : undefined;
  if (change) await store.changeDelivery(first.id, change, next?.id);
  attempts.stored(first.id);
  if (next) {
    attempts.clear(next.id);
    queues.replaceSecond(key, { ...next, state: "sending" });
  }
  if (isDelivered) failPoint("receipt-written");
  if (tried.isFinal) return over(parts, waiters, { key, last: first, tried });
  queues.replaceFirst(key, { ...first, ...changedIn(change), nextMs: clock.monotonic() + tried.wait });
  if (movedTo !== undefined) await follow(parts, first, movedTo);
}

/** The next part, when it may go out at once: it is stored as under way with the receipt of the one before. */
async function nextCleared({ queues, attempts, clock }: StepParts, key: string): Promise<Delivery | undefined> {
  const next = queues.second(key);
  if (next?.state !== "pending" || next.nextMs > clock.monotonic()) return undefined;
  if (next.expiresMs !== null && next.expiresMs < clock.monotonic()) return undefined;
  return (await attempts.mayGoNow(next)) ? next : undefined;
}

async function follow(parts: StepParts, { channelId, conversationId, message }: Delivery, to: string): Promise<void> {
  const move = { channelId, from: conversationId, to, sessionId: message.sessionId };
  await parts.record(move);
  moveAll(parts, move);
}

function moveAll({ queues, clock, wakeAll }: StepParts, move: ConversationMove): void {
  const left = queues.take(`${move.channelId}\0${move.from}`);
  wakeAll(queues.add(left.map((delivery) => inConversation(delivery, move, clock.monotonic()))));
}

interface Over {
  readonly key: string;
  readonly last: Delivery;
  readonly tried: Attempt;
}

async function over(parts: StepParts, waiters: Waiters, { key, last, tried: { change } }: Over): Promise<void> {
  const { queues, attempts } = parts;
  attempts.forget(last.id);
  queues.shift(key);
  const { part, parts: all } = last.message;
  if (part === all && all > 1) await tellPartial(parts, last);
  const state = change?.state === "delivered" || change?.state === "expired" ? change.state : "dead";
  for (const resolve of waiters.get(last.id) ?? []) resolve(state);
  waiters.delete(last.id);
}

/** After the last part: whether people saw only some of them. */
async function tellPartial({ store, verdicts }: StepParts, last: Delivery): Promise<void> {
  const states = await store.deliveryStates(last.message.traceId);
  const arrived = states.filter((state) => state === "delivered").length;
  if (arrived === 0 || !states.some((state) => state === "dead" || state === "expired")) return;
  verdicts.note(last, "partial_failed", `${arrived} of ${states.length} parts of the answer were delivered`);
}

function changedIn(change: DeliveryChange | undefined): Partial<Delivery> {
  if (!change) return {};
  const { state, attempts, throttles } = change;
  return { state, ...(attempts !== undefined && { attempts }), ...(throttles !== undefined && { throttles }) };
}
