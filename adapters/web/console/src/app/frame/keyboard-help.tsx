import { Suspense, useEffect, useState } from "react";
import { lazy } from "../../shared/load-chunk.ts";

const LazyKeyboardWindow = lazy(async () => {
  const [{ KeyboardWindow }] = await Promise.all([
    import("./keyboard-window.tsx"),
    import("../../shared/styles/areas.ts"),
  ]);
  return { default: KeyboardWindow };
});

interface KeyboardHelpProps {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

/** The keyboard help: `?` opens it on every page, Ctrl/⌘ / also while typing. */
export function KeyboardHelp({ isOpen, open, close }: KeyboardHelpProps) {
  const [wasOpened, setOpened] = useState(false);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.isComposing || !isHelpShortcut(event)) return;
      event.preventDefault();
      open();
    };
    document.addEventListener("keydown", handleKey);
    return () => document.removeEventListener("keydown", handleKey);
  }, [open]);
  useEffect(() => {
    if (isOpen) setOpened(true);
  }, [isOpen]);
  if (!wasOpened) return null;
  return (
    <Suspense>
      <LazyKeyboardWindow isOpen={isOpen} close={close} />
    </Suspense>
  );
}

// Compares the typed character, since the keys for it differ between keyboard layouts.
function isHelpShortcut({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (key === "/") return (ctrlKey || metaKey) && !altKey;
  return key === "?" && !ctrlKey && !metaKey && !isEditable(target);
}

function isEditable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}
