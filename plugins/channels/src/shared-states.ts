import type { Collection, ErrorDetail, Logger } from "@parley/core";
import type { SlotState } from "./slots.ts";

/** How the connection of a channel stands, as the node says that has it. */
export interface KeptState {
  /** The channel's. */
  readonly id: string;
  readonly node: string;
  readonly state: SlotState & { readonly detail?: ErrorDetail };
}

/** What nodes tell each other of the connections that they have. */
export interface SharedStates {
  /** What another node said last of a connection. */
  elsewhere(id: string): SlotState | undefined;
  /** It is so here. */
  told(id: string, state: SlotState): void;
  /** Reads what was told; `heard` is called when that is known of a channel. Returns the end of it. */
  start(heard: (id: string) => void): Promise<() => void>;
}

export interface SharedStatesParts {
  readonly kept: () => Collection<KeptState>;
  /** This one. */
  readonly node: () => string;
  readonly log: Logger;
}

export function createSharedStates({ kept, node, log }: SharedStatesParts): SharedStates {
  const states = new Map<string, KeptState>();
  return {
    elsewhere(id) {
      const found = states.get(id);
      return found && found.node !== node() ? found.state : undefined;
    },
    told(id, state) {
      const mine = { id, node: node(), state };
      states.set(id, mine);
      kept()
        .put(mine)
        .catch((error) => log.warn("the other nodes do not know how a channel stands", { channel: id, error }));
    },
    async start(heard) {
      const end = kept().onElsewhere((id, state) => {
        if (state) states.set(id, state);
        else states.delete(id);
        heard(id);
      });
      for (const one of await kept().list()) states.set(one.id, one);
      return end;
    },
  };
}
