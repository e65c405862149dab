import { createHash } from "node:crypto";
import type { Clock, Nodes } from "@parley/core";
import type { PartitionStore } from "../store/nodes/partitions.ts";

/** Minimum difference that is rebalanced. With a difference of one, nodes would pass a channel back and forth. */
const MIN_IMBALANCE = 2;
const REBALANCE_EVERY_MS = 2_000;

/** Moves partitions to other nodes: all of them on drain or shutdown, single channels to balance the load. */
export interface PartitionRebalancer {
  /** True while the partition is being handed over; no new work of it is started on this node. */
  isLeaving(partition: string): boolean;
  hasPendingHandovers(): boolean;
  /** Plans handovers: of all partitions on drain or stop, else of one channel if another node has at least two fewer. */
  planHandovers(isStopping: boolean): Promise<void>;
  /** Hands over every planned partition without running work; a channel only once its connection has ended. */
  completeHandovers(): Promise<void>;
  /** Hands over all remaining partitions at once. Running work of theirs is fenced off, so its writes are rejected. */
  handOverAll(): Promise<void>;
}

export interface PartitionRebalancerDeps {
  readonly nodes: Pick<Nodes, "id" | "takers" | "isDraining">;
  readonly partitions: Pick<PartitionStore, "handOver" | "ownersOf">;
  /** Ids of all channels; each is a partition. */
  readonly channels: () => readonly string[];
  readonly clock: Pick<Clock, "monotonic">;
  /** Partitions that this node owns. */
  readonly owned: Set<string>;
  /** Returns the partitions with running work. */
  readonly busy: () => ReadonlySet<string>;
  /** Ends the connection of a channel. */
  readonly disconnect: (channelId: string) => Promise<unknown>;
  /** Called when other nodes own these partitions. */
  readonly onHandedOver: (partitions: ReadonlySet<string>, to: readonly string[]) => void;
  /** Called when handovers were cancelled; some of the channels may be disconnected by then. */
  readonly onHandoverCancelled: () => void;
  /** Called when a connection has ended. */
  readonly onDisconnected: () => void;
}

interface Handover {
  readonly target: string;
  connection: "open" | "closing" | "closed";
}

export function createPartitionRebalancer(deps: PartitionRebalancerDeps): PartitionRebalancer {
  const { nodes, owned, busy, clock } = deps;
  const handovers = new Map<string, Handover>();
  let isDraining = false;
  let rebalancedMs = -REBALANCE_EVERY_MS;
  const isChannel = (partition: string) => deps.channels().includes(partition);
  const addHandover = (partition: string, target: string) =>
    void handovers.set(partition, { target, connection: isChannel(partition) ? "open" : "closed" });
  const cancelHandovers = () => {
    if (handovers.size === 0) return;
    handovers.clear();
    deps.onHandoverCancelled();
  };
  const handOver = async (partitionIds: readonly string[]) => {
    const handedOver = await handOverTo(deps, partitionIds, (partition) => handovers.get(partition)?.target);
    for (const partition of handedOver) {
      owned.delete(partition);
      handovers.delete(partition);
    }
  };
  return {
    isLeaving: (partition) => handovers.has(partition),
    hasPendingHandovers: () => handovers.size > 0,
    async planHandovers(isStopping) {
      const eligibleNodes = nodes.takers();
      const wasDraining = isDraining;
      isDraining = (isStopping || nodes.isDraining()) && eligibleNodes.length > 0;
      if (isDraining) {
        for (const partition of owned)
          if (!handovers.has(partition)) addHandover(partition, findRendezvousNode(partition, eligibleNodes));
      } else if (wasDraining || eligibleNodes.length === 0) cancelHandovers();
      else if (handovers.size === 0 && clock.monotonic() - rebalancedMs >= REBALANCE_EVERY_MS) {
        rebalancedMs = clock.monotonic();
        const move = await findSurplusChannel(deps, eligibleNodes);
        if (move) addHandover(...move);
      }
    },
    async completeHandovers() {
      if (handovers.size === 0) return;
      const busyPartitions = busy();
      const idle = [...handovers].filter(([partition]) => !busyPartitions.has(partition));
      for (const [partition, handover] of idle)
        if (handover.connection === "open") void closeConnection(deps, partition, handover);
      await handOver(idle.flatMap(([partition, { connection }]) => (connection === "closed" ? [partition] : [])));
    },
    handOverAll: () => handOver([...owned]),
  };
}

async function closeConnection(
  { disconnect, onDisconnected }: PartitionRebalancerDeps,
  channelId: string,
  handover: Handover,
): Promise<void> {
  handover.connection = "closing";
  await disconnect(channelId);
  handover.connection = "closed";
  onDisconnected();
}

/** Hands partitions to their targets, or to another eligible node if one is gone; returns those handed over. */
async function handOverTo(
  { nodes, partitions, onHandedOver }: PartitionRebalancerDeps,
  partitionIds: readonly string[],
  getTarget: (partition: string) => string | undefined,
): Promise<readonly string[]> {
  const eligibleNodes = nodes.takers();
  if (partitionIds.length === 0 || eligibleNodes.length === 0) return [];
  const moves = Map.groupBy(partitionIds, (partition) => {
    const target = getTarget(partition);
    return target !== undefined && eligibleNodes.includes(target)
      ? target
      : findRendezvousNode(partition, eligibleNodes);
  });
  await partitions.handOver(moves);
  onHandedOver(new Set(partitionIds), [...moves.keys()]);
  return partitionIds;
}

/** Finds a channel of this node to hand over, and a node that has at least two channels fewer. */
async function findSurplusChannel(
  { nodes, partitions, busy, channels: all }: PartitionRebalancerDeps,
  eligibleNodes: readonly string[],
): Promise<readonly [string, string] | undefined> {
  const owners = await partitions.ownersOf(all());
  const countChannels = (node: string) => owners.filter((one) => one.node === node).length;
  const [firstNode, ...others] = eligibleNodes.map((node) => ({ node, count: countChannels(node) }));
  if (!firstNode) return undefined;
  const leastLoaded = others.reduce((found, one) => (one.count < found.count ? one : found), firstNode);
  const ownChannels = owners.flatMap(({ home: channelId, node }) => (node === nodes.id ? [channelId] : []));
  if (ownChannels.length - leastLoaded.count < MIN_IMBALANCE) return undefined;
  const busyPartitions = busy();
  const channelId = ownChannels.find((one) => !busyPartitions.has(one)) ?? ownChannels[0];
  return channelId === undefined ? undefined : [channelId, leastLoaded.node];
}

/** Returns the node for a partition by rendezvous hashing, which is the same on every node. */
function findRendezvousNode(partition: string, nodes: readonly string[]): string {
  const ranked = nodes.map((node) => ({
    node,
    rank: createHash("sha256").update(`${partition}\0${node}`).digest("hex"),
  }));
  return ranked.reduce((found, one) => (one.rank > found.rank ? one : found)).node;
}
