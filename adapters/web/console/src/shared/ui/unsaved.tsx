import { useBlocker } from "@tanstack/react-router";
import { createContext, useContext, useEffect, useLayoutEffect, useRef } from "react";
import { LeaveQuestion } from "./leave-question.tsx";
import { noteUnsaved } from "./unsaved-now.ts";

/** Tells the window that a form stands in whether it would lose something. */
export const WindowOfForm = createContext<((isChanged: boolean) => void) | undefined>(undefined);

/** Asks before unsaved changes are lost: when the page is left, whichever way, when one signs out, and when the window around is closed. */
export function UnsavedGuard({ isChanged }: { readonly isChanged: boolean }) {
  const tellWindow = useContext(WindowOfForm);
  useLayoutEffect(() => {
    tellWindow?.(isChanged);
    return () => tellWindow?.(false);
  }, [tellWindow, isChanged]);
  useLayoutEffect(() => (isChanged ? noteUnsaved() : undefined), [isChanged]);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  // Who was asked while it was being saved, and has nothing to lose any more, goes where they were going.
  const goOn = useRef<() => void>(undefined);
  goOn.current = status === "blocked" ? proceed : undefined;
  useEffect(() => (isChanged ? () => goOn.current?.() : undefined), [isChanged]);
  return <LeaveQuestion isOpen={status === "blocked"} leave={() => proceed?.()} stay={() => reset?.()} />;
}
