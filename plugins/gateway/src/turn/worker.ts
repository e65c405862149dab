import { type Clock, type Logger, newTraceId, type Settings, toTraceMessage } from "@parley/core";
import { settlesWithin } from "@parley/core/async";
import type { ConversationAliases } from "../accept/conversation-aliases.ts";
import type { RateLimits } from "../accept/rate-limits.ts";
import type { ClusterSync, WorkerSwitch } from "../cluster/cluster-sync.ts";
import type { PartitionHandler } from "../cluster/partition-handler.ts";
import type { NodeSession, Partitioning } from "../cluster/partitioning.ts";
import type { Outbox } from "../deliver/outbox.ts";
import type { EventLog } from "../observe/event-log.ts";
import { CONCURRENCY, WORKER_AUTOSTART } from "../settings.ts";
import type { GatewayStore } from "../store/gateway-store.ts";
import { gatewayTexts } from "../texts.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { ABORT_TIMEOUT_MS, drainTurns, PAUSED, RELOAD_MS, STOP_TIMEOUT_MS } from "./shutdown.ts";

const RENEW_EVERY_MS = 5_000;
const WORKER_STOP_MS = 30_000;

/** The worker processes messages. It starts with the service, can be stopped manually, and ends with the service. */
export interface Worker {
  /** Recovers the messages of an earlier process and starts the worker. */
  start(): Promise<void>;
  /** Starts no more turns, and waits a limited time for the running ones. */
  settle(): Promise<void>;
  /** Waits a limited time for running turns; turns that take longer run again at the next start. */
  shutDown(): Promise<void>;
  /** Starts the worker; returns false when it was running already. */
  startWorker(): boolean;
  /** Stops the worker; new messages wait. With `isForced`, turns return to the queue at once instead of after 30 s. */
  stopWorker(isForced: boolean): Promise<StoppedWorker>;
}

export interface StoppedWorker {
  readonly stopped: boolean;
  readonly graceful: boolean;
  readonly remaining: number;
}

export interface WorkerDeps {
  readonly store: GatewayStore;
  readonly outbox: Outbox;
  readonly aliases: ConversationAliases;
  readonly settings: Settings;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  readonly limits: Pick<RateLimits, "addRemote">;
  readonly clusterSync: ClusterSync | undefined;
  /** Set when several nodes share the database. */
  readonly partitioning: Partitioning | undefined;
  /** Handles work that another node stored or handed over. */
  readonly partitionHandler: PartitionHandler;
}

export function createWorker(deps: WorkerDeps): Worker {
  const { outbox, settings, log, dispatcher, partitioning, clusterSync } = deps;
  const running = new DisposableStack();
  let nodeSession: NodeSession | undefined;
  const startWorker = () => {
    const wasStopped = !dispatcher.isWorkerRunning();
    dispatcher.setWorkerRunning(true);
    outbox.resume();
    dispatcher.pump();
    return wasStopped;
  };
  let hasSettled = false;
  const onRemoteSwitch = (state: WorkerSwitch) => {
    if (state === "start") return void startWorker();
    stopWorker(deps, state === "force-stop").catch((error) =>
      deps.logger.error("the worker could not be stopped", { error }),
    );
  };
  return {
    async start() {
      running.defer(settings.watch(CONCURRENCY, dispatcher.pump));
      // The subscription comes before the query, so that no change in between is missed.
      if (clusterSync) running.defer(clusterSync.listen({ onCount: deps.limits.addRemote, onSwitch: onRemoteSwitch }));
      const first = settings.get(WORKER_AUTOSTART);
      dispatcher.setWorkerRunning(clusterSync ? await clusterSync.isWorkerRunning(first) : first);
      if (!dispatcher.isWorkerRunning()) await outbox.pause();
      running.defer(deps.aliases.watch());
      await deps.aliases.load();
      if (!partitioning) await recoverMessages(deps);
      await outbox.start();
      if (partitioning) nodeSession = await partitioning.start(deps.partitionHandler);
      running.defer(renewLeases(deps));
      dispatcher.pump();
    },
    async settle() {
      dispatcher.suspend();
      await waitForTurns(deps);
      hasSettled = true;
    },
    async shutDown() {
      running.dispose();
      dispatcher.stop();
      nodeSession?.handOver();
      await drainTurns(dispatcher.turns.list(), hasSettled ? 0 : STOP_TIMEOUT_MS);
      await outbox.stop();
      await nodeSession?.end();
      await log.flush();
    },
    startWorker() {
      clusterSync?.shareSwitch("start");
      return startWorker();
    },
    stopWorker(isForced) {
      clusterSync?.shareSwitch(isForced ? "force-stop" : "stop");
      return stopWorker(deps, isForced);
    },
  };
}

/** Waits for running turns. Turns that take longer are repeated after the reload. */
async function waitForTurns({ logger, dispatcher }: WorkerDeps): Promise<void> {
  const turns = dispatcher.turns.list();
  if (turns.length === 0) return;
  const [count, seconds] = [turns.length, RELOAD_MS / 1000];
  logger.info(`the reload waits up to ${seconds} s for ${count} answers that are being written`, { count });
  if (await settlesWithin(Promise.all(turns.map(({ ended }) => ended)), RELOAD_MS)) return;
  const left = dispatcher.turns.list().length;
  logger.warn(`${left} answers took longer than ${seconds} s: they begin anew after the reload`, { count: left });
}

/** Queues the messages that were waiting when the last process ended. */
async function recoverMessages({ store, log, clock, dispatcher }: WorkerDeps): Promise<void> {
  const { waiting, expired } = await store.recover(dispatcher.owner);
  for (const item of waiting) dispatcher.queue.addBacklog(item);
  if (expired === 0) return;
  const message = gatewayTexts.message("trace_expired_away", { count: expired });
  log.add({ traceId: newTraceId(clock.now()), status: "expired", ...toTraceMessage(message) });
}

function renewLeases({ store, logger, dispatcher }: WorkerDeps): () => void {
  const timer = setInterval(() => {
    const ids = dispatcher.turns.list().map(({ item }) => item.id);
    store.renewLeases(ids, dispatcher.owner).catch((error) => logger.error("leases could not be renewed", { error }));
  }, RENEW_EVERY_MS);
  return () => clearInterval(timer);
}

async function stopWorker({ outbox, dispatcher }: WorkerDeps, isForced: boolean): Promise<StoppedWorker> {
  const stopped = dispatcher.isWorkerRunning();
  dispatcher.setWorkerRunning(false);
  const paused = outbox.pause();
  const listPausable = () => dispatcher.turns.list().filter(({ item }) => dispatcher.isPaused(item));
  const pausable = listPausable();
  const allEnded = Promise.all([...pausable.map(({ ended }) => ended), paused]);
  const graceful = !isForced && (await settlesWithin(allEnded, WORKER_STOP_MS));
  if (!graceful) {
    for (const { abort } of pausable) abort.abort(PAUSED);
    await settlesWithin(allEnded, ABORT_TIMEOUT_MS);
  }
  return { stopped, graceful, remaining: listPausable().length };
}
