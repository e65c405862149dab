import type { DataOf } from "@parley/client";
import { useQuery } from "@tanstack/react-query";
import { MAX_LIMIT_QUERY, parley } from "../../../shared/api/client.ts";
import { readWholeList } from "../../../shared/api/list-pages.ts";
import { useLocalized } from "../../../shared/i18n/use-localized.ts";
import { useTexts } from "../texts.ts";

type Command = DataOf<"get", "/api/commands">["items"][number];

/** An entry of the slash menu. */
export interface SlashCommand {
  readonly kind: "command" | "prompt" | "skill";
  readonly key: string;
  readonly label: string;
  readonly description: string;
  /** The text to insert; undefined for a prompt, because its variables must be filled first. */
  readonly insertText: string | undefined;
}

/** Maximum entries per kind. */
const MAX_PER_KIND = 8;
const STALE_OPTIONS = { staleTime: 60_000 } as const;

export interface SlashCommands {
  readonly commands: readonly SlashCommand[];
  /** The typed command, if no command, prompt or skill has that name. */
  readonly unknownWord: string | undefined;
}

const NO_COMMANDS: SlashCommands = { commands: [], unknownWord: undefined };

/** Finds commands that start with the typed text, and prompts and skills whose names contain it. */
export function useSlashCommands(text: string): SlashCommands {
  const { t } = useTexts();
  const localize = useLocalized();
  const enabled = /^\/[^\n]{0,100}$/.test(text);
  const commands = useQuery({
    queryKey: ["commands"],
    queryFn: () => parley.get("/api/commands", { query: { ...MAX_LIMIT_QUERY, channel: "web" } }),
    enabled,
    ...STALE_OPTIONS,
  });
  const prompts = useQuery({
    queryKey: ["saved_prompt", "slash"],
    queryFn: () => readWholeList((page) => parley.get("/api/prompts", { query: page })),
    enabled,
    ...STALE_OPTIONS,
  });
  const skills = useQuery({
    queryKey: ["skill", "slash"],
    queryFn: () => readWholeList((page) => parley.get("/api/skills", { query: { ...page, enabled: true } })),
    enabled,
    ...STALE_OPTIONS,
  });
  if (!enabled) return NO_COMMANDS;
  const typed = text.slice(1).trim().toLowerCase();
  const matchesName = ({ name }: { readonly name: string }) => name.toLowerCase().includes(typed);
  const found = [
    ...(commands.data?.items ?? [])
      .filter((command) => matchesPrefix(command, text))
      .slice(0, MAX_PER_KIND)
      .map(({ name, usage_texts, help }): SlashCommand => {
        const word = toCommandWord(name);
        const label = localize(usage_texts) || word;
        return { kind: "command", key: name, label, description: localize(help), insertText: `${word} ` };
      }),
    ...(prompts.data?.items ?? [])
      .filter(matchesName)
      .slice(0, MAX_PER_KIND)
      .map(({ id, name, owner, is_own }): SlashCommand => {
        const description = is_own ? t("aPrompt") : t("aPromptOf", { name: owner });
        return { kind: "prompt", key: id, label: name, description, insertText: undefined };
      }),
    ...(skills.data?.items ?? [])
      .filter(matchesName)
      .slice(0, MAX_PER_KIND)
      .map(({ id, name, description: about }): SlashCommand => {
        const description = [t("aSkill"), about].filter((part) => part !== "").join(" · ");
        return { kind: "skill", key: id, label: name, description, insertText: t("useSkill", { name }) };
      }),
  ];
  // Only a whole word counts: a path or a date may begin with a slash too.
  const commandWord = /^\/[\p{L}\p{N}_-]+(?=\s|$)/u.exec(text)?.[0].toLowerCase();
  const isKnown = (command: Command) =>
    [command.name, ...command.aliases].some((word) => toCommandWord(word) === commandWord);
  const isLoaded = [commands, prompts, skills].every(({ isSuccess }) => isSuccess);
  const isUnknown = isLoaded && found.length === 0 && !commands.data?.items.some(isKnown);
  return { commands: found, unknownWord: isUnknown ? commandWord : undefined };
}

function matchesPrefix({ name, aliases }: Command, text: string): boolean {
  return [name, ...aliases].some((word) => toCommandWord(word).startsWith(text.toLowerCase()));
}

function toCommandWord(name: string): string {
  return name.startsWith("/") ? name : `/${name}`;
}
