import Joi, { type CustomHelpers } from "@hapi/joi";
import { reportProblem } from "../validation/validation-error.ts";
import { BOND_FIELDS, type CharacterBond, type CharacterMood, readState } from "./initial-state.ts";

const numberSchema = () => Joi.number().strict();

/** Clamps values out of range and rejects invalid ones. */
const clampValues = (given: object, helpers: CustomHelpers) => {
  const { values, problems } = readState(given);
  return problems[0] === undefined ? values : reportProblem(problems[0], helpers);
};

/** Schema of manually set mood values; at least one. */
export const moodValues = Joi.object<Partial<CharacterMood>>({
  mood: Joi.string().trim().min(1),
  mood_intensity: numberSchema(),
  energy: numberSchema(),
  scene: Joi.object().unknown(),
})
  .min(1)
  .custom(clampValues);

/** Schema of manually set relationship values; at least one. */
export const bondValues = Joi.object<Partial<CharacterBond>>(
  Object.fromEntries(BOND_FIELDS.map((field) => [field, numberSchema()])),
)
  .min(1)
  .custom(clampValues);

/** Minimum intensity of a new mood that is set without one; a weaker mood would fade before the next reply. */
const MIN_NEW_INTENSITY = 0.5;

/** Changes a mood; a new one without an intensity does not fade at once. */
export function withMoodValues(before: CharacterMood, values: Partial<CharacterMood>): CharacterMood {
  const isNew = values.mood !== undefined && values.mood !== before.mood && values.mood_intensity === undefined;
  return { ...before, ...values, ...(isNew && { mood_intensity: Math.max(before.mood_intensity, MIN_NEW_INTENSITY) }) };
}
