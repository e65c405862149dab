import { turnData } from "@parley/core";
import type { CharacterBond, CharacterMood } from "@parley/core/characters";
import type { ReactionPlan } from "../reactions/reaction-plan.ts";
import type { Signals } from "../reactions/signals.ts";

/** Data that the stages of one turn share. */
export interface CharacterTurnContext {
  readonly characterId: string;
  readonly scopeId: string;
  readonly targetId: string;
  /** State before the message. */
  readonly state: CharacterMood;
  readonly bond: CharacterBond;
  readonly signals: Signals;
  readonly plan: ReactionPlan;
  /** Messages that a regeneration replaces; their changes are reverted. */
  readonly replaced: readonly string[];
}

export const CHARACTER_TURN = turnData<CharacterTurnContext>("characters");
