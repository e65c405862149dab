import {
  type ChannelConfig,
  type ChannelLink,
  type Channels,
  type Clock,
  type ConversationMove,
  DeliveryError,
  type DeliveryFailure,
  type DeliveryStatus,
  deadline,
  type IdempotencyMode,
  type Logger,
  type Receipt,
} from "@parley/core";
import { type CircuitBreakers, createCircuitBreakers } from "./circuit-breakers.ts";
import type { EventLog } from "./event-log.ts";
import type { FailPoint } from "./fail-point.ts";
import type { Delivery, DeliveryChange } from "./store/outbox.ts";
import type { GatewayStore } from "./store.ts";

const TRIES = 3;
const MAX_THROTTLES = 30;
const SEND_TIMEOUT_MS = 30_000;
const RECONCILE_EVERY_MS = 10_000;
const RECONCILES = 3;
/** After a failure of our own, say of the disk. */
const TRY_AGAIN_MS = 5_000;
/** Rows of a channel that is switched off are kept so long. */
const DISABLED_TTL_MS = 24 * 3_600_000;
const MAX_NOT_SENT_MS = 60_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

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

interface Connected {
  readonly channel: ChannelConfig;
  readonly link: ChannelLink;
  readonly mode: IdempotencyMode;
  /** Aborts when the link is taken out. */
  readonly leaving: AbortController;
}

