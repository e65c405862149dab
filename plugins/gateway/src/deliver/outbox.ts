import type { ChannelConfig, ChannelLink, ConversationMove, DeliveryStatus, IdempotencyMode } from "@parley/core";
import type { Partitioning } from "../cluster/partitioning.ts";
import type { Delivery } from "../store/delivery.ts";
import type { GatewayStore } from "../store/gateway-store.ts";
import { toDeliveryPartition } from "../store/nodes/partitions.ts";
import type { StoppedPart } from "../store/stopped-parts.ts";
import { repeatTyping } from "../turn/run/typing-indicator.ts";
import { createCircuitBreakers } from "./circuit-breakers.ts";
import type { ConnectedChannel } from "./connected-channel.ts";
import { createDeliveryAttempts, type DeliveryAttempts, type DeliveryAttemptsDeps } from "./delivery-attempts.ts";
import { createDeliveryProcessor, type DeliveryProcessorDeps } from "./delivery-processor.ts";
import { createDeliveryQueues, type DeliveryQueues, recoverDelivery, toConversationKey } from "./delivery-queues.ts";
import { createDeliveryScheduler, type DeliveryScheduler } from "./delivery-scheduler.ts";
import { createOutcomePolicy, type OutcomePolicyDeps } from "./outcome-policy.ts";
import { createSendingPermit, SENDING_STOPPED } from "./sending-permit.ts";

export interface OutboxDeps
  extends Omit<OutcomePolicyDeps, "breakers">,
    Omit<
      DeliveryAttemptsDeps,
      "isAlive" | "canProcess" | "markSending" | "store" | "outcomePolicy" | "breakers" | "permit" | "findConnected"
    >,
    Pick<DeliveryProcessorDeps, "recordMove" | "countCancelled"> {
  readonly store: GatewayStore;
  readonly onMaybeIdle: () => void;
  /** Set when several nodes share the database; decides which node sends a delivery. */
  readonly partitioning: Partitioning | undefined;
}

/** Sends replies in order within a conversation, and retries them as often as is safe. */
export interface Outbox extends OutboxWriter {
  start(): Promise<void>;
  connect(channel: ChannelConfig, link: ChannelLink, mode: IdempotencyMode): AsyncDisposable;
  /** Called when the platform is reachable again, so that waiting deliveries continue. */
  onChannelReachable(channelId: string): void;
  link(channelId: string): ChannelLink | undefined;
  /** Resolves to the final status of a pending delivery. */
  waitForEnd(deliveryId: string): Promise<DeliveryStatus>;
  /** Pauses sending until `resume`. Resolves when no send is running. */
  pause(): Promise<void>;
  resume(): void;
  /** Moves waiting deliveries of a conversation to its new id. */
  onConversationMoved(move: ConversationMove): void;
  /** Returns the partitions with deliveries that are being sent, or stored to be sent. */
  getBusyPartitions(): readonly string[];
  /** Drops the waiting deliveries of partitions that another node owns by now. */
  dropPartitions(partitions: ReadonlySet<string>): void;
  /** Removes parts of answers that were cancelled because the person wrote again. */
  dropStopped(parts: readonly StoppedPart[]): void;
  /** True when a delivery of the session is not sent yet. */
  hasWaiting(sessionId: string): boolean;
  /** Checks all waiting deliveries again. */
  wake(): void;
  /** True when no delivery is being sent or due. */
  isIdle(): boolean;
  /** Starts no new sends, and resolves when the running ones have ended. */
  stop(): Promise<void>;
  counts(): { readonly waiting: number; readonly delivered: number; readonly dead: number };
}

/** Accepts new deliveries. */
export interface OutboxWriter {
  /**
   * Returns the deliveries of one conversation in the form to be stored: the first is marked as in flight if it can be sent at once.
   * The caller calls `add` when they are stored, or `discard` if storing failed.
   */
  prepare(deliveries: readonly Delivery[]): Promise<readonly Delivery[]>;
  discard(deliveries: readonly Delivery[]): void;
  /** Queues stored deliveries. */
  add(deliveries: readonly Delivery[]): void;
}

