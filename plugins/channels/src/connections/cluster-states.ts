import type { Collection, DocumentKind, ErrorDetail, Logger } from "@parley/core";
import type { ConnectionStatus } from "./connection-status.ts";

/** State of a channel's connection, as reported by its owner node. */
export interface StoredNodeState {
  /** Id of the channel. */
  readonly id: string;
  readonly node: string;
  readonly state: ConnectionStatus & { readonly detail?: ErrorDetail };
}

export const CHANNEL_STATES: DocumentKind<StoredNodeState> = { name: "channel-states" };

/** Exchange of connection states between nodes. */
export interface ClusterStates {
  /** Returns the state last received from another node. */
  getRemote(id: string): ConnectionStatus | undefined;
  /** Publishes the state of a local connection. */
  publish(id: string, state: ConnectionStatus): void;
  /** Starts receiving states; calls `listener` when one arrived for a channel. Returns the unsubscribe function. */
  start(listener: (id: string) => void): Promise<() => void>;
}

export interface ClusterStatesDeps {
  readonly collection: () => Collection<StoredNodeState>;
  /** Returns the id of this node. */
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
        .catch((error) =>
          log.warn("the state of a channel could not be sent to the other nodes", { channel: id, error }),
        );
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
