import {
  AppError,
  clampPage,
  contains,
  type Database,
  fixedStatement,
  type List,
  type Message,
  notFound,
  type ReadRows,
  type Session,
  type Write,
} from "@parley/core";
import type { Kysely, SelectQueryBuilder } from "kysely";
import { fromMessageRow, toMessageRow } from "./rows.ts";
import type { MessageQuery } from "./schema.ts";
import { createSequence, STEP } from "./sequence.ts";
import { LAST_MESSAGE, type MessageTable, type Place, PREVIEW, type SessionTables } from "./tables.ts";

/** Higher than any place in an order: where messages are on their way from one to another. */
const AWAY = 1_000_000_000;
const MAX_TRIES = 5;
const PAGE = 200;

/** Messages as rows: appending and reading a page cost the same however long the conversation is. */
export interface MessageStore {
  find(sessionId: string, messageId: string): Promise<Message>;
  findByPlatform(sessionId: string, platformMessageId: string): Promise<Message | undefined>;
  page(session: Session, query: MessageQuery): Promise<List<Message>>;
  /** The live messages from `seq` on or before, in order. */
  liveFrom(sessionId: string, seq: number): Promise<readonly Message[]>;
  liveUpTo(sessionId: string, seq: number): Promise<readonly Message[]>;
  last(sessionId: string, place: Place): Promise<Message | undefined>;
  archived(sessionId: string): Promise<readonly Message[]>;
  /** All messages of a place in order, some at a time. */
  pages(sessionId: string, place: Place): AsyncIterable<readonly Message[]>;
  /** The newest `limit` that a model may see, oldest first; a summary always comes first. */
  history(session: Session, limit: number): Promise<readonly Message[]>;
  /** Those of the ids that are there, in that order. */
  byIds(ids: readonly string[]): Promise<readonly Message[]>;
  /** The same out of a database that is not open here. */
  storedByIds(ids: readonly string[], read: ReadRows): readonly Message[];
  /** Stores at the end; a message that is there already stays as it is. Gives what is stored. */
  append(message: Message, channelId: string, platformMessageId?: string): Promise<Message>;
  /** Statements that append a message whose `seq` is from `nextSeq`; they change nothing where it is there already. */
  appends(message: Message, channelId: string, platformMessageId?: string): readonly Write[];
  /** Statements that put messages in, with `seq` as they have it. */
  inserts(messages: readonly Message[], place: Place): readonly Write[];
  /** Stores a changed message together with other changes of its session. */
  replace(message: Message, others?: readonly Write[]): Promise<void>;
  /** The statement of it: undoes the whole write when the message was changed meanwhile, or is left out then. */
  replaces(message: Message, when?: "if it is as before"): readonly Write[];
  /** Statements that move messages to another place. */
  move(ids: readonly string[], place: Place): readonly Write[];
  remove(ids: readonly string[]): readonly Write[];
  /** Statements that count a session's messages anew, after anything but an append. */
  recount(sessionId: string): readonly Write[];
  ids(sessionId: string, place: Place): Promise<readonly string[]>;
  /** Where a message put in before the n-th visible one goes; moves the later ones when there is no room. */
  seqAt(sessionId: string, index: number): Promise<{ readonly seq: number; readonly writes: readonly Write[] }>;
  /** The place at the end of a session, given once. */
  nextSeq(sessionId: string): Promise<number>;
  /** Statements after which the next `count` numbers behind `after` are free, at most 10; the later ones may move. */
  room(sessionId: string, after: number, count: number): Promise<readonly Write[]>;
}

/** Talks of so many messages are read at once with all their columns. */
const SHORT = 50;
const SHORT_HISTORY = `select * from messages where session_id = ? and place = 'live'
  and (kind = 'summary' or (kind in ('normal', 'tool') and role != 'system')) order by seq`;

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
] as const satisfies readonly (keyof MessageTable)[];
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
const BY_ID = "select * from messages where id = ?";

type Rows = SelectQueryBuilder<SessionTables, "messages", object>;

