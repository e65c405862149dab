import type { PromptText } from "../points/turn/prompt-source.ts";
import type { CharacterFields } from "./character-fields.ts";
import { expandMacros, GENERAL_RULES, type MacroValues } from "./macros.ts";

const MAX_PROMPT_LENGTH = 100_000;

type CompiledFields = Pick<
  CharacterFields,
  "name" | "basic_info" | "description" | "personality" | "scenario" | "response_format" | "rules" | "example_dialogues"
>;

/** Compiles the prompt that describes a character from its fields, in a fixed order. */
export function compilePrompt(character: CompiledFields): string {
  const rules = character.rules.map((rule, index) => `${index + 1}. ${rule}`).join("\n");
  const parts: readonly (readonly [title: string, text: string])[] = [
    ["Basic information", character.basic_info],
    ["Description", character.description],
    ["Personality", character.personality],
    ["Scenario", character.scenario],
    ["Form of your answers", character.response_format],
    ["Rules", rules],
    ["Example dialogues", character.example_dialogues],
  ];
  const sections = parts.filter(([, text]) => text.trim() !== "").map(([title, text]) => `## ${title}\n${text}`);
  return truncatePrompt([`You are ${character.name}.`, ...sections].join("\n\n"));
}

/** A character's two prompt texts. `rules` replace the service's general rules; when empty, those apply. The `definition` is always sent. */
export interface CharacterPrompt {
  readonly rules: string;
  readonly definition: string;
}

/** Splits a stored character into its author's rules and its definition. */
export function characterPrompt(
  character: CompiledFields & Pick<CharacterFields, "system_prompt" | "system_prompt_mode">,
): CharacterPrompt {
  const { system_prompt, system_prompt_mode } = character;
  if (system_prompt_mode === "manual")
    return { rules: insertCardFields(system_prompt, character), definition: compilePrompt(character) };
  return { rules: "", definition: system_prompt };
}

/** Replaces the placeholders of a card's own fields, such as `{{scenario}}`, in its author's prompts. */
export function insertCardFields(
  prompt: string,
  card: Pick<CompiledFields, "description" | "personality" | "scenario" | "example_dialogues">,
): string {
  const fields: Readonly<Record<string, string>> = {
    description: card.description,
    personality: card.personality,
    scenario: card.scenario,
    mesexamples: card.example_dialogues,
  };
  return prompt.replace(
    /\{\{\s*(description|personality|scenario|mesExamples)\s*\}\}/gi,
    (_, name: string) => fields[name.toLowerCase()] ?? "",
  );
}

/** Joins both texts of a character into one. */
export function joinPrompts({ rules, definition }: CharacterPrompt): string {
  return truncatePrompt([rules, definition].filter((text) => text.trim() !== "").join("\n\n"));
}

/** Returns the author's rules as a prompt part that replaces the general rules; undefined when they are blank. */
export function toAuthorRules(rules: string, values: MacroValues): PromptText | undefined {
  if (rules.trim() === "") return undefined;
  const text = expandMacros(rules, { ...values, original: GENERAL_RULES });
  return { text, isData: false, replacesGeneralRules: true };
}

/** Returns the character's text after the history. `{{original}}` is empty because the service has no such text of its own. */
export function toPostHistoryPrompt(
  { post_history_instructions }: Pick<CharacterFields, "post_history_instructions">,
  values: MacroValues,
): string {
  return expandMacros(post_history_instructions, { ...values, original: "" });
}

function truncatePrompt(text: string): string {
  return text.length <= MAX_PROMPT_LENGTH
    ? text
    : [...text].slice(0, MAX_PROMPT_LENGTH).join("").slice(0, MAX_PROMPT_LENGTH).toWellFormed();
}
