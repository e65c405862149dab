import { type Clock, type Database, fixedStatement, type Localized, type Write } from "@parley/core";
import type { NoticeRow, PushTables } from "./tables.ts";

/** Minimum time between two pushes of a session; only the newest notice is sent. */
export const THROTTLE_MS = 5_000;

/** Content of a notification. Texts of messages are read when it is sent, so that deleted ones are not included. */
export type NoticeContent =
  | { readonly kind: "message"; readonly message_id: string }
  | { readonly kind: "failed"; readonly error: string | Localized }
  | { readonly kind: "approval"; readonly tool: string; readonly until_ms: number };

export interface Notice {
  readonly id: string;
  readonly about: NoticeContent;
  readonly atMs: number;
  /** Time of the last push of the session. */
  readonly sentMs: number | undefined;
}

/** Stores the newest notice of each session. */
export interface NoticeStore {
  /** Returns the write that stores a notice, replacing the previous one. */
  putWrite(sessionId: string, noticeId: string, about: NoticeContent): Write;
  getLatest(sessionId: string): Promise<Notice | undefined>;
  /** Claims the notice for a job, which may repeat its claim; returns false for an outdated notice, or soon after another push. */
  claim(sessionId: string, noticeId: string, jobId: string): Promise<boolean>;
  /** Returns the write that withdraws the notice; the time of the last push stays. */
  clearWrite(sessionId: string, noticeId: string): Write;
  removeSessionWrite(sessionId: string): Write;
}

export function createNoticeStore(database: () => Database, clock: Pick<Clock, "now">): NoticeStore {
  const tables = () => database().tables<PushTables>();
  return {
    putWrite: (sessionId, noticeId, about) => ({
      query: fixedStatement(
        `insert into push_notices (session_id, notice_id, about, at_ms) values (?, ?, ?, ?)
         on conflict (session_id) do update set notice_id = excluded.notice_id, about = excluded.about, at_ms = excluded.at_ms`,
        [sessionId, noticeId, JSON.stringify(about), clock.now()],
      ),
    }),
    async getLatest(sessionId) {
      const row = await tables()
        .selectFrom("push_notices")
        .selectAll()
        .where("session_id", "=", sessionId)
        .executeTakeFirst();
      return row && toNotice(row);
    },
    async claim(sessionId, noticeId, jobId) {
      const now = clock.now();
      const query = tables()
        .updateTable("push_notices")
        .set({ sent_ms: now, taken_by: jobId })
        .where("session_id", "=", sessionId)
        .where("notice_id", "=", noticeId)
        .where((either) =>
          either.or([
            either("sent_ms", "is", null),
            either("sent_ms", "<=", now - THROTTLE_MS),
            // The last push is in the future when the clock was set back.
            either("sent_ms", ">", now),
            either("taken_by", "=", jobId),
          ]),
        );
      const [taken] = await database().write([{ query }]);
      return taken?.changes === 1;
    },
    clearWrite: (sessionId, noticeId) => ({
      query: tables()
        .updateTable("push_notices")
        .set({ notice_id: "" })
        .where("session_id", "=", sessionId)
        .where("notice_id", "=", noticeId),
    }),
    removeSessionWrite: (sessionId) => ({
      query: tables().deleteFrom("push_notices").where("session_id", "=", sessionId),
    }),
  };
}

function toNotice({ notice_id, about, at_ms, sent_ms }: NoticeRow): Notice {
  return {
    id: notice_id,
    about: JSON.parse(about),
    atMs: Number(at_ms),
    sentMs: sent_ms === null ? undefined : Number(sent_ms),
  };
}
