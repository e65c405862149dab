import Joi, { type CustomHelpers } from "@hapi/joi";
import { notTaken } from "../refusal.ts";
import { BOND_FIELDS, type CharacterBond, type CharacterMood, readState } from "./initial-state.ts";

const number = () => Joi.number().strict();

/** Clamps what is out of range and refuses what is no value. */
const clamped = (given: object, helpers: CustomHelpers) => {
  const { values, problems } = readState(given);
  return problems[0] === undefined ? values : notTaken(problems[0], helpers);
};

/** Values of a state that are set by hand, wherever that is; at least one. */
export const moodValues = Joi.object<Partial<CharacterMood>>({
  mood: Joi.string().trim().min(1),
  mood_intensity: number(),
  energy: number(),
  scene: Joi.object().unknown(),
})
  .min(1)
  .custom(clamped);

/** Values of a relationship that are set by hand; at least one. */
export const bondValues = Joi.object<Partial<CharacterBond>>(
  Object.fromEntries(BOND_FIELDS.map((field) => [field, number()])),
)
  .min(1)
  .custom(clamped);

/** A mood without an intensity of its own is felt at least so strongly, else it would fade before the next reply. */
const FELT = 0.5;

/** Changes a mood; another one that comes without an intensity does not fade at once. */
export function withMoodValues(before: CharacterMood, values: Partial<CharacterMood>): CharacterMood {
  const isNew = values.mood !== undefined && values.mood !== before.mood && values.mood_intensity === undefined;
  return { ...before, ...values, ...(isNew && { mood_intensity: Math.max(before.mood_intensity, FELT) }) };
}
