import { createRef } from "react";
import type { ComposerHandle, ComposerProps } from "./composer.tsx";

export type ComposerTarget = Omit<ComposerProps, "handle">;

/** The single composer of the page: it stays mounted with its draft while the content above it changes. */
export interface ComposerDock {
  readonly handle: React.RefObject<ComposerHandle | null>;
  /** The target of the composer with its React key; undefined where nothing can be written. */
  current(): { readonly key: number; readonly writing: ComposerTarget } | undefined;
  /** Shows the composer of a conversation; another conversation has another one. */
  show(writing: ComposerTarget): void;
  /** Moves the composer with its draft to a conversation that was just created. */
  continueIn(writing: ComposerTarget): void;
  /** Removes the composer of a conversation; that of another one stays. */
  remove(sessionId: string): void;
  subscribe(changed: () => void): () => void;
}

export function createComposerDock(): ComposerDock {
  const listeners = new Set<() => void>();
  let current: ReturnType<ComposerDock["current"]>;
  let last = 0;
  const set = (next: typeof current) => {
    current = next;
    for (const changed of listeners) changed();
  };
  const belongsTo = (sessionId: string) => current?.writing.sessionId === sessionId;
  return {
    handle: createRef(),
    current: () => current,
    show(writing) {
      if (!belongsTo(writing.sessionId)) last += 1;
      set({ key: last, writing });
    },
    continueIn: (writing) => set({ key: last, writing }),
    remove: (sessionId) => belongsTo(sessionId) && set(undefined),
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}
