/** What a relationship is made of, each with the colour it is drawn in. */
export const BOND_COLORS = {
  affection: "pink.6",
  trust: "blue.6",
  security: "teal.6",
  familiarity: "yellow.7",
  dependency: "grape.6",
  jealousy: "red.6",
} as const;
export const BONDS = Object.keys(BOND_COLORS) as readonly (keyof typeof BOND_COLORS)[];
export type Bond = Readonly<Record<keyof typeof BOND_COLORS, number>>;

export const MOODS = ["mood_intensity", "energy"] as const;
export interface Mood {
  readonly mood: string;
  readonly mood_intensity: number;
  readonly energy: number;
}

/** All of them are shown from 0 to 100. */
export const HUNDREDTHS: Readonly<Record<(typeof MOODS)[number], number>> = { mood_intensity: 100, energy: 1 };
