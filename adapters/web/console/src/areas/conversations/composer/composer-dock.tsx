import { createContext, use, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { Composer } from "./composer.tsx";
import { type ComposerDock, createComposerDock, type DockedProps } from "./dock-state.ts";

export const ComposerDockContext = createContext<ComposerDock | undefined>(undefined);

/** Shows the page's composer with these props while the caller is mounted; hides it without props. */
export function useComposer(sessionId: string, props: Omit<DockedProps, "sessionId"> | undefined): ComposerDock {
  const dock = use(ComposerDockContext);
  if (!dock) throw new Error("there is no composer on this page");
  useLayoutEffect(() => {
    if (props) dock.show({ sessionId, ...props });
  });
  const isShown = props !== undefined;
  useLayoutEffect(() => {
    return () => {
      if (isShown) dock.remove(sessionId);
    };
  }, [dock, sessionId, isShown]);
  return dock;
}

export function DockedComposer({ dock }: { readonly dock: ComposerDock }) {
  const current = useSyncExternalStore(dock.subscribe, dock.current);
  return current && <Composer key={current.key} {...current.props} handle={dock.handle} />;
}

/** Creates the composer dock of a page when it is mounted. */
export function useComposerDock(): ComposerDock {
  return useState(createComposerDock)[0];
}
