import type { DataOf } from "@parley/client";
import { useQuery } from "@tanstack/react-query";
import { ALL, parley } from "../../shared/api/client.ts";
import { useLocal } from "../../shared/i18n/local.ts";
import { useTexts } from "./texts.ts";

type Command = DataOf<"get", "/api/commands">["items"][number];

/** Something that a slash calls. */
export interface SlashChoice {
  readonly kind: "command" | "prompt" | "skill";
  readonly key: string;
  /** As it stands in the menu. */
  readonly shown: string;
  readonly about: string;
  /** What stands in the field when it is chosen; undefined: a prompt, whose words are asked for first. */
  readonly written: string | undefined;
}

/** So many of each kind. */
const MOST = 8;
const FRESH = { staleTime: 60_000 } as const;

export interface SlashChoices {
  readonly found: readonly SlashChoice[];
  /** The word that was called, where nothing is called so. */
  readonly unknown: string | undefined;
}

const NOTHING: SlashChoices = { found: [], unknown: undefined };

/** What is called so far: commands by how they begin, prompts and skills by any part of their names. */
export function useSlashChoices(text: string): SlashChoices {
  const { t } = useTexts();
  const local = useLocal();
  const enabled = /^\/[^\n]{0,100}$/.test(text);
  const commands = useQuery({
    queryKey: ["commands"],
    queryFn: () => parley.get("/api/commands", { query: { ...ALL, channel: "web" } }),
    enabled,
    ...FRESH,
  });
  const prompts = useQuery({
    queryKey: ["saved_prompt", "slash"],
    queryFn: () => parley.get("/api/prompts", { query: ALL }),
    enabled,
    ...FRESH,
  });
  const skills = useQuery({
    queryKey: ["skill", "slash"],
    queryFn: () => parley.get("/api/skills", { query: { ...ALL, enabled: true } }),
    enabled,
    ...FRESH,
  });
  if (!enabled) return NOTHING;
  const typed = text.slice(1).trim().toLowerCase();
  const isNamed = ({ name }: { readonly name: string }) => name.toLowerCase().includes(typed);
  const found = [
    ...(commands.data?.items ?? [])
      .filter((command) => begins(command, text))
      .slice(0, MOST)
      .map((command): SlashChoice => {
        const word = wordOf(command.name);
        const shown = local(command.usage_texts) || word;
        return { kind: "command", key: command.name, shown, about: local(command.help), written: `${word} ` };
      }),
    ...(prompts.data?.items ?? [])
      .filter(isNamed)
      .slice(0, MOST)
      .map(({ id, name, owner, is_own }): SlashChoice => {
        const about = is_own ? t("aPrompt") : t("aPromptOf", { name: owner });
        return { kind: "prompt", key: id, shown: name, about, written: undefined };
      }),
    ...(skills.data?.items ?? [])
      .filter(isNamed)
      .slice(0, MOST)
      .map(({ id, name, description }): SlashChoice => {
        const about = [t("aSkill"), description].filter((part) => part !== "").join(" · ");
        return { kind: "skill", key: id, shown: name, about, written: t("useSkill", { name }) };
      }),
  ];
  // A path or a date begins with a slash, too.
  const called = /^\/[\p{L}\p{N}_-]+(?=\s|$)/u.exec(text)?.[0].toLowerCase();
  const isKnown = (command: Command) => [command.name, ...command.aliases].some((word) => wordOf(word) === called);
  const isAll = [commands, prompts, skills].every(({ isSuccess }) => isSuccess);
  const isUnknown = isAll && found.length === 0 && !commands.data?.items.some(isKnown);
  return { found, unknown: isUnknown ? called : undefined };
}

function begins({ name, aliases }: Command, text: string): boolean {
  return [name, ...aliases].some((word) => wordOf(word).startsWith(text.toLowerCase()));
}

function wordOf(name: string): string {
  return name.startsWith("/") ? name : `/${name}`;
}
