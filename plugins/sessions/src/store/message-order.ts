import type { Write } from "@parley/core";
import type { Kysely } from "kysely";
import { SEQ_STEP, type Sequence } from "./sequence.ts";
import type { SessionTables } from "./tables.ts";

/** Offset beyond all real positions, for messages that are being moved. */
const SHIFT_OFFSET = 1_000_000_000;

/** Positions of messages in a session, with gaps between them. */
export interface MessageOrder {
  /** Returns the position before the message at this index, counted without system messages but with hidden ones, and the writes that make room for it. */
  seqAt(sessionId: string, index: number): Promise<{ readonly seq: number; readonly writes: readonly Write[] }>;
  /** Returns the next position at the end of a session, which is never returned again. */
  nextSeq(sessionId: string): Promise<number>;
  /** Returns writes that free the next `count` positions (at most 10) after `after`; later messages may move. */
  makeRoomWrites(sessionId: string, after: number, count: number): Promise<readonly Write[]>;
}

export function createMessageOrder(tables: () => Kysely<SessionTables>, sequence: Sequence): MessageOrder {
  /** Shifts the positions from `from` on by one step, with an intermediate offset so that no two are ever equal. */
  const shiftWrites = (sessionId: string, from: number): readonly Write[] => {
    const shiftBy = (by: number, fromSeq: number) =>
      tables()
        .updateTable("messages")
        .set((row) => ({ seq: row("seq", "+", by) }))
        .where("session_id", "=", sessionId)
        .where("seq", ">=", fromSeq);
    sequence.shift(sessionId);
    return [{ query: shiftBy(SHIFT_OFFSET, from) }, { query: shiftBy(SEQ_STEP - SHIFT_OFFSET, SHIFT_OFFSET) }];
  };

  return {
    nextSeq: sequence.next,
    async seqAt(sessionId, index) {
      const rows = await tables()
        .selectFrom("messages")
        .where("session_id", "=", sessionId)
        .where("place", "=", "live")
        .where("role", "!=", "system")
        .select("seq")
        .orderBy("seq")
        .offset(index)
        .limit(1)
        .execute();
      const next = rows[0]?.seq;
      if (next === undefined) return { seq: await sequence.next(sessionId), writes: [] };
      // Archived messages have positions too.
      const before = await tables()
        .selectFrom("messages")
        .where("session_id", "=", sessionId)
        .where("seq", "<", next)
        .select("seq")
        .orderBy("seq", "desc")
        .limit(1)
        .executeTakeFirst();
      const room = next - (before?.seq ?? 0);
      if (room > 1) return { seq: next - Math.floor(room / 2), writes: [] };
      return { seq: next + SEQ_STEP / 2, writes: shiftWrites(sessionId, next) };
    },
    async makeRoomWrites(sessionId, after, count) {
      const taken = await tables()
        .selectFrom("messages")
        .select("seq")
        .where("session_id", "=", sessionId)
        .where("seq", ">", after)
        .where("seq", "<=", after + count)
        .limit(1)
        .executeTakeFirst();
      return taken ? shiftWrites(sessionId, after + 1) : [];
    },
  };
}
