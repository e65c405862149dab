import { Fragment, useContext, useState } from "react";
import { WindowOfForm } from "./unsaved.tsx";

interface HeldProps<Value> {
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
export function Held<Value>({ latest, version, children }: HeldProps<Value>) {
  const around = useContext(WindowOfForm);
  const tellOutside = around?.tell;
  const [isChanged, setChanged] = useState(false);
  const [isReleased, setReleased] = useState(false);
  const [held, hold] = useState({ value: latest, version });
  if (held.version !== version && (isReleased || !isChanged)) {
    hold({ value: latest, version });
    setReleased(false);
  }
  const [tell] = useState(() => (isNow: boolean) => {
    setChanged(isNow);
    tellOutside?.(isNow);
  });
  return (
    <WindowOfForm value={{ tell, isOpen: around?.isOpen ?? true }}>
      <Fragment key={held.version}>{children(held.value, () => setReleased(true))}</Fragment>
    </WindowOfForm>
  );
}
