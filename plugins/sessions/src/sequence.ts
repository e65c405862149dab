import { type Database, fixedStatement } from "@parley/core";

/** Between two messages there is room for what is put in later. */
export const STEP = 10;
const REMEMBERED = 10_000;
const LAST = "select seq from messages where session_id = ? order by seq desc limit 1";

/** The order of the messages of each session: every message gets a place of its own before it is written. */
export interface Sequence {
  /** The next place at the end. It stays free where nothing is written there after all. */
  next(sessionId: string): Promise<number>;
  /** All messages from some place on went one step further. */
  moved(sessionId: string): void;
}

/** `isShared`: other processes may write messages, too, so that the end is looked up each time. */
export function createSequence(database: () => Database, isShared: () => boolean): Sequence {
  // The one that was used last is at the end.
  const last = new Map<string, number>();
  const remember = (sessionId: string, seq: number) => {
    last.delete(sessionId);
    last.set(sessionId, seq);
    const [oldest] = last.keys();
    if (last.size > REMEMBERED && oldest !== undefined) last.delete(oldest);
  };
  return {
    async next(sessionId) {
      if (isShared() || !last.has(sessionId)) {
        const [row] = await database().lookup<{ seq: number }>(fixedStatement(LAST, [sessionId]));
        // Somebody else may have asked meanwhile, and be further.
        remember(sessionId, Math.max(row?.seq ?? 0, last.get(sessionId) ?? 0));
      }
      const seq = (last.get(sessionId) ?? 0) + STEP;
      remember(sessionId, seq);
      return seq;
    },
    moved(sessionId) {
      const seq = last.get(sessionId);
      if (seq !== undefined) remember(sessionId, seq + STEP);
    },
  };
}
