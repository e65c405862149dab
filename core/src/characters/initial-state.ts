import type { ItemFailure } from "../error-texts.ts";
import { isObject } from "../json/index.ts";
import type { Localized } from "../localized.ts";
import { coreTexts } from "../texts.ts";
import { CALM } from "./moods.ts";

/** A character's mood in one conversation. */
export interface CharacterMood {
  readonly mood: string;
  /** 0 to 1. */
  readonly mood_intensity: number;
  /** 0 to 100. */
  readonly energy: number;
  readonly scene: Readonly<Record<string, SceneValue>>;
}
/** A value in a scene. */
export type SceneValue = string | number | boolean | readonly string[];

/** A character's relationship to one person, each value from 0 to 100. */
export interface CharacterBond {
  readonly affection: number;
  readonly trust: number;
  readonly security: number;
  readonly familiarity: number;
  readonly dependency: number;
  readonly jealousy: number;
}

/** State at the start of a conversation; missing values are those of `START_MOOD` and `START_BOND`. */
export type InitialState = Partial<CharacterMood & CharacterBond>;

/** A character's mood before the first message. */
export const START_MOOD: CharacterMood = { mood: CALM, mood_intensity: 0.5, energy: 70, scene: {} };
/** Relationship of a character and a person who have never talked. */
export const START_BOND: CharacterBond = {
  affection: 50,
  trust: 50,
  security: 50,
  familiarity: 30,
  dependency: 30,
  jealousy: 0,
};
/** Names of the values of a relationship. */
export const BOND_FIELDS = Object.keys(START_BOND) as readonly (keyof CharacterBond)[];

const MAX_SCENE_KEYS = 32;
const MAX_SCENE_BYTES = 4_096;
const MAX_MOOD = 32;
const MAX_NAME = 40;
const CONTAINERS = ["state", "runtime_state", "relationship", "relationships", "initial_relationship"];
const ALIASES: ReadonlyMap<string, keyof InitialState> = new Map([
  ["好感", "affection"],
  ["好感度", "affection"],
  ["信任", "trust"],
  ["信任度", "trust"],
  ["熟悉", "familiarity"],
  ["熟悉度", "familiarity"],
  ["依赖", "dependency"],
  ["依赖度", "dependency"],
  ["安全感", "security"],
  ["嫉妒", "jealousy"],
  ["嫉妒心", "jealousy"],
  ["心情", "mood"],
  ["当前心情", "mood"],
  ["精力", "energy"],
  ["情绪强度", "mood_intensity"],
]);
const NUMBER_RANGES: ReadonlyMap<string, { readonly most: number; readonly whole: boolean }> = new Map([
  ["mood_intensity", { most: 1, whole: false }],
  ["energy", { most: 100, whole: true }],
  ...BOND_FIELDS.map((field): [string, { most: number; whole: boolean }] => [field, { most: 100, whole: true }]),
]);

/** Values of a state and a relationship as they can be stored; `wrong` lists the unusable ones with the reason. */
export interface ReadState {
  readonly values: InitialState;
  readonly wrong: readonly string[];
  /** The problems of `wrong` as localized messages. */
  readonly problems: readonly ItemFailure[];
}

/** Reads starting values in any form that authors write: in containers, under Chinese names, as numeric text. Clamps values out of range. */
export function readState(given: unknown): ReadState {
  const values: Record<string, unknown> = {};
  const problems: ItemFailure[] = [];
  const readFields = (from: unknown, isNested: boolean) => {
    for (const [name, value] of Object.entries(Object(from) as object)) {
      const field = ALIASES.get(name) ?? name;
      if (!isNested && CONTAINERS.includes(field) && typeof value === "object") readFields(value, true);
      else if (field in START_MOOD || field in START_BOND) addValue(field, value, name);
      else problems.push(coreTexts.message("unknown", { name: shorten(name) }));
    }
  };
  const addValue = (field: string, value: unknown, name: string) => {
    const { value: usable, problem } = toUsableValue(field, value);
    if (problem === undefined) values[field] = usable;
    else problems.push(coreTexts.message("unusable", { name: shorten(name), problem }));
  };
  readFields(given, false);
  return { values: values as InitialState, wrong: problems.map(({ error }) => error), problems };
}

function toUsableValue(field: string, value: unknown): { readonly value?: unknown; readonly problem?: Localized } {
  const range = NUMBER_RANGES.get(field);
  if (range) {
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof number !== "number" || !Number.isFinite(number)) return { problem: coreTexts.localized("state_number") };
    return { value: clampTo(number, range.most, range.whole) };
  }
  if (field === "mood") {
    const mood = typeof value === "string" ? value.trim() : "";
    const isUsable = mood !== "" && [...mood].length <= MAX_MOOD && !/\p{Cc}|\p{Cs}/u.test(mood);
    return isUsable ? { value: mood } : { problem: coreTexts.localized("state_mood", { most: MAX_MOOD }) };
  }
  const problem = findSceneProblem(value);
  return problem === undefined ? { value } : { problem };
}

/** Shortens a name that an author chose. */
function shorten(name: string): string {
  return [...name].slice(0, MAX_NAME).join("");
}

/** Returns the problem of a scene in English; undefined when it is valid. */
export function sceneProblem(scene: unknown): string | undefined {
  return findSceneProblem(scene)?.en;
}

function findSceneProblem(scene: unknown): Localized | undefined {
  if (!isObject(scene)) return coreTexts.localized("state_object");
  const values = Object.values(scene);
  if (values.length > MAX_SCENE_KEYS) return coreTexts.localized("state_keys", { most: MAX_SCENE_KEYS });
  const isPlain = (one: unknown) => typeof one === "string" || Number.isFinite(one) || typeof one === "boolean";
  const isList = (one: unknown) => Array.isArray(one) && one.every((word) => typeof word === "string");
  if (!values.every((one) => isPlain(one) || isList(one))) return coreTexts.localized("state_values");
  return new TextEncoder().encode(JSON.stringify(scene)).length > MAX_SCENE_BYTES
    ? coreTexts.localized("state_large", { kib: MAX_SCENE_BYTES / 1_024 })
    : undefined;
}

/** Clamps a value to the range from 0 to `most`; rounds it unless `whole` is false. */
export function clampTo(value: number, most: number, whole = true): number {
  const inside = Math.min(most, Math.max(0, value));
  return whole ? Math.round(inside) : inside;
}
