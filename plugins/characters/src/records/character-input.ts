import type { ObjectSchema } from "@hapi/joi";
import { toSchemaError } from "@parley/core";
import { type CharacterFields, characterFields } from "@parley/core/characters";

/** Fields of a new or changed record, which may also contain unknown fields of a card. */
export type CharacterInput = Readonly<Record<string, unknown>> & Partial<CharacterFields>;

/** Validates a draft or patch; throws `bad_request` with the path of the invalid field. */
export function validateInput(schema: ObjectSchema, input: object): CharacterInput {
  const { value, error } = schema.validate(input, { errors: { label: "path", wrap: { label: false } } });
  if (error) throw toSchemaError(error);
  return value;
}

/** Returns only the fields of a character. */
export function pickCharacterFields(item: CharacterFields): CharacterFields {
  return Object.fromEntries(
    Object.entries(item).filter(([name]) => Object.hasOwn(characterFields, name)),
  ) as unknown as CharacterFields;
}

/** Returns a record without its long texts, for lists. */
export function omitLongTexts<Item extends CharacterFields>({
  system_prompt: _prompt,
  example_dialogues: _examples,
  extensions: _extensions,
  card_extra: _extra,
  ...shown
}: Item): Omit<Item, "system_prompt" | "example_dialogues" | "extensions" | "card_extra"> {
  return shown;
}
