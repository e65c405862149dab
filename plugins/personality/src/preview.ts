import {
  type CharacterFields,
  characterPrompt,
  completeCharacter,
  estimateTokens,
  wholePrompt,
  withExtra,
} from "@parley/core";

/** What a model is told of a card that is being written, and about how many tokens each of its fields takes. */
export interface CardPreview {
  readonly system_prompt: string;
  /** By field; a list as a whole. */
  readonly tokens: Readonly<Record<string, number>>;
  /** Of what is told in every turn. */
  readonly total: number;
}

const COUNTED = [
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

export function previewOf(given: Partial<CharacterFields>): CardPreview {
  const fields = completeCharacter({ name: "" }, withExtra(given));
  const tokens = Object.fromEntries(COUNTED.map((name) => [name, estimateTokens([fields[name]].flat().join("\n"))]));
  const total = estimateTokens(wholePrompt(characterPrompt(fields))) + estimateTokens(fields.post_history_instructions);
  return { system_prompt: fields.system_prompt, tokens, total };
}
