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
  /** The typed command, if no command, prompt or skill has that name. */
  readonly unknownWord: string | undefined;
  readonly activeIndex: number;
  /** Handles a key; true when the menu used it. */
  onKeyDown(event: React.KeyboardEvent): boolean;
  readonly select: (one: SlashCommand) => void;
  /** The selected prompt, while its variables are being filled. */
  readonly promptToFill: SlashCommand | undefined;
  readonly insert: (text: string) => void;
  readonly closePrompt: () => void;
}

/** State of the menu of commands, prompts and skills that match a text starting with a slash. */
export function useSlashMenu(text: string, setText: (text: string) => void): SlashMenu {
  const [closedAt, setClosedAt] = useState<string>();
  const [index, setIndex] = useState(0);
  const [promptToFill, setPromptToFill] = useState<SlashCommand>();
  const all = useSlashCommands(text);
  const commands = closedAt === text ? [] : all.commands;
  const activeIndex = Math.min(index, commands.length - 1);
  const select = (one: SlashCommand) => {
    if (one.insertText === undefined) setPromptToFill(one);
    else setText(one.insertText);
    setIndex(0);
  };
  return {
    commands,
    unknownWord: all.unknownWord,
    activeIndex,
    select,
    promptToFill,
    insert: setText,
    closePrompt: () => setPromptToFill(undefined),
    onKeyDown(event) {
      const one = commands[activeIndex];
      if (!one || event.nativeEvent.isComposing) return false;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const isComplete = one.insertText?.trimEnd() === text.toLowerCase();
      if (step !== undefined) setIndex((activeIndex + step + commands.length) % commands.length);
      else if (event.key === "Escape") setClosedAt(text);
      // Enter sends a command that is typed in full.
      else if (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey && !isComplete)) select(one);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}

interface SlashMenuPopupProps {
  readonly menu: SlashMenu;
  readonly id: string;
  /** The message field, focused when the prompt dialog closes. */
  readonly field: React.RefObject<HTMLTextAreaElement | null>;
}

export function SlashMenuPopup({ menu, id, field }: SlashMenuPopupProps) {
  const { t } = useTexts();
  return (
    <>
      {menu.unknownWord && (
        <Text size="xs" c="dimmed" mb={4} role="status" data-testid="slash-unknown">
          {t("slashUnknown", { word: menu.unknownWord })}
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
            onInsert={menu.insert}
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
          // biome-ignore lint/a11y/useKeyWithClickEvents: the message field handles the keys
          <div
            key={`${one.kind} ${one.key}`}
            ref={index === menu.activeIndex ? scrollIntoView : undefined}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === menu.activeIndex}
            // Keeps the focus in the message field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => menu.select(one)}
            data-testid="slash-choice"
            data-kind={one.kind}
          >
            <Icon name={ICONS[one.kind]} size={14} />
            <code>{one.label}</code>
            <Text size="xs" c="dimmed" truncate>
              {one.description}
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
