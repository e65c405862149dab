import { type HostControl, type Nodes, notFound } from "@parley/core";
import type { PartitionStore } from "../store/nodes/partitions.ts";
import { gatewayTexts } from "../texts.ts";

/** A process that works on the shared database, and its partitions. */
export interface SharedNode {
  readonly id: string;
  readonly version: string;
  readonly address: string;
  readonly started_at: string;
  readonly heartbeat_at: string;
  /** Delay of the last notification from another node, in milliseconds. */
  readonly lag_ms: number;
  readonly draining: boolean;
  /** Ids of the channels whose partition the node owns. */
  readonly channels: readonly string[];
  /** Number of console conversations whose partition the node owns. */
  readonly conversations: number;
  readonly turns_running: number;
}

export interface SharedNodeList {
  /** False when a single process works on the database. */
  readonly shared: boolean;
  /** Id of the node that answers the request. */
  readonly self: string;
  readonly items: readonly SharedNode[];
}

/** The nodes of the cluster and their actions. */
export interface ClusterNodes {
  list(): Promise<SharedNodeList>;
  /** Starts or ends draining a node. Rejects with `conflict` when no other node could take over its partitions. */
  drain(id: string, isDraining: boolean): Promise<SharedNode>;
}

export interface ClusterNodesDeps {
  /** Undefined when a single process works on the database. */
  readonly nodes: Nodes | undefined;
  readonly partitions: PartitionStore | undefined;
  readonly channels: () => readonly string[];
  readonly host: () => Pick<HostControl, "version" | "startedAt">;
  readonly now: () => number;
}

const SINGLE_NODE_ID = "alone";

export function createClusterNodes(deps: ClusterNodesDeps): ClusterNodes {
  const { nodes } = deps;
  const list = async () =>
    nodes && deps.partitions ? listCluster(nodes, deps.partitions, deps.channels()) : describeSingleNode(deps);
  return {
    list,
    async drain(id, isDraining) {
      const { items } = await list();
      const node = items.find((one) => one.id === id);
      if (!node) throw notFound("node", id);
      if (isDraining && !items.some((one) => one.id !== id && !one.draining))
        throw gatewayTexts.error("conflict", "no_other_node");
      await nodes?.drain(id, isDraining);
      return { ...node, draining: isDraining };
    },
  };
}

async function listCluster(
  nodes: Nodes,
  partitions: PartitionStore,
  channels: readonly string[],
): Promise<SharedNodeList> {
  const [all, holders, owned] = await Promise.all([
    nodes.list(),
    partitions.listHolders(),
    partitions.ownersOf(channels),
  ]);
  const items = all.map(({ id, version, address, joinedAt, seenAt, lagMs, isDraining }) => {
    const holder = holders.find(({ node }) => node === id);
    const own = owned.flatMap(({ home, node }) => (node === id ? [home] : []));
    return {
      id,
      version,
      address,
      started_at: joinedAt,
      heartbeat_at: seenAt,
      lag_ms: lagMs,
      draining: isDraining,
      channels: own,
      conversations: (holder?.partitionCount ?? 0) - own.length,
      turns_running: holder?.running ?? 0,
    };
  });
  return { shared: true, self: nodes.id, items };
}

function describeSingleNode({ host, channels, now }: ClusterNodesDeps): SharedNodeList {
  const { version, startedAt } = host();
  const iso = (ms: number) => new Date(ms).toISOString();
  const times = { started_at: iso(startedAt), heartbeat_at: iso(now()), lag_ms: 0 };
  const ownership = { draining: false, channels: channels(), conversations: 0, turns_running: 0 };
  return {
    shared: false,
    self: SINGLE_NODE_ID,
    items: [{ id: SINGLE_NODE_ID, version, address: "", ...times, ...ownership }],
  };
}
