import { collectWrites, type Effect, notifyApplied, type Turn, type Write, type WriteResult } from "@parley/core";

/** Delay of early writes, so that they are committed together with the reply if it is quick. */
const EARLY_WRITE_DELAY_MS = 25;

/** Collects the effects of a turn until its end is stored. */
export interface TurnEffects {
  /** Collects the turn's effects so far; those independent of the reply are written soon. */
  collect(turn: Turn): void;
  /** Adds a write that is committed with the end of the turn, whatever its outcome. */
  record(write: Write): void;
  /** Removes and returns unwritten effects that are independent of the reply, for a transaction of the caller. */
  takeEarly(): readonly Effect[];
  /** Removes and returns the recorded writes, for a transaction that stores the answer before the turn ends. */
  takeRecorded(): readonly Effect[];
  /** Removes and returns the remaining effects, in order, after running writes; with `isApplied` also the reply's. */
  take(turn: Turn | undefined, isApplied: boolean, more?: readonly Effect[]): Promise<readonly Effect[]>;
}

export function createTurnEffects(write: (writes: readonly Write[]) => Promise<readonly WriteResult[]>): TurnEffects {
  const early = new Set<Effect>();
  const written = new Set<Effect>();
  const records: Write[] = [];
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const takeEarly = () => {
    clearTimeout(timer);
    timer = undefined;
    const effects = [...early];
    early.clear();
    for (const effect of effects) written.add(effect);
    return effects;
  };
  const takeRecorded = () => {
    const writes = records.splice(0);
    return writes.length > 0 ? [{ writes }] : [];
  };
  const writeNow = () => {
    const effects = takeEarly();
    const work = write(collectWrites(effects)).then((results) => notifyApplied(effects, results));
    // The end of the turn awaits this write and reports its failure.
    work.catch(() => {});
    writing = work;
  };
  return {
    collect({ effects }) {
      for (const effect of effects) if (effect.isEarly && !written.has(effect)) early.add(effect);
      if (early.size > 0) timer ??= setTimeout(writeNow, EARLY_WRITE_DELAY_MS);
    },
    record(one) {
      records.push(one);
    },
    takeEarly,
    takeRecorded,
    async take(turn, isApplied, more = []) {
      clearTimeout(timer);
      await writing;
      const own = (turn?.effects ?? []).filter((effect) => !written.has(effect) && (effect.isEarly || isApplied));
      return [...own, ...takeRecorded(), ...more];
    },
  };
}
