import {
  type Accepted,
  AppError,
  type Clock,
  type DirectMessage,
  type Gateway,
  type InboundMessage,
  type Logger,
  newId,
  newTraceId,
  notFound,
  type OutboundMessage,
  type Redaction,
  type Settings,
  type Turn,
  type TurnOutcome,
} from "@parley/core";
import type { EventLog, LogEntry } from "./event-log.ts";
import type { FailPoint } from "./fail-point.ts";
import type { Outbox } from "./outbox.ts";
import type { Delivery, GatewayStore, WaitingItem } from "./store.ts";
import { deliveryId, noOutcome, outcomeOf, type StartedTurn, type TurnRunner } from "./turn-runner.ts";

const MAX_WAITING = 10_000;
const MAX_WAITING_OF_CHANNEL = 1_000;
const STALE_MS = 30 * 60_000;
const REPLY_TTL_MS = 10 * 60_000;
const RENEW_EVERY_MS = 5_000;
const PRUNE_EVERY_MS = 3_600_000;
const MAX_RUNS = 3;
const GRACE_MS = 10_000;
const STOP_MS = 5_000;
const ABORT_MS = 2_000;
const MAX_RAW = 64 * 1024;
/** An answer that comes at once needs no word that it is coming. */
const TYPING_AFTER_MS = 700;
const TYPING_EVERY_MS = 4_000;
/** Waits between the tries of a turn whose model cannot be reached. */
const TRY_AGAIN_MS = [5_000, 30_000] as const;
/** Failures that another try may mend. */
const TRANSIENT = new Set(["upstream_failed", "unavailable", "timed_out", "rate_limited"]);

export interface GatewayConfig {
  readonly dedupe_ttl_s: number;
  readonly error_reply: string;
}

export interface GatewayParts {
  readonly store: GatewayStore;
  readonly outbox: Outbox;
  readonly runner: TurnRunner;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly settings: Settings;
  readonly redaction: Redaction;
  readonly clock: Clock;
  readonly failPoint: FailPoint;
  readonly config: GatewayConfig;
}

export interface RunningGateway extends Gateway {
  start(): Promise<void>;
  /** Lets running turns end or leaves them to the next start. */
  shutDown(): Promise<void>;
  counts(): {
    readonly waiting: number;
    readonly running: number;
    readonly duplicates: number;
    readonly turns: number;
    readonly deliveries: { readonly waiting: number; readonly delivered: number; readonly dead: number };
  };
  /** For the outbox: something may have become quiet. */
  changed(): void;
}

interface Running {
  readonly item: WaitingItem;
  readonly turn: StartedTurn;
  readonly abort: AbortController;
  readonly startedAt: string;
  readonly ended: Promise<void>;
}

