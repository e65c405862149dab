import { type CharacterBond, type CharacterMood, turnData } from "@parley/core";
import type { Plan } from "./plan.ts";
import type { Signals } from "./signals.ts";

/** What the stages of one turn tell each other. */
export interface TurnNote {
  readonly characterId: string;
  readonly scopeId: string;
  readonly targetId: string;
  /** What the message found. */
  readonly state: CharacterMood;
  readonly bond: CharacterBond;
  readonly signals: Signals;
  readonly plan: Plan;
  /** A regeneration replaces these messages: what they moved is taken back. */
  readonly replaced: readonly string[];
}

export const NOTE = turnData<TurnNote>("characters");
