import type { ChannelClaims, Clock, Logger, Nodes, Signals } from "@parley/core";
import type { Delivery } from "../store/delivery.ts";
import { type PartitionStore, toDeliveryPartition } from "../store/nodes/partitions.ts";
import type { PartitionHandler } from "./partition-handler.ts";
import { createPartitionRebalancer, type PartitionRebalancer } from "./partition-rebalancer.ts";
import { createPartitionTakeover } from "./partition-takeover.ts";

const TOPIC = "gateway-homes";
const STOP_TOPIC = "gateway-stop";
/** Key of a signal to all nodes. */
const ALL_NODES = "*";
/** Interval of the sweep for work without a notification. */
const SWEEP_EVERY_MS = 2_000;
/** Poll interval while handovers are pending. */
const HANDOVER_POLL_MS = 50;
/** Time after a handover during which notifications are forwarded, because a sender may not know the new owner yet. */
const FORWARD_FOR_MS = 10_000;

/** The membership of this node in the cluster while it runs. */
export interface NodeSession {
  /** Starts to hand over all partitions; each leaves when its turns have ended. */
  handOver(): void;
  /** Hands over all remaining partitions and ends the session. */
  end(): Promise<void>;
}

/**
 * Distributes one queue over several nodes. Each channel, and each conversation of the console, is a partition with one
 * owner. The owner runs its turns and sends its deliveries from memory, like a single node. Any node may receive a
 * message; it only stores the message, and the owner fetches it in storage order, which is the order of the
 * acknowledgements. An owner keeps its partition until it is gone or hands it over: on shutdown, on drain, or to
 * balance channels. A handover happens between two turns, while nothing of the partition is being sent, and includes
 * all waiting work. The database rejects late writes of a gone node (see `Nodes`), so that two nodes never work on one
 * conversation.
 */
export interface Partitioning extends ChannelClaims {
  readonly node: string;
  /** False when other nodes may regard this process as gone; it may send nothing then. */
  isAlive(): boolean;
  /** True while this node drains and new messages go to other nodes. */
  isDraining(): boolean;
  /** True when this node may start work of the partition now. */
  canProcess(partition: string): boolean;
  /** True when this node sends the delivery. */
  isLocal(delivery: Pick<Delivery, "channelId" | "message">): boolean;
  /** Notifies the owner `node` that work was stored; all nodes when the owner is unknown. */
  notifyStored(node: string | undefined): void;
  /** Notifies all nodes that a dead letter was reopened. */
  notifyReopened(): Promise<void>;
  /** True when this node has fetched all work of which it was notified. */
  isIdle(): boolean;
  /** Stops turns on other nodes; returns the trace ids of the turns that ran there. */
  stopRemote(sessionId: string, traceId: string | undefined, isAbandoned: boolean): Promise<readonly string[]>;
  listRunning: PartitionStore["listRunning"];
  /** Starts to fetch this node's work, and continues until the session ends. */
  start(handler: PartitionHandler): Promise<NodeSession>;
}

export interface PartitioningDeps {
  readonly nodes: Nodes;
  readonly signals: Signals;
  readonly partitions: PartitionStore;
  /** Stores signals in the database. */
  readonly storeSignals: (writes: ReturnType<Signals["telling"]>) => Promise<unknown>;
  readonly channels: () => readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
}

interface PartitioningState extends PartitioningDeps {
  readonly owned: Set<string>;
  readonly claimListeners: Set<(channelId: string) => void>;
  readonly releaseListeners: Set<(channelId: string) => Promise<void>>;
  readonly broadcast: (topic: string, key: string) => Promise<unknown>;
  /** Undefined until the node has started. */
  rebalancer: PartitionRebalancer | undefined;
  requestCheck: () => void;
  isChecking: () => boolean;
}

