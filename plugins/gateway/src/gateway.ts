import { setTimeout as wait } from "node:timers/promises";
import {
  type Accepted,
  AppError,
  type Gateway,
  type InboundMessage,
  type Localized,
  type Redaction,
} from "@parley/core";
import { settlesWithin } from "@parley/core/async";
import { createAdaptiveLimit } from "./accept/adaptive-limit.ts";
import { createAdmission } from "./accept/admission.ts";
import type { DedupeTtl } from "./accept/dedupe-ttl.ts";
import { createIntake, type Intake } from "./accept/intake.ts";
import type { RateLimits } from "./accept/rate-limits.ts";
import type { PartitionHandler } from "./cluster/partition-handler.ts";
import { buildNotice } from "./deliver/deliveries.ts";
import { createDirectSends, type DirectSends } from "./deliver/direct-sends.ts";
import type { StoppedParts } from "./deliver/parts/stopped-parts.ts";
import { createPressIntake, type PressIntake, type PressIntakeDeps } from "./elements/press-intake.ts";
import type { MinuteMetrics } from "./observe/metrics/minute-metrics.ts";
import type { QueueItem } from "./store/inbox.ts";
import { toPartition } from "./store/nodes/partitions.ts";
import { gatewayTexts } from "./texts.ts";
import type { DelayNotices } from "./turn/delay-notices.ts";
import { createDispatcher, type Dispatcher, type DispatcherDeps } from "./turn/dispatcher.ts";
import type { OutcomeWaiter } from "./turn/outcome-waiter.ts";
import type { FairQueue } from "./turn/queue/fair-queue.ts";
import { isEditOrRecall } from "./turn/queue/turn-queue.ts";
import { type TaskRunner, toRunId } from "./turn/run/task-runner.ts";
import type { TurnRunner } from "./turn/run/turn-runner.ts";
import { ABORT_TIMEOUT_MS, DRAINING, STOPPING } from "./turn/shutdown.ts";
import { createWorker, type Worker, type WorkerDeps } from "./turn/worker.ts";

type WaitingCounts = Pick<FairQueue, "total" | "ofChannel">;

const POLL_EVERY_MS = 100;

export interface GatewayDeps
  extends Omit<WorkerDeps, "dispatcher" | "partitionHandler">,
    Omit<DispatcherDeps, "onMaybeIdle" | "outbox" | "metrics">,
    Pick<PressIntakeDeps, "findHandler"> {
  /** Maximum number of requests per minute and address to a webhook without a secret. */
  readonly addressLimit?: number;
  readonly outcomes: OutcomeWaiter;
  readonly runner: TurnRunner;
  readonly tasks: TaskRunner;
  readonly redaction: Redaction;
  readonly metrics: Pick<MinuteMetrics, "recordAck" | "recordTurn">;
  readonly limits: RateLimits;
  /** Set when several nodes share the database; counts the waiting messages of all of them. */
  readonly clusterBacklog: ((own: WaitingCounts) => WaitingCounts) | undefined;
  readonly dedupeTtlMs: DedupeTtl["getMs"];
  /** Notice for a sender who exceeds a limit; an empty string disables it. */
  readonly limitReply: string | Localized;
  /** Returns the channel's capability `supports_file_send`. */
  readonly supportsFiles: (channelId: string) => boolean;
  /** True for channels whose platform sends rejected messages again. */
  readonly isRetriedByPlatform: (channelId: string) => boolean;
  readonly notices: DelayNotices;
  readonly stoppedParts: StoppedParts;
  /** Rejects the open tool confirmations of a session. */
  readonly rejectOpenConfirmations: (sessionId: string) => void;
}

export interface RunningGateway extends Gateway, Worker {
  settle(): Promise<void>;
  /** Aborts the running turn of a deleted session and drops its waiting messages. */
  abandon(sessionId: string): Promise<void>;
  /** Queues a reopened dead letter. */
  rerun(item: QueueItem): void;
  counts(): GatewayCounts;
  /** True while this node drains and new messages go to other nodes. */
  isDraining(): boolean;
  /** Called by the outbox when it may have become idle. */
  onMaybeIdle(): void;
}

export interface GatewayCounts {
  readonly worker: "running" | "stopped";
  /** The last error of the storage; undefined when the last access succeeded. */
  readonly storageError: string | undefined;
  /** Age of the oldest waiting message in milliseconds; undefined when none waits. */
  readonly oldestAgeMs: number | undefined;
  readonly concurrency: number;
  readonly errors: number;
  readonly rateLimited: number;
  readonly waiting: number;
  readonly running: number;
  readonly duplicates: number;
  readonly turns: number;
  readonly deliveries: { readonly waiting: number; readonly delivered: number; readonly dead: number };
}

