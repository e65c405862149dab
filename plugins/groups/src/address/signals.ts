import type { WEIGHTS } from "./weights.ts";

/** Name of an observation that makes it more or less likely that the bot is meant. */
export type SignalName = Exclude<keyof typeof WEIGHTS, "none">;

/** An observation, and whether it was made. */
export type Signal = readonly [name: SignalName, isFound: boolean];

/** Returns the names of the observations that were made. */
export function listFound(signals: readonly Signal[]): readonly SignalName[] {
  return signals.filter(([, isFound]) => isFound).map(([name]) => name);
}
