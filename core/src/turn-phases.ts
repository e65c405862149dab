/**
 * The order of a turn. A stage names its phase; there are no numeric priorities. `prepare` makes the message whole (speech
 * becomes text, what it quotes is fetched); in `after` the replies are final: what should follow is handed over as effects.
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
/** A step of a message's way to its reply. */
export type TurnPhase = (typeof TURN_PHASES)[number];
