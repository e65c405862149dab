import {
  type CharacterFields,
  characterPrompt,
  completeCharacter,
  estimateTokens,
  type MacroValues,
  wholePrompt,
  withExtra,
  withMacros,
} from "@parley/core";

/** What a model is told of a card that is being written, and about how many tokens each of its fields takes. */
export interface CardPreview {
  readonly system_prompt: string;
  /** By field; a list as a whole. */
  readonly tokens: Readonly<Record<string, number>>;
  /** Of what is told in every turn. */
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

/** As a model would receive it in a conversation: placeholders stand for what they would there. */
export function createPreview(input: Partial<CharacterFields>, macroValues: Omit<MacroValues, "char">): CardPreview {
  const fields = completeCharacter({ name: "" }, withExtra(input));
  const tokens = Object.fromEntries(
    COUNTED_FIELDS.map((name) => [name, estimateTokens([fields[name]].flat().join("\n"))]),
  );
  const values = { ...macroValues, char: fields.name };
  const prompt = withMacros(wholePrompt(characterPrompt(fields)), values);
  const total = estimateTokens(prompt) + estimateTokens(withMacros(fields.post_history_instructions, values));
  return { system_prompt: withMacros(fields.system_prompt, values), tokens, total };
}
