import {
  type Database,
  fixedStatement,
  type NewTimelineEntry,
  newId,
  type Session,
  type StateTimeline,
  type TimelineEntry,
  type Write,
} from "@parley/core";
import type { SessionTables } from "./tables.ts";

const MAX_ENTRIES_PER_SESSION = 200;
const UPSERT_SQL = `insert into runtime_timeline (id, session_id, character_id, timestamp, entry) values (?, ?, ?, ?, ?)
  on conflict (id) do update set character_id = excluded.character_id, timestamp = excluded.timestamp, entry = excluded.entry`;
// Deletes the oldest entries beyond the limit.
const TRIM_SQL = `delete from runtime_timeline where session_id = ? and id < coalesce((select id from runtime_timeline
  where session_id = ? order by id desc limit 1 offset ${MAX_ENTRIES_PER_SESSION - 1}), '')`;

type StoredEntry = NewTimelineEntry & { readonly id: string };

/** Stores how the state of characters changed in sessions. */
export interface Timeline extends StateTimeline {
  /** Returns all entries in the form for clients, oldest first. */
  list(sessionId: string): Promise<readonly TimelineEntry[]>;
  clearWrite(sessionId: string): Write;
  /** Returns the writes that import entries at the session's messages; entries of other characters are dropped. */
  importWrites(
    session: Pick<Session, "id" | "character_ids">,
    entries: readonly Omit<NewTimelineEntry, "session_id">[],
    messages: ReadonlyMap<string, string>,
  ): readonly Write[];
  /** Returns the writes that copy entries with their messages; entries without a copied message are dropped. */
  copyWrites(from: string, to: string, messages: ReadonlyMap<string, string>): Promise<readonly Write[]>;
}

export function createTimeline(database: () => Database): Timeline {
  const loadEntries = async (sessionId: string): Promise<readonly StoredEntry[]> => {
    const rows = await database()
      .tables<SessionTables>()
      .selectFrom("runtime_timeline")
      .select("entry")
      .where("session_id", "=", sessionId)
      .orderBy("id")
      .execute();
    return rows.map(({ entry }) => JSON.parse(entry));
  };
  return {
    list: async (sessionId) => (await loadEntries(sessionId)).map(toTimelineEntry),
    clearWrite: (sessionId) => ({
      query: fixedStatement("delete from runtime_timeline where session_id = ?", [sessionId]),
    }),
    importWrites({ id, character_ids = [] }, entries, messages) {
      const own = entries.filter((entry) => character_ids.includes(entry.character_id));
      return own.flatMap(({ id: _id, undo: _undo, message_id, ...entry }) =>
        addEntryWrites({ ...entry, session_id: id, message_id: messages.get(message_id ?? "") ?? null }),
      );
    },
    async copyWrites(from, to, messages) {
      const entries = await loadEntries(from);
      return entries.flatMap(({ id: _id, message_id, ...entry }) => {
        const copy = message_id === null ? undefined : messages.get(message_id);
        return copy === undefined ? [] : addEntryWrites({ ...entry, session_id: to, message_id: copy });
      });
    },
    adding: (entry) => addEntryWrites(entry),
    async ofMessages(sessionId, messageIds) {
      if (messageIds.length === 0) return [];
      const wanted = new Set(messageIds);
      const entries = await loadEntries(sessionId);
      return entries.filter(({ message_id }) => message_id !== null && wanted.has(message_id));
    },
    removing: (sessionId, entryIds) =>
      entryIds.map((id) => ({
        query: fixedStatement("delete from runtime_timeline where session_id = ? and id = ?", [sessionId, id]),
      })),
  };
}

/** Removes the undo data from an entry, which clients do not get. */
export function toTimelineEntry({ undo: _undo, ...entry }: StoredEntry): TimelineEntry {
  return entry;
}

export function addEntryWrites({ id = newId("tl"), ...entry }: NewTimelineEntry): readonly Write[] {
  const { session_id, character_id, timestamp } = entry;
  const values = [id, session_id, character_id, timestamp, JSON.stringify({ id, ...entry })];
  return [{ query: fixedStatement(UPSERT_SQL, values) }, { query: fixedStatement(TRIM_SQL, [session_id, session_id]) }];
}
