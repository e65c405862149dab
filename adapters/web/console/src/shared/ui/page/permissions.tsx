import type { Scope } from "@parley/core";
import { createContext, useContext } from "react";
import { useMay } from "../../api/console.ts";

/** What a person needs to change anything on the page that is open. */
export const ChangeScopeContext = createContext<Scope>("chat");

/** Whether the person who looks may change what is on the page that is open. */
export function useCanChange(): boolean {
  return useMay(useContext(ChangeScopeContext));
}

interface RequireChangeScopeProps {
  /** Where a part of a page needs more than the rest of it. */
  readonly scope?: Scope;
  readonly children: React.ReactNode;
}

/** What changes something: who may not do that is not shown it. */
export function RequireChangeScope({ scope, children }: RequireChangeScopeProps) {
  const needed = useContext(ChangeScopeContext);
  return useMay(scope ?? needed) && children;
}
