import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { lazy } from "../../shared/fetched.ts";
import { Icon, type IconName } from "../../shared/ui/icon.tsx";
import composerCss from "./composer.module.css";
import { type SlashChoice, useSlashChoices } from "./slash-choices.ts";
import { useTexts } from "./texts.ts";

const PromptWindow = lazy(async () => ({ default: (await import("./prompt-window.tsx")).PromptWindow }));

const ICONS = { command: "next", prompt: "chat", skill: "star" } as const satisfies Record<
  SlashChoice["kind"],
  IconName
>;

export interface SlashMenu {
  readonly found: readonly SlashChoice[];
  /** The word that was called, where nothing is called so. */
  readonly unknown: string | undefined;
  readonly at: number;
  /** True: the key was meant for the menu. */
  pressed(event: React.KeyboardEvent): boolean;
  readonly choose: (one: SlashChoice) => void;
  /** The prompt whose open places are being asked for. */
  readonly asking: SlashChoice | undefined;
  readonly put: (text: string) => void;
  readonly end: () => void;
}

/** The commands, prompts and skills that a line names which begins with a slash. */
export function useSlashMenu(text: string, setText: (text: string) => void): SlashMenu {
  const [closedAt, setClosedAt] = useState<string>();
  const [at, setAt] = useState(0);
  const [asking, ask] = useState<SlashChoice>();
  const all = useSlashChoices(text);
  const found = closedAt === text ? [] : all.found;
  const chosen = Math.min(at, found.length - 1);
  const choose = (one: SlashChoice) => {
    if (one.written === undefined) ask(one);
    else setText(one.written);
    setAt(0);
  };
  return {
    found,
    unknown: all.unknown,
    at: chosen,
    choose,
    asking,
    put: setText,
    end: () => ask(undefined),
    pressed(event) {
      const one = found[chosen];
      if (!one || event.nativeEvent.isComposing) return false;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const isWhole = one.written?.trimEnd() === text.toLowerCase();
      if (step !== undefined) setAt((chosen + step + found.length) % found.length);
      else if (event.key === "Escape") setClosedAt(text);
      // A command that is written to its end is sent.
      else if (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey && !isWhole)) choose(one);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}

interface SlashChoicesProps {
  readonly menu: SlashMenu;
  readonly id: string;
  /** Where what is written goes on. */
  readonly field: React.RefObject<HTMLTextAreaElement | null>;
}

export function SlashChoices({ menu, id, field }: SlashChoicesProps) {
  const { t } = useTexts();
  return (
    <>
      {menu.unknown && (
        <Text size="xs" c="dimmed" mb={4} role="status" data-testid="slash-unknown">
          {t("slashUnknown", { word: menu.unknown })}
        </Text>
      )}
      {menu.found.length > 0 && <Choices menu={menu} id={id} />}
      {menu.asking && (
        <Suspense>
          <PromptWindow
            prompt={{ id: menu.asking.key, name: menu.asking.shown }}
            close={() => {
              menu.end();
              field.current?.focus();
            }}
            put={menu.put}
          />
        </Suspense>
      )}
    </>
  );
}

function Choices({ menu, id }: Pick<SlashChoicesProps, "menu" | "id">) {
  const { t } = useTexts();
  return (
    <div className={composerCss.slash}>
      <div role="listbox" id={id} aria-label={t("slashMenu")} data-testid="slash-menu">
        {menu.found.map((one, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
          <div
            key={`${one.kind} ${one.key}`}
            ref={index === menu.at ? intoView : undefined}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === menu.at}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => menu.choose(one)}
            data-testid="slash-choice"
            data-kind={one.kind}
          >
            <Icon name={ICONS[one.kind]} size={14} />
            <code>{one.shown}</code>
            <Text size="xs" c="dimmed" truncate>
              {one.about}
            </Text>
          </div>
        ))}
      </div>
      <Link to={"/area/prompts" as string} className={composerCss.slashMore} data-testid="all-prompts">
        {t("allPrompts")}
      </Link>
    </div>
  );
}

function intoView(one: HTMLElement | null): void {
  one?.scrollIntoView({ block: "nearest" });
}
