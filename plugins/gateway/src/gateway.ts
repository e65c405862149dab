import { setTimeout as wait } from "node:timers/promises";
import {
  type Accepted,
  AppError,
  type Gateway,
  type InboundMessage,
  type Localized,
  type Redaction,
} from "@parley/core";
import { createAcceptLimit } from "./accept-limit.ts";
import { type Accepting, createAccepting } from "./accepting.ts";
import { createAdmission } from "./admission.ts";
import type { CopyTimes } from "./copy-times.ts";
import type { DelayNotices } from "./delay-notices.ts";
import { createDirectSends, type DirectSends } from "./direct-sends.ts";
import { createDispatcher, type Dispatcher, type DispatcherParts } from "./dispatcher.ts";
import type { MinuteMetrics } from "./minute-metrics.ts";
import type { Outcomes } from "./outcomes.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { Receiver } from "./sharing.ts";
import { ABORT_MS, DRAINING, endsWithin, STOPPING } from "./shutdown.ts";
import { homeOf } from "./store/homes.ts";
import type { WaitingItem } from "./store/inbox.ts";
import { runIdOf, type TaskWork } from "./task-work.ts";
import { isChange } from "./turn-queue.ts";
import type { TurnRunner } from "./turn-runner.ts";
import type { WaitingQueue } from "./waiting-queue.ts";
import { createWorker, type Worker, type WorkerParts } from "./worker.ts";

type WaitingCounts = Pick<WaitingQueue, "total" | "ofChannel">;

const ASK_EVERY_MS = 100;

export interface GatewayParts
  extends Omit<WorkerParts, "dispatcher" | "receiver">,
    Omit<DispatcherParts, "changed" | "outbox" | "metrics"> {
  /** Requests a minute of one address to a webhook without a secret. */
  readonly addressLimit?: number;
  readonly outcomes: Outcomes;
  readonly runner: TurnRunner;
  readonly tasks: TaskWork;
  readonly redaction: Redaction;
  readonly metrics: Pick<MinuteMetrics, "acknowledged" | "ended">;
  readonly limits: RateLimits;
  /** Of several nodes: what waits at all of them. */
  readonly waitingEverywhere: ((own: WaitingCounts) => WaitingCounts) | undefined;
  readonly copiesMs: CopyTimes["of"];
  /** Tells of a limit that somebody is over; empty: nobody is told. */
  readonly limitReply: string | Localized;
  /** `supports_file_send` of a channel. */
  readonly takesFiles: (channelId: string) => boolean;
  /** Of a channel: what is refused for now comes again. */
  readonly comesAgain: (channelId: string) => boolean;
  readonly notices: DelayNotices;
  /** Refuses what a tool of a session's turn asks people. */
  readonly refuseOpen: (sessionId: string) => void;
}

export interface RunningGateway extends Gateway, Worker {
  settle(): Promise<void>;
  /** The session goes: its running turn is aborted, and what waits is not answered. */
  abandon(sessionId: string): Promise<void>;
  /** Takes a message that was given up and waits again. */
  rerun(item: WaitingItem): void;
  counts(): GatewayCounts;
  /** Other nodes take what comes in. */
  isDraining(): boolean;
  /** For the outbox: something may have become quiet. */
  changed(): void;
}

export interface GatewayCounts {
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
}

