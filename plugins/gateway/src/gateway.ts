import {
  type Accepted,
  AppError,
  type Clock,
  type Gateway,
  type InboundMessage,
  type Logger,
  newId,
  newTraceId,
  notFound,
  type Redaction,
  type RunningTurn,
  type Settings,
} from "@parley/core";
import { partsOf } from "./deliveries.ts";
import type { EventLog } from "./event-log.ts";
import type { FailPoint } from "./fail-point.ts";
import { entryFor, type ItemWork, STOPPING } from "./item-work.ts";
import type { Outbox } from "./outbox.ts";
import type { Outcomes } from "./outcomes.ts";
import { type Claimed, type Delivery, FIRST_FENCE, type GatewayStore, type WaitingItem } from "./store.ts";
import type { StartedTurn, TurnRunner } from "./turn-runner.ts";
import { createWaitingQueue } from "./waiting-queue.ts";

const MAX_WAITING = 10_000;
const MAX_WAITING_OF_CHANNEL = 1_000;
const RENEW_EVERY_MS = 5_000;
const PRUNE_EVERY_MS = 3_600_000;
const STOP_MS = 5_000;
const ABORT_MS = 2_000;
const MAX_RAW = 64 * 1024;

export interface GatewayParts {
  readonly store: GatewayStore;
  readonly outbox: Outbox;
  readonly outcomes: Outcomes;
  readonly runner: TurnRunner;
  readonly work: ItemWork;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly settings: Settings;
  readonly redaction: Redaction;
  readonly clock: Clock;
  readonly failPoint: FailPoint;
  /** How long copies of a message are recognised. */
  readonly dedupeTtlMs: number;
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
  /** Takes up a delivery that was given up and is stored as pending again. */
  resend(delivery: Delivery): void;
  /** The same for a message. */
  rerun(item: WaitingItem): void;
}

interface Running {
  readonly item: WaitingItem;
  readonly abort: AbortController;
  readonly startedAt: string;
  readonly ended: Promise<void>;
  turn: StartedTurn | undefined;
}

