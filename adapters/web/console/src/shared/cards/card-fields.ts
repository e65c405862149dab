import type { Character } from "../api/characters.ts";
import { parseJsonObject } from "../json-object.ts";
import { pick } from "../objects.ts";

/** Fields common to all cards. */
export type CardFields = Omit<Character, "id" | "created_at" | "updated_at" | "revision">;

/** Text fields of a card, by section of its form. */
export const PERSONA_FIELDS = ["description", "basic_info", "personality", "scenario"] as const;
export const DIALOGUE_FIELDS = ["response_format", "example_dialogues", "post_history_instructions"] as const;

/** Form values of a card; rules are edited as lines of one text. */
export interface CardValues {
  readonly name: string;
  readonly description: string;
  readonly basic_info: string;
  readonly personality: string;
  readonly scenario: string;
  readonly response_format: string;
  readonly example_dialogues: string;
  readonly post_history_instructions: string;
  readonly rules: string;
  readonly tags: readonly string[];
  /** The first message and the alternate greetings. */
  readonly greetings: readonly string[];
  readonly system_prompt: string;
  readonly system_prompt_mode: "auto" | "manual";
  readonly portrait: string;
  readonly avatar: string;
  readonly creator: string;
  readonly character_version: string;
  readonly creator_notes: string;
  /** The typed JSON, valid or not. */
  readonly initial_state: string;
}

const TEXT_FIELDS = [
  "name",
  ...PERSONA_FIELDS,
  ...DIALOGUE_FIELDS,
  "tags",
  "system_prompt",
  "system_prompt_mode",
  "portrait",
  "avatar",
  "creator",
  "character_version",
  "creator_notes",
] as const;

const EMPTY_VALUES: CardValues = {
  name: "",
  description: "",
  basic_info: "",
  personality: "",
  scenario: "",
  response_format: "",
  example_dialogues: "",
  post_history_instructions: "",
  system_prompt: "",
  portrait: "",
  avatar: "",
  creator: "",
  character_version: "",
  creator_notes: "",
  tags: [],
  rules: "",
  greetings: [""],
  system_prompt_mode: "auto",
  initial_state: "{}",
};

export function toCardValues(card: CardFields | undefined): CardValues {
  if (!card) return EMPTY_VALUES;
  return {
    ...EMPTY_VALUES,
    ...pick(card, TEXT_FIELDS),
    rules: card.rules.join("\n"),
    greetings: [card.first_message, ...card.alternate_greetings],
    initial_state: JSON.stringify(card.initial_state, null, 2),
  };
}

/** True when the initial state is not a JSON object. */
export function hasStateError({ initial_state }: Pick<CardValues, "initial_state">): boolean {
  return parseJsonObject(initial_state || "{}") === undefined;
}

/** Returns the changed fields in the format of the service. */
export function toPatch(values: CardValues, before: CardValues): Readonly<Record<string, unknown>> {
  const [now, then] = [toCardFields(values), toCardFields(before)];
  return Object.fromEntries(
    Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(then[name])),
  );
}

export function toCardFields({
  rules,
  greetings,
  initial_state,
  ...plain
}: CardValues): Readonly<Record<string, unknown>> {
  const [first_message = "", ...others] = greetings;
  const { system_prompt, ...rest } = plain;
  return {
    ...rest,
    // An automatic prompt is generated from the other fields, so it is not sent.
    ...(plain.system_prompt_mode === "manual" && { system_prompt }),
    rules: rules.split("\n").filter((line) => line.trim() !== ""),
    first_message,
    alternate_greetings: others.filter((text) => text.trim() !== ""),
    initial_state: hasStateError({ initial_state }) ? {} : JSON.parse(initial_state || "{}"),
  };
}