export function createPartitioning(deps: PartitioningDeps): Partitioning {
  const { nodes, signals, partitions, storeSignals, log } = deps;
  const state: PartitioningState = {
    ...deps,
    owned: new Set(),
    claimListeners: new Set(),
    releaseListeners: new Set(),
    broadcast: (topic, key) => storeSignals(signals.telling([{ topic, key }])),
    rebalancer: undefined,
    requestCheck() {},
    isChecking: () => false,
  };
  const { owned, claimListeners, releaseListeners, broadcast } = state;
  const canProcess = (partition: string) =>
    owned.has(partition) && !nodes.isDraining() && state.rebalancer?.isLeaving(partition) !== true;
  return {
    node: nodes.id,
    isAlive: nodes.isCounted,
    isDraining: nodes.isDraining,
    canProcess,
    isLocal: (delivery) => canProcess(toDeliveryPartition(delivery)),
    notifyStored(node) {
      if (node !== nodes.id)
        broadcast(TOPIC, node ?? ALL_NODES).catch((error) => log.debug("a node could not be notified", { error }));
      if (node === nodes.id || node === undefined) state.requestCheck();
    },
    async notifyReopened() {
      await partitions.assignPartitions();
      await broadcast(TOPIC, ALL_NODES);
      state.requestCheck();
    },
    async claim(channelId) {
      if (owned.has(channelId) || nodes.isDraining()) return canProcess(channelId);
      const isOwned = await partitions.claim(channelId);
      if (isOwned) owned.add(channelId);
      return isOwned;
    },
    onClaimed(listener) {
      claimListeners.add(listener);
      return () => void claimListeners.delete(listener);
    },
    onReleasing(listener) {
      releaseListeners.add(listener);
      return () => void releaseListeners.delete(listener);
    },
    async stopRemote(sessionId, traceId, isAbandoned) {
      const running = await partitions.listRunning(sessionId);
      await broadcast(STOP_TOPIC, JSON.stringify([sessionId, traceId ?? null, isAbandoned]));
      return running.filter((one) => traceId === undefined || one === traceId);
    },
    isIdle: () => !state.isChecking(),
    listRunning: partitions.listRunning,
    start: (handler) => startPartitioning(state, handler),
  };
}

/** Returns owners that were never nodes of this database, such as after a move; no notification names them as gone. */
async function findUnknownOwners({ partitions, nodes }: PartitioningState): Promise<readonly string[]> {
  const owners = await partitions.listOwners();
  const known = new Set((await nodes.list()).map(({ id }) => id));
  return owners.filter((id) => !known.has(id));
}

async function startPartitioning(state: PartitioningState, handler: PartitionHandler): Promise<NodeSession> {
  const { nodes, partitions, clock, log } = state;
  const forwarding = { untilMs: 0 };
  const rebalancer = createRebalancer(state, handler, forwarding);
  state.rebalancer = rebalancer;
  const takeover = createPartitionTakeover({
    ...state,
    handler,
    onTaken(partition) {
      if (state.owned.has(partition)) return;
      state.owned.add(partition);
      for (const listener of state.claimListeners) listener(partition);
    },
  });
  const flags = { stopping: false, over: false };
  let timer: NodeJS.Timeout | undefined;
  const runner = createSerialRunner(handler.pump, async () => {
    if (flags.over || !nodes.isCounted()) return;
    try {
      await rebalancer.planHandovers(flags.stopping);
      await rebalancer.completeHandovers();
      if (!flags.stopping) await takeover.take();
    } catch (error) {
      log.warn("this node cannot take over waiting work now", { error });
    }
    clearTimeout(timer);
    if (rebalancer.hasPendingHandovers()) timer = setTimeout(state.requestCheck, HANDOVER_POLL_MS);
  });
  await partitions.prepare();
  await partitions.assignPartitions();
  takeover.addGoneNodes(await findUnknownOwners(state));
  const requestCheck = () => void runner.run();
  const unsubscribes = subscribeRemote(state, handler, {
    onNodesGone: takeover.addGoneNodes,
    shouldForward: () => clock.monotonic() < forwarding.untilMs,
    onFenced() {
      flags.over = true;
    },
  });
  state.requestCheck = requestCheck;
  state.isChecking = runner.isRunning;
  await runner.run();
  const sweep = setInterval(requestCheck, SWEEP_EVERY_MS);
  return {
    handOver() {
      flags.stopping = true;
      requestCheck();
    },
    async end() {
      flags.over = true;
      clearInterval(sweep);
      state.requestCheck = () => {};
      await runner.settled();
      clearTimeout(timer);
      for (const end of unsubscribes) end();
      if (!nodes.isCounted()) return;
      await rebalancer.handOverAll().catch((error) => log.warn("this node could not hand over its work", { error }));
    },
  };
}

