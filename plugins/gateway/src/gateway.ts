import {
  type Accepted,
  type Clock,
  checkInbound,
  type DeliveryStatus,
  type Gateway,
  type InboundKind,
  type InboundMessage,
  type Logger,
  newId,
  newTraceId,
  notFound,
  type Redaction,
  type Settings,
} from "@parley/core";
import { createAcceptLimit } from "./accept-limit.ts";
import { createAdmission } from "./admission.ts";
import type { Aliases } from "./aliases.ts";
import { noticeOf, partsOf, withoutFiles } from "./deliveries.ts";
import type { EventLog } from "./event-log.ts";
import type { FailPoint } from "./fail-point.ts";
import { entryFor, type ItemWork, PAUSED, STOPPING } from "./item-work.ts";
import { createMediaGroups, type MediaGroupsParts } from "./media-groups.ts";
import { KEY_SEPARATOR } from "./migrations.ts";
import type { MinuteMetrics } from "./minute-metrics.ts";
import type { Outbox } from "./outbox.ts";
import type { Outcomes } from "./outcomes.ts";
import type { RateLimits } from "./rate-limits.ts";
import { createRunningTurns, type Running } from "./running-turns.ts";
import { CONCURRENCY, WORKER_AUTOSTART } from "./settings.ts";
import { type Claimed, type Delivery, FIRST_FENCE, type GatewayStore, type WaitingItem } from "./store.ts";
import { INTERNAL_CHANNEL, runIdOf, type TaskWork } from "./task-work.ts";
import { createTurnLanes, isTask, type TurnLanes } from "./turn-lanes.ts";
import type { TurnRunner } from "./turn-runner.ts";

const RENEW_EVERY_MS = 5_000;
const MAX_DELIVERIES_WAITING = 20_000;
/** Tasks that run at once, beside the turns. */
const TASK_PLACES = 32;
const WORKER_STOP_MS = 30_000;
const STOP_MS = 5_000;
const ABORT_MS = 2_000;
const MAX_RAW = 64 * 1024;
/** Kinds that are answered; the others are only recorded. */
const RUN: ReadonlySet<InboundKind> = new Set(["message", "regenerate", "task"]);

export interface GatewayParts {
  readonly store: GatewayStore;
  readonly outbox: Outbox;
  readonly outcomes: Outcomes;
  readonly runner: TurnRunner;
  readonly tasks: TaskWork;
  readonly work: ItemWork;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly settings: Settings;
  readonly redaction: Redaction;
  readonly clock: Clock;
  readonly failPoint: FailPoint;
  readonly aliases: Aliases;
  readonly groups: MediaGroupsParts;
  readonly metrics: Pick<MinuteMetrics, "acknowledged" | "ended">;
  readonly limits: RateLimits;
  /** Tells of a limit that somebody is over; empty: nobody is told. */
  readonly limitReply: string;
  /** `supports_file_send` of a channel. */
  readonly takesFiles: (channelId: string) => boolean;
  /** Of a channel: what is refused for now comes again. */
  readonly comesAgain: (channelId: string) => boolean;
  /** True while turns should be fewer: the event loop is late. */
  readonly isOverloaded: () => boolean;
}

export interface RunningGateway extends Gateway {
  start(): Promise<void>;
  /** Lets running turns end or leaves them to the next start. */
  shutDown(): Promise<void>;
  /** True: it was stopped. */
  startWorker(): boolean;
  /** What comes in is stored and waits. `force`: running turns go back to their place at once instead of after 30 s. */
  stopWorker(
    isForced: boolean,
  ): Promise<{ readonly stopped: boolean; readonly graceful: boolean; readonly remaining: number }>;
  /** The session goes: its running turn is aborted, and what waits is not answered. */
  abandon(sessionId: string): Promise<void>;
  /** Takes a message that was given up and waits again. */
  rerun(item: WaitingItem): void;
  counts(): {
    readonly worker: "running" | "stopped";
    /** Why the storage took nothing the last time it was asked. */
    readonly trouble: string | undefined;
    /** Age of the message that waits longest. */
    readonly oldestAgeMs: number | undefined;
    readonly places: number;
    readonly errors: number;
    readonly rateLimited: number;
    readonly waiting: number;
    readonly running: number;
    readonly duplicates: number;
    readonly turns: number;
    readonly deliveries: { readonly waiting: number; readonly delivered: number; readonly dead: number };
  };
  /** For the outbox: something may have become quiet. */
  changed(): void;
}

