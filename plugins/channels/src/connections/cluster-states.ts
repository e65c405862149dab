import type { Collection, ErrorDetail, Logger } from "@parley/core";
import type { ConnectionStatus } from "./connection-states.ts";

/** How the connection of a channel stands, as the node says that has it. */
export interface StoredNodeState {
  /** The channel's. */
  readonly id: string;
  readonly node: string;
  readonly state: ConnectionStatus & { readonly detail?: ErrorDetail };
}

/** What nodes tell each other of the connections that they have. */
export interface ClusterStates {
  /** What another node said last of a connection. */
  getRemote(id: string): ConnectionStatus | undefined;
  /** It is so here. */
  publish(id: string, state: ConnectionStatus): void;
  /** Reads what was told; `heard` is called when that is known of a channel. Returns the end of it. */
  start(heard: (id: string) => void): Promise<() => void>;
}

export interface ClusterStatesDeps {
  readonly collection: () => Collection<StoredNodeState>;
  /** This one. */
  readonly node: () => string;
  readonly log: Logger;
}

export function createClusterStates({ collection, node, log }: ClusterStatesDeps): ClusterStates {
  const states = new Map<string, StoredNodeState>();
  return {
    getRemote(id) {
      const found = states.get(id);
      return found && found.node !== node() ? found.state : undefined;
    },
    publish(id, state) {
      const ownState = { id, node: node(), state };
      states.set(id, ownState);
      collection()
        .put(ownState)
        .catch((error) => log.warn("the other nodes do not know how a channel stands", { channel: id, error }));
    },
    async start(onRemoteChange) {
      const unsubscribe = collection().onElsewhere((id, state) => {
        if (state) states.set(id, state);
        else states.delete(id);
        onRemoteChange(id);
      });
      for (const one of await collection().list()) states.set(one.id, one);
      return unsubscribe;
    },
  };
}