function createRebalancer(
  state: PartitioningState,
  handler: PartitionHandler,
  forwarding: { untilMs: number },
): PartitionRebalancer {
  const { nodes, partitions, channels, owned, releaseListeners, broadcast, clock, log } = state;
  return createPartitionRebalancer({
    nodes,
    partitions,
    channels,
    clock,
    owned,
    busy: handler.getBusyPartitions,
    disconnect: (channelId) =>
      Promise.all([...releaseListeners].map((listener) => listener(channelId))).catch((error) =>
        log.warn("a channel that moves to another node could not be closed", { channel: channelId, error }),
      ),
    onHandedOver(partitionIds, to) {
      forwarding.untilMs = clock.monotonic() + FORWARD_FOR_MS;
      handler.dropPartitions(partitionIds);
      for (const node of to)
        broadcast(TOPIC, node).catch((error) => log.debug("a node could not be notified", { error }));
      log.info("partitions moved to other nodes", { count: partitionIds.size, to });
    },
    onHandoverCancelled: () => continueOwned(state, handler),
    onDisconnected: () => state.requestCheck(),
  });
}

/**
 * Continues the work of all partitions that this node owns. Claim listeners are notified of each again, because a
 * partition that was received while this node was draining was not connected.
 */
function continueOwned({ owned, claimListeners }: PartitioningState, handler: PartitionHandler): void {
  for (const partition of owned) for (const listener of claimListeners) listener(partition);
  handler.onHandoverCancelled();
}

interface RemoteEvents {
  onNodesGone(ids: readonly string[]): void;
  /** Returns true when a notification may be meant for a partition that this node just handed over. */
  shouldForward(): boolean;
  onFenced(): void;
}

function subscribeRemote(
  state: PartitioningState,
  handler: PartitionHandler,
  { onNodesGone, shouldForward, onFenced }: RemoteEvents,
): readonly (() => void)[] {
  const { nodes, signals, broadcast, log } = state;
  return [
    nodes.onGone((ids) => {
      onNodesGone(ids);
      state.requestCheck();
    }),
    nodes.onDraining(() => {
      if (!nodes.isDraining()) continueOwned(state, handler);
      state.requestCheck();
    }),
    nodes.onLost(() => {
      onFenced();
      handler.onFenced();
    }),
    signals.listen(TOPIC, (key) => {
      if (key === undefined || key === ALL_NODES || key === nodes.id) state.requestCheck();
      if (key !== nodes.id || !shouldForward()) return;
      broadcast(TOPIC, ALL_NODES).catch((error) => log.debug("the nodes could not be notified", { error }));
    }),
    signals.listen(STOP_TOPIC, (key) => {
      if (key === undefined) return;
      const [sessionId, traceId, isAbandoned] = JSON.parse(key) as [string, string | null, boolean];
      handler.onStopRequested(sessionId, traceId ?? undefined, isAbandoned);
    }),
  ];
}

/** Runs a task without overlap. A request during a run causes one more run afterwards. */
function createSerialRunner(onDone: () => void, task: () => Promise<void>) {
  let running: Promise<void> | undefined;
  let isRequested = false;
  const run = (): Promise<void> => {
    isRequested = true;
    running ??= (async () => {
      while (isRequested) {
        isRequested = false;
        await task();
      }
    })().finally(() => {
      running = undefined;
      if (isRequested) void run();
      else onDone();
    });
    return running;
  };
  return { run, isRunning: () => running !== undefined, settled: () => running ?? Promise.resolve() };
}
