import { createRef } from "react";
import type { ComposerHandle, ComposerProps } from "./composer.tsx";

export type DockedProps = Omit<ComposerProps, "handle">;

/** The single composer of the page: it stays mounted with its draft while the content above it changes. */
export interface ComposerDock {
  readonly handle: React.RefObject<ComposerHandle | null>;
  /** The composer's React key and props; undefined while no message can be written. */
  current(): { readonly key: number; readonly props: DockedProps } | undefined;
  /** Shows the composer of a conversation; a different conversation gets a new key, so its own draft. */
  show(props: DockedProps): void;
  /** Moves the composer with its draft to a conversation that was just created. */
  continueIn(props: DockedProps): void;
  /** Removes the composer if it still belongs to this conversation. */
  remove(sessionId: string): void;
  subscribe(changed: () => void): () => void;
}

export function createComposerDock(): ComposerDock {
  const listeners = new Set<() => void>();
  let current: ReturnType<ComposerDock["current"]>;
  let lastKey = 0;
  const set = (next: typeof current) => {
    current = next;
    for (const changed of listeners) changed();
  };
  const belongsTo = (sessionId: string) => current?.props.sessionId === sessionId;
  return {
    handle: createRef(),
    current: () => current,
    show(props) {
      if (!belongsTo(props.sessionId)) lastKey += 1;
      set({ key: lastKey, props });
    },
    continueIn: (props) => set({ key: lastKey, props }),
    remove: (sessionId) => belongsTo(sessionId) && set(undefined),
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}