export function createOutbox(deps: OutboxDeps): Outbox {
  const { store, clock } = deps;
  const queues = createDeliveryQueues();
  const permit = createSendingPermit();
  const connections = new Map<string, ConnectedChannel>();
  const breakers = createCircuitBreakers(clock, (channelId) => scheduler.wakeChannel(channelId));
  const outcomePolicy = createOutcomePolicy({ ...deps, breakers });
  const canProcess = (delivery: Delivery) => deps.partitioning?.canProcess(toDeliveryPartition(delivery)) ?? true;
  const attempts = createDeliveryAttempts({
    ...deps,
    canProcess,
    outcomePolicy,
    breakers,
    permit,
    findConnected: (id) => connections.get(id),
    isAlive: () => deps.partitioning?.isAlive() ?? true,
    markSending: (delivery) => queues.replaceFirst(toConversationKey(delivery), { ...delivery, state: "sending" }),
  });
  const wakeAll = (keys: Iterable<string>) => scheduler.wakeAll(keys);
  const { processNext, moveConversation, waitForEnd, onCancelled } = createDeliveryProcessor({
    ...deps,
    queues,
    attempts,
    outcomePolicy,
    wakeAll,
  });
  const findLink = (channelId: string) => connections.get(channelId)?.link;
  const scheduler = createDeliveryScheduler({
    ...deps,
    queues,
    permit,
    canProcess,
    send: processNext,
    showTyping: ({ channelId, conversationId }) => repeatTyping(conversationId, findLink(channelId), deps.logger, 0),
  });
  const writer = createOutboxWriter({ queues, attempts, wakeAll, clock, partitioning: deps.partitioning });
  const onChannelReachable = (channelId: string) => {
    breakers.reset(channelId);
    scheduler.onReachable(channelId);
  };
  return {
    ...writer,
    ...createPartitionRelease({ queues, scheduler, attempts, getStoringPartitions: writer.getStoringPartitions }),
    ...createSendControl(permit, scheduler, queues),
    async start() {
      if (deps.partitioning) return;
      // A delivery that was in flight when the process ended may have arrived.
      const open = await store.listOpenDeliveries();
      writer.add(open.map(recoverDelivery));
    },
    connect(channel, link, mode) {
      const connection: ConnectedChannel = { channel, link, mode, closing: new AbortController() };
      connections.set(channel.id, connection);
      onChannelReachable(channel.id);
      return { [Symbol.asyncDispose]: () => disconnect(connections, connection, scheduler) };
    },
    onChannelReachable,
    link: findLink,
    waitForEnd,
    wake: () => scheduler.wakeAll(queues.keys()),
    // A running send applies the move itself.
    onConversationMoved(move) {
      if (!scheduler.isSending(`${move.channelId}\0${move.from}`)) moveConversation(move);
    },
    dropStopped(parts) {
      const ids = new Set(parts.map(({ id }) => id));
      const keys = new Set(parts.map(toConversationKey));
      for (const key of keys) for (const one of queues.remove(key, ids, scheduler.isSending(key))) onCancelled(one);
      scheduler.wakeAll(keys);
    },
    hasWaiting: queues.hasWaiting,
    isIdle: scheduler.isIdle,
    counts: () => ({ waiting: queues.total(), ...outcomePolicy.counts() }),
  };
}

async function disconnect(
  connections: Map<string, ConnectedChannel>,
  connection: ConnectedChannel,
  scheduler: DeliveryScheduler,
) {
  const { id } = connection.channel;
  if (connections.get(id) === connection) connections.delete(id);
  connection.closing.abort(SENDING_STOPPED);
  await scheduler.drain(id);
}

interface OutboxWriterDeps {
  readonly queues: DeliveryQueues;
  readonly attempts: Pick<DeliveryAttempts, "canSendNow" | "approve" | "forget">;
  readonly wakeAll: (keys: Iterable<string>) => void;
  readonly clock: DeliveryAttemptsDeps["clock"];
  readonly partitioning: OutboxDeps["partitioning"];
}