export function createGateway(parts: GatewayParts): RunningGateway {
  const { store, outbox, outcomes, runner, work, log, logger, settings, redaction, clock, failPoint } = parts;
  const owner = newId("boot");
  const waiting = createWaitingQueue();
  const running = new Map<string, Running>();
  const aside = new Map<string, Running>();
  const sleeping = new Map<string, NodeJS.Timeout>();
  const whenIdle: (() => void)[] = [];
  const timers: NodeJS.Timeout[] = [];
  let duplicates = 0;
  let turns = 0;
  let isStopping = false;

  const isFree = ({ sessionId }: Pick<WaitingItem, "sessionId">) => !running.has(sessionId) && !sleeping.has(sessionId);
  const hasPlace = () => running.size < settings.get<number>("gateway.concurrency");
  const changed = () => {
    const isIdle = running.size + aside.size === 0 && !waiting.some(isFree) && outbox.isQuiet();
    if (isIdle) for (const resolve of whenIdle.splice(0)) resolve();
  };
  const pump = () => {
    if (isStopping) return;
    while (hasPlace()) {
      const item = waiting.take(isFree);
      if (!item) break;
      begin(item, running, store.claim(item, owner));
    }
    changed();
  };
  /** Undefined as claim: it was a copy, there is nothing to do. */
  const begin = (item: WaitingItem, among: Map<string, Running>, claim: Promise<Claimed | undefined>) => {
    const abort = new AbortController();
    const go = async () => {
      const claimed = await claim;
      if (!claimed) return;
      failPoint("leased");
      turns += 1;
      const started = (turn: StartedTurn) => {
        one.turn = turn;
      };
      const { retryInMs } = await work.run(item, { claimed, abort, started });
      if (retryInMs !== undefined) sleep({ ...item, isFirst: false }, retryInMs);
    };
    const ended = go()
      .catch((error) =>
        logger.error("a turn could not be worked on; it is run again at the next start", {
          traceId: item.traceId,
          error,
        }),
      )
      .finally(() => {
        among.delete(item.sessionId);
        pump();
      });
    const one: Running = { item, abort, startedAt: new Date(clock.now()).toISOString(), ended, turn: undefined };
    among.set(item.sessionId, one);
  };
  const sleep = (item: WaitingItem, ms: number) => {
    waiting.putBack(item);
    const timer = setTimeout(() => {
      sleeping.delete(item.sessionId);
      pump();
    }, ms);
    sleeping.set(item.sessionId, timer);
  };
  const refuseFull = (channelId: string) => {
    if (isStopping) throw STOPPING;
    if (waiting.total() >= MAX_WAITING || waiting.ofChannel(channelId) >= MAX_WAITING_OF_CHANNEL) {
      throw new AppError("unavailable", "too many messages wait already", { retryAfterS: 5 });
    }
  };

  return {
    async accept(given) {
      const { channelId, sessionId, account = "" } = given;
      refuseFull(channelId);
      const message = { ...given, ...(given.raw !== undefined && { raw: boundedRaw(redaction.mask(given.raw)) }) };
      const receivedMs = clock.now();
      const item = { id: newId("qi", receivedMs), traceId: newTraceId(receivedMs) };
      const waitingItem: WaitingItem = { ...item, channelId, sessionId, receivedMs, isFirst: true };
      const dedupeKey = given.dedupeKey && [channelId, account, given.dedupeKey].join("\0");
      const entry = entryFor(item, message);
      const entries = [entry("received", `a ${message.kind} of ${message.source}`), entry("queued", "stored")];
      const isImmediate = runner.isImmediate(message);
      // Where nothing is before it, the turn's claim is stored with the message.
      const isNext = !isImmediate && hasPlace() && isFree(waitingItem) && !waiting.some(isFree);
      const stored = store.insert({ ...item, message, dedupeKey, entries, ...(isNext && { owner }) });
      if (isNext) begin(waitingItem, running, firstClaim(stored, item.id, message));
      const { itemId, traceId } = await stored;
      failPoint("committed-inbox");
      const isCopy = itemId !== item.id;
      if (isCopy) duplicates += 1;
      else if (isImmediate) begin(waitingItem, aside, store.claim(waitingItem, owner));
      else if (!isNext) waiting.add(waitingItem);
      const accepted: Accepted = {
        traceId,
        itemId,
        duplicated: isCopy,
        queued: !isCopy && message.addressed && (message.kind === "message" || message.kind === "regenerate"),
        queueSize: waiting.total(),
      };
      // After this call's answer is under way: the acknowledgement must not wait for the turn to begin.
      setImmediate(pump);
      return accepted;
    },
    outcome: outcomes.of,
    async stop(sessionId, traceId) {
      const dropped = waiting.drop(sessionId, traceId);
      for (const item of dropped) await work.drop(item, "dropped while it waited");
      const found = running.get(sessionId);
      const isMeant = found !== undefined && (traceId === undefined || found.item.traceId === traceId);
      if (isMeant) found.abort.abort(new DOMException("stopped by the user", "AbortError"));
      const trace_ids = [...(isMeant ? [found.item.traceId] : []), ...dropped.map((item) => item.traceId)];
      return { stopped: trace_ids.length > 0, trace_ids };
    },
    running(sessionId) {
      const found = running.get(sessionId);
      return found && { ...(found.turn?.state() ?? notStarted(found.item)), startedAt: found.startedAt };
    },
    waiting: waiting.ofSession,
    connect: (channel, link, mode) => outbox.connect(channel, link, mode),
    async deliver(message) {
      if (isStopping) throw STOPPING;
      const traceId = newTraceId(clock.now());
      const deliveries = partsOf(traceId, 0, message, outbox.link, clock.now());
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
      for (const item of await store.recover(owner)) waiting.add(item);
      await outbox.start();
      timers.push(
        setInterval(() => {
          const ids = [...running.values(), ...aside.values()].map(({ item }) => item.id);
          store.renew(ids, owner).catch((error) => logger.error("leases could not be renewed", { error }));
        }, RENEW_EVERY_MS),
        setInterval(() => {
          store.prune(parts.dedupeTtlMs).catch((error) => logger.error("old rows could not be deleted", { error }));
        }, PRUNE_EVERY_MS),
      );
      pump();
    },
    counts: () => ({
      waiting: waiting.total(),
      running: running.size + aside.size,
      duplicates,
      turns,
      deliveries: outbox.counts(),
    }),
    changed,
    resend: (delivery) => outbox.add([delivery]),
    rerun(item) {
      waiting.add(item);
      pump();
    },
    async shutDown() {
      isStopping = true;
      for (const timer of [...timers, ...sleeping.values()]) clearTimeout(timer);
      const all = [...running.values(), ...aside.values()];
      const ended = Promise.all(all.map((one) => one.ended));
      if (!(await endsWithin(ended, STOP_MS))) {
        for (const { abort } of all) abort.abort(STOPPING);
        // What does not heed its signal is left to its lease: the next start runs it again.
        await endsWithin(ended, ABORT_MS);
      }
      await outbox.stop();
      await log.flush();
    },
  };
}

/** The claim that is stored with the message itself. Undefined for a copy and for one that was refused. */
async function firstClaim(
  stored: Promise<{ readonly itemId: string }>,
  itemId: string,
  message: InboundMessage,
): Promise<Claimed | undefined> {
  const first = await stored.catch(() => undefined);
  // The acknowledgement goes out before the turn begins.
  await new Promise((resolve) => setImmediate(resolve));
  return first?.itemId === itemId ? { message, fence: FIRST_FENCE, draft: undefined } : undefined;
}

function notStarted({ traceId }: WaitingItem): Omit<RunningTurn, "startedAt"> {
  return { traceId, stage: "screen", messageId: null, sender: "", text: "" };
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

function boundedRaw(raw: unknown): unknown {
  const text = JSON.stringify(raw) ?? "";
  return text.length <= MAX_RAW ? raw : { cut: text.slice(0, MAX_RAW) };
}
