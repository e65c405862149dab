import type { CharacterFields } from "./character-fields.ts";

const MOST = 100_000;

type Source = Pick<
  CharacterFields,
  "name" | "basic_info" | "description" | "personality" | "scenario" | "response_format" | "rules" | "example_dialogues"
>;

/** What a model is told of a character, made of its fields in a fixed order. */
export function compilePrompt(character: Source): string {
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
  const told = parts.filter(([, text]) => text.trim() !== "").map(([title, text]) => `## ${title}\n${text}`);
  const whole = [`You are ${character.name}.`, ...told].join("\n\n");
  return whole.length <= MOST ? whole : [...whole].slice(0, MOST).join("");
}
