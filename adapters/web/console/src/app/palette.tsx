import { UnstyledButton } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { Suspense, useState } from "react";
import type { NavigationArea } from "../shared/api/console.ts";
import { lazy } from "../shared/fetched.ts";
import { useTexts } from "../shared/i18n/i18n.ts";
import textCss from "../shared/styles/text.module.css";
import { Icon } from "../shared/ui/icon.tsx";
import paletteCss from "./palette.module.css";

const Window = lazy(async () => {
  const [{ PaletteWindow }] = await Promise.all([import("./palette-window.tsx"), import("../shared/styles/areas.ts")]);
  return { default: PaletteWindow };
});

/** What can be done from anywhere, besides going to a page. */
export interface PaletteDeeds {
  signOut(): Promise<void>;
  /** Says what the keys do. */
  showKeys(): void;
}

interface PaletteProps {
  readonly areas: readonly NavigationArea[];
  readonly deeds: PaletteDeeds;
  readonly isNarrow: boolean;
  /** It opens over the menu, which is not needed then. */
  readonly opened: () => void;
}

/** The way to everything by name: a button of the menu, and Ctrl/⌘ K everywhere. */
export function CommandPalette({ areas, deeds, isNarrow, opened }: PaletteProps) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const open = () => {
    setOpened(true);
    opened();
    setOpen(true);
  };
  useHotkeys([["mod+K", open]], []);
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
          <Window isOpen={isOpen} close={() => setOpen(false)} areas={areas} deeds={deeds} />
        </Suspense>
      )}
    </>
  );
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform);
}
