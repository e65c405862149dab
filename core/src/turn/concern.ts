import type { Turn, TurnContext, TurnPart } from "../points/turn/turn-stage.ts";

/** True when a stage or prompt source takes part in the turn as it is now. */
export function isConcerned(part: TurnPart, turn: Turn, context: TurnContext): boolean {
  return context.isRecorded?.(part) ?? part.concerns?.(turn) !== false;
}
