import { BOND_FIELDS, CALM, type CharacterBond, type CharacterMood, clampTo } from "@parley/core/characters";
import type { Signals } from "./signals.ts";
import type { Signal } from "./words.ts";

type NumericField = "mood_intensity" | "energy" | keyof CharacterBond;

/** A change of the state, its amount, and the words that caused it. */
export interface StateChangeReason {
  readonly field: "mood" | NumericField;
  readonly delta: number;
  readonly because: readonly string[];
}

/** A character's reaction to a message, and the state changes stored with the answer. */
export interface ReactionPlan {
  readonly intent: string;
  readonly tone: string;
  readonly visible_emotion: string;
  readonly hidden_emotion: string;
  readonly should_reference_memory: boolean;
  readonly memory_ids: readonly string[];
  readonly style_controls: Readonly<Record<string, boolean>>;
  readonly state_deltas: { readonly mood?: string; readonly mood_intensity: number; readonly energy: number };
  /** Energy regained during the pause. */
  readonly rested: number;
  readonly relationship_deltas: Readonly<Partial<CharacterBond>>;
  readonly reasons: readonly StateChangeReason[];
}

export interface PlanInput {
  readonly signals: Signals;
  readonly state: CharacterMood;
  readonly bond: CharacterBond;
  /** Hours since the last message of this conversation; 0 for the first. */
  readonly idleHours: number;
}

const MAX_DELTA = 10;
const MAX_INTENSITY_DELTA = 0.3;
const RESTED_ENERGY = 70;
const REST_PER_HOUR = 5;
const CALM_DOWN_STEP = 0.05;
const CLOSE_THRESHOLD = 60;
const STRONG_THRESHOLD = 0.3;

/** Changes caused by a signal with score 1. */
const SIGNAL_EFFECTS: Readonly<Partial<Record<Signal, Readonly<Partial<Record<NumericField, number>>>>>> = {
  praise: { affection: 4, trust: 2, security: 2, mood_intensity: 0.1, energy: 2 },
  affection: { affection: 6, security: 3, dependency: 2, mood_intensity: 0.15, energy: 2 },
  intimacy: { affection: 3, familiarity: 3, dependency: 3, mood_intensity: 0.2 },
  care: { affection: 3, trust: 4, security: 4, energy: 2 },
  reassurance: { trust: 3, security: 6, jealousy: -4, mood_intensity: -0.1 },
  vulnerability: { trust: 4, familiarity: 3 },
  apology: { trust: 3, security: 3, affection: 2, mood_intensity: -0.1 },
  playfulness: { affection: 2, familiarity: 2, energy: 2 },
  joy: { affection: 1, energy: 3, mood_intensity: 0.1 },
  hostility: { affection: -8, trust: -6, security: -7, mood_intensity: 0.25, energy: -4 },
  rejection: { affection: -5, security: -6, dependency: -3, mood_intensity: 0.2, energy: -3 },
  anger: { affection: -1, security: -3, mood_intensity: 0.1, energy: -2 },
  sarcasm: { trust: -3, affection: -2, mood_intensity: 0.1 },
  sadness: { familiarity: 2, mood_intensity: 0.1, energy: -1 },
  anxiety: { familiarity: 1, energy: -1 },
  fatigue: { energy: -2 },
  arousal: { mood_intensity: 0.1 },
};

