import { BOND_FIELDS, CALM, type CharacterBond, type CharacterMood, clampTo } from "@parley/core";
import type { Signals } from "./signals.ts";
import type { Signal } from "./words.ts";

type Moved = "mood_intensity" | "energy" | keyof CharacterBond;

/** One thing that changes, by how much, and the words that made it so. */
export interface Reason {
  readonly field: "mood" | Moved;
  readonly delta: number;
  readonly because: readonly string[];
}

/** How a character takes a message, and what of it changes with the answer. */
export interface Plan {
  readonly intent: string;
  readonly tone: string;
  readonly visible_emotion: string;
  readonly hidden_emotion: string;
  readonly should_reference_memory: boolean;
  readonly memory_ids: readonly string[];
  readonly style_controls: Readonly<Record<string, boolean>>;
  readonly state_deltas: { readonly mood?: string; readonly mood_intensity: number; readonly energy: number };
  /** Energy that came back while nobody talked. */
  readonly rested: number;
  readonly relationship_deltas: Readonly<Partial<CharacterBond>>;
  readonly reasons: readonly Reason[];
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
const RESTED = 70;
const REST_PER_HOUR = 5;
const CALMS_BY = 0.05;
const CLOSE = 60;
const STRONG = 0.3;

/** What a score of 1 moves. */
const MOVES: Readonly<Partial<Record<Signal, Readonly<Partial<Record<Moved, number>>>>>> = {
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

/** Which mood a message leaves; the first that is strong enough. Of the known moods only. */
const MOODS: readonly (readonly [
  signal: Signal,
  mood: (input: PlanInput) => string,
  hidden: (input: PlanInput) => string,
])[] = [
  ["hostility", ({ bond }) => (bond.security < 30 ? "害怕" : bond.affection > CLOSE ? "受伤" : "生气"), () => "委屈"],
  ["rejection", ({ bond }) => (bond.affection > CLOSE ? "伤心" : "沉默"), () => "难过"],
  ["apology", ({ state }) => (isHurt(state) ? "放松" : "平静"), () => "放松"],
  [
    "intimacy",
    ({ bond }) => (bond.affection > CLOSE ? "脸红" : "尴尬"),
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
export const TONES: Readonly<Record<string, string>> = {
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
export const INTENTS: readonly (readonly [signal: Signal, intent: string])[] = [
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

export function planOf(input: PlanInput): Plan {
  const { signals, state, bond } = input;
  const sums = new Map<Moved, number>();
  for (const [signal, moves] of Object.entries(MOVES)) {
    const score = signals[`${signal as Signal}_score`];
    if (score > 0) for (const [field, by] of entriesOf(moves)) sums.set(field, (sums.get(field) ?? 0) + by * score);
  }
  // Whoever talks gets to know each other.
  if (bond.familiarity < CLOSE) sums.set("familiarity", (sums.get("familiarity") ?? 0) + 1);
  const leading = MOODS.find(([signal]) => signals[`${signal}_score`] >= STRONG);
  const mood = leading?.[1](input);
  const intensity = bounded(sums.get("mood_intensity") ?? -CALMS_BY, MAX_INTENSITY_DELTA);
  const energy = Math.round(bounded((sums.get("energy") ?? 0) - 1, MAX_DELTA));
  const bonds = Object.fromEntries(
    BOND_FIELDS.map((field) => [field, Math.round(bounded(sums.get(field) ?? 0, MAX_DELTA))] as const).filter(
      ([, delta]) => delta !== 0,
    ),
  ) as Partial<CharacterBond>;
  // What moved long ago fades.
  const faded = !leading && state.mood_intensity + intensity <= 0.3 && state.mood !== CALM ? CALM : undefined;
  const next = mood ?? faded;
  const rested = restOf(input);
  const after = { ...moved(state, intensity, energy + rested), mood: next ?? state.mood };
  const tone = Object.keys(TONES).find((signal) => signals[`${signal as Signal}_score`] >= STRONG);
  return {
    intent: INTENTS.find(([signal]) => signals[`${signal}_score`] >= STRONG)?.[1] ?? "talk",
    tone: (tone && TONES[tone]) || "natural",
    visible_emotion: after.mood,
    hidden_emotion: leading?.[2](input) ?? after.mood,
    should_reference_memory: signals.question_score >= STRONG || signals.vulnerability_score >= STRONG,
    memory_ids: [],
    style_controls: styleOf(after, bond),
    state_deltas: {
      ...(next !== undefined && next !== state.mood && { mood: next }),
      mood_intensity: Math.round(intensity * 100) / 100,
      energy,
    },
    rested,
    relationship_deltas: bonds,
    reasons: reasonsOf(signals, { mood: next, leading: leading?.[0], intensity, energy, bonds }),
  };
}

/** What a plan makes of a state. */
export function stateAfter(state: CharacterMood, { state_deltas, rested }: Plan): CharacterMood {
  const { mood = state.mood, mood_intensity, energy } = state_deltas;
  return { ...moved(state, mood_intensity, energy + rested), mood };
}

export function bondAfter(bond: CharacterBond, deltas: Partial<CharacterBond>): CharacterBond {
  return Object.fromEntries(
    BOND_FIELDS.map((field) => [field, clampTo(bond[field] + (deltas[field] ?? 0), 100)]),
  ) as unknown as CharacterBond;
}

/** How it shows in what is said. */
export function styleOf(state: CharacterMood, bond: CharacterBond): Readonly<Record<string, boolean>> {
  return {
    tired: state.energy <= 35,
    strong: state.mood_intensity >= 0.75,
    guarded: bond.security < 30,
    closer: bond.trust > 70 || bond.familiarity > 75 || bond.dependency > 70,
  };
}

function moved(state: CharacterMood, intensity: number, energy: number): CharacterMood {
  return {
    ...state,
    mood_intensity: Math.round(clampTo(state.mood_intensity + intensity, 1, false) * 100) / 100,
    energy: clampTo(state.energy + energy, 100),
  };
}

/** Energy comes back while nobody talks, up to a point. */
function restOf({ state, idleHours }: PlanInput): number {
  return Math.max(0, Math.min(RESTED - state.energy, Math.floor(idleHours * REST_PER_HOUR)));
}

function reasonsOf(
  signals: Signals,
  change: {
    readonly mood: string | undefined;
    readonly leading: Signal | undefined;
    readonly intensity: number;
    readonly energy: number;
    readonly bonds: Partial<CharacterBond>;
  },
): readonly Reason[] {
  const wordsOf = (isOne: (signal: Signal) => boolean) => [
    ...new Set(signals.words.filter(({ signal }) => isOne(signal)).map(({ word }) => word)),
  ];
  const movers = (field: Moved) => wordsOf((signal) => (MOVES[signal]?.[field] ?? 0) !== 0);
  const all: readonly Reason[] = [
    {
      field: "mood",
      delta: change.mood === undefined ? 0 : 1,
      because: wordsOf((signal) => signal === change.leading),
    },
    { field: "mood_intensity", delta: Math.round(change.intensity * 100) / 100, because: movers("mood_intensity") },
    { field: "energy", delta: change.energy, because: movers("energy") },
    ...entriesOf(change.bonds).map(([field, delta]) => ({ field, delta, because: movers(field) })),
  ];
  return all.filter(({ delta }) => delta !== 0);
}

const HURT = new Set(["生气", "愤怒", "委屈", "伤心", "难过", "哭", "受伤", "沉默"]);

function isHurt({ mood }: CharacterMood): boolean {
  return HURT.has(mood);
}

function bounded(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value));
}

function entriesOf<Key extends string>(
  of: Readonly<Partial<Record<Key, number>>>,
): readonly (readonly [Key, number])[] {
  return Object.entries(of) as unknown as readonly (readonly [Key, number])[];
}
