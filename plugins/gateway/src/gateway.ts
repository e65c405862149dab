import {
  type Accepted,
  type Clock,
  checkInbound,
  type Gateway,
  type InboundKind,
  type InboundMessage,
  type Logger,
  newId,
  newTraceId,
  notFound,
  type Redaction,
  type RunningTurn,
  type Settings,
} from "@parley/core";
import { createAdmission } from "./admission.ts";
import { type AlbumsParts, createAlbums } from "./albums.ts";
import type { Aliases } from "./aliases.ts";
import { createBacklogPace } from "./backlog-pace.ts";
import { noticeOf, partsOf, withoutFiles } from "./deliveries.ts";
import type { EventLog } from "./event-log.ts";
import type { FailPoint } from "./fail-point.ts";
import { entryFor, type ItemWork, PAUSED, STOPPING } from "./item-work.ts";
import type { Minutes } from "./minutes.ts";
import type { Outbox } from "./outbox.ts";
import type { Outcomes } from "./outcomes.ts";
import type { RateLimits } from "./rate-limits.ts";
import { type Claimed, FIRST_FENCE, type GatewayStore, type WaitingItem } from "./store.ts";
import { INTERNAL_CHANNEL, runIdOf, type TaskWork } from "./task-work.ts";
import type { StartedTurn, TurnRunner } from "./turn-runner.ts";
import { createWaitingQueue } from "./waiting-queue.ts";