export function createGateway(parts: GatewayParts): RunningGateway {
  const { store, outbox, outcomes, runner, work, log, logger, settings, redaction, clock, failPoint } = parts;
  const owner = newId("boot");
  const whenIdle: (() => void)[] = [];
  const timers: NodeJS.Timeout[] = [];
  let duplicates = 0;
  let rateLimited = 0;
  let isStopping = false;
  let isWorking = true;
  let unwatch = () => {};

  // The console's own conversations and tasks go on while the worker is stopped (contract gateway §5).
  const isPaused = ({ channelId }: Pick<WaitingItem, "channelId">) =>
    !isWorking && channelId !== "web" && channelId !== INTERNAL_CHANNEL;
  const places = () => {
    const most = settings.get(CONCURRENCY);
    return parts.isOverloaded() ? Math.ceil(most / 2) : most;
  };
  const queue: TurnLanes = createTurnLanes({
    clock,
    wake: () => pump(),
    mayRun: (item) =>
      !turns.has(item.sessionId) &&
      !isPaused(item) &&
      !groups.isGathering(item.sessionId) &&
      (outbox.counts().waiting <= MAX_DELIVERIES_WAITING || !outbox.waitsFor(item.sessionId)),
  });
  const turns = createRunningTurns({
    store,
    work,
    queue: () => queue,
    logger,
    clock,
    failPoint,
    owner,
    over: () => pump(),
    took: parts.metrics.ended,
  });
  const groups = createMediaGroups(
    parts.groups,
    () => pump(),
    (sessionId, traceId) => void queue.drop(sessionId, traceId),
  );
  const admission = createAdmission({
    clock,
    waiting: queue.arrived,
    limits: parts.limits,
    acceptLimit: createAcceptLimit(clock),
    comesAgain: parts.comesAgain,
    isWorking: () => isWorking,
    places,
  });
  const changed = () => {
    if (whenIdle.length === 0) return;
    const isIdle = turns.list().length === 0 && !queue.hasWork() && outbox.isQuiet() && groups.isQuiet();
    if (isIdle) for (const resolve of whenIdle.splice(0)) resolve();
  };
  const hasPlace = (item: Pick<WaitingItem, "sessionId">) =>
    isTask(item) ? turns.tasks < TASK_PLACES : turns.size < places();
  const pump = () => {
    if (isStopping) return;
    while (turns.size < places()) {
      const item = queue.next();
      if (!item) break;
      turns.begin(
        item,
        store.claim(item, owner).then((claimed) => groups.gathered(item, claimed)),
      );
    }
    while (turns.tasks < TASK_PLACES) {
      const item = queue.nextTask();
      if (!item) break;
      turns.begin(item, store.claim(item, owner));
    }
    changed();
  };
  const sendStored = async (made: readonly Delivery[]) => {
    const deliveries = await outbox.prepared(made);
    try {
      await store.addDeliveries(deliveries);
    } catch (error) {
      outbox.forget(deliveries);
      throw error;
    }
    outbox.add(deliveries);
  };
  const tellLimited = async (traceId: string, message: InboundMessage) => {
    if (parts.limitReply === "" || !parts.limits.mayTell(message)) return;
    await sendStored(noticeOf(traceId, message, parts.limitReply, clock.now()));
  };
  const dropWaiting = async (sessionId: string, traceId: string | undefined) => {
    const dropped = queue.drop(sessionId, traceId);
    for (const item of dropped) await work.drop(item, "taken back while it waited");
    return dropped.map((item) => item.traceId);
  };
  /** What is stored of a message as it came. */
  const asStored = (received: InboundMessage): InboundMessage => {
    const given = parts.aliases.resolve(received);
    return { ...given, ...(given.raw !== undefined && { raw: boundedRaw(redaction.mask(given.raw)) }) };
  };
  const keyOf = ({ channelId, account = "", dedupeKey }: InboundMessage) =>
    dedupeKey && [channelId, account, dedupeKey].join(KEY_SEPARATOR);

  return {
    async accept(received) {
      failPoint("verified");
      const begunMs = clock.monotonic();
      checkInbound(received, received.channelId);
      if (isStopping) throw STOPPING;
      const message = asStored(received);
      const { channelId, sessionId } = message;
      admission.check(message);
      const now = clock.now();
      const item = { id: newId("qi", now), traceId: newTraceId(now) };
      const waitingItem: WaitingItem = { ...item, channelId, sessionId, sinceMs: begunMs, isFirst: true };
      const skipped = admission.skippedFor(message);
      const isImmediate = runner.isImmediate(message);
      // Where nothing is before it, the turn's claim is stored with the message.
      const isAlone = !skipped && !isImmediate && message.album === undefined;
      const isNext = isAlone && hasPlace(waitingItem) && queue.isNext(waitingItem);
      const dedupeKey = keyOf(message);
      const stored = store.insert({ ...item, message, dedupeKey, skipped, ...(isNext && { owner }) });
      failPoint("recorded");
      admission.storing(channelId, stored);
      turns.stored(stored);
      if (isNext) turns.begin(waitingItem, firstClaim(stored, item.id, message));
      const { itemId, traceId } = await stored;
      parts.metrics.acknowledged(Math.max(1, Math.round((clock.monotonic() - begunMs) * 1000)));
      failPoint("committed-inbox");
      const isCopy = itemId !== item.id;
      const entry = entryFor(item, message);
      if (isCopy) {
        duplicates += 1;
        log.add({ ...entry("duplicated", "a copy of an earlier message"), traceId });
        if (!skipped) admission.takeBack(message);
      } else {
        log.add(entry("received", `a ${message.kind} of ${message.source}`));
        log.add(skipped ? entry("rate_limited", "over a limit: not answered") : entry("queued", "stored"));
        if (skipped) {
          rateLimited += 1;
          tellLimited(traceId, message).catch((error) => logger.warn("a notice could not be sent", { error }));
        } else if (isImmediate) turns.beginBeside(waitingItem, store.claim(waitingItem, owner));
        else if (!isNext) {
          if (message.album !== undefined) groups.received(sessionId, message.album);
          const { raw: _raw, ...kept } = message;
          queue.add({ ...waitingItem, message: kept });
        }
      }
      const accepted: Accepted = {
        traceId,
        itemId,
        duplicated: isCopy,
        queued: !isCopy && !skipped && message.addressed && RUN.has(message.kind),
        queueSize: queue.total(),
      };
      // After this call's answer is under way: the acknowledgement must not wait for the turn to begin.
      setImmediate(() => {
        failPoint("acked");
        pump();
      });
      return accepted;
    },
    async submit(order) {
      const accepted = await this.accept(await parts.tasks.messageOf(order));
      return { ...accepted, runId: runIdOf(accepted.traceId) };
    },
    outcome: outcomes.of,
    async stop(sessionId, traceId) {
      const dropped = traceId === undefined ? [] : await dropWaiting(sessionId, traceId);
      const trace_ids = [...turns.abort(sessionId, traceId), ...dropped];
      return { stopped: trace_ids.length > 0, trace_ids };
    },
    async abandon(sessionId) {
      await dropWaiting(sessionId, undefined);
      turns.abort(sessionId, undefined);
      // What it still stores must not come after the session is gone.
      const ending = turns.list().filter(({ item }) => item.sessionId === sessionId);
      await endsWithin(Promise.all(ending.map(({ ended }) => ended)), ABORT_MS);
    },
    running: turns.state,
    waiting: queue.ofSession,
    moved: async (move) => {
      await parts.aliases.record(move);
      outbox.moved(move);
    },
    connect: (channel, link, mode) => outbox.connect(channel, link, mode),
    async deliver(message) {
      if (isStopping) throw STOPPING;
      const traceId = newTraceId(clock.now());
      const { channelId } = message;
      const sendable = withoutFiles(message, parts.takesFiles(channelId));
      const deliveries = partsOf(traceId, 0, sendable, outbox.link, clock.now());
      log.add({ traceId, status: "queued", message: "to be sent, without a turn", channelId });
      await sendStored(deliveries);
      return { traceId, deliveryIds: deliveries.map(({ id }) => id) };
    },
    delivered: (id, signal) => endOfDelivery(parts, id, signal),
    idle: () =>
      new Promise((resolve) => {
        whenIdle.push(resolve);
        setImmediate(changed);
      }),
    startWorker() {
      const wasStopped = !isWorking;
      isWorking = true;
      outbox.resume();
      pump();
      return wasStopped;
    },
    async stopWorker(isForced) {
      const stopped = isWorking;
      isWorking = false;
      const paused = outbox.pause();
      const own = turns.list().filter(({ item }) => isPaused(item));
      const over = Promise.all([...own.map(({ ended }) => ended), paused]);
      const graceful = !isForced && (await endsWithin(over, WORKER_STOP_MS));
      if (!graceful) for (const { abort } of own) abort.abort(PAUSED);
      if (!graceful) await endsWithin(over, ABORT_MS);
      return { stopped, graceful, remaining: turns.list().filter(({ item }) => isPaused(item)).length };
    },
    rerun(item) {
      queue.add(item);
      pump();
    },
    async start() {
      unwatch = settings.watch(CONCURRENCY, () => pump());
      isWorking = settings.get(WORKER_AUTOSTART);
      if (!isWorking) await outbox.pause();
      await parts.aliases.load();
      const { waiting: left, expired } = await store.recover(owner);
      for (const item of left) queue.addBacklog(item);
      if (expired > 0) {
        const message = `${expired} messages waited too long while the service was away: they are not answered`;
        log.add({ traceId: newTraceId(clock.now()), status: "expired", message });
      }
      await outbox.start();
      timers.push(
        setInterval(() => {
          const ids = turns.list().map(({ item }) => item.id);
          store.renew(ids, owner).catch((error) => logger.error("leases could not be renewed", { error }));
        }, RENEW_EVERY_MS),
      );
      pump();
    },
    counts() {
      const sinceMs = queue.oldestMs();
      return {
        worker: isWorking ? "running" : "stopped",
        ...turns.counts(),
        oldestAgeMs: sinceMs === undefined ? undefined : clock.monotonic() - sinceMs,
        places: places(),
        rateLimited,
        waiting: queue.total(),
        running: turns.list().length,
        duplicates,
        deliveries: outbox.counts(),
      };
    },
    changed,
    async shutDown() {
      isStopping = true;
      unwatch();
      groups.stop();
      queue.stop();
      turns.stop();
      for (const timer of timers) clearTimeout(timer);
      await drained(turns.list());
      await outbox.stop();
      await log.flush();
    },
  };
}

/** Lets running turns end; what does not heed its signal is left to its lease: the next start runs it again. */
async function drained(running: readonly Running[]): Promise<void> {
  const ended = Promise.all(running.map((one) => one.ended));
  if (await endsWithin(ended, STOP_MS)) return;
  for (const { abort } of running) abort.abort(STOPPING);
  await endsWithin(ended, ABORT_MS);
}

/** How a delivery ended; `pending` when the signal aborts first. */
async function endOfDelivery(
  { store, outbox }: Pick<GatewayParts, "store" | "outbox">,
  id: string,
  signal: AbortSignal,
): Promise<DeliveryStatus> {
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
