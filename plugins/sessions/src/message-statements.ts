import { fixedStatement, type Message, type Write } from "@parley/core";
import type { Kysely } from "kysely";
import { toMessageRow } from "./rows.ts";
import { LAST_MESSAGE, type MessageTable, type Place, PREVIEW, type SessionTables } from "./tables.ts";

/** What changes messages, as statements: they go into one write with other changes. */
export interface MessageStatements {
  /** Statements that append a message whose `seq` is from `nextSeq`; they change nothing where it is there already. */
  appends(message: Message, channelId: string, platformMessageId?: string): readonly Write[];
  /** Statements that put messages in, with `seq` as they have it. */
  inserts(messages: readonly Message[], place: Place): readonly Write[];
  /** Statements that store a changed message: they undo the whole write when the message was changed meanwhile, or are left out then. */
  replaces(message: Message, when?: "if it is as before"): readonly Write[];
  /** Statements that move messages to another place. */
  move(ids: readonly string[], place: Place): readonly Write[];
  remove(ids: readonly string[]): readonly Write[];
  /** Statements that count a session's messages anew, after anything but an append. */
  recount(sessionId: string): readonly Write[];
}

const APPENDED = [
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
const ROWS_EACH = 50;
const ROW = `(${APPENDED.map(() => "?").join(", ")})`;
const insertOf = (count: number) =>
  `insert into messages (${APPENDED.join(", ")}) values ${Array(count).fill(ROW).join(", ")}`;
const APPEND = `${insertOf(1)} on conflict (id) do nothing`;
const MARK = `update sessions set message_count = message_count + 1, visible_count = visible_count + ?,
  last_id = ?, last_role = ?, last_sender = ?, last_preview = ?, last_message_at = ? where id = ?`;
const COUNT = `insert into message_counts (hour, channel_id, role, count) values (?, ?, ?, 1)
  on conflict (hour, channel_id, role) do update set count = message_counts.count + 1`;
const countedIn = (place: Place) =>
  `select count(*) from messages where session_id = sessions.id and place = '${place}'`;
const RECOUNT = `update sessions set message_count = (${countedIn("live")}), archived_count = (${countedIn("archive")}),
  visible_count = (${countedIn("live")} and role != 'system' and hidden = 0), ${LAST_MESSAGE} where id = ?`;

export function createMessageStatements(tables: () => Kysely<SessionTables>): MessageStatements {
  return {
    appends(message, channelId, platformMessageId) {
      const { id, session_id, role, sender, timestamp } = message;
      const row = { ...toMessageRow(message), platform_message_id: platformMessageId ?? null };
      const isVisible = role !== "system" && !message.hidden;
      const last = [id, role, sender, previewOf(message), timestamp];
      return [
        {
          query: fixedStatement(
            APPEND,
            APPENDED.map((name) => row[name]),
          ),
        },
        { query: fixedStatement(MARK, [Number(isVisible), ...last, session_id]), ifChanged: true },
        { query: fixedStatement(COUNT, [timestamp.slice(0, 13), channelId, role]), ifChanged: true },
      ];
    },
    inserts: (messages, place) =>
      chunks(messages, ROWS_EACH).map((some) => ({
        query: fixedStatement(
          insertOf(some.length),
          some.flatMap((message) => {
            const row = { ...toMessageRow(message, place), platform_message_id: null };
            return APPENDED.map((name) => row[name]);
          }),
        ),
      })),
    replaces(message, when) {
      const { id, seq: _seq, place: _place, ...row } = toMessageRow(message);
      const query = tables()
        .updateTable("messages")
        .set(row)
        .where("id", "=", id)
        .where("revision", "=", message.revision - 1);
      return [when ? { query } : { query, expect: 1 }];
    },
    move: (ids, place) =>
      chunks(ids, 500).map((some) => ({
        query: tables().updateTable("messages").set({ place }).where("id", "in", some),
      })),
    remove: (ids) =>
      chunks(ids, 500).map((some) => ({ query: tables().deleteFrom("messages").where("id", "in", some) })),
    recount: (sessionId) => [{ query: fixedStatement(RECOUNT, [sessionId]) }],
  };
}

/** Whole characters, as SQL counts them. */
function previewOf({ content }: Message): string {
  return [...content.slice(0, 2 * PREVIEW)].slice(0, PREVIEW).join("");
}

function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
