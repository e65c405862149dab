import { Fragment, useContext, useState } from "react";
import { FormWindowContext } from "./unsaved-guard.tsx";

interface DraftBoundaryProps<Value> {
  readonly latest: Value;
  /** Another one: somebody changed it. */
  readonly version: string | number;
  /** `release`: what is written has been stored, or is to go; what is stored next is shown. */
  readonly children: (held: Value, release: () => void) => React.ReactNode;
}

/**
 * Around a form of something that others may change, too: what they store is shown as soon as nothing is unsaved in the
 * form, and not before.
 */
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
