import type { Personality, PromptSource, PromptText, Turn } from "@parley/core";
import {
  type CharacterFields,
  characterPrompt,
  expandMacros,
  insertCardFields,
  toAuthorRules,
  toMacroValues,
  toPostHistoryPrompt,
} from "@parley/core/characters";

type Current = Pick<Personality, "current">;
type TextBuilder = (fields: CharacterFields, values: ReturnType<typeof toMacroValues>) => PromptText | undefined;

// A replay has no record to read.
const EXTERNAL = { isExternal: true } as const;
const toInstruction = (text: string): PromptText => ({ text, isData: false });

const SOURCES: readonly (Pick<PromptSource, "id" | "key" | "priority" | "place"> & { readonly say: TextBuilder })[] = [
  {
    id: "personality.rules",
    key: "character.profile",
    priority: 20,
    place: "system",
    say: (fields, values) => toAuthorRules(characterPrompt(fields).rules, values),
  },
  {
    id: "personality.profile",
    key: "character.profile",
    priority: 32,
    place: "system",
    say: (fields, values) => toInstruction(expandMacros(characterPrompt(fields).definition, values)),
  },
  {
    id: "personality.post-history",
    key: "character.post_history",
    priority: 30,
    place: "after-history",
    say(fields, values) {
      const post_history_instructions = insertCardFields(fields.post_history_instructions, fields);
      return toInstruction(toPostHistoryPrompt({ post_history_instructions }, values));
    },
  },
];

/** Prompt sources of the personality, for sessions with neither a character nor a custom prompt. */
export const PROMPT_SOURCES: readonly ((current: Current, timeZone: () => string) => PromptSource)[] = SOURCES.map(
  ({ say, ...source }) =>
    (current, timeZone) => ({
      ...EXTERNAL,
      ...source,
      async collect(turn) {
        if (!hasNoSpeaker(turn)) return undefined;
        const fields = await current.current();
        return say(fields, toMacroValues(turn, timeZone(), turn.session.sender_name || fields.name));
      },
    }),
);

function hasNoSpeaker({ session }: Turn): boolean {
  return session.character_id === null && session.system_prompt === "";
}
