import Joi from "@hapi/joi";
import {
  type CharacterFields,
  characterFields,
  createCardTooLargeError,
  isCardDataTooLarge,
} from "./character-fields.ts";
import { compilePrompt } from "./compile-prompt.ts";

type SentFields = Readonly<Record<string, unknown>> & Partial<CharacterFields>;

const RECORD_FIELDS = new Set(["id", "created_at", "updated_at", "revision"]);
const COMPILED_FIELDS = ["system_prompt", "system_prompt_mode"];
const DEFAULTS = Joi.object({ ...characterFields, name: characterFields.name.optional() }).validate({})
  .value as CharacterFields;

/** Moves values under unknown names into `card_extra` and drops the fields that every record has. */
export function withExtra(given: SentFields): Partial<CharacterFields> {
  const known: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(characterFields, name)) known[name] = value;
    else if (!RECORD_FIELDS.has(name)) others[name] = value;
  }
  if (Object.keys(others).length === 0) return known;
  return { ...known, card_extra: { ...Object(known.card_extra), ...others } };
}

/**
 * Merges partial characters into a complete one: later values win, missing ones get their default, and the prompt is
 * compiled unless it is written by hand. Throws `bad_request` when the card is too large.
 */
export function completeCharacter(...given: readonly Partial<CharacterFields>[]): CharacterFields {
  const layers = given.map((one) => ({ ...one, ...inferPromptMode(one) }));
  const fields: CharacterFields = Object.assign({}, DEFAULTS, ...layers);
  if (isCardDataTooLarge(fields)) throw createCardTooLargeError("card_extra");
  return fields.system_prompt_mode === "manual" ? fields : { ...fields, system_prompt: compilePrompt(fields) };
}

/** Returns the character fields that an update changes, compiled ones included. */
export function diffCharacter(before: CharacterFields, given: SentFields): Partial<CharacterFields> {
  const { card_extra, ...patch } = withExtra(given);
  // Values under other names are merged into the card's own extras.
  const extra = { ...("card_extra" in given ? {} : before.card_extra), ...card_extra };
  const next = completeCharacter(before, { ...patch, ...(card_extra && { card_extra: extra }) });
  const names = [...Object.keys(patch), ...(card_extra ? ["card_extra"] : []), ...COMPILED_FIELDS];
  return Object.fromEntries(Object.entries(next).filter(([name]) => names.includes(name)));
}

/** Marks a prompt that is given without a mode as written by hand, so that it is not compiled again. */
function inferPromptMode({ system_prompt, system_prompt_mode }: Partial<CharacterFields>): Partial<CharacterFields> {
  return system_prompt !== undefined && system_prompt_mode === undefined ? { system_prompt_mode: "manual" } : {};
}
