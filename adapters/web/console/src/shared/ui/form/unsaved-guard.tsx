import { useBlocker } from "@tanstack/react-router";
import { createContext, useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
import { LeaveDialog } from "./leave-dialog.tsx";
import { registerPendingLeave, registerUnsaved } from "./unsaved-state.ts";

/** The dialog that contains a form. */
export interface FormWindow {
  /** Registers that the form has unsaved changes. */
  readonly setUnsaved: (isChanged: boolean) => void;
  /** False while a closed dialog fades out: nothing in it can be lost any more. */
  readonly isOpen: boolean;
}

export const FormWindowContext = createContext<FormWindow | undefined>(undefined);

/**
 * Asks before unsaved changes are lost: on navigation, sign-out and closing of the dialog around the form. Changes
 * being saved count as unsaved, since saving may fail.
 */
export function UnsavedGuard({ isChanged: hasChanges }: { readonly isChanged: boolean }) {
  const formWindow = useContext(FormWindowContext);
  const setWindowUnsaved = formWindow?.setUnsaved;
  const isChanged = hasChanges && (formWindow?.isOpen ?? true);
  useLayoutEffect(() => {
    setWindowUnsaved?.(isChanged);
    return () => setWindowUnsaved?.(false);
  }, [setWindowUnsaved, isChanged]);
  useLayoutEffect(() => (isChanged ? registerUnsaved() : undefined), [isChanged]);
  // A page may be left before effects have run.
  const isUnsaved = useRef(isChanged);
  // Kept apart from what is drawn: a page may also be gone before the question is.
  const answerRef = useRef<(isStaying: boolean) => void>(undefined);
  const [isAsking, setAsking] = useState(false);
  useLayoutEffect(() => {
    isUnsaved.current = isChanged;
  }, [isChanged]);
  const ask = () =>
    new Promise<boolean>((resolve) => {
      const answer = (isStaying: boolean) => {
        release();
        answerRef.current = undefined;
        setAsking(false);
        resolve(isStaying);
      };
      const release = registerPendingLeave(() => answer(false));
      answerRef.current = answer;
      setAsking(true);
    });
  useBlocker({ shouldBlockFn: () => isUnsaved.current && ask(), enableBeforeUnload: isChanged });
  // Who was asked while it was being saved, and has nothing to lose any more, goes where they were going.
  useEffect(() => {
    if (!isChanged) answerRef.current?.(false);
  }, [isChanged]);
  useEffect(() => () => answerRef.current?.(false), []);
  return (
    <LeaveDialog isOpen={isAsking} leave={() => answerRef.current?.(false)} stay={() => answerRef.current?.(true)} />
  );
}