export function createGateway(parts: GatewayParts): RunningGateway {
  const { store, outbox, runner, log, logger, settings, redaction, clock, failPoint, config } = parts;
  const owner = newId("boot");
  const queues = new Map<string, WaitingItem[]>();
  const running = new Map<string, Running>();
  const aside = new Map<string, Running>();
  const sleeping = new Map<string, NodeJS.Timeout>();
  const tries = new Map<string, number>();
  const waiters = new Map<string, ((outcome: TurnOutcome) => void)[]>();
  const whenIdle: (() => void)[] = [];
  const ofChannel = new Map<string, number>();
  let waitingCount = 0;
  let duplicates = 0;
  let turns = 0;
  let isStopping = false;
  const timers: NodeJS.Timeout[] = [];

  const count = ({ channelId }: WaitingItem, by: number) => {
    waitingCount += by;
    ofChannel.set(channelId, (ofChannel.get(channelId) ?? 0) + by);
  };
  const enqueue = (item: WaitingItem) => {
    const queue = queues.get(item.sessionId);
    if (queue) queue.push(item);
    else queues.set(item.sessionId, [item]);
    count(item, 1);
  };
  const changed = () => {
    const isIdle = running.size + aside.size === 0 && queues.size === sleeping.size && outbox.isQuiet();
    if (isIdle) for (const resolve of whenIdle.splice(0)) resolve();
  };
  // Sessions in the order their oldest message came: a busy one goes to the end each time it was served.
  const pump = () => {
    if (isStopping) return;
    const places = settings.get<number>("gateway.concurrency");
    for (const [sessionId, queue] of queues) {
      if (running.size >= places) return;
      if (running.has(sessionId) || sleeping.has(sessionId)) continue;
      const item = queue.shift();
      queues.delete(sessionId);
      if (queue.length > 0) queues.set(sessionId, queue);
      if (!item) continue;
      count(item, -1);
      begin(item, running);
    }
    changed();
  };
  const begin = (item: WaitingItem, among: Map<string, Running>) => {
    const abort = new AbortController();
    const startedAt = new Date(clock.now()).toISOString();
    const state: { turn: StartedTurn } = { turn: notStarted(item) };
    const ended = runItem(item, abort, (turn) => {
      state.turn = turn;
    })
      .catch((error) =>
        logger.error("a turn could not be worked on; it is run again at the next start", {
          traceId: item.traceId,
          error,
        }),
      )
      .finally(() => {
        among.delete(item.sessionId);
        turns += 1;
        pump();
        changed();
      });
    among.set(item.sessionId, {
      item,
      abort,
      startedAt,
      ended,
      get turn() {
        return state.turn;
      },
    });
  };
  const runItem = async (item: WaitingItem, abort: AbortController, started: (turn: StartedTurn) => void) => {
    const { message, fence, draft } = await store.claim(item, owner);
    failPoint("leased");
    const entry = entryFor(item, message);
    if (fence > MAX_RUNS) {
      const error = { code: "internal", error: "the message ended the process again and again" };
      return finish(
        item,
        fence,
        "dead",
        noOutcome(item.traceId, "failed", error),
        [],
        [entry("dead", "crash_loop")],
        "crash_loop",
      );
    }
    if (clock.now() - item.receivedMs > STALE_MS && draft === undefined) {
      return finish(
        item,
        fence,
        "expired",
        noOutcome(item.traceId, "expired"),
        [],
        [entry("expired", "waited too long")],
      );
    }
    log.add(entry("dispatched", "the turn begins"));
    const timeoutMs = settings.get<number>("chat.turn_timeout_s") * 1000;
    const timer = setTimeout(() => abort.abort(new AppError("timed_out", "the turn took too long")), timeoutMs);
    const run = { traceId: item.traceId, itemId: item.id, fence, message, draft, signal: abort.signal };
    const turn = runner.start(run);
    started(turn);
    const hideTyping = showTyping(message);
    try {
      const ended = await withGrace(turn.ended, abort.signal);
      await complete(item, fence, message, ended, await turn.draftId());
    } catch (error) {
      if (isStopping && abort.signal.aborted) return;
      await failed(item, fence, message, turn, abort, error);
    } finally {
      clearTimeout(timer);
      hideTyping();
    }
  };
  /** Shows on the platform that an answer is being made, until the returned function is called. */
  const showTyping = ({ channelId, conversation, addressed, kind }: InboundMessage): (() => void) => {
    const link = outbox.link(channelId);
    if (!link?.typing || !addressed || kind !== "message") return () => {};
    const over = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const show = () => {
      timer = setTimeout(show, TYPING_EVERY_MS);
      link
        .typing?.(conversation.id, over.signal)
        .catch((error) => logger.debug("typing could not be shown", { error }));
    };
    timer = setTimeout(show, TYPING_AFTER_MS);
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  };
  const complete = async (
    item: WaitingItem,
    fence: number,
    message: InboundMessage,
    turn: Turn,
    draftId: string | undefined,
  ) => {
    const isAnswered = turn.replies.length > 0 && !turn.stopped;
    const isRun = message.addressed && (message.kind === "message" || message.kind === "regenerate");
    const state =
      turn.filter.blocked || turn.stopped?.reason === "filtered"
        ? "blocked"
        : isAnswered
          ? "answered"
          : isRun
            ? "stopped"
            : "ignored";
    const [first, ...others] = isAnswered ? deliveriesOf(turn) : [];
    const deliveries = first ? [completing(first, draftId), ...others] : [];
    const entry = entryFor(item, message);
    const how =
      state === "answered" && deliveries.length === 0 ? "built" : state === "blocked" ? "filtered" : "completed";
    const outcome = outcomeOf(turn, state);
    await finish(item, fence, state === "ignored" ? "ignored" : "done", outcome, deliveries, [
      entry(how, `the turn is over: ${state}`),
    ]);
    failPoint("intent-written");
    outbox.add(deliveries);
  };
  const failed = async (
    item: WaitingItem,
    fence: number,
    message: InboundMessage,
    turn: StartedTurn,
    abort: AbortController,
    cause: unknown,
  ) => {
    const isStopped = abort.signal.aborted && !AppError.is(abort.signal.reason);
    if (isStopped) {
      const entry = entryFor(item, message)("stopped", "stopped before anything was said");
      return finish(item, fence, "stopped", noOutcome(item.traceId, "stopped"), [], [entry]);
    }
    const { code, message: text } = AppError.is(cause)
      ? cause
      : new AppError("internal", "the message could not be answered");
    if (!AppError.is(cause)) logger.error("a turn failed", { traceId: item.traceId, error: cause });
    const tried = tries.get(item.id) ?? 0;
    const wait = TRY_AGAIN_MS[tried];
    const isChannel = message.source === message.channelId && message.channelId !== "web";
    if (isChannel && wait !== undefined && TRANSIENT.has(code) && clock.now() - item.receivedMs + wait < STALE_MS) {
      tries.set(item.id, tried + 1);
      log.add(
        entryFor(item, message)("dispatch_failed", `${text}; tried again in ${wait / 1000} s`, { code, message: text }),
      );
      await store.release(item.id, fence);
      return sleep(item, wait);
    }
    tries.delete(item.id);
    const error = { code, error: text };
    await turn.failed(error);
    const deliveries = isChannel && config.error_reply !== "" ? [noticeFor(item, message)] : [];
    const entry = entryFor(item, message)("dispatch_failed", text, { code, message: text });
    await finish(item, fence, "failed", noOutcome(item.traceId, "failed", error), deliveries, [entry], code);
    outbox.add(deliveries);
  };
  const finish = async (
    item: WaitingItem,
    fence: number,
    state: "done" | "ignored" | "stopped" | "expired" | "failed" | "dead",
    outcome: TurnOutcome,
    deliveries: readonly Delivery[],
    entries: readonly LogEntry[],
    cause?: string,
  ) => {
    await store.end({
      itemId: item.id,
      fence,
      state,
      outcome,
      deliveries,
      entries,
      ...(cause !== undefined && { cause }),
    });
    for (const resolve of waiters.get(item.traceId) ?? []) resolve(outcome);
    waiters.delete(item.traceId);
  };
  const sleep = (item: WaitingItem, ms: number) => {
    queues.set(item.sessionId, [item, ...(queues.get(item.sessionId) ?? [])]);
    count(item, 1);
    const timer = setTimeout(() => {
      sleeping.delete(item.sessionId);
      pump();
    }, ms);
    sleeping.set(item.sessionId, timer);
  };
  const deliveriesOf = (turn: Turn): readonly Delivery[] => {
    const { inbound, traceId, replies } = turn;
    // The console reads what is stored; there is nothing to send.
    if (inbound.channelId === "web") return [];
    const { channelId, conversation, platformMessageId: replyTo } = inbound;
    const to = { channelId, conversation, sessionId: turn.session.id, ...(replyTo !== undefined && { replyTo }) };
    return replies.flatMap((reply, index) => partsOf(traceId, index, { ...to, ...reply }));
  };
  /** The message that was shown while the answer was made becomes its first part. */
  const completing = (delivery: Delivery, draftId: string | undefined): Delivery =>
    draftId === undefined || delivery.message.text === ""
      ? delivery
      : { ...delivery, message: { ...delivery.message, completes: draftId } };
  /** What one reply is on the wire: a row per part. */
  const partsOf = (
    traceId: string,
    index: number,
    { channelId, sessionId, conversation, text: whole, attachments, replyTo }: DirectMessage,
  ): readonly Delivery[] => {
    const split = outbox.link(channelId)?.split ?? ((text: string) => [text]);
    const texts = whole === "" ? [] : split(whole).filter((text) => text !== "");
    const contents = [
      ...texts.map((text) => ({ text, attachments: [] as const })),
      ...attachments.map((attachment) => ({ text: "", attachments: [attachment] })),
    ];
    return contents.map((content, part) =>
      newDelivery({
        deliveryId: deliveryId(traceId, index, part),
        traceId,
        channelId,
        sessionId,
        conversation: { id: conversation.id, isGroup: conversation.isGroup },
        ...content,
        ...(replyTo !== undefined && { replyTo }),
        part: part + 1,
        parts: contents.length,
      }),
    );
  };
  const noticeFor = ({ traceId }: WaitingItem, { channelId, sessionId, conversation }: InboundMessage): Delivery =>
    newDelivery({
      deliveryId: deliveryId(traceId, 0, 0),
      traceId,
      channelId,
      sessionId,
      conversation: { id: conversation.id, isGroup: conversation.isGroup },
      text: config.error_reply,
      attachments: [],
      part: 1,
      parts: 1,
    });
  const newDelivery = (message: OutboundMessage): Delivery => ({
    id: message.deliveryId,
    channelId: message.channelId,
    conversationId: message.conversation.id,
    message,
    state: "pending",
    attempts: 0,
    throttles: 0,
    nextMs: clock.now(),
    expiresMs: clock.now() + REPLY_TTL_MS,
  });
  const dropWaiting = async (sessionId: string, traceId: string | undefined) => {
    const queue = queues.get(sessionId) ?? [];
    const dropped = queue.filter((item) => traceId === undefined || item.traceId === traceId);
    const left = queue.filter((item) => !dropped.includes(item));
    if (left.length > 0) queues.set(sessionId, left);
    else queues.delete(sessionId);
    for (const item of dropped) {
      count(item, -1);
      const entry = {
        traceId: item.traceId,
        status: "stopped",
        message: "dropped while it waited",
        channelId: item.channelId,
        itemId: item.id,
      };
      await finish(item, 0, "stopped", noOutcome(item.traceId, "stopped"), [], [entry]);
    }
    return dropped.map((item) => item.traceId);
  };
  const refuseFull = (channelId: string) => {
    if (isStopping) throw new AppError("unavailable", "the service is stopping", { retryAfterS: 1 });
    if (waitingCount >= MAX_WAITING || (ofChannel.get(channelId) ?? 0) >= MAX_WAITING_OF_CHANNEL) {
      throw new AppError("unavailable", "too many messages wait already", { retryAfterS: 5 });
    }
  };

  return {
    async accept(given) {
      refuseFull(given.channelId);
      const message = { ...given, ...(given.raw !== undefined && { raw: boundedRaw(redaction.mask(given.raw)) }) };
      const id = newId("qi", clock.now());
      const traceId = newTraceId(clock.now());
      const dedupeKey = message.dedupeKey && [message.channelId, message.account ?? "", message.dedupeKey].join("\0");
      const item: WaitingItem = {
        id,
        traceId,
        channelId: message.channelId,
        sessionId: message.sessionId,
        receivedMs: clock.now(),
        runs: 0,
      };
      const entry = entryFor(item, message);
      const entries = [entry("received", `a ${message.kind} of ${message.source}`), entry("queued", "stored")];
      const stored = await store.insert({ id, traceId, message, dedupeKey, entries });
      failPoint("committed-inbox");
      const isCopy = stored.itemId !== id;
      if (isCopy) duplicates += 1;
      else if (runner.isImmediate(message)) begin(item, aside);
      else enqueue(item);
      const accepted: Accepted = {
        traceId: stored.traceId,
        itemId: stored.itemId,
        duplicated: isCopy,
        queued: !isCopy && message.addressed && (message.kind === "message" || message.kind === "regenerate"),
        queueSize: waitingCount,
      };
      // After this call's answer is under way: the acknowledgement must not wait for the turn to begin.
      setImmediate(pump);
      return accepted;
    },
    async outcome(traceId, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<TurnOutcome>();
      waiters.set(traceId, [...(waiters.get(traceId) ?? []), resolve]);
      const stop = () => reject(new AppError("timed_out", "the answer takes longer than this request may wait"));
      signal.addEventListener("abort", stop, { once: true });
      try {
        const { isKnown, outcome } = await store.outcome(traceId);
        if (!isKnown) throw notFound("trace", traceId);
        return outcome ?? (await promise);
      } finally {
        signal.removeEventListener("abort", stop);
        waiters.set(
          traceId,
          (waiters.get(traceId) ?? []).filter((one) => one !== resolve),
        );
        if (waiters.get(traceId)?.length === 0) waiters.delete(traceId);
      }
    },
    async stop(sessionId, traceId) {
      const dropped = await dropWaiting(sessionId, traceId);
      const found = running.get(sessionId);
      const isMeant = found !== undefined && (traceId === undefined || found.item.traceId === traceId);
      if (isMeant) found.abort.abort(new DOMException("stopped by the user", "AbortError"));
      const trace_ids = [...(isMeant ? [found.item.traceId] : []), ...dropped];
      return { stopped: trace_ids.length > 0, trace_ids };
    },
    running(sessionId) {
      const found = running.get(sessionId);
      return found && { ...found.turn.state(), startedAt: found.startedAt };
    },
    waiting: (sessionId) => queues.get(sessionId)?.length ?? 0,
    connect: (channel, link, mode) => outbox.connect(channel, link, mode),
    async deliver(message) {
      if (isStopping) throw new AppError("unavailable", "the service is stopping", { retryAfterS: 1 });
      const traceId = newTraceId(clock.now());
      const deliveries = partsOf(traceId, 0, message);
      const { channelId } = message;
      await store.addDeliveries(deliveries, [
        { traceId, status: "queued", message: "to be sent, without a turn", channelId },
      ]);
      outbox.add(deliveries);
      return { traceId, deliveryIds: deliveries.map(({ id }) => id) };
    },
    async delivered(id, signal) {
      const { promise: late, resolve } = Promise.withResolvers<"pending">();
      const stop = () => resolve("pending");
      signal.addEventListener("abort", stop, { once: true });
      const ended = outbox.ended(id);
      try {
        const state = await store.deliveryState(id);
        if (state === undefined) throw notFound("delivery", id);
        if (state === "delivered" || state === "dead" || state === "expired") return state;
        return await Promise.race([ended, late]);
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    idle: () =>
      new Promise((resolve) => {
        whenIdle.push(resolve);
        setImmediate(changed);
      }),
    async start() {
      for (const item of await store.recover(owner)) enqueue(item);
      await outbox.start();
      timers.push(
        setInterval(() => {
          const ids = [...running.values(), ...aside.values()].map(({ item }) => item.id);
          store.renew(ids, owner).catch((error) => logger.error("leases could not be renewed", { error }));
        }, RENEW_EVERY_MS),
        setInterval(() => {
          store
            .prune(config.dedupe_ttl_s * 1000)
            .catch((error) => logger.error("old rows could not be deleted", { error }));
        }, PRUNE_EVERY_MS),
      );
      pump();
    },
    counts: () => ({
      waiting: waitingCount,
      running: running.size + aside.size,
      duplicates,
      turns,
      deliveries: outbox.counts(),
    }),
    changed,
    async shutDown() {
      isStopping = true;
      for (const timer of [...timers, ...sleeping.values()]) clearTimeout(timer);
      const all = [...running.values(), ...aside.values()];
      const ended = Promise.all(all.map((one) => one.ended));
      if (!(await endsWithin(ended, STOP_MS))) {
        for (const { abort } of all) abort.abort(new AppError("unavailable", "the service is stopping"));
        // What does not heed its signal is left to its lease: the next start runs it again.
        await endsWithin(ended, ABORT_MS);
      }
      await outbox.stop();
      await log.flush();
    },
  };
}

function entryFor(item: WaitingItem, message: InboundMessage) {
  return (status: string, text: string, error?: { readonly code: string; readonly message: string }): LogEntry => ({
    traceId: item.traceId,
    status,
    message: text,
    channelId: message.channelId,
    conversationId: message.conversation.id,
    userId: message.sender.id,
    itemId: item.id,
    ...(error && { error }),
  });
}

async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const isOver = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return isOver;
}

/** A stage that does not heed its signal must not hold its session for ever. */
async function withGrace<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const arm = () => {
      timer = setTimeout(() => reject(signal.reason), GRACE_MS);
    };
    if (signal.aborted) arm();
    else signal.addEventListener("abort", arm, { once: true });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function notStarted({ traceId }: WaitingItem): StartedTurn {
  return {
    ended: new Promise(() => {}),
    state: () => ({ traceId, stage: "screen", messageId: null, sender: "", text: "" }),
    draftId: async () => undefined,
    failed: async () => {},
  };
}

function boundedRaw(raw: unknown): unknown {
  const text = JSON.stringify(raw) ?? "";
  return text.length <= MAX_RAW ? raw : { cut: text.slice(0, MAX_RAW) };
}
