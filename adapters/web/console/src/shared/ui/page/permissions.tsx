import type { Scope } from "@parley/core";
import { createContext, useContext } from "react";
import { useHasScope } from "../../api/console.ts";

/** Scope required for changes on the open page. */
export const ChangeScopeContext = createContext<Scope>("chat");

/** True when the current user may make changes on the open page. */
export function useCanChange(): boolean {
  return useHasScope(useContext(ChangeScopeContext));
}

interface RequireChangeScopeProps {
  /** Scope, where a part of the page needs a higher one. */
  readonly scope?: Scope;
  readonly children: React.ReactNode;
}

/** Renders controls only for users with the required scope. */
export function RequireChangeScope({ scope, children }: RequireChangeScopeProps) {
  const needed = useContext(ChangeScopeContext);
  return useHasScope(scope ?? needed) && children;
}
