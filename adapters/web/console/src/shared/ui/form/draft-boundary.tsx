import { Fragment, useContext, useState } from "react";
import { FormWindowContext } from "./unsaved-guard.tsx";

interface DraftBoundaryProps<Value> {
  readonly latest: Value;
  /** Changes when the record was changed. */
  readonly version: string | number;
  /** Renders the form with the current value. Call `release` once the draft is stored or discarded: the latest value is shown then. */
  readonly children: (value: Value, release: () => void) => React.ReactNode;
}

/** Wraps a form of shared data: remote changes are shown as soon as the form has no unsaved changes, not before. */
export function DraftBoundary<Value>({ latest, version, children }: DraftBoundaryProps<Value>) {
  const outerWindow = useContext(FormWindowContext);
  const notifyOuter = outerWindow?.setUnsaved;
  const [isChanged, setChanged] = useState(false);
  const [isReleased, setReleased] = useState(false);
  const [snapshot, setSnapshot] = useState({ value: latest, version });
  if (snapshot.version !== version && (isReleased || !isChanged)) {
    setSnapshot({ value: latest, version });
    setReleased(false);
  }
  const [notify] = useState(() => (isNow: boolean) => {
    setChanged(isNow);
    notifyOuter?.(isNow);
  });
  return (
    <FormWindowContext value={{ setUnsaved: notify, isOpen: outerWindow?.isOpen ?? true }}>
      <Fragment key={snapshot.version}>{children(snapshot.value, () => setReleased(true))}</Fragment>
    </FormWindowContext>
  );
}
