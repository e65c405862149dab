import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** One process that works on the database of an installation. */
export interface NodeStatus {
  readonly id: string;
  readonly version: string;
  /** ISO 8601. */
  readonly joinedAt: string;
  /** When the others last heard of it; ISO 8601. */
  readonly seenAt: string;
  /** The machine and the port; empty where it does not listen. */
  readonly address: string;
  /** How late it heard of the last thing that another node told. */
  readonly lagMs: number;
  /** It was asked to give away what it holds. */
  readonly isDraining: boolean;
}

/**
 * The processes of one installation that work on one database. Whoever is not heard of for eight seconds is taken for dead by
 * the others: from then on it can store nothing, and what it held is theirs. Absent where one process works alone.
 */
export interface Nodes {
  /** Names this process; another one after every start. */
  readonly id: string;
  /** False: the others may have taken it for dead by now, so that nothing may leave it. */
  isCounted(): boolean;
  /** All that are heard of. */
  list(): Promise<readonly NodeStatus[]>;
  /** The ids of the other nodes that take what this one gives away, as it heard of them last. */
  takers(): readonly string[];
  /** Asks a node to give away what it holds and to take nothing more, or to stop with that. `not_found` for an unknown one. */
  drain(id: string, isDraining: boolean): Promise<void>;
  /** True: this node was asked to, and others are there to take it. */
  isDraining(): boolean;
  /** Hears each time when that is another one. Returns the end of it. */
  onDraining(heard: () => void): () => void;
  /** Hears of all that are gone, each time there are more: none of them stores anything any more. Returns the end of it. */
  onGone(heard: (ids: readonly string[]) => void): () => void;
  /** Hears that this process was taken for dead: what it does is to be given up at once. Returns the end of it. */
  onLost(heard: () => void): () => void;
}
export const Nodes: ServiceKey<Nodes> = serviceKey("nodes");
