import type {
  ChannelConfig,
  ChannelLink,
  Channels,
  Clock,
  ConversationMove,
  DeliveryStatus,
  IdempotencyMode,
  Logger,
} from "@parley/core";
import { type CircuitBreakers, createCircuitBreakers } from "./circuit-breakers.ts";
import { type Connected, createAttempts, OVER } from "./delivery-attempts.ts";
import { createVerdicts } from "./delivery-verdicts.ts";
import type { EventLog } from "./event-log.ts";
import type { FailPoint } from "./fail-point.ts";
import type { Delivery, DeliveryChange } from "./store/outbox.ts";
import type { GatewayStore } from "./store.ts";

/** After a failure of our own, say of the disk. */
const TRY_AGAIN_MS = 5_000;

export interface OutboxParts {
  readonly store: GatewayStore;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly failPoint: FailPoint;
  /** Which channels there are; undefined while no plugin provides them. */
  readonly channels: () => Channels | undefined;
  /** How long one send may take on a channel of a type, as its adapter says. */
  readonly sendTimeoutMs: (type: string) => number | undefined;
  /** 0 to 1; replaceable in tests. */
  readonly random: () => number;
  /** Stores that a conversation has another id. */
  readonly record: (move: ConversationMove) => Promise<void>;
}

/** Sends replies, in order within a conversation, as often as is safe (gateway-delivery §6). */
export interface Outbox {
  start(): Promise<void>;
  /**
   * Deliveries of one turn as they should be stored: what can go out at once is under way with that. Then they are to be
   * added, or, where they could not be stored, forgotten.
   */
  prepared(deliveries: readonly Delivery[]): Promise<readonly Delivery[]>;
  forget(deliveries: readonly Delivery[]): void;
  /** Takes deliveries that are stored already. */
  add(deliveries: readonly Delivery[]): void;
  connect(channel: ChannelConfig, link: ChannelLink, mode: IdempotencyMode): AsyncDisposable;
  /** The link of a channel reaches its platform again: what waited for that goes on. */
  reachable(channelId: string): void;
  link(channelId: string): ChannelLink | undefined;
  /** Resolves when a delivery that is under way ends. */
  ended(deliveryId: string): Promise<DeliveryStatus>;
  /** Starts nothing new until `resume`; resolves when nothing is being sent any more. */
  pause(): Promise<void>;
  resume(): void;
  /** What waits for a conversation goes on under its new id. */
  moved(move: ConversationMove): void;
  /** True when something of the session is not sent yet. */
  waitsFor(sessionId: string): boolean;
  /** True when nothing is being sent or due. */
  isQuiet(): boolean;
  /** Lets what is being sent end; starts nothing new. */
  stop(): Promise<void>;
  counts(): { readonly waiting: number; readonly delivered: number; readonly dead: number };
}

