import { type Database, fixedStatement } from "@parley/core";

/** Gap between two messages, which leaves room for messages inserted later. */
export const SEQ_STEP = 10;
const MAX_CACHED_SESSIONS = 10_000;
const LAST_SEQ_SQL = "select seq from messages where session_id = ? order by seq desc limit 1";

/** Assigns each message a position in its session before the message is written. */
export interface Sequence {
  /** Returns the next position at the end. The position stays unused if the message is not written. */
  next(sessionId: string): Promise<number>;
  /** Called when all messages from a position on were shifted by one step. */
  shift(sessionId: string): void;
}

/** Creates the sequence. With `isShared` other processes write messages too, so the end is queried each time. */
export function createSequence(database: () => Database, isShared: () => boolean): Sequence {
  // The last entry is the most recently used one.
  const lastSeqById = new Map<string, number>();
  const cacheLastSeq = (sessionId: string, seq: number) => {
    lastSeqById.delete(sessionId);
    lastSeqById.set(sessionId, seq);
    const [oldest] = lastSeqById.keys();
    if (lastSeqById.size > MAX_CACHED_SESSIONS && oldest !== undefined) lastSeqById.delete(oldest);
  };
  return {
    async next(sessionId) {
      if (isShared() || !lastSeqById.has(sessionId)) {
        const [row] = await database().lookup<{ seq: number }>(fixedStatement(LAST_SEQ_SQL, [sessionId]));
        // A concurrent caller may have cached a later position.
        cacheLastSeq(sessionId, Math.max(row?.seq ?? 0, lastSeqById.get(sessionId) ?? 0));
      }
      const seq = (lastSeqById.get(sessionId) ?? 0) + SEQ_STEP;
      cacheLastSeq(sessionId, seq);
      return seq;
    },
    shift(sessionId) {
      const seq = lastSeqById.get(sessionId);
      if (seq !== undefined) cacheLastSeq(sessionId, seq + SEQ_STEP);
    },
  };
}
