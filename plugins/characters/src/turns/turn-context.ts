import { type CharacterBond, type CharacterMood, turnData } from "@parley/core";
import type { ReactionPlan } from "../reactions/reaction-plan.ts";
import type { Signals } from "../reactions/signals.ts";

/** What the stages of one turn tell each other. */
export interface CharacterTurnContext {
  readonly characterId: string;
  readonly scopeId: string;
  readonly targetId: string;
  /** What the message found. */
  readonly state: CharacterMood;
  readonly bond: CharacterBond;
  readonly signals: Signals;
  readonly plan: ReactionPlan;
  /** A regeneration replaces these messages: what they moved is taken back. */
  readonly replaced: readonly string[];
}

export const CHARACTER_TURN = turnData<CharacterTurnContext>("characters");
