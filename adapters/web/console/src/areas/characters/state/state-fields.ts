import { getKeys } from "../../../shared/objects.ts";
/** The dimensions of a relationship with their chart colours. */
export const RELATIONSHIP_COLORS = {
  affection: "pink.6",
  trust: "blue.6",
  security: "teal.6",
  familiarity: "yellow.7",
  dependency: "grape.6",
  jealousy: "red.6",
} as const;
export const RELATIONSHIP_FIELDS = getKeys(RELATIONSHIP_COLORS);
export type Relationship = Readonly<Record<keyof typeof RELATIONSHIP_COLORS, number>>;

export const MOOD_FIELDS = ["mood_intensity", "energy"] as const;
export interface Mood {
  readonly mood: string;
  readonly mood_intensity: number;
  readonly energy: number;
}

/** Factors that convert the fields to 0 to 100. */
export const PERCENT_FACTORS: Readonly<Record<(typeof MOOD_FIELDS)[number], number>> = {
  mood_intensity: 100,
  energy: 1,
};
