import { fixedStatement, type Message, type Write } from "@parley/core";
import type { Kysely } from "kysely";
import { toMessageRow } from "./rows.ts";
import {
  LAST_MESSAGE_ASSIGNMENTS,
  type MessageTable,
  type Place,
  PREVIEW_LENGTH,
  type SessionTables,
} from "./tables.ts";

/** Creates writes that change messages, for transactions of the caller. */
export interface MessageStatements {
  /** Returns writes that append a message at a `seq` from `nextSeq`; they do nothing if the message exists. */
  appendWrites(message: Message, channelId: string, platformMessageId?: string): readonly Write[];
  /** Returns writes that insert messages at their own `seq`. */
  insertWrites(messages: readonly Message[], place: Place): readonly Write[];
  /** Returns statements that store a changed message. If it was changed meanwhile, they abort the transaction, or with `when` have no effect. */
  replaceWrites(message: Message, when?: "if it is as before"): readonly Write[];
  /** Returns writes that move messages to another place. With `from` they abort the transaction unless all are in that place. */
  moveWrites(ids: readonly string[], place: Place, from?: Place): readonly Write[];
  deleteWrites(ids: readonly string[]): readonly Write[];
  /** Returns writes that recount a session's messages; needed after any change except an append. */
  recountWrites(sessionId: string): readonly Write[];
}

const MESSAGE_COLUMNS = [
  "id",
  "session_id",
  "seq",
  "place",
  "role",
  "kind",
  "hidden",
  "sender",
  "content",
  "timestamp",
  "trace_id",
  "platform_message_id",
  "fields",
  "revision",
] as const satisfies readonly (keyof Omit<MessageTable, "rating">)[];
const INSERT_BATCH_SIZE = 50;
const ROW_PLACEHOLDERS = `(${MESSAGE_COLUMNS.map(() => "?").join(", ")})`;
const toInsertSql = (count: number) =>
  `insert into messages (${MESSAGE_COLUMNS.join(", ")}) values ${Array(count).fill(ROW_PLACEHOLDERS).join(", ")}`;
const APPEND_SQL = `${toInsertSql(1)} on conflict (id) do nothing`;
const UPDATE_LAST_MESSAGE_SQL = `update sessions set message_count = message_count + 1, visible_count = visible_count + ?,
  last_id = ?, last_role = ?, last_sender = ?, last_preview = ?, last_message_at = ? where id = ?`;
const INCREMENT_COUNT_SQL = `insert into message_counts (hour, channel_id, role, count) values (?, ?, ?, 1)
  on conflict (hour, channel_id, role) do update set count = message_counts.count + 1`;
const toCountSql = (place: Place) =>
  `select count(*) from messages where session_id = sessions.id and place = '${place}'`;
const RECOUNT_SQL = `update sessions set message_count = (${toCountSql("live")}), archived_count = (${toCountSql("archive")}),
  visible_count = (${toCountSql("live")} and role != 'system' and hidden = 0), ${LAST_MESSAGE_ASSIGNMENTS} where id = ?`;

export function createMessageStatements(tables: () => Kysely<SessionTables>): MessageStatements {
  return {
    appendWrites(message, channelId, platformMessageId) {
      const { id, session_id, role, sender, timestamp } = message;
      const row = { ...toMessageRow(message), platform_message_id: platformMessageId ?? null };
      const isVisible = role !== "system" && !message.hidden;
      const last = [id, role, sender, toPreviewText(message), timestamp];
      return [
        {
          query: fixedStatement(
            APPEND_SQL,
            MESSAGE_COLUMNS.map((name) => row[name]),
          ),
        },
        { query: fixedStatement(UPDATE_LAST_MESSAGE_SQL, [Number(isVisible), ...last, session_id]), ifChanged: true },
        { query: fixedStatement(INCREMENT_COUNT_SQL, [timestamp.slice(0, 13), channelId, role]), ifChanged: true },
      ];
    },
    insertWrites: (messages, place) =>
      splitIntoChunks(messages, INSERT_BATCH_SIZE).map((some) => ({
        query: fixedStatement(
          toInsertSql(some.length),
          some.flatMap((message) => {
            const row = { ...toMessageRow(message, place), platform_message_id: null };
            return MESSAGE_COLUMNS.map((name) => row[name]);
          }),
        ),
      })),
    replaceWrites(message, when) {
      const { id, seq: _seq, place: _place, ...row } = toMessageRow(message);
      const query = tables()
        .updateTable("messages")
        .set(row)
        .where("id", "=", id)
        .where("revision", "=", message.revision - 1);
      return [when ? { query } : { query, expect: 1 }];
    },
    moveWrites: (ids, place, from) =>
      splitIntoChunks(ids, 500).map((some) => {
        const query = tables().updateTable("messages").set({ place }).where("id", "in", some);
        return from === undefined ? { query } : { query: query.where("place", "=", from), expect: some.length };
      }),
    deleteWrites: (ids) =>
      splitIntoChunks(ids, 500).map((some) => ({ query: tables().deleteFrom("messages").where("id", "in", some) })),
    recountWrites: (sessionId) => [{ query: fixedStatement(RECOUNT_SQL, [sessionId]) }],
  };
}

/** Returns the preview, truncated by characters as SQL counts them. */
function toPreviewText({ content }: Message): string {
  return [...content.slice(0, 2 * PREVIEW_LENGTH)].slice(0, PREVIEW_LENGTH).join("");
}

function splitIntoChunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
