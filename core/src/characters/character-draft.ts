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

/** What is sent under names that are no fields goes into `card_extra`; what every record has is left out. */
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
 * All fields of a character, the later ones over the earlier: what nobody says is at its default, and the prompt is made of the
 * others unless it is written by hand. `bad_request` when more would be kept than may be.
 */
export function completeCharacter(...given: readonly Partial<CharacterFields>[]): CharacterFields {
  const layers = given.map((one) => ({ ...one, ...inferPromptMode(one) }));
  const fields: CharacterFields = Object.assign({}, DEFAULTS, ...layers);
  if (isCardDataTooLarge(fields)) throw createCardTooLargeError("card_extra");
  return fields.system_prompt_mode === "manual" ? fields : { ...fields, system_prompt: compilePrompt(fields) };
}

/** The fields of a character that become others by what is sent. */
export function changedCharacter(before: CharacterFields, given: SentFields): Partial<CharacterFields> {
  const { card_extra, ...patch } = withExtra(given);
  // What is sent under other names is added to what the card brought.
  const extra = { ...("card_extra" in given ? {} : before.card_extra), ...card_extra };
  const next = completeCharacter(before, { ...patch, ...(card_extra && { card_extra: extra }) });
  const names = [...Object.keys(patch), ...(card_extra ? ["card_extra"] : []), ...COMPILED_FIELDS];
  return Object.fromEntries(Object.entries(next).filter(([name]) => names.includes(name)));
}

/** A prompt that is written by hand stays so. */
function inferPromptMode({ system_prompt, system_prompt_mode }: Partial<CharacterFields>): Partial<CharacterFields> {
  return system_prompt !== undefined && system_prompt_mode === undefined ? { system_prompt_mode: "manual" } : {};
}
