import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** A process on the database of an installation. */
export interface NodeStatus {
  readonly id: string;
  readonly version: string;
  /** ISO 8601. */
  readonly joinedAt: string;
  /** Time other nodes last received a heartbeat; ISO 8601. */
  readonly seenAt: string;
  /** Machine and port; empty where it does not listen. */
  readonly address: string;
  /** Delay in milliseconds with which it received the latest signal of another node. */
  readonly lagMs: number;
  /** True when it was asked to hand over its partitions. */
  readonly isDraining: boolean;
}

/**
 * Processes of one installation that share a database. A node without a heartbeat for eight seconds counts as dead:
 * its writes fail from then on, and its partitions go to others. Absent in a single process.
 */
export interface Nodes {
  /** Id of this process; a new one after every start. */
  readonly id: string;
  /** Returns false when other nodes may count this one as dead, so that it must send nothing. */
  isCounted(): boolean;
  /** Returns all nodes with a recent heartbeat. */
  list(): Promise<readonly NodeStatus[]>;
  /** Returns the ids of other nodes that accept partitions, as last received. */
  takers(): readonly string[];
  /** Asks a node to hand over its partitions and claim no more, or cancels that. Rejects with `not_found` for an unknown node. */
  drain(id: string, isDraining: boolean): Promise<void>;
  /** Returns true when this node was asked to drain and others can take its partitions. */
  isDraining(): boolean;
  /** Calls back when the draining state changes. Returns the unsubscribe function. */
  onDraining(listener: () => void): () => void;
  /** Calls back with all ended nodes whenever there are more; their writes fail from then on. Returns the unsubscribe function. */
  onGone(listener: (ids: readonly string[]) => void): () => void;
  /** Calls back when this process was declared dead and must stop its work at once. Returns the unsubscribe function. */
  onLost(listener: () => void): () => void;
}
export const Nodes: ServiceKey<Nodes> = serviceKey("nodes");
