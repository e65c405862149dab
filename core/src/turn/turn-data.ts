import type { Effect, Turn } from "../points/turn/turn-stage.ts";
import type { Write, WriteResult } from "../services/storage/database.ts";

/** Returns the turn with more writes for its answer. */
export function withEffects(turn: Turn, ...effects: readonly Effect[]): Turn {
  return { ...turn, effects: [...turn.effects, ...effects] };
}

/** Typed access to one plugin's data on a turn, for its own later stages; stored with recorded turns, so it must be JSON. */
export interface TurnData<Data> {
  of(turn: Turn): Data | undefined;
  with(turn: Turn, data: Data): Turn;
}

/** Returns typed access to a plugin's part of `turn.data`. */
export function turnData<Data>(pluginId: string): TurnData<Data> {
  return {
    of: ({ data }) => data[pluginId] as Data | undefined,
    with: (turn, data) => ({ ...turn, data: { ...turn.data, [pluginId]: data } }),
  };
}

/** Returns the statements of effects, in order. */
export function collectWrites(effects: readonly Effect[]): readonly Write[] {
  return effects.flatMap(({ writes }) => writes);
}

/** Notifies each effect after the commit; `results` are those of `collectWrites`. */
export function notifyApplied(effects: readonly Effect[], results: readonly WriteResult[]): void {
  let at = 0;
  for (const { writes, applied } of effects) {
    applied?.(results.slice(at, at + writes.length));
    at += writes.length;
  }
}
