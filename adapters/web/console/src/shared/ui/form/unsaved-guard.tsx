import { useBlocker } from "@tanstack/react-router";
import { createContext, useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
import { LeaveDialog } from "./leave-dialog.tsx";
import { registerPendingLeave, registerUnsaved } from "./unsaved-state.ts";

/** The dialog that contains a form. */
export interface FormDialog {
  /** Registers that the form has unsaved changes. */
  readonly setUnsaved: (isChanged: boolean) => void;
  /** False while a closed dialog fades out: nothing in it can be lost any more. */
  readonly isOpen: boolean;
}

export const FormDialogContext = createContext<FormDialog | undefined>(undefined);

/**
 * Asks before unsaved changes are lost: on navigation, sign-out and closing of the dialog around the form. Changes
 * being saved count as unsaved, since saving may fail.
 */
export function UnsavedGuard({ isChanged: hasChanges }: { readonly isChanged: boolean }) {
  const dialog = useContext(FormDialogContext);
  const setDialogUnsaved = dialog?.setUnsaved;
  const isChanged = hasChanges && (dialog?.isOpen ?? true);
  useLayoutEffect(() => {
    setDialogUnsaved?.(isChanged);
    return () => setDialogUnsaved?.(false);
  }, [setDialogUnsaved, isChanged]);
  useLayoutEffect(() => (isChanged ? registerUnsaved() : undefined), [isChanged]);
  // A page may be left before effects have run.
  const isUnsaved = useRef(isChanged);
  // A ref, since the page may be unmounted before the question is answered.
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
  // A navigation that waits for an answer continues once a save has left nothing unsaved.
  useEffect(() => {
    if (!isChanged) answerRef.current?.(false);
  }, [isChanged]);
  useEffect(() => () => answerRef.current?.(false), []);
  return (
    <LeaveDialog isOpen={isAsking} leave={() => answerRef.current?.(false)} stay={() => answerRef.current?.(true)} />
  );
}