export function createMessageStore(database: () => Database): MessageStore {
  const tables = (): Kysely<SessionTables> => database().tables<SessionTables>();
  const live = (sessionId: string): Rows =>
    tables().selectFrom("messages").where("session_id", "=", sessionId).where("place", "=", "live");
  const read = async (rows: Rows) =>
    (await rows.selectAll().execute()).map((row) => fromMessageRow(row as MessageTable));
  const one = async (rows: Rows) => (await read(rows.limit(1)))[0];

  const find = async (sessionId: string, messageId: string) => {
    const found = await one(live(sessionId).where("id", "=", messageId));
    if (!found) throw notFound("message", messageId);
    return found;
  };
  const sequence = createSequence(database);
  const byId = async (id: string) => {
    const [row] = await database().lookup<MessageTable>(fixedStatement(BY_ID, [id]));
    return row && fromMessageRow(row);
  };
  const appends = (message: Message, channelId: string, platformMessageId?: string): readonly Write[] => {
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
  };

  const replaces = (message: Message, when?: "if it is as before"): readonly Write[] => {
    const { id, seq: _seq, place: _place, ...row } = toMessageRow(message);
    const query = tables()
      .updateTable("messages")
      .set(row)
      .where("id", "=", id)
      .where("revision", "=", message.revision - 1);
    return [when ? { query } : { query, expect: 1 }];
  };

  /** Moves those from `from` on back by a step; each row by itself, so that no two meet on the way. */
  const later = (sessionId: string, from: number): readonly Write[] => {
    const moved = (by: number, least: number) =>
      tables()
        .updateTable("messages")
        .set((row) => ({ seq: row("seq", "+", by) }))
        .where("session_id", "=", sessionId)
        .where("seq", ">=", least);
    sequence.moved(sessionId);
    return [{ query: moved(AWAY, from) }, { query: moved(STEP - AWAY, AWAY) }];
  };

  return {
    find,
    nextSeq: sequence.next,
    appends,
    async byIds(ids) {
      const found = await Promise.all(ids.map(byId));
      return found.filter((message) => message !== undefined);
    },
    storedByIds: (ids, read) => ids.flatMap((id) => read<MessageTable>(BY_ID, id)).map(fromMessageRow),
    findByPlatform: (sessionId, platformMessageId) =>
      one(live(sessionId).where("platform_message_id", "=", platformMessageId)),
    async page(session, query) {
      const { order, before, after, role, include_system, include_hidden, q } = query;
      if (before !== undefined && after !== undefined)
        throw new AppError("bad_request", "before: give it or after, not both");
      const cursor = before ?? after;
      if (cursor !== undefined && query.offset > 0)
        throw new AppError("bad_request", "offset: does not go with a cursor");
      const page = clampPage(query);
      const at = cursor === undefined ? undefined : await find(session.id, cursor);
      let rows = live(session.id);
      if (role) rows = rows.where("role", "=", role);
      else if (!include_system) rows = rows.where("role", "!=", "system");
      if (!include_hidden) rows = rows.where("hidden", "=", 0);
      if (q) rows = rows.where(contains("content", q));
      const isPlain = !role && !q && !include_hidden && !include_system;
      const total = isPlain ? await visibleCount(tables(), session.id) : await countOf(rows);
      if (at && before !== undefined) rows = rows.where("seq", "<", at.seq).orderBy("seq", "desc");
      else if (at) rows = rows.where("seq", ">", at.seq).orderBy("seq", "asc");
      else rows = rows.orderBy("seq", order);
      const items = await read(rows.limit(page.limit).offset(page.offset));
      return { items: items.toSorted((a, b) => (order === "asc" ? a.seq - b.seq : b.seq - a.seq)), total, ...page };
    },
    liveFrom: (sessionId, seq) => read(live(sessionId).where("seq", ">=", seq).orderBy("seq")),
    liveUpTo: (sessionId, seq) => read(live(sessionId).where("seq", "<=", seq).orderBy("seq")),
    last: (sessionId, place) =>
      one(
        tables()
          .selectFrom("messages")
          .where("session_id", "=", sessionId)
          .where("place", "=", place)
          .orderBy("seq", "desc"),
      ),
    archived: (sessionId) =>
      read(
        tables()
          .selectFrom("messages")
          .where("session_id", "=", sessionId)
          .where("place", "=", "archive")
          .orderBy("seq"),
      ),
    async *pages(sessionId, place) {
      for (let after: number | undefined; ; ) {
        const all = tables().selectFrom("messages").where("session_id", "=", sessionId).where("place", "=", place);
        const rows = after === undefined ? all : all.where("seq", ">", after);
        const page = await read(rows.orderBy("seq").limit(PAGE));
        if (page.length > 0) yield page;
        if (page.length < PAGE) return;
        after = page.at(-1)?.seq ?? after;
      }
    },
    async history({ id, message_count }, limit) {
      if (message_count <= SHORT) {
        const rows = await database().lookup<MessageTable>(fixedStatement(SHORT_HISTORY, [id]));
        return summaryFirst(rows.map(fromMessageRow), limit);
      }
      const talk = live(id).where("kind", "in", ["normal", "tool"]).where("role", "!=", "system");
      const [newest, summary] = await Promise.all([
        read(talk.orderBy("seq", "desc").limit(limit)),
        one(live(id).where("kind", "=", "summary").orderBy("seq", "desc")),
      ]);
      return [...(summary ? [summary] : []), ...newest.reverse()];
    },
    async append(message, channelId, platformMessageId) {
      const stored = { ...message, seq: await sequence.next(message.session_id) };
      const [appended] = await database().write(appends(stored, channelId, platformMessageId));
      return appended?.changes === 1 ? stored : find(message.session_id, message.id);
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
    async replace(message, others = []) {
      await database().write([...replaces(message), ...others]);
    },
    replaces,
    move: (ids, place) =>
      chunks(ids, 500).map((some) => ({
        query: tables().updateTable("messages").set({ place }).where("id", "in", some),
      })),
    remove: (ids) =>
      chunks(ids, 500).map((some) => ({ query: tables().deleteFrom("messages").where("id", "in", some) })),
    recount: (sessionId) => [{ query: fixedStatement(RECOUNT, [sessionId]) }],
    async ids(sessionId, place) {
      const rows = await tables()
        .selectFrom("messages")
        .select("id")
        .where("session_id", "=", sessionId)
        .where("place", "=", place)
        .orderBy("seq")
        .execute();
      return rows.map(({ id }) => id);
    },
    async seqAt(sessionId, index) {
      const rows = await live(sessionId)
        .where("role", "!=", "system")
        .select("seq")
        .orderBy("seq")
        .offset(index)
        .limit(1)
        .execute();
      const next = rows[0]?.seq;
      if (next === undefined) return { seq: await sequence.next(sessionId), writes: [] };
      // Archived ones have their places too.
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
      return { seq: next + STEP / 2, writes: later(sessionId, next) };
    },
    async room(sessionId, after, count) {
      const taken = await tables()
        .selectFrom("messages")
        .select("seq")
        .where("session_id", "=", sessionId)
        .where("seq", ">", after)
        .where("seq", "<=", after + count)
        .limit(1)
        .executeTakeFirst();
      return taken ? later(sessionId, after + 1) : [];
    },
  };
}

/** Does it once more when somebody else took the same place in an order at the same moment. */
export async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= MAX_TRIES || !AppError.is(error) || error.code !== "conflict") throw error;
    }
  }
}

/** Of several summaries the newest counts; it comes first. */
function summaryFirst(messages: readonly Message[], limit: number): readonly Message[] {
  const summary = messages.findLast(({ kind }) => kind === "summary");
  return [...(summary ? [summary] : []), ...messages.filter(({ kind }) => kind !== "summary").slice(-limit)];
}

/** Whole characters, as SQL counts them. */
function previewOf({ content }: Message): string {
  return [...content.slice(0, 2 * PREVIEW)].slice(0, PREVIEW).join("");
}

async function visibleCount(tables: Kysely<SessionTables>, sessionId: string): Promise<number> {
  const row = await tables
    .selectFrom("sessions")
    .select("visible_count")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  return row?.visible_count ?? 0;
}

async function countOf(rows: Rows): Promise<number> {
  const row = await rows.select((select) => select.fn.countAll<number>().as("count")).executeTakeFirst();
  return Number(row?.count ?? 0);
}

function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
