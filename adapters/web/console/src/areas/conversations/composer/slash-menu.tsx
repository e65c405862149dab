import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { lazy } from "../../../shared/load-chunk.ts";
import { Icon, type IconName } from "../../../shared/ui/element/icon.tsx";
import { toAddress } from "../../../shared/ui/page/address.ts";
import { useTexts } from "../texts.ts";
import composerCss from "./composer.module.css";
import { type SlashCommand, useSlashCommands } from "./use-slash-commands.ts";

const LazyPromptDialog = lazy(async () => ({ default: (await import("./prompt-dialog.tsx")).PromptDialog }));

const ICONS = { command: "next", prompt: "chat", skill: "star" } as const satisfies Record<
  SlashCommand["kind"],
  IconName
>;

export interface SlashMenu {
  readonly commands: readonly SlashCommand[];
  /** The word that was called, where nothing is called so. */
  readonly unknown: string | undefined;
  readonly activeIndex: number;
  /** Handles a key; true when the menu used it. */
  onKeyDown(event: React.KeyboardEvent): boolean;
  readonly select: (one: SlashCommand) => void;
  /** The chosen prompt whose variables are asked for. */
  readonly promptToFill: SlashCommand | undefined;
  readonly insert: (text: string) => void;
  readonly closePrompt: () => void;
}

/** Commands, prompts and skills that match a line starting with a slash. */
export function useSlashMenu(text: string, setText: (text: string) => void): SlashMenu {
  const [closedAt, setClosedAt] = useState<string>();
  const [at, setAt] = useState(0);
  const [asking, ask] = useState<SlashCommand>();
  const all = useSlashCommands(text);
  const commands = closedAt === text ? [] : all.commands;
  const chosen = Math.min(at, commands.length - 1);
  const choose = (one: SlashCommand) => {
    if (one.insertText === undefined) ask(one);
    else setText(one.insertText);
    setAt(0);
  };
  return {
    commands,
    unknown: all.unknown,
    activeIndex: chosen,
    select: choose,
    promptToFill: asking,
    insert: setText,
    closePrompt: () => ask(undefined),
    onKeyDown(event) {
      const one = commands[chosen];
      if (!one || event.nativeEvent.isComposing) return false;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const isWhole = one.insertText?.trimEnd() === text.toLowerCase();
      if (step !== undefined) setAt((chosen + step + commands.length) % commands.length);
      else if (event.key === "Escape") setClosedAt(text);
      // A command that is written to its end is sent.
      else if (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey && !isWhole)) choose(one);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}

interface SlashMenuPopupProps {
  readonly menu: SlashMenu;
  readonly id: string;
  /** The message field, focused after a choice. */
  readonly field: React.RefObject<HTMLTextAreaElement | null>;
}

export function SlashMenuPopup({ menu, id, field }: SlashMenuPopupProps) {
  const { t } = useTexts();
  return (
    <>
      {menu.unknown && (
        <Text size="xs" c="dimmed" mb={4} role="status" data-testid="slash-unknown">
          {t("slashUnknown", { word: menu.unknown })}
        </Text>
      )}
      {menu.commands.length > 0 && <SlashMenuItems menu={menu} id={id} />}
      {menu.promptToFill && (
        <Suspense>
          <LazyPromptDialog
            prompt={{ id: menu.promptToFill.key, name: menu.promptToFill.label }}
            close={() => {
              menu.closePrompt();
              field.current?.focus();
            }}
            onChange={menu.insert}
          />
        </Suspense>
      )}
    </>
  );
}

function SlashMenuItems({ menu, id }: Pick<SlashMenuPopupProps, "menu" | "id">) {
  const { t } = useTexts();
  return (
    <div className={composerCss.slash}>
      <div role="listbox" id={id} aria-label={t("slashMenu")} data-testid="slash-menu">
        {menu.commands.map((one, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
          <div
            key={`${one.kind} ${one.key}`}
            ref={index === menu.activeIndex ? scrollIntoView : undefined}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === menu.activeIndex}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => menu.select(one)}
            data-testid="slash-choice"
            data-kind={one.kind}
          >
            <Icon name={ICONS[one.kind]} size={14} />
            <code>{one.label}</code>
            <Text size="xs" c="dimmed" truncate>
              {one.about}
            </Text>
          </div>
        ))}
      </div>
      <Link {...toAddress("/area/prompts")} className={composerCss.slashMore} data-testid="all-prompts">
        {t("allPrompts")}
      </Link>
    </div>
  );
}

function scrollIntoView(one: HTMLElement | null): void {
  one?.scrollIntoView({ block: "nearest" });
}
