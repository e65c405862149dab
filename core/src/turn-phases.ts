/**
 * Phases of a turn in order. A stage names its phase; there are no numeric priorities. `prepare` completes the message (speech becomes
 * text, quotes are fetched); in `after` the replies are final, and follow-ups are added as effects.
 */
export const TURN_PHASES = [
  "prepare",
  "screen",
  "command",
  "record-user",
  "context",
  "answer",
  "screen-reply",
  "decorate",
  "record-reply",
  "after",
] as const;
/** A phase of a turn. */
export type TurnPhase = (typeof TURN_PHASES)[number];