function createOutboxWriter({ queues, attempts, wakeAll, clock, partitioning }: OutboxWriterDeps) {
  /** Conversations whose next delivery is being stored as in flight. */
  const reserved = new Set<string>();
  /** Partitions of deliveries being stored, by delivery id. */
  const storing = new Map<string, string>();
  const writer: OutboxWriter = {
    async prepare(planned) {
      const deliveries = planned.map((one) =>
        partitioning?.isLocal(one) === false ? { ...one, isRemote: true } : one,
      );
      for (const one of deliveries) if (!one.isRemote) storing.set(one.id, toDeliveryPartition(one));
      const [first, ...others] = deliveries;
      if (!first || first.isRemote) return deliveries;
      const key = toConversationKey(first);
      if (queues.has(key) || reserved.has(key)) return deliveries;
      reserved.add(key);
      if (!(await attempts.canSendNow(first))) {
        reserved.delete(key);
        return deliveries;
      }
      attempts.approve(first.id);
      return [{ ...first, state: "sending" }, ...others];
    },
    discard(deliveries) {
      for (const delivery of deliveries.filter(({ isRemote }) => !isRemote)) {
        attempts.forget(delivery.id);
        storing.delete(delivery.id);
        reserved.delete(toConversationKey(delivery));
      }
    },
    add(deliveries) {
      const local = deliveries.filter(({ isRemote }) => !isRemote);
      if (local.length < deliveries.length) partitioning?.notifyStored(undefined);
      for (const delivery of local) {
        storing.delete(delivery.id);
        reserved.delete(toConversationKey(delivery));
      }
      wakeAll(queues.add(toMonotonicTimes(local, clock)));
    },
  };
  return { ...writer, getStoringPartitions: () => storing.values() };
}

interface PartitionReleaseDeps {
  readonly queues: DeliveryQueues;
  readonly scheduler: DeliveryScheduler;
  readonly attempts: Pick<DeliveryAttempts, "forget">;
  readonly getStoringPartitions: () => Iterable<string>;
}

/** Reports busy partitions, and drops the deliveries of partitions that were handed over. */
function createPartitionRelease(deps: PartitionReleaseDeps): Pick<Outbox, "getBusyPartitions" | "dropPartitions"> {
  const { queues, scheduler, attempts, getStoringPartitions } = deps;
  const findPartition = (key: string) => {
    const first = queues.first(key);
    return first ? [toDeliveryPartition(first)] : [];
  };
  return {
    getBusyPartitions: () => [...[...scheduler.sending()].flatMap(findPartition), ...getStoringPartitions()],
    dropPartitions(partitions) {
      for (const key of [...queues.keys()]) {
        const [partition] = findPartition(key);
        if (partition === undefined || !partitions.has(partition)) continue;
        for (const { id } of queues.take(key)) attempts.forget(id);
      }
    },
  };
}

/** Converts the times to the monotonic clock, so that a changed wall clock neither expires nor delays deliveries. */
function toMonotonicTimes(deliveries: readonly Delivery[], clock: OutboxWriterDeps["clock"]): readonly Delivery[] {
  const shift = clock.monotonic() - clock.now();
  return deliveries.map((one) => ({
    ...one,
    nextMs: one.nextMs + shift,
    expiresMs: one.expiresMs === null ? null : one.expiresMs + shift,
    createdMs: one.createdMs + shift,
  }));
}

function createSendControl(
  permit: ReturnType<typeof createSendingPermit>,
  scheduler: DeliveryScheduler,
  queues: DeliveryQueues,
): Pick<Outbox, "pause" | "resume" | "stop"> {
  const drain = () => {
    scheduler.clearTimers();
    return scheduler.drain();
  };
  return {
    pause() {
      permit.pause();
      return drain();
    },
    resume() {
      permit.resume();
      scheduler.wakeAll(queues.keys());
    },
    stop() {
      permit.stop();
      return drain();
    },
  };
}
