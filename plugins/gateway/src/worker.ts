import { type Clock, type Logger, newTraceId, type Settings } from "@parley/core";
import type { Aliases } from "./aliases.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { EventLog } from "./event-log.ts";
import type { OtherNodes, WorkerSwitch } from "./other-nodes.ts";
import type { Outbox } from "./outbox.ts";
import type { RateLimits } from "./rate-limits.ts";
import { CONCURRENCY, WORKER_AUTOSTART } from "./settings.ts";
import type { Receiver, SharedWork, Sharing } from "./sharing.ts";
import { ABORT_MS, drained, endsWithin, PAUSED, RELOAD_MS, STOP_MS } from "./shutdown.ts";
import type { GatewayStore } from "./store.ts";

const RENEW_EVERY_MS = 5_000;
const WORKER_STOP_MS = 30_000;

/** What works on messages: begun with the service, stopped by hand, ended with the service. */
export interface Worker {
  /** Takes up what an earlier process left. */
  start(): Promise<void>;
  /** Begins no turn any more and waits a time for those that run. */
  settle(): Promise<void>;
  /** Lets running turns end or leaves them to the next start. */
  shutDown(): Promise<void>;
  /** True: it was stopped. */
  startWorker(): boolean;
  /** What comes in is stored and waits. `force`: running turns go back to their place at once instead of after 30 s. */
  stopWorker(isForced: boolean): Promise<StoppedWorker>;
}

export interface StoppedWorker {
  readonly stopped: boolean;
  readonly graceful: boolean;
  readonly remaining: number;
}

export interface WorkerParts {
  readonly store: GatewayStore;
  readonly outbox: Outbox;
  readonly aliases: Aliases;
  readonly settings: Settings;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  readonly limits: Pick<RateLimits, "heard">;
  /** Of several nodes. */
  readonly others: OtherNodes | undefined;
  /** Of several nodes. */
  readonly sharing: Sharing | undefined;
  /** Takes what another node has stored, or left. */
  readonly receiver: Receiver;
}

export function createWorker(parts: WorkerParts): Worker {
  const { outbox, settings, log, dispatcher, sharing, others } = parts;
  const running = new DisposableStack();
  let shared: SharedWork | undefined;
  const startWorker = () => {
    const wasStopped = !dispatcher.isWorking();
    dispatcher.setWorking(true);
    outbox.resume();
    dispatcher.pump();
    return wasStopped;
  };
  let hasSettled = false;
  const heard = (how: WorkerSwitch) => {
    if (how === "start") return void startWorker();
    stopWorker(parts, how === "force-stop").catch((error) => parts.logger.error("the worker goes on", { error }));
  };
  return {
    async start() {
      running.defer(settings.watch(CONCURRENCY, dispatcher.pump));
      // Heard of before it is asked for: a switch in between counts.
      if (others) running.defer(others.listen({ counted: parts.limits.heard, switched: heard }));
      const first = settings.get(WORKER_AUTOSTART);
      dispatcher.setWorking(others ? await others.isWorking(first) : first);
      if (!dispatcher.isWorking()) await outbox.pause();
      running.defer(parts.aliases.follow());
      await parts.aliases.load();
      if (!sharing) await takeUp(parts);
      await outbox.start();
      if (sharing) shared = await sharing.start(parts.receiver);
      running.defer(renewLeases(parts));
      dispatcher.pump();
    },
    async settle() {
      dispatcher.hold();
      await settled(parts);
      hasSettled = true;
    },
    async shutDown() {
      running.dispose();
      dispatcher.stop();
      shared?.handOver();
      await drained(dispatcher.turns.list(), hasSettled ? 0 : STOP_MS);
      await outbox.stop();
      await shared?.end();
      await log.flush();
    },
    startWorker() {
      others?.switched("start");
      return startWorker();
    },
    stopWorker(isForced) {
      others?.switched(isForced ? "force-stop" : "stop");
      return stopWorker(parts, isForced);
    },
  };
}

/** Waits for the turns that run; those that take longer are run again by the next set of plugins. */
async function settled({ logger, dispatcher }: WorkerParts): Promise<void> {
  const turns = dispatcher.turns.list();
  if (turns.length === 0) return;
  const [count, seconds] = [turns.length, RELOAD_MS / 1000];
  logger.info(`the reload waits up to ${seconds} s for ${count} answers that are being written`, { count });
  if (await endsWithin(Promise.all(turns.map(({ ended }) => ended)), RELOAD_MS)) return;
  const left = dispatcher.turns.list().length;
  logger.warn(`${left} answers took longer than ${seconds} s: they begin anew after the reload`, { count: left });
}

/** What waited when the last process ended. */
async function takeUp({ store, log, clock, dispatcher }: WorkerParts): Promise<void> {
  const { waiting, expired } = await store.recover(dispatcher.owner);
  for (const item of waiting) dispatcher.queue.addBacklog(item);
  if (expired === 0) return;
  const message = `${expired} messages waited too long while the service was away: they are not answered`;
  log.add({ traceId: newTraceId(clock.now()), status: "expired", message });
}

function renewLeases({ store, logger, dispatcher }: WorkerParts): () => void {
  const timer = setInterval(() => {
    const ids = dispatcher.turns.list().map(({ item }) => item.id);
    store.renew(ids, dispatcher.owner).catch((error) => logger.error("leases could not be renewed", { error }));
  }, RENEW_EVERY_MS);
  return () => clearInterval(timer);
}

async function stopWorker({ outbox, dispatcher }: WorkerParts, isForced: boolean): Promise<StoppedWorker> {
  const stopped = dispatcher.isWorking();
  dispatcher.setWorking(false);
  const paused = outbox.pause();
  const ofChannels = () => dispatcher.turns.list().filter(({ item }) => dispatcher.isPaused(item));
  const own = ofChannels();
  const over = Promise.all([...own.map(({ ended }) => ended), paused]);
  const graceful = !isForced && (await endsWithin(over, WORKER_STOP_MS));
  if (!graceful) {
    for (const { abort } of own) abort.abort(PAUSED);
    await endsWithin(over, ABORT_MS);
  }
  return { stopped, graceful, remaining: ofChannels().length };
}
