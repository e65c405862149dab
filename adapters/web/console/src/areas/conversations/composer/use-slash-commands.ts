import type { DataOf } from "@parley/client";
import { useQuery } from "@tanstack/react-query";
import { MAX_LIMIT_QUERY, parley } from "../../../shared/api/client.ts";
import { useLocalized } from "../../../shared/i18n/use-localized.ts";
import { useTexts } from "../texts.ts";

type Command = DataOf<"get", "/api/commands">["items"][number];

/** Something that a slash calls. */
export interface SlashCommand {
  readonly kind: "command" | "prompt" | "skill";
  readonly key: string;
  /** Text in the menu. */
  readonly label: string;
  readonly about: string;
  /** The text to insert; undefined for a prompt, whose variables are asked for first. */
  readonly insertText: string | undefined;
}

/** Maximum entries per kind. */
const MAX_PER_KIND = 8;
const STALE_OPTIONS = { staleTime: 60_000 } as const;

export interface SlashCommands {
  readonly commands: readonly SlashCommand[];
  /** The word that was called, where nothing is called so. */
  readonly unknown: string | undefined;
}

const NO_COMMANDS: SlashCommands = { commands: [], unknown: undefined };

/** Commands that start with the typed text, and prompts and skills that contain it in their names. */
export function useSlashCommands(text: string): SlashCommands {
  const { t } = useTexts();
  const local = useLocalized();
  const enabled = /^\/[^\n]{0,100}$/.test(text);
  const commands = useQuery({
    queryKey: ["commands"],
    queryFn: () => parley.get("/api/commands", { query: { ...MAX_LIMIT_QUERY, channel: "web" } }),
    enabled,
    ...STALE_OPTIONS,
  });
  const prompts = useQuery({
    queryKey: ["saved_prompt", "slash"],
    queryFn: () => parley.get("/api/prompts", { query: MAX_LIMIT_QUERY }),
    enabled,
    ...STALE_OPTIONS,
  });
  const skills = useQuery({
    queryKey: ["skill", "slash"],
    queryFn: () => parley.get("/api/skills", { query: { ...MAX_LIMIT_QUERY, enabled: true } }),
    enabled,
    ...STALE_OPTIONS,
  });
  if (!enabled) return NO_COMMANDS;
  const typed = text.slice(1).trim().toLowerCase();
  const isNamed = ({ name }: { readonly name: string }) => name.toLowerCase().includes(typed);
  const found = [
    ...(commands.data?.items ?? [])
      .filter((command) => matchesPrefix(command, text))
      .slice(0, MAX_PER_KIND)
      .map((command): SlashCommand => {
        const word = toCommandWord(command.name);
        const shown = local(command.usage_texts) || word;
        return { kind: "command", key: command.name, label: shown, about: local(command.help), insertText: `${word} ` };
      }),
    ...(prompts.data?.items ?? [])
      .filter(isNamed)
      .slice(0, MAX_PER_KIND)
      .map(({ id, name, owner, is_own }): SlashCommand => {
        const about = is_own ? t("aPrompt") : t("aPromptOf", { name: owner });
        return { kind: "prompt", key: id, label: name, about, insertText: undefined };
      }),
    ...(skills.data?.items ?? [])
      .filter(isNamed)
      .slice(0, MAX_PER_KIND)
      .map(({ id, name, description }): SlashCommand => {
        const about = [t("aSkill"), description].filter((part) => part !== "").join(" · ");
        return { kind: "skill", key: id, label: name, about, insertText: t("useSkill", { name }) };
      }),
  ];
  // A path or a date begins with a slash, too.
  const called = /^\/[\p{L}\p{N}_-]+(?=\s|$)/u.exec(text)?.[0].toLowerCase();
  const isKnown = (command: Command) =>
    [command.name, ...command.aliases].some((word) => toCommandWord(word) === called);
  const isAll = [commands, prompts, skills].every(({ isSuccess }) => isSuccess);
  const isUnknown = isAll && found.length === 0 && !commands.data?.items.some(isKnown);
  return { commands: found, unknown: isUnknown ? called : undefined };
}

function matchesPrefix({ name, aliases }: Command, text: string): boolean {
  return [name, ...aliases].some((word) => toCommandWord(word).startsWith(text.toLowerCase()));
}

function toCommandWord(name: string): string {
  return name.startsWith("/") ? name : `/${name}`;
}
