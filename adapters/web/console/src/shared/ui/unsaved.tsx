import { useBlocker } from "@tanstack/react-router";
import { createContext, useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
import { LeaveQuestion } from "./leave-question.tsx";
import { noteAsked, noteUnsaved } from "./unsaved-now.ts";

/** The window that a form stands in. */
export interface FormWindow {
  /** Whether the form would lose something. */
  readonly tell: (isChanged: boolean) => void;
  /** A window that is closed is still there until it has faded; nothing in it can be lost any more. */
  readonly isOpen: boolean;
}

export const WindowOfForm = createContext<FormWindow | undefined>(undefined);

/**
 * Asks before unsaved changes are lost: when the page is left, whichever way, when one signs out, and when the window around is closed.
 * What is being saved counts as unsaved: it may be refused.
 */
export function UnsavedGuard({ isChanged: isWritten }: { readonly isChanged: boolean }) {
  const around = useContext(WindowOfForm);
  const tellWindow = around?.tell;
  const isChanged = isWritten && (around?.isOpen ?? true);
  useLayoutEffect(() => {
    tellWindow?.(isChanged);
    return () => tellWindow?.(false);
  }, [tellWindow, isChanged]);
  useLayoutEffect(() => (isChanged ? noteUnsaved() : undefined), [isChanged]);
  // A page may be left before effects have run.
  const isLost = useRef(isChanged);
  // Kept apart from what is drawn: a page may also be gone before the question is.
  const settle = useRef<(isStaying: boolean) => void>(undefined);
  const [isAsking, setAsking] = useState(false);
  useLayoutEffect(() => {
    isLost.current = isChanged;
  }, [isChanged]);
  const ask = () =>
    new Promise<boolean>((resolve) => {
      const answer = (isStaying: boolean) => {
        release();
        settle.current = undefined;
        setAsking(false);
        resolve(isStaying);
      };
      const release = noteAsked(() => answer(false));
      settle.current = answer;
      setAsking(true);
    });
  useBlocker({ shouldBlockFn: () => isLost.current && ask(), enableBeforeUnload: isChanged });
  // Who was asked while it was being saved, and has nothing to lose any more, goes where they were going.
  useEffect(() => {
    if (!isChanged) settle.current?.(false);
  }, [isChanged]);
  useEffect(() => () => settle.current?.(false), []);
  return <LeaveQuestion isOpen={isAsking} leave={() => settle.current?.(false)} stay={() => settle.current?.(true)} />;
}
