import { estimateTokens } from "@parley/core";
import {
  type CharacterFields,
  characterPrompt,
  completeCharacter,
  expandMacros,
  joinPrompts,
  type MacroValues,
  withExtra,
} from "@parley/core/characters";
import { readNickname } from "../turns/card-extras.ts";

/** The system prompt of a draft card, and the approximate tokens of each field. */
export interface CardPreview {
  readonly system_prompt: string;
  /** Tokens by field; a list counts as a whole. */
  readonly tokens: Readonly<Record<string, number>>;
  /** Tokens sent in every turn. */
  readonly total: number;
}

const COUNTED_FIELDS = [
  "name",
  "basic_info",
  "description",
  "personality",
  "scenario",
  "response_format",
  "rules",
  "example_dialogues",
  "first_message",
  "alternate_greetings",
  "post_history_instructions",
  "system_prompt",
] as const satisfies readonly (keyof CharacterFields)[];

/** Builds the prompt as in a conversation, with placeholders filled. */
export function createPreview(input: Partial<CharacterFields>, macroValues: Omit<MacroValues, "char">): CardPreview {
  const fields = completeCharacter({ name: "" }, withExtra(input));
  const tokens = Object.fromEntries(
    COUNTED_FIELDS.map((name) => [name, estimateTokens([fields[name]].flat().join("\n"))]),
  );
  const values = { ...macroValues, char: readNickname(fields) ?? fields.name };
  const prompt = expandMacros(joinPrompts(characterPrompt(fields)), values);
  const total = estimateTokens(prompt) + estimateTokens(expandMacros(fields.post_history_instructions, values));
  return { system_prompt: expandMacros(fields.system_prompt, values), tokens, total };
}