const RENEW_EVERY_MS = 5_000;
const PRUNE_EVERY_MS = 3_600_000;
/** While the storage cannot take anything: from a second on, doubling. */
const FIRST_FREE_MS = 1_000;
const LAST_FREE_MS = 30_000;
const MAX_DELIVERIES_WAITING = 20_000;
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
  readonly albums: AlbumsParts;
  readonly minutes: Pick<Minutes, "acknowledged" | "ended">;
  readonly limits: RateLimits;
  /** Tells of a limit that somebody is over; empty: nobody is told. */
  readonly limitReply: string;
  /** `supports_file_send` of a channel. */
  readonly takesFiles: (channelId: string) => boolean;
  /** True while turns should be fewer: the event loop is late. */
  readonly isOverloaded: () => boolean;
  /** Deletes what is older than kept. */
  prune(): Promise<unknown>;
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
  /** What waited already at the start; new messages of its sessions come after it. */
  const backlog = createWaitingQueue();
  const backlogPace = createBacklogPace(clock);
  const running = new Map<string, Running>();
  const aside = new Map<string, Running>();
  const sleeping = new Map<string, NodeJS.Timeout>();
  const whenIdle: (() => void)[] = [];
  const timers: NodeJS.Timeout[] = [];
  let duplicates = 0;
  let rateLimited = 0;
  let turns = 0;
  let errors = 0;
  let isStopping = false;
  let isWorking = true;
  let trouble: string | undefined;
  let backlogTimer: NodeJS.Timeout | undefined;

  // What the storage last said; the health of the service.
  const works = () => {
    trouble = undefined;
  };
  const fails = ({ message }: Error) => {
    trouble = message;
  };
  // The console's own conversations and tasks go on while the worker is stopped (contract gateway §5).
  const isPaused = ({ channelId }: Pick<WaitingItem, "channelId">) =>
    !isWorking && channelId !== "web" && channelId !== INTERNAL_CHANNEL;
  const isFree = (item: Pick<WaitingItem, "sessionId" | "channelId">) =>
    !running.has(item.sessionId) &&
    !sleeping.has(item.sessionId) &&
    !isPaused(item) &&
    !albums.isGathering(item.sessionId) &&
    (outbox.counts().waiting <= MAX_DELIVERIES_WAITING || !outbox.waitsFor(item.sessionId));
  const places = () => {
    const most = settings.get<number>("gateway.concurrency");
    return parts.isOverloaded() ? Math.ceil(most / 2) : most;
  };
  const microsSince = (ms: number) => Math.max(1, Math.round((clock.monotonic() - ms) * 1000));
  const hasPlace = () => running.size < places();
  const isNextOf = (item: Pick<WaitingItem, "sessionId" | "channelId">) =>
    isFree(item) && backlog.ofSession(item.sessionId) === 0;
  const fromBacklog = (): WaitingItem | undefined => {
    if (backlog.total() === 0) return undefined;
    const waitMs = backlogPace.waitMs();
    if (waitMs > 0) {
      backlogTimer ??= setTimeout(() => {
        backlogTimer = undefined;
        pump();
      }, waitMs);
      return undefined;
    }
    const item = backlog.take(isFree);
    if (item) backlogPace.take();
    return item;
  };
  const albums = createAlbums(
    parts.albums,
    () => pump(),
    (sessionId, traceId) => void [...backlog.drop(sessionId, traceId), ...waiting.drop(sessionId, traceId)],
  );
  const putBack = (item: WaitingItem) => (item.isBacklog ? backlog : waiting).putBack(item);
  const changed = () => {
    const isIdle =
      running.size + aside.size === 0 &&
      !waiting.some(isNextOf) &&
      !backlog.some(isFree) &&
      outbox.isQuiet() &&
      albums.isQuiet();
    if (isIdle) for (const resolve of whenIdle.splice(0)) resolve();
  };
  const pump = () => {
    if (isStopping) return;
    while (hasPlace()) {
      const item = waiting.take(isNextOf) ?? fromBacklog();
      if (!item) break;
      begin(
        item,
        running,
        store.claim(item, owner).then((claimed) => albums.gathered(item, claimed)),
      );
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
      const begunMs = clock.monotonic();
      const started = (turn: StartedTurn) => {
        one.turn = turn;
      };
      const { retryInMs } = await work.run(item, { claimed, abort, started });
      parts.minutes.ended(microsSince(begunMs));
      if (retryInMs !== undefined) sleep({ ...item, isFirst: false }, retryInMs);
    };
    const ended = go()
      .then(works, (error: Error) => {
        fails(error);
        errors += 1;
        logger.error("a turn could not be worked on; it is tried again", { traceId: item.traceId, error });
        freeLater(item, FIRST_FREE_MS);
      })
      .finally(() => {
        among.delete(item.sessionId);
        pump();
      });
    const one: Running = { item, abort, startedAt: new Date(clock.now()).toISOString(), ended, turn: undefined };
    among.set(item.sessionId, one);
  };
  const sleep = (item: WaitingItem, ms: number) => {
    putBack(item);
    const timer = setTimeout(() => {
      sleeping.delete(item.sessionId);
      pump();
    }, ms);
    sleeping.set(item.sessionId, timer);
  };
  /** Its claim or its end is not on disk: until that is settled its session waits. */
  const freeLater = (item: WaitingItem, ms: number) => {
    if (isStopping) return;
    const settle = async () => {
      try {
        if (await store.free(item.id, owner)) putBack({ ...item, isFirst: false });
        works();
        sleeping.delete(item.sessionId);
        pump();
      } catch (error) {
        fails(error as Error);
        freeLater(item, Math.min(ms * 2, LAST_FREE_MS));
      }
    };
    sleeping.set(
      item.sessionId,
      setTimeout(() => void settle(), ms),
    );
  };
  const ageOf = (sinceMs: number | undefined) => (sinceMs === undefined ? undefined : clock.monotonic() - sinceMs);
  const admission = createAdmission({ clock, waiting, limits: parts.limits, isWorking: () => isWorking, places });
  const dropWaiting = async (sessionId: string, traceId: string | undefined) => {
    const dropped = [...backlog.drop(sessionId, traceId), ...waiting.drop(sessionId, traceId)];
    for (const item of dropped) await work.drop(item, "taken back while it waited");
    return dropped.map((item) => item.traceId);
  };
  const abortRunning = (sessionId: string, traceId: string | undefined): readonly string[] => {
    const found = running.get(sessionId);
    if (!found || (traceId !== undefined && found.item.traceId !== traceId)) return [];
    found.abort.abort(new DOMException("stopped by the user", "AbortError"));
    return [found.item.traceId];
  };
  const tellLimited = async (traceId: string, message: InboundMessage) => {
    if (parts.limitReply === "" || !parts.limits.mayTell(message)) return;
    const deliveries = noticeOf(traceId, message, parts.limitReply, clock.now());
    await store.addDeliveries(deliveries, []);
    outbox.add(deliveries);
  };

  return {
    async accept(received) {
      failPoint("verified");
      const begunMs = clock.monotonic();
      checkInbound(received, received.channelId);
      const given = parts.aliases.resolve(received);
      const { channelId, sessionId, account = "" } = given;
      if (isStopping) throw STOPPING;
      admission.check(given);
      const message = { ...given, ...(given.raw !== undefined && { raw: boundedRaw(redaction.mask(given.raw)) }) };
      const now = clock.now();
      const item = { id: newId("qi", now), traceId: newTraceId(now) };
      const waitingItem: WaitingItem = { ...item, channelId, sessionId, sinceMs: begunMs, isFirst: true };
      const dedupeKey = given.dedupeKey && [channelId, account, given.dedupeKey].join("\0");
      const entry = entryFor(item, message);
      const skipped = admission.skippedFor(message);
      const stays = skipped ? entry("rate_limited", "over a limit: not answered") : entry("queued", "stored");
      const entries = [entry("received", `a ${message.kind} of ${message.source}`), stays];
      const isImmediate = runner.isImmediate(message);
      // Where nothing is before it, the turn's claim is stored with the message.
      const isAlone = !skipped && !isImmediate && message.album === undefined;
      const isNext = isAlone && hasPlace() && isNextOf(waitingItem) && !waiting.some(isNextOf);
      const stored = store.insert({ ...item, message, dedupeKey, entries, skipped, ...(isNext && { owner }) });
      failPoint("recorded");
      admission.storing(channelId, stored);
      stored.then(works, fails);
      if (isNext) begin(waitingItem, running, firstClaim(stored, item.id, message));
      const { itemId, traceId } = await stored;
      parts.minutes.acknowledged(microsSince(begunMs));
      failPoint("committed-inbox");
      const isCopy = itemId !== item.id;
      if (isCopy) {
        duplicates += 1;
        if (!skipped) admission.takeBack(message);
      } else if (skipped) {
        rateLimited += 1;
        tellLimited(traceId, message).catch((error) => logger.warn("a notice could not be sent", { error }));
      } else if (isImmediate) begin(waitingItem, aside, store.claim(waitingItem, owner));
      else if (!isNext) {
        if (message.album !== undefined) albums.received(sessionId, message.album);
        waiting.add(waitingItem);
      }
      const accepted: Accepted = {
        traceId,
        itemId,
        duplicated: isCopy,
        queued: !isCopy && !skipped && message.addressed && RUN.has(message.kind),
        queueSize: waiting.total(),
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
      const stopped = abortRunning(sessionId, traceId);
      const trace_ids = [...stopped, ...dropped];
      return { stopped: trace_ids.length > 0, trace_ids };
    },
    async abandon(sessionId) {
      await dropWaiting(sessionId, undefined);
      abortRunning(sessionId, undefined);
    },
    running(sessionId) {
      const found = running.get(sessionId);
      return found && { ...(found.turn?.state() ?? notStarted(found.item)), startedAt: found.startedAt };
    },
    waiting: (sessionId) => backlog.ofSession(sessionId) + waiting.ofSession(sessionId),
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
      const own = [...running.values()].filter(({ item }) => isPaused(item));
      const over = Promise.all([...own.map(({ ended }) => ended), paused]);
      const graceful = !isForced && (await endsWithin(over, WORKER_STOP_MS));
      if (!graceful) for (const { abort } of own) abort.abort(PAUSED);
      if (!graceful) await endsWithin(over, ABORT_MS);
      return { stopped, graceful, remaining: [...running.values()].filter(({ item }) => isPaused(item)).length };
    },
    rerun(item) {
      waiting.add(item);
      pump();
    },
    async start() {
      isWorking = settings.get<boolean>("gateway.worker_autostart");
      if (!isWorking) await outbox.pause();
      await parts.aliases.load();
      for (const item of await store.recover(owner)) backlog.add(item);
      await outbox.start();
      timers.push(
        setInterval(() => {
          const ids = [...running.values(), ...aside.values()].map(({ item }) => item.id);
          store.renew(ids, owner).catch((error) => logger.error("leases could not be renewed", { error }));
        }, RENEW_EVERY_MS),
        setInterval(() => {
          parts.prune().catch((error) => logger.error("old rows could not be deleted", { error }));
        }, PRUNE_EVERY_MS),
      );
      pump();
    },
    counts: () => ({
      worker: isWorking ? "running" : "stopped",
      trouble,
      oldestAgeMs: ageOf(backlog.oldestMs() ?? waiting.oldestMs()),
      places: places(),
      errors,
      rateLimited,
      waiting: backlog.total() + waiting.total(),
      running: running.size + aside.size,
      duplicates,
      turns,
      deliveries: outbox.counts(),
    }),
    changed,
    async shutDown() {
      isStopping = true;
      albums.stop();
      for (const timer of [...timers, ...sleeping.values(), backlogTimer]) clearTimeout(timer);
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