/** Rules for moods in order; the first signal that is strong enough decides. */
const MOOD_RULES: readonly (readonly [
  signal: Signal,
  mood: (input: PlanInput) => string,
  hidden: (input: PlanInput) => string,
])[] = [
  [
    "hostility",
    ({ bond }) => (bond.security < 30 ? "害怕" : bond.affection > CLOSE_THRESHOLD ? "受伤" : "生气"),
    () => "委屈",
  ],
  ["rejection", ({ bond }) => (bond.affection > CLOSE_THRESHOLD ? "伤心" : "沉默"), () => "难过"],
  ["apology", ({ state }) => (isHurt(state) ? "放松" : "平静"), () => "放松"],
  [
    "intimacy",
    ({ bond }) => (bond.affection > CLOSE_THRESHOLD ? "脸红" : "尴尬"),
    ({ bond }) => (bond.dependency > 70 ? "依赖" : "紧张"),
  ],
  ["affection", ({ bond }) => (bond.dependency > 70 ? "黏人" : "害羞"), () => "幸福"],
  ["care", () => "感动", () => "依赖"],
  ["sarcasm", () => "无语", () => "委屈"],
  ["praise", ({ bond }) => (bond.familiarity > 75 ? "得意" : "开心"), () => "得意"],
  ["reassurance", () => "放松", () => "感动"],
  ["sadness", () => "难过", () => "不安"],
  ["anger", () => "不安", () => "紧张"],
  ["anxiety", () => "不安", () => "紧张"],
  ["joy", () => "高兴", () => "快乐"],
  ["playfulness", () => "笑", () => "期待"],
];
export const TONE_BY_SIGNAL: Readonly<Record<string, string>> = {
  hostility: "guarded",
  rejection: "quiet",
  sadness: "gentle",
  anxiety: "calming",
  anger: "calming",
  affection: "tender",
  intimacy: "tender",
  care: "warm",
  praise: "bright",
  joy: "bright",
  playfulness: "teasing",
  apology: "forgiving",
  sarcasm: "dry",
  fatigue: "soft",
};
export const INTENT_BY_SIGNAL: readonly (readonly [signal: Signal, intent: string])[] = [
  ["hostility", "hold one's ground"],
  ["rejection", "give room"],
  ["vulnerability", "support"],
  ["sadness", "comfort"],
  ["anxiety", "reassure"],
  ["apology", "make up"],
  ["affection", "answer the affection"],
  ["intimacy", "answer the closeness"],
  ["command", "help"],
  ["question", "answer the question"],
  ["praise", "thank"],
  ["playfulness", "play along"],
];

export function planReaction(input: PlanInput): ReactionPlan {
  const { signals, state, bond } = input;
  const sums = new Map<NumericField, number>();
  for (const [signal, moves] of Object.entries(SIGNAL_EFFECTS)) {
    const score = signals[`${signal as Signal}_score`];
    if (score > 0) for (const [field, by] of typedEntries(moves)) sums.set(field, (sums.get(field) ?? 0) + by * score);
  }
  // Every conversation adds familiarity.
  if (bond.familiarity < CLOSE_THRESHOLD) sums.set("familiarity", (sums.get("familiarity") ?? 0) + 1);
  const strongest = MOOD_RULES.find(([signal]) => signals[`${signal}_score`] >= STRONG_THRESHOLD);
  const mood = strongest?.[1](input);
  const intensity = clampAbsolute(sums.get("mood_intensity") ?? -CALM_DOWN_STEP, MAX_INTENSITY_DELTA);
  const energy = Math.round(clampAbsolute((sums.get("energy") ?? 0) - 1, MAX_DELTA));
  const bonds = Object.fromEntries(
    BOND_FIELDS.map((field) => [field, Math.round(clampAbsolute(sums.get(field) ?? 0, MAX_DELTA))] as const).filter(
      ([, delta]) => delta !== 0,
    ),
  ) as Partial<CharacterBond>;
  // Old moods fade.
  const calmMood = !strongest && state.mood_intensity + intensity <= 0.3 && state.mood !== CALM ? CALM : undefined;
  const next = mood ?? calmMood;
  const rested = getRecoveredEnergy(input);
  const nextState = { ...adjustMood(state, intensity, energy + rested), mood: next ?? state.mood };
  const tone = Object.keys(TONE_BY_SIGNAL).find((signal) => signals[`${signal as Signal}_score`] >= STRONG_THRESHOLD);
  return {
    intent: INTENT_BY_SIGNAL.find(([signal]) => signals[`${signal}_score`] >= STRONG_THRESHOLD)?.[1] ?? "talk",
    tone: (tone && TONE_BY_SIGNAL[tone]) || "natural",
    visible_emotion: nextState.mood,
    hidden_emotion: strongest?.[2](input) ?? nextState.mood,
    should_reference_memory:
      signals.question_score >= STRONG_THRESHOLD || signals.vulnerability_score >= STRONG_THRESHOLD,
    memory_ids: [],
    style_controls: toStyleControls(nextState, bond),
    state_deltas: {
      ...(next !== undefined && next !== state.mood && { mood: next }),
      mood_intensity: Math.round(intensity * 100) / 100,
      energy,
    },
    rested,
    relationship_deltas: bonds,
    reasons: listReasons(signals, { mood: next, leading: strongest?.[0], intensity, energy, bonds }),
  };
}

