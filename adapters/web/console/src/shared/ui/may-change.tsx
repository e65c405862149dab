import type { Scope } from "@parley/core";
import { createContext, useContext } from "react";
import { useMay } from "../api/console.ts";

/** What a person needs to change anything on the page that is open. */
export const ChangesNeed = createContext<Scope>("chat");

/** Whether the person who looks may change what is on the page that is open. */
export function useMayChange(): boolean {
  return useMay(useContext(ChangesNeed));
}

interface ChangesProps {
  /** Where a part of a page needs more than the rest of it. */
  readonly scope?: Scope;
  readonly children: React.ReactNode;
}

/** What changes something: who may not do that is not shown it. */
export function Changes({ scope, children }: ChangesProps) {
  const needed = useContext(ChangesNeed);
  return useMay(scope ?? needed) && children;
}