export function createGateway(parts: GatewayParts): RunningGateway {
  const { outbox, outcomes, clock } = parts;
  const idle = createIdle(() => dispatcher.isQuiet() && outbox.isQuiet() && (parts.sharing?.isQuiet() ?? true));
  const dispatcher = createDispatcher({ ...parts, changed: idle.changed });
  const { queue, turns } = dispatcher;
  const sends = createDirectSends(parts);
  const admission = createAdmission({
    ...parts,
    ...dispatcher,
    waiting: { ...queue.arrived, ...parts.waitingEverywhere?.(queue.arrived) },
    acceptLimit: createAcceptLimit(clock),
  });
  const accepting = createAccepting({ ...parts, ...dispatcher, admission, sends });
  const stops = createStops(parts, dispatcher);
  const worker = createWorker({ ...parts, dispatcher, receiver: createReceiver(parts, dispatcher, stops) });
  return {
    ...createDoors(parts, accepting, sends, dispatcher.isStopping),
    ...createStopsEverywhere(parts, stops),
    ...worker,
    outcome: outcomes.of,
    running: turns.state,
    waiting: queue.ofSession,
    async moved(move) {
      await parts.aliases.record(move);
      outbox.moved(move);
    },
    ...(parts.addressLimit !== undefined && { addressLimit: parts.addressLimit }),
    ...(parts.sharing && { claims: parts.sharing }),
    connect: outbox.connect,
    delivered: sends.ended,
    sendingEnd: sends.end,
    idle: idle.wait,
    rerun(item) {
      queue.add(item);
      dispatcher.pump();
    },
    counts: () => countsOf(parts, dispatcher, accepting),
    isDraining: () => parts.sharing?.isDraining() ?? false,
    changed: idle.changed,
  };
}

/** What comes from outside: nothing any more once the service stops. */
function createDoors(
  { tasks, sharing }: GatewayParts,
  accepting: Accepting,
  sends: DirectSends,
  isStopping: () => boolean,
): Pick<Gateway, "accept" | "acceptTogether" | "busy" | "submit" | "deliver"> {
  const open = () => {
    if (isStopping()) throw STOPPING;
  };
  const acceptTogether: Gateway["acceptTogether"] = async (messages) => {
    open();
    if (sharing?.isDraining()) throw DRAINING;
    return accepting.accept(messages);
  };
  return {
    busy: accepting.busy,
    acceptTogether,
    accept: async (message) => onlyOf(await acceptTogether([message])),
    async submit(order) {
      const message = await tasks.messageOf(order);
      open();
      const accepted = onlyOf(await accepting.accept([message]));
      return { ...accepted, runId: runIdOf(accepted.traceId) };
    },
    async deliver(message, together) {
      open();
      return sends.deliver(message, together);
    },
  };
}

function onlyOf([accepted]: readonly Accepted[]): Accepted {
  if (!accepted) throw new AppError("internal", "an accepted message is not there");
  return accepted;
}

type Stops = Pick<RunningGateway, "stop" | "abandon">;

/** The same, whichever of several nodes has the session. */
function createStopsEverywhere({ sharing, clock }: GatewayParts, here: Stops): Stops {
  if (!sharing) return here;
  return {
    async stop(sessionId, traceId) {
      const elsewhere = await sharing.stopElsewhere(sessionId, traceId, false);
      const { trace_ids: own } = await here.stop(sessionId, traceId);
      const trace_ids = [...new Set([...own, ...elsewhere])];
      return { stopped: trace_ids.length > 0, trace_ids };
    },
    async abandon(sessionId) {
      await Promise.all([here.abandon(sessionId), sharing.stopElsewhere(sessionId, undefined, true)]);
      const until = clock.monotonic() + ABORT_MS;
      while ((await sharing.runningOf(sessionId)).length > 0 && clock.monotonic() < until) await wait(ASK_EVERY_MS);
    },
  };
}