export function createOutbox(parts: OutboxParts & { readonly changed: () => void }): Outbox {
  const { store, log, logger, clock, failPoint, channels, sendTimeoutMs, random, record, changed } = parts;
  const connected = new Map<string, Connected>();
  const queues = new Map<string, Delivery[]>();
  const sending = new Map<string, Promise<void>>();
  const timers = new Map<string, NodeJS.Timeout>();
  const waiters = new Map<string, ((state: DeliveryStatus) => void)[]>();
  const abort = new AbortController();
  /** Aborts when the worker is stopped by hand; another one while it runs. */
  let working = new AbortController();
  /** Stored as under way, and not yet sent. */
  const cleared = new Set<string>();
  /** Conversations whose next delivery is being stored as under way. */
  const reserved = new Set<string>();
  /** The platform's word that a delivery may go, asked for already. */
  const paces = new Map<string, Promise<void>>();
  const ofSession = new Map<string, number>();
  /** What was woken while it was being sent: a try that ends in vain then is followed by the next at once. */
  const woken = new Set<string>();
  const breakers: CircuitBreakers = createCircuitBreakers(clock, (channelId) => wakeChannel(channelId));
  let waiting = 0;
  let delivered = 0;
  let dead = 0;
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
      cleared.add(next.id);
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
      paces.delete(head.id);
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
  const note = (delivery: Delivery, status: string, message: string, failure?: { code: string; message: string }) =>
    log.add({
      traceId: delivery.message.traceId,
      status,
      message,
      channelId: delivery.channelId,
      conversationId: delivery.conversationId,
      deliveryId: delivery.id,
      ...(failure && { error: failure }),
    });
  /** After the last part: whether people saw only some of them. */
  const tellPartial = async (last: Delivery) => {
    const states = await store.deliveryStates(last.message.traceId);
    const arrived = states.filter((state) => state === "delivered").length;
    if (arrived === 0 || !states.some((state) => state === "dead" || state === "expired")) return;
    note(last, "partial_failed", `${arrived} of ${states.length} parts of the answer were delivered`);
  };
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

  const timeoutMsOf = ({ type, config: { timeout_s: seconds } }: ChannelConfig) =>
    seconds ? Number(seconds) * 1000 : (sendTimeoutMs(type) ?? SEND_TIMEOUT_MS);
  /** The platform's word that one delivery may go; asked for once. Rejects with `AbortError` when it is not waited for any more. */
  const paceFor = (delivery: Delivery, { link, leaving }: Connected): Promise<void> => {
    const known = paces.get(delivery.id);
    if (known) return known;
    const leftMs = delivery.expiresMs === null ? MAX_TIMER_MS : delivery.expiresMs - clock.monotonic();
    const limit = deadline(Math.min(leftMs, MAX_TIMER_MS), abort.signal, working.signal, leaving.signal);
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
    const to = connected.get(delivery.channelId);
    if (!to || isPaused || abort.signal.aborted || breakers.isOpen(delivery.channelId)) return false;
    if (!to.link.pace) return true;
    return isResolved(paceFor(delivery, to));
  };
  const clearedNext = async (next: Delivery | undefined): Promise<Delivery | undefined> => {
    if (next?.state !== "pending" || next.nextMs > clock.monotonic()) return undefined;
    if (next.expiresMs !== null && next.expiresMs < clock.monotonic()) return undefined;
    return (await mayGoNow(next)) ? next : undefined;
  };
  const attempt = async (delivery: Delivery): Promise<Attempt> => {
    const channel = channels()?.get(delivery.channelId);
    const to = connected.get(delivery.channelId);
    if (cleared.delete(delivery.id)) {
      // The link went away in the same moment: nothing was sent.
      if (!to) return { change: { state: "pending" }, isFinal: false, wait: backoff(1, MAX_NOT_SENT_MS) };
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
    if (!to) return { change: undefined, isFinal: false, wait: backoff(delivery.attempts, MAX_NOT_SENT_MS) };
    // Whoever waits when the process ends was certainly not sent.
    if (to.link.pace) {
      try {
        await paceFor(delivery, to);
      } catch (error) {
        // Paused, stopped, taken out or too late: it is looked at again.
        if (error === OVER) return { change: undefined, isFinal: false, wait: 0 };
        return judge(delivery, to, new DeliveryError("not_sent", (error as Error).message, { cause: error }));
      }
    }
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
      using limit = deadline(timeoutMsOf(to.channel), abort.signal);
      const sent = to.link.send(delivery.message, limit.signal);
      setImmediate(failPoint, "sent");
      const receipt = await sent;
      failPoint("receipt-read");
      return done(delivery, receipt);
    } catch (error) {
      return judge(delivery, to, error);
    }
  };
  const judge = (delivery: Delivery, { mode }: Connected, error: unknown): Attempt => {
    const known = DeliveryError.is(error) ? error : undefined;
    const failure: DeliveryFailure = known?.failure ?? "ambiguous";
    const text = (error as Error).message;
    const isRepeatable = mode === "native_key" || mode === "natural";
    const again = (change: Partial<DeliveryChange>, wait: number): Attempt => {
      note(delivery, "delivery_failed", text, { code: failure, message: text });
      return {
        change: { state: "pending", cause: failure, error: text, nextMs: clock.now() + wait, ...change },
        isFinal: false,
        wait,
      };
    };
    if (failure === "not_sent") {
      breakers.notSent(delivery.channelId);
      return again({}, backoff(delivery.attempts, MAX_NOT_SENT_MS));
    }
    if (failure === "auth") return again({}, breakers.refused(delivery.channelId));
    breakers.worked(delivery.channelId);
    if (failure === "migrated" && known?.conversationId !== undefined) {
      const { conversationId } = known;
      if (conversationId === delivery.conversationId) return gaveUp(delivery, "dead", "permanent", text);
      return { ...again({}, 0), movedTo: conversationId };
    }
    if (failure === "throttled") {
      if (delivery.throttles >= MAX_THROTTLES) return gaveUp(delivery, "dead", failure, text);
      const wait = known?.retryAfterMs ?? Math.min(120_000, 2_000 * 2 ** delivery.throttles);
      return again({ throttles: delivery.throttles + 1 }, Math.ceil(wait * (1 + random() * 0.1)));
    }
    if (failure === "window_closed") return gaveUp(delivery, "expired", failure, text);
    if (failure === "permanent" || failure === "payload" || failure === "no_sender" || failure === "migrated")
      return gaveUp(delivery, "dead", failure, text);
    if (failure === "unavailable" || isRepeatable) {
      const attempts = delivery.attempts + 1;
      if (attempts >= TRIES) return gaveUp(delivery, "dead", failure, text);
      return again({ state: "failed", attempts }, backoff(attempts, MAX_NOT_SENT_MS));
    }
    note(delivery, "unknown_after_send", text, { code: failure, message: text });
    const change = { state: "unknown_after_send", cause: failure, error: text, attempts: 0 } as const;
    return { change, isFinal: false, wait: 0 };
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
      return (await reconcile?.(message, abort.signal)) ?? "unknown";
    } catch (error) {
      if (DeliveryError.is(error) && error.failure === "not_sent") return "unreachable";
      logger.warn("a platform does not say what became of a delivery", { delivery: message.deliveryId, error });
      return "unknown";
    }
  };
  const backoff = (tries: number, most: number) =>
    Math.min(most, 1_000 * 2 ** Math.max(0, tries - 1)) * (0.5 + random() / 2);

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
      cleared.add(first.id);
      return [{ ...first, state: "sending" }, ...others];
    },
    forget(deliveries) {
      for (const delivery of deliveries) {
        cleared.delete(delivery.id);
        paces.delete(delivery.id);
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
    counts: () => ({ waiting, delivered, dead }),
  };
}

const OVER = new DOMException("nothing is sent now", "AbortError");

/** Whether a promise is fulfilled as things stand: what needs time is not waited for. */
async function isResolved(work: Promise<unknown>): Promise<boolean> {
  const later = new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
  return Promise.race([work.then(() => true), later]).catch(() => false);
}

interface Attempt {
  readonly change: DeliveryChange | undefined;
  readonly isFinal: boolean;
  /** Until the next try of this conversation. */
  readonly wait: number;
  /** The conversation's new id. */
  readonly movedTo?: string;
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