export function createOutbox(parts: OutboxParts & { readonly changed: () => void }): Outbox {
  const { store, logger, clock, failPoint, record, changed } = parts;
  const connected = new Map<string, Connected>();
  const queues = new Map<string, Delivery[]>();
  const sending = new Map<string, Promise<void>>();
  const timers = new Map<string, NodeJS.Timeout>();
  const waiters = new Map<string, ((state: DeliveryStatus) => void)[]>();
  const abort = new AbortController();
  /** Aborts when the worker is stopped by hand; another one while it runs. */
  let working = new AbortController();
  /** Conversations whose next delivery is being stored as under way. */
  const reserved = new Set<string>();
  const ofSession = new Map<string, number>();
  /** What was woken while it was being sent: a try that ends in vain then is followed by the next at once. */
  const woken = new Set<string>();
  const breakers: CircuitBreakers = createCircuitBreakers(clock, (channelId) => wakeChannel(channelId));
  const verdicts = createVerdicts({ ...parts, breakers });
  const { attempt, mayGoNow, clear, forget } = createAttempts({
    ...parts,
    verdicts,
    breakers,
    connected: (channelId) => connected.get(channelId),
    isHeld: () => isPaused || abort.signal.aborted,
    stopping: abort.signal,
    working: () => working.signal,
  });
  let waiting = 0;
  let isPaused = false;
  const count = ({ message: { sessionId } }: Delivery, by: number) => {
    waiting += by;
    const left = (ofSession.get(sessionId) ?? 0) + by;
    if (left > 0) ofSession.set(sessionId, left);
    else ofSession.delete(sessionId);
  };
  const wakeChannel = (channelId: string) => {
    for (const [key, [head]] of queues) {
      // Where the platform asked to wait, it is waited.
      if (key.startsWith(`${channelId}\0`)) wake(key, head && head.throttles > 0 ? head.nextMs : clock.monotonic());
    }
  };
  /** The platform can be reached again: what was tried before says nothing any more. */
  const reach = (channelId: string) => {
    breakers.changed(channelId);
    for (const key of sending.keys()) if (key.startsWith(`${channelId}\0`)) woken.add(key);
    wakeChannel(channelId);
  };
  const keyOf = ({ channelId, conversationId }: Delivery) => `${channelId}\0${conversationId}`;

  const wake = (key: string, atMs = clock.monotonic()) => {
    if (abort.signal.aborted || isPaused || sending.has(key) || !queues.has(key)) return;
    clearTimeout(timers.get(key));
    timers.delete(key);
    const wait = atMs - clock.monotonic();
    if (wait > 0) {
      timers.set(
        key,
        setTimeout(() => wake(key), Math.min(wait, 2 ** 30)),
      );
      changed();
      return;
    }
    const work = sendNext(key)
      .catch((error) => {
        logger.error("a delivery could not be worked on; it is tried again later", { error });
        const [head, ...rest] = queues.get(key) ?? [];
        if (head) queues.set(key, [{ ...head, nextMs: clock.monotonic() + TRY_AGAIN_MS }, ...rest]);
      })
      .finally(() => sending.delete(key))
      .then(() => {
        const isWoken = woken.delete(key);
        const [head] = queues.get(key) ?? [];
        if (head) wake(key, isWoken && head.throttles === 0 ? clock.monotonic() : head.nextMs);
        else queues.delete(key);
        changed();
      });
    sending.set(key, work);
  };
  const sendNext = async (key: string) => {
    const queue = queues.get(key);
    const head = queue?.[0];
    if (!queue || !head) return;
    const { change, isFinal, wait, movedTo } = await attempt(head);
    const next = change?.state === "delivered" ? await clearedNext(queue[1]) : undefined;
    if (change) await store.changeDelivery(head.id, change, next?.id);
    if (next) {
      clear(next.id);
      queue[1] = { ...next, state: "sending" };
    }
    if (movedTo !== undefined) {
      const { channelId, conversationId: from, message } = head;
      const to = { channelId, from, to: movedTo, sessionId: message.sessionId };
      await record(to);
      return move(to);
    }
    if (change?.state === "delivered") failPoint("receipt-written");
    if (isFinal) {
      forget(head.id);
      queue.shift();
      count(head, -1);
      if (head.message.part === head.message.parts && head.message.parts > 1) await tellPartial(head);
      const state = change?.state === "delivered" || change?.state === "expired" ? change.state : "dead";
      for (const resolve of waiters.get(head.id) ?? []) resolve(state);
      waiters.delete(head.id);
    } else queue[0] = { ...head, ...kept(change), nextMs: clock.monotonic() + wait };
  };
  /** All that waits for the old conversation goes on in the new one. */
  const move = ({ channelId, from, to }: ConversationMove) => {
    const key = `${channelId}\0${from}`;
    const queue = queues.get(key) ?? [];
    queues.delete(key);
    for (const delivery of queue) count(delivery, -1);
    enqueue(queue.map((delivery) => inConversation(delivery, to, clock.monotonic())));
  };
  /** After the last part: whether people saw only some of them. */
  const tellPartial = async (last: Delivery) => {
    const states = await store.deliveryStates(last.message.traceId);
    const arrived = states.filter((state) => state === "delivered").length;
    if (arrived === 0 || !states.some((state) => state === "dead" || state === "expired")) return;
    verdicts.note(last, "partial_failed", `${arrived} of ${states.length} parts of the answer were delivered`);
  };
  const clearedNext = async (next: Delivery | undefined): Promise<Delivery | undefined> => {
    if (next?.state !== "pending" || next.nextMs > clock.monotonic()) return undefined;
    if (next.expiresMs !== null && next.expiresMs < clock.monotonic()) return undefined;
    return (await mayGoNow(next)) ? next : undefined;
  };
  /** In memory all times are on the clock that never jumps: a wall clock that is set must not expire or hold an answer. */
  const add = (deliveries: readonly Delivery[]) => {
    const shift = clock.monotonic() - clock.now();
    enqueue(
      deliveries.map((one) => ({
        ...one,
        nextMs: one.nextMs + shift,
        expiresMs: one.expiresMs === null ? null : one.expiresMs + shift,
        createdMs: one.createdMs + shift,
      })),
    );
  };
  const enqueue = (deliveries: readonly Delivery[]) => {
    for (const delivery of deliveries) {
      const key = keyOf(delivery);
      const queue = queues.get(key);
      if (queue) queue.push(delivery);
      else queues.set(key, [delivery]);
      count(delivery, 1);
    }
    for (const key of new Set(deliveries.map(keyOf))) wake(key, queues.get(key)?.[0]?.nextMs);
  };
  return {
    async start() {
      // What was being sent when the process ended may have arrived.
      add(
        (await store.openDeliveries()).map((one) =>
          one.state === "sending" ? { ...one, state: "unknown_after_send" } : one,
        ),
      );
    },
    async prepared(deliveries) {
      const [first, ...others] = deliveries;
      if (!first) return deliveries;
      const key = keyOf(first);
      if (queues.has(key) || reserved.has(key)) return deliveries;
      reserved.add(key);
      if (!(await mayGoNow(first))) {
        reserved.delete(key);
        return deliveries;
      }
      clear(first.id);
      return [{ ...first, state: "sending" }, ...others];
    },
    forget(deliveries) {
      for (const delivery of deliveries) {
        forget(delivery.id);
        reserved.delete(keyOf(delivery));
      }
    },
    add(deliveries) {
      for (const delivery of deliveries) reserved.delete(keyOf(delivery));
      add(deliveries);
    },
    connect(channel, link, mode) {
      const mine: Connected = { channel, link, mode, leaving: new AbortController() };
      connected.set(channel.id, mine);
      reach(channel.id);
      return {
        async [Symbol.asyncDispose]() {
          if (connected.get(channel.id) === mine) connected.delete(channel.id);
          mine.leaving.abort(OVER);
          const busy = [...sending].filter(([key]) => key.startsWith(`${channel.id}\0`)).map(([, work]) => work);
          await Promise.all(busy);
        },
      };
    },
    reachable: reach,
    link: (channelId) => connected.get(channelId)?.link,
    ended: (id) =>
      new Promise((resolve) => {
        waiters.set(id, [...(waiters.get(id) ?? []), resolve]);
      }),
    async pause() {
      isPaused = true;
      working.abort(OVER);
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      await Promise.all(sending.values());
    },
    resume() {
      isPaused = false;
      working = new AbortController();
      for (const [key, [head]] of queues) if (head) wake(key, head.nextMs);
    },
    // What is being sent this moment finds out by itself.
    moved: (to) => {
      if (!sending.has(`${to.channelId}\0${to.from}`)) move(to);
    },
    waitsFor: (sessionId) => ofSession.has(sessionId),
    isQuiet: () =>
      sending.size === 0 && [...queues.values()].every(([head]) => !head || head.nextMs > clock.monotonic()),
    async stop() {
      abort.abort(OVER);
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(sending.values());
    },
    counts: () => ({ waiting, ...verdicts.counts() }),
  };
}

function inConversation(delivery: Delivery, id: string, nextMs: number): Delivery {
  const message = { ...delivery.message, conversation: { ...delivery.message.conversation, id } };
  return { ...delivery, conversationId: id, message, state: "pending", nextMs };
}

function kept(change: DeliveryChange | undefined): Partial<Delivery> {
  if (!change) return {};
  const { state, attempts, throttles } = change;
  return { state, ...(attempts !== undefined && { attempts }), ...(throttles !== undefined && { throttles }) };
}
