import { createContext, use, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { Composer } from "./composer.tsx";
import { type ComposerDock, type ComposerTarget, createComposerDock } from "./dock-state.ts";

export const ComposerDockContext = createContext<ComposerDock | undefined>(undefined);

/** Shows the page's composer while the caller is mounted and passes a target. */
export function useComposer(sessionId: string, writing: Omit<ComposerTarget, "sessionId"> | undefined): ComposerDock {
  const dock = use(ComposerDockContext);
  if (!dock) throw new Error("there is no composer on this page");
  useLayoutEffect(() => {
    if (writing) dock.show({ sessionId, ...writing });
  });
  const isThere = writing !== undefined;
  useLayoutEffect(() => {
    return () => {
      if (isThere) dock.remove(sessionId);
    };
  }, [dock, sessionId, isThere]);
  return dock;
}

export function DockedComposer({ dock }: { readonly dock: ComposerDock }) {
  const current = useSyncExternalStore(dock.subscribe, dock.current);
  return current && <Composer key={current.key} {...current.writing} handle={dock.handle} />;
}

export function useComposerDock(): ComposerDock {
  return useState(createComposerDock)[0];
}