export function createGateway(deps: GatewayDeps): RunningGateway {
  const { outbox, outcomes, clock } = deps;
  const idle = createIdleWaiter(() => dispatcher.isIdle() && outbox.isIdle() && (deps.partitioning?.isIdle() ?? true));
  const dispatcher = createDispatcher({ ...deps, onMaybeIdle: idle.changed });
  const { queue, turns } = dispatcher;
  const sends = createDirectSends(deps);
  const admission = createAdmission({
    ...deps,
    ...dispatcher,
    waiting: { ...queue.sinceStart, ...deps.clusterBacklog?.(queue.sinceStart) },
    adaptiveLimit: createAdaptiveLimit(clock),
  });
  const intake = createIntake({ ...deps, ...dispatcher, admission, sends });
  const presses = createPressIntake({
    ...deps,
    elements: deps.store.elements,
    notify: (traceId, press, reason) =>
      sends.store(buildNotice(traceId, { ...press, kind: "message" }, reason, clock.now())),
    store: async (message) => takeSingle(await intake.accept([message])),
  });
  const stopControl = createLocalStop(deps, dispatcher);
  const worker = createWorker({
    ...deps,
    dispatcher,
    partitionHandler: createPartitionHandler(deps, dispatcher, stopControl),
  });
  return {
    ...createEntryPoints(deps, { intake, presses }, sends, dispatcher.isStopping),
    ...createClusterStop(deps, stopControl),
    ...worker,
    outcome: outcomes.waitFor,
    running: turns.state,
    waiting: queue.ofSession,
    async moved(move) {
      await deps.aliases.record(move);
      outbox.onConversationMoved(move);
    },
    ...(deps.addressLimit !== undefined && { addressLimit: deps.addressLimit }),
    ...(deps.partitioning && { claims: deps.partitioning }),
    connect: outbox.connect,
    delivered: sends.waitForDelivery,
    sendingEnd: sends.waitForTrace,
    idle: idle.wait,
    rerun(item) {
      queue.add(item);
      dispatcher.pump();
    },
    counts: () => collectCounts(deps, dispatcher, intake),
    isDraining: () => deps.partitioning?.isDraining() ?? false,
    onMaybeIdle: idle.changed,
  };
}

/** Creates the entry points for messages and deliveries. They reject when the service stops. */
function createEntryPoints(
  { tasks, partitioning }: GatewayDeps,
  { intake, presses }: { readonly intake: Intake; readonly presses: PressIntake },
  sends: DirectSends,
  isStopping: () => boolean,
): Pick<Gateway, "accept" | "acceptTogether" | "press" | "busy" | "submit" | "deliver"> {
  const checkOpen = () => {
    if (isStopping()) throw STOPPING;
  };
  const checkReceiving = () => {
    checkOpen();
    if (partitioning?.isDraining()) throw DRAINING;
  };
  return {
    busy: intake.busy,
    async acceptTogether(messages) {
      checkReceiving();
      return intake.accept(messages);
    },
    async accept(message) {
      checkReceiving();
      return presses.accept(message);
    },
    async press(press) {
      checkReceiving();
      return presses.press(press);
    },
    async submit(order) {
      const message = await tasks.toMessage(order);
      checkOpen();
      const accepted = takeSingle(await intake.accept([message]));
      return { ...accepted, runId: toRunId(accepted.traceId) };
    },
    async deliver(message, together) {
      checkOpen();
      return sends.deliver(message, together);
    },
  };
}

function takeSingle([accepted]: readonly Accepted[]): Accepted {
  if (!accepted) throw new AppError("internal", "an accepted message is not there");
  return accepted;
}

type StopControl = Pick<RunningGateway, "stop" | "abandon">;

/** Creates stop functions that work on every node: on this one and on the node that owns the session. */
function createClusterStop({ partitioning, clock }: GatewayDeps, local: StopControl): StopControl {
  if (!partitioning) return local;
  return {
    async stop(sessionId, traceId) {
      const remote = await partitioning.stopRemote(sessionId, traceId, false);
      const { trace_ids: own } = await local.stop(sessionId, traceId);
      const trace_ids = [...new Set([...own, ...remote])];
      return { stopped: trace_ids.length > 0, trace_ids };
    },
    async abandon(sessionId) {
      await Promise.all([local.abandon(sessionId), partitioning.stopRemote(sessionId, undefined, true)]);
      const until = clock.monotonic() + ABORT_TIMEOUT_MS;
      while ((await partitioning.listRunning(sessionId)).length > 0 && clock.monotonic() < until)
        await wait(POLL_EVERY_MS);
    },
  };
}

