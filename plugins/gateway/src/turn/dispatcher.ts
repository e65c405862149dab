import { type Clock, type Logger, newId, type Settings } from "@parley/core";
import type { Partitioning } from "../cluster/partitioning.ts";
import type { Outbox } from "../deliver/outbox.ts";
import type { FailPoint } from "../fail-point.ts";
import type { MinuteMetrics } from "../observe/metrics/minute-metrics.ts";
import { CONCURRENCY } from "../settings.ts";
import type { GatewayStore } from "../store/gateway-store.ts";
import type { QueueItem } from "../store/inbox.ts";
import { toPartition } from "../store/nodes/partitions.ts";
import type { Bursts } from "./bursts/bursts.ts";
import type { DelayNotices } from "./delay-notices.ts";
import type { MessageProcessor } from "./message-processor.ts";
import { createMediaGroups, type MediaGroups, type MediaGroupsDeps } from "./queue/media-groups.ts";
import { createPendingEdits, type PendingEdits } from "./queue/pending-edits.ts";
import { createWorkQueues, isTask, type WorkQueues } from "./queue/work-queues.ts";
import { INTERNAL_CHANNEL } from "./run/task-runner.ts";
import { createRunningTurns, type RunningTurns } from "./running-turns.ts";

const MAX_DELIVERIES_WAITING = 20_000;
/** Maximum number of concurrent tasks, which run in addition to the turns. */
const TASK_CONCURRENCY = 32;

/** Starts waiting turns and tasks when capacity is free. */
export interface Dispatcher {
  /** Id of this process in leases. */
  readonly owner: string;
  readonly queue: WorkQueues;
  readonly turns: RunningTurns;
  readonly groups: MediaGroups;
  readonly pendingEdits: PendingEdits;
  /** Returns the maximum number of concurrent turns. */
  concurrency(): number;
  /** True when there is a free slot for the kind of the item: turn or task. */
  hasFreeSlot(item: Pick<QueueItem, "sessionId">): boolean;
  /** Starts all waiting turns and tasks that may run. */
  pump(): void;
  /** True while messages of channels are processed. */
  isWorkerRunning(): boolean;
  setWorkerRunning(isWorking: boolean): void;
  /** True when the message waits until the worker is started again. */
  isPaused(item: Pick<QueueItem, "channelId">): boolean;
  /** True when nothing is running and nothing could be started. */
  isIdle(): boolean;
  /** True once `stop` was called. */
  isStopping(): boolean;
  /** Starts no more turns; new messages are still stored. */
  suspend(): void;
  /** Starts no more turns and no more tasks. */
  stop(): void;
}

export interface DispatcherDeps {
  readonly store: GatewayStore;
  readonly outbox: Pick<Outbox, "counts" | "hasWaiting">;
  readonly processor: MessageProcessor;
  readonly notices: Pick<DelayNotices, "stop">;
  readonly groups: MediaGroupsDeps;
  readonly bursts: Bursts;
  readonly metrics: Pick<MinuteMetrics, "recordTurn">;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failPoint: FailPoint;
  /** Set when several processes share the database. */
  readonly partitioning: Partitioning | undefined;
  /** Returns true when fewer turns should run because the event loop is late. */
  readonly isOverloaded: () => boolean;
  /** Called when the dispatcher may have become idle. */
  readonly onMaybeIdle: () => void;
}

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { outbox, settings, isOverloaded } = deps;
  const owner = deps.partitioning?.node ?? newId("boot");
  let isWorkerRunning = true;
  let isStopping = false;
  let isSuspended = false;
  const pump = () => {
    if (!isStopping && !isSuspended) startReady(deps, dispatcher);
  };
  const isPaused: Dispatcher["isPaused"] = (item) => !isWorkerRunning && isPausable(item);
  const queue: WorkQueues = createWorkQueues({
    clock: deps.clock,
    wake: pump,
    onAdded: deps.bursts.onQueued,
    canRun: (item) =>
      (deps.partitioning?.canProcess(toPartition(item.sessionId)) ?? true) &&
      !turns.has(item.sessionId) &&
      !isPaused(item) &&
      !groups.isGathering(item.sessionId) &&
      !pendingEdits.isEditing(item.sessionId) &&
      (outbox.counts().waiting <= MAX_DELIVERIES_WAITING || !outbox.hasWaiting(item.sessionId)),
  });
  const turns = createRunningTurns({
    ...deps,
    queue,
    owner,
    onFinished: pump,
    recordDuration: deps.metrics.recordTurn,
  });
  deps.bursts.connect(queue, pump);
  const groups = createMediaGroups(deps.groups, pump, (sessionId, traceId) => void queue.drop(sessionId, traceId));
  const pendingEdits = createPendingEdits({ ...deps, queue, turns, wake: pump });
  const countBusyTurns = () => turns.size - deps.bursts.waiting;
  const concurrency = () => {
    const most = settings.get(CONCURRENCY);
    return isOverloaded() ? Math.ceil(most / 2) : most;
  };
  const dispatcher: Dispatcher = {
    owner,
    queue,
    turns,
    groups,
    pendingEdits,
    concurrency,
    hasFreeSlot: (item) => (isTask(item) ? turns.tasks < TASK_CONCURRENCY : countBusyTurns() < concurrency()),
    pump,
    isWorkerRunning: () => isWorkerRunning,
    setWorkerRunning(isRunning) {
      isWorkerRunning = isRunning;
    },
    isPaused,
    isIdle: () =>
      turns.list().length === 0 &&
      turns.unsettled().length === 0 &&
      !queue.hasWork() &&
      !queue.isRetrying() &&
      groups.isIdle() &&
      pendingEdits.isIdle(),
    isStopping: () => isStopping,
    suspend() {
      isSuspended = true;
    },
    stop() {
      isStopping = true;
      for (const part of [groups, queue, turns, deps.notices]) part.stop();
    },
  };
  return dispatcher;
}

function startReady(
  { store, bursts, onMaybeIdle }: DispatcherDeps,
  { owner, queue, turns, groups, concurrency }: Dispatcher,
): void {
  while (turns.size - bursts.waiting < concurrency()) {
    const item = queue.next();
    if (!item) break;
    const claim = store.claim(item, owner).then((claimed) => groups.mergeGroup(item, claimed));
    turns.start(item, claim);
  }
  while (turns.tasks < TASK_CONCURRENCY) {
    const item = queue.nextTask();
    if (!item) break;
    turns.start(item, store.claim(item, owner));
  }
  onMaybeIdle();
}

/** True for messages that wait while the worker is stopped: those of channels, but not the console or tasks. */
function isPausable({ channelId }: Pick<QueueItem, "channelId">): boolean {
  return channelId !== "web" && channelId !== INTERNAL_CHANNEL;
}
