import { UnstyledButton } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { Suspense, useEffect, useState } from "react";
import type { NavigationArea } from "../../shared/api/console.ts";
import { useTexts } from "../../shared/i18n/i18n.ts";
import { isApple } from "../../shared/is-apple.ts";
import { lazy, loadChunk } from "../../shared/load-chunk.ts";
import textCss from "../../shared/styles/text.module.css";
import { Icon } from "../../shared/ui/element/icon.tsx";
import paletteCss from "./palette.module.css";

const loadPaletteWindow = async () => {
  const [{ PaletteWindow }] = await Promise.all([
    import("./palette-window.tsx"),
    import("../../shared/styles/areas.ts"),
  ]);
  return { default: PaletteWindow };
};
const LazyPaletteWindow = lazy(loadPaletteWindow);

/** Commands of the palette besides navigation. */
export interface PaletteActions {
  signOut(): Promise<void>;
  /** Opens the keyboard help. */
  showShortcuts(): void;
}

interface PaletteProps {
  readonly areas: readonly NavigationArea[];
  readonly actions: PaletteActions;
  readonly isNarrow: boolean;
  /** Called when the palette opens, to close the menu below it. */
  readonly onOpen: () => void;
}

/** The command palette: opens by a button of the menu, and by Ctrl/⌘ K on every page. */
export function CommandPalette({ areas, actions, isNarrow, onOpen }: PaletteProps) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const [typed, setTyped] = useState("");
  /** True when the palette's input field has the focus. */
  const [isReady, setReady] = useState(false);
  const open = () => {
    setOpened(true);
    onOpen();
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    setReady(false);
    setTyped("");
  };
  useHotkeys([["mod+K", open]], []);
  useBufferedKeys(isOpen && !isReady, setTyped, close);
  useEffect(() => runWhenIdle(() => void loadChunk(loadPaletteWindow).catch(() => undefined)), []);
  return (
    <>
      <UnstyledButton
        className={paletteCss.find}
        onClick={open}
        aria-label={t("find")}
        title={t("find")}
        data-testid="find"
      >
        <Icon name="search" size={16} />
        {!isNarrow && <span className={textCss.oneLine}>{t("findShort")}</span>}
        {!isNarrow && <span className={paletteCss.keys} data-keys={isApple() ? "⌘K" : "Ctrl K"} />}
      </UnstyledButton>
      {wasOpened && (
        <Suspense>
          <LazyPaletteWindow
            isOpen={isOpen}
            typed={typed}
            setTyped={setTyped}
            onReady={() => setReady(true)}
            close={close}
            areas={areas}
            appActions={actions}
          />
        </Suspense>
      )}
    </>
  );
}

/** Captures keys typed before the palette's field is mounted, so that none reaches the focused element. */
function useBufferedKeys(
  isEarly: boolean,
  setTyped: React.Dispatch<React.SetStateAction<string>>,
  close: () => void,
): void {
  useEffect(() => {
    if (!isEarly) return;
    const captureKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      // Shortcuts are left to the page.
      if (ctrlKey || metaKey || altKey) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (key === "Escape") close();
      else if (key === "Backspace") setTyped((before) => before.slice(0, -1));
      else if ([...key].length === 1) setTyped((before) => before + key);
    };
    window.addEventListener("keydown", captureKey, { capture: true });
    return () => window.removeEventListener("keydown", captureKey, { capture: true });
  });
}

/** Runs the work once the page is idle (in Safari, which does not report that, after 2 s); the returned function cancels it. */
function runWhenIdle(work: () => void): () => void {
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(work, 2_000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: 5_000 });
  return () => cancelIdleCallback(handle);
}
