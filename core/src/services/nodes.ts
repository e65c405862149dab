import { type ServiceKey, serviceKey } from "../extension-point.ts";
import type { LiveEvent } from "./live-events.ts";

/** One process that works on the database of an installation. */
export interface NodeStatus {
  readonly id: string;
  readonly version: string;
  /** ISO 8601. */
  readonly joinedAt: string;
  /** When the others last heard of it; ISO 8601. */
  readonly seenAt: string;
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
  /** Hears of all that are gone, each time there are more: none of them stores anything any more. Returns the end of it. */
  onGone(heard: (ids: readonly string[]) => void): () => void;
  /**
   * Hears what another node publishes for those who watch; lost while there is no connection. Returns the end of it.
   * @deprecated `LiveEvents.watch` hears that and what this process publishes.
   */
  onEvent(heard: (event: LiveEvent) => void): () => void;
  /** Hears that this process was taken for dead: what it does is to be given up at once. Returns the end of it. */
  onLost(heard: () => void): () => void;
}
export const Nodes: ServiceKey<Nodes> = serviceKey("nodes");