/** What this node has to do of what came to it or another one. */
function createReceiver(
  { store, runner, outbox, sharing, notices, logger }: GatewayParts,
  dispatcher: Dispatcher,
  stops: Stops,
): Receiver {
  const { queue, turns, groups, changes, owner, pump } = dispatcher;
  return {
    message({ item, message }) {
      if (item.isBacklog) return queue.addBacklog(item);
      const mayBegin = sharing?.mayWork(homeOf(item.sessionId)) ?? true;
      if (message && mayBegin && runner.isImmediate(message)) return turns.beginBeside(item, store.claim(item, owner));
      if (!message) return queue.add(item);
      const { raw: _raw, ...kept } = message;
      if (isChange(kept)) return changes.add({ ...item, message: kept }, kept);
      if (message.album !== undefined) groups.received(item.sessionId, message.album);
      notices.arrived(item, kept);
      queue.add({ ...item, message: kept });
    },
    deliveries: outbox.add,
    pump,
    stayed() {
      pump();
      outbox.wake();
    },
    busy: () =>
      new Set([
        ...turns.list().map(({ item }) => homeOf(item.sessionId)),
        ...turns.unsettled().map(homeOf),
        ...outbox.busy(),
      ]),
    forget(homes) {
      for (const session of queue.sessions()) {
        if (!homes.has(homeOf(session))) continue;
        queue.drop(session, undefined);
        queue.release(session);
      }
      outbox.forgetHomes(homes);
    },
    stop(sessionId, traceId, isGoing) {
      const stopping = isGoing ? stops.abandon(sessionId) : stops.stop(sessionId, traceId);
      stopping.catch((error) => logger.warn("what another node wanted stopped goes on", { error }));
    },
    lost() {
      dispatcher.stop();
      for (const { abort } of turns.list()) abort.abort(STOPPING);
      void outbox.stop();
    },
  };
}

/** Whether a message that waits asks another model the same as the first that waits, which follows what runs. */
function isAskedToo({ kind, messageId, modelIds }: InboundMessage, first: InboundMessage | undefined): boolean {
  return kind === "regenerate" && modelIds !== undefined && messageId === first?.messageId;
}

/** Ends what runs and what waits. */
function createStops({ work, store }: GatewayParts, { queue, turns }: Dispatcher): Stops {
  /** What waits to be answered by other models too, as what runs is. */
  const togetherWith = async (sessionId: string): Promise<readonly string[]> => {
    if (queue.ofSession(sessionId) === 0) return [];
    const waiting = await store.waitingOf(sessionId);
    const [first] = waiting;
    const ends = waiting.findIndex(({ message }) => !isAskedToo(message, first?.message));
    return waiting.slice(0, ends === -1 ? undefined : ends).map(({ traceId }) => traceId);
  };
  const dropWaiting = async (sessionId: string, traceId: string | undefined) => {
    const dropped = queue.drop(sessionId, traceId);
    for (const item of dropped) await work.drop(item, "taken back while it waited");
    return dropped.map((item) => item.traceId);
  };
  return {
    async stop(sessionId, traceId) {
      const waiting = traceId === undefined ? await togetherWith(sessionId) : [traceId];
      // Taken out before the running one ends: none of them begins in between.
      const dropping = waiting.map((one) => dropWaiting(sessionId, one));
      const aborted = turns.abort(sessionId, traceId);
      const dropped = (await Promise.all(dropping)).flat();
      const trace_ids = [...aborted, ...dropped];
      return { stopped: trace_ids.length > 0, trace_ids };
    },
    async abandon(sessionId) {
      await dropWaiting(sessionId, undefined);
      turns.abort(sessionId, undefined);
      // What it still stores must not come after the session is gone.
      const ending = turns.list().filter(({ item }) => item.sessionId === sessionId);
      await endsWithin(Promise.all(ending.map(({ ended }) => ended)), ABORT_MS);
    },
  };
}

/** Lets callers wait until nothing is to be done. */
function createIdle(isQuiet: () => boolean) {
  const waiting: (() => void)[] = [];
  const changed = () => {
    if (waiting.length > 0 && isQuiet()) for (const resolve of waiting.splice(0)) resolve();
  };
  return {
    changed,
    wait: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
        setImmediate(changed);
      }),
  };
}

function countsOf({ outbox, clock }: GatewayParts, dispatcher: Dispatcher, accepting: Accepting): GatewayCounts {
  const { queue, turns } = dispatcher;
  const sinceMs = queue.oldestMs();
  return {
    worker: dispatcher.isWorking() ? "running" : "stopped",
    ...turns.counts(),
    oldestAgeMs: sinceMs === undefined ? undefined : clock.monotonic() - sinceMs,
    places: dispatcher.places(),
    ...accepting.counts(),
    waiting: queue.total(),
    running: turns.list().length,
    deliveries: outbox.counts(),
  };
}