/** Handles the work of this node's partitions, whichever node received it. */
function createPartitionHandler(
  { store, runner, outbox, partitioning, notices, bursts, logger }: GatewayDeps,
  dispatcher: Dispatcher,
  stopControl: StopControl,
): PartitionHandler {
  const { queue, turns, groups, pendingEdits, owner, pump } = dispatcher;
  return {
    onMessage({ item, message }) {
      if (item.isBacklog) return queue.addBacklog(item);
      const canStart = partitioning?.canProcess(toPartition(item.sessionId)) ?? true;
      if (message && canStart && runner.isImmediate(message))
        return turns.startConcurrent(item, store.claim(item, owner));
      if (!message) return queue.add(item);
      const { raw: _raw, ...trimmed } = message;
      if (isEditOrRecall(trimmed)) return pendingEdits.add({ ...item, message: trimmed }, trimmed);
      if (message.album !== undefined) groups.onReceived(item.sessionId, message.album);
      notices.onQueued(item, trimmed);
      queue.add({ ...item, message: trimmed });
      pendingEdits.applyEarlier(item, trimmed);
    },
    onDeliveries: outbox.add,
    pump,
    onHandoverCancelled() {
      pump();
      outbox.wake();
    },
    getBusyPartitions: () =>
      new Set([
        ...turns.list().map(({ item }) => toPartition(item.sessionId)),
        ...turns.unsettled().map(toPartition),
        ...outbox.getBusyPartitions(),
      ]),
    dropPartitions(partitions) {
      for (const session of queue.sessions()) {
        if (!partitions.has(toPartition(session))) continue;
        queue.drop(session, undefined);
        queue.release(session);
      }
      bursts.forgetSessions((sessionId) => partitions.has(toPartition(sessionId)));
      outbox.dropPartitions(partitions);
    },
    onStopRequested(sessionId, traceId, isAbandoned) {
      const stopping = isAbandoned ? stopControl.abandon(sessionId) : stopControl.stop(sessionId, traceId);
      stopping.catch((error) => logger.warn("turns could not be stopped for another node", { error }));
    },
    onFenced() {
      dispatcher.stop();
      for (const { abort } of turns.list()) abort.abort(STOPPING);
      void outbox.stop();
    },
  };
}

/** True when a waiting message regenerates the same reply as the first waiting one, with another model. */
function isSameRegeneration({ kind, messageId, modelIds }: InboundMessage, first: InboundMessage | undefined): boolean {
  return kind === "regenerate" && modelIds !== undefined && messageId === first?.messageId;
}

/** Creates functions that stop running turns and remove waiting messages. */
function createLocalStop(
  { processor, store, bursts, stoppedParts }: GatewayDeps,
  { queue, turns }: Dispatcher,
): StopControl {
  /** Returns the trace ids of the waiting messages that regenerate one reply with several models. */
  const findSameRegenerations = async (sessionId: string): Promise<readonly string[]> => {
    if (queue.ofSession(sessionId) === 0) return [];
    const waiting = await store.listWaiting(sessionId);
    const [first] = waiting;
    const endIndex = waiting.findIndex(({ message }) => !isSameRegeneration(message, first?.message));
    return waiting.slice(0, endIndex === -1 ? undefined : endIndex).map(({ traceId }) => traceId);
  };
  const dropWaiting = async (sessionId: string, traceId: string | undefined) => {
    const dropped = queue.drop(sessionId, traceId);
    for (const item of dropped) await processor.drop(item, gatewayTexts.message("trace_taken_back"));
    return dropped.map((item) => item.traceId);
  };
  return {
    async stop(sessionId, traceId) {
      const waiting = traceId === undefined ? await findSameRegenerations(sessionId) : [traceId];
      // Waiting messages are removed before the running turn ends, so that none of them starts in between.
      const dropping = waiting.map((one) => dropWaiting(sessionId, one));
      const aborted = turns.abort(sessionId, traceId);
      const dropped = (await Promise.all(dropping)).flat();
      const unsent = await stoppedParts.stop(sessionId, traceId);
      const trace_ids = [...new Set([...aborted, ...dropped, ...unsent])];
      return { stopped: trace_ids.length > 0, trace_ids };
    },
    async abandon(sessionId) {
      await dropWaiting(sessionId, undefined);
      bursts.forgetSessions((id) => id === sessionId);
      turns.abort(sessionId, undefined);
      // Late writes of a turn must not follow the deletion of its session.
      const ending = turns.list().filter(({ item }) => item.sessionId === sessionId);
      await settlesWithin(Promise.all(ending.map(({ ended }) => ended)), ABORT_TIMEOUT_MS);
    },
  };
}

/** Creates a waiter that resolves when no work is left. */
function createIdleWaiter(isIdle: () => boolean) {
  const waiting: (() => void)[] = [];
  const onMaybeIdle = () => {
    if (waiting.length > 0 && isIdle()) for (const resolve of waiting.splice(0)) resolve();
  };
  return {
    changed: onMaybeIdle,
    wait: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
        setImmediate(onMaybeIdle);
      }),
  };
}

function collectCounts({ outbox, clock }: GatewayDeps, dispatcher: Dispatcher, intake: Intake): GatewayCounts {
  const { queue, turns } = dispatcher;
  const sinceMs = queue.oldestMs();
  return {
    worker: dispatcher.isWorkerRunning() ? "running" : "stopped",
    ...turns.counts(),
    oldestAgeMs: sinceMs === undefined ? undefined : clock.monotonic() - sinceMs,
    concurrency: dispatcher.concurrency(),
    ...intake.counts(),
    waiting: queue.total(),
    running: turns.list().length,
    deliveries: outbox.counts(),
  };
}