export function applyPlan(state: CharacterMood, { state_deltas, rested }: ReactionPlan): CharacterMood {
  const { mood = state.mood, mood_intensity, energy } = state_deltas;
  return { ...adjustMood(state, mood_intensity, energy + rested), mood };
}

export function applyRelationshipDeltas(bond: CharacterBond, deltas: Partial<CharacterBond>): CharacterBond {
  return Object.fromEntries(
    BOND_FIELDS.map((field) => [field, clampTo(bond[field] + (deltas[field] ?? 0), 100)]),
  ) as unknown as CharacterBond;
}

/** Returns the style flags for the way the character writes. */
export function toStyleControls(state: CharacterMood, bond: CharacterBond): Readonly<Record<string, boolean>> {
  return {
    tired: state.energy <= 35,
    strong: state.mood_intensity >= 0.75,
    guarded: bond.security < 30,
    closer: bond.trust > 70 || bond.familiarity > 75 || bond.dependency > 70,
  };
}

function adjustMood(state: CharacterMood, intensity: number, energy: number): CharacterMood {
  return {
    ...state,
    mood_intensity: Math.round(clampTo(state.mood_intensity + intensity, 1, false) * 100) / 100,
    energy: clampTo(state.energy + energy, 100),
  };
}

/** Returns the energy regained during a pause, up to a limit. */
function getRecoveredEnergy({ state, idleHours }: PlanInput): number {
  return Math.max(0, Math.min(RESTED_ENERGY - state.energy, Math.floor(idleHours * REST_PER_HOUR)));
}

function listReasons(
  signals: Signals,
  change: {
    readonly mood: string | undefined;
    readonly leading: Signal | undefined;
    readonly intensity: number;
    readonly energy: number;
    readonly bonds: Partial<CharacterBond>;
  },
): readonly StateChangeReason[] {
  const wordsOf = (isOne: (signal: Signal) => boolean) => [
    ...new Set(signals.words.filter(({ signal }) => isOne(signal)).map(({ word }) => word)),
  ];
  const movers = (field: NumericField) => wordsOf((signal) => (SIGNAL_EFFECTS[signal]?.[field] ?? 0) !== 0);
  const all: readonly StateChangeReason[] = [
    {
      field: "mood",
      delta: change.mood === undefined ? 0 : 1,
      because: wordsOf((signal) => signal === change.leading),
    },
    { field: "mood_intensity", delta: Math.round(change.intensity * 100) / 100, because: movers("mood_intensity") },
    { field: "energy", delta: change.energy, because: movers("energy") },
    ...typedEntries(change.bonds).map(([field, delta]) => ({ field, delta, because: movers(field) })),
  ];
  return all.filter(({ delta }) => delta !== 0);
}

const HURT_MOODS = new Set(["生气", "愤怒", "委屈", "伤心", "难过", "哭", "受伤", "沉默"]);

function isHurt({ mood }: CharacterMood): boolean {
  return HURT_MOODS.has(mood);
}

function clampAbsolute(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value));
}

function typedEntries<Key extends string>(
  of: Readonly<Partial<Record<Key, number>>>,
): readonly (readonly [Key, number])[] {
  return Object.entries(of) as unknown as readonly (readonly [Key, number])[];
}
