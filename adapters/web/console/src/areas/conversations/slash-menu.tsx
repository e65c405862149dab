import { Text } from "@mantine/core";
import type { DataOf } from "@parley/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ALL, parley } from "../../shared/api/client.ts";
import { useLocal } from "../../shared/i18n/local.ts";
import { useTexts } from "./texts.ts";

type Command = DataOf<"get", "/api/commands">["items"][number];

const MOST = 8;

export interface SlashMenu {
  readonly found: readonly Command[];
  readonly at: number;
  /** True: the key was meant for the menu. */
  pressed(event: React.KeyboardEvent): boolean;
  readonly choose: (command: Command) => void;
}

/** The commands that begin as the text does, while it is one word that begins with a slash. */
export function useSlashMenu(text: string, setText: (text: string) => void): SlashMenu {
  const isAsked = /^\/\S*$/.test(text);
  const [closedAt, setClosedAt] = useState<string>();
  const [at, setAt] = useState(0);
  const { data } = useQuery({
    queryKey: ["commands"],
    queryFn: () => parley.get("/api/commands", { query: { ...ALL, channel: "web" } }),
    enabled: isAsked,
    staleTime: 60_000,
  });
  const begins = ({ name, aliases }: Command) =>
    [name, ...aliases].some((word) => wordOf(word).startsWith(text.toLowerCase()));
  const found = isAsked && closedAt !== text ? (data?.items ?? []).filter(begins).slice(0, MOST) : [];
  const chosen = Math.min(at, found.length - 1);
  const choose = (command: Command) => {
    setText(`${wordOf(command.name)} `);
    setAt(0);
  };
  return {
    found,
    at: chosen,
    choose,
    pressed(event) {
      const command = found[chosen];
      if (!command || event.nativeEvent.isComposing) return false;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const isWhole = wordOf(command.name) === text.toLowerCase();
      if (step !== undefined) setAt((chosen + step + found.length) % found.length);
      else if (event.key === "Escape") setClosedAt(text);
      // A command that is written to its end is sent.
      else if (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey && !isWhole)) choose(command);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}

function wordOf(name: string): string {
  return name.startsWith("/") ? name : `/${name}`;
}

export function SlashChoices({ menu, id }: { readonly menu: SlashMenu; readonly id: string }) {
  const { t } = useTexts();
  const local = useLocal();
  if (menu.found.length === 0) return null;
  return (
    <div className="slash" role="listbox" id={id} aria-label={t("commands")} data-testid="slash-menu">
      {menu.found.map((command, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
        <div
          key={command.name}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === menu.at}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => menu.choose(command)}
          data-testid="slash-choice"
        >
          <code>{local(command.usage_texts) || wordOf(command.name)}</code>
          <Text size="xs" c="dimmed" truncate>
            {local(command.help)}
          </Text>
        </div>
      ))}
    </div>
  );
}
