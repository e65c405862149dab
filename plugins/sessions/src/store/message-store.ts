import {
  AppError,
  contains,
  type Database,
  fixedStatement,
  type Message,
  notFound,
  type ReadRows,
  type Session,
  type Write,
} from "@parley/core";
import { clampPage, type List } from "@parley/core/http";
import { countRows } from "@parley/core/storage";
import type { Kysely, SelectQueryBuilder } from "kysely";
import type { MessageQuery } from "../schemas/messages.ts";
import { sessionsTexts } from "../texts.ts";
import { createMessageOrder, type MessageOrder } from "./message-order.ts";
import { createMessageStatements, type MessageStatements } from "./message-statements.ts";
import { fromMessageRow } from "./rows.ts";
import { createSequence } from "./sequence.ts";
import type { MessageTable, Place, SessionTables } from "./tables.ts";

const MAX_ATTEMPTS = 5;
const PAGE_SIZE = 200;

export interface AppendResult {
  readonly message: Message;
  /** False when the message existed before. */
  readonly isNew: boolean;
}

/** Stores messages. Appending, and reading a page without filters, take the same time in a conversation of any length. */
export interface MessageStore extends MessageStatements, MessageOrder {
  /** Returns a live message, or one of another place; rejects with `not_found`. */
  find(sessionId: string, messageId: string, place?: Place): Promise<Message>;
  /** Returns the platform's id of a message that came from it. */
  findPlatformId(sessionId: string, messageId: string): Promise<string | undefined>;
  findByPlatform(sessionId: string, platformMessageId: string): Promise<Message | undefined>;
  /** Returns the message with this trace id that an operator sent. */
  findSentByOperator(sessionId: string, traceId: string): Promise<Message | undefined>;
  page(session: Session, query: MessageQuery): Promise<List<Message>>;
  /** Returns the live messages from `seq` on, in order, also hidden and system messages. */
  liveFrom(sessionId: string, seq: number): Promise<readonly Message[]>;
  /** Returns the live messages up to `seq`, in order, also hidden and system messages. */
  liveUpTo(sessionId: string, seq: number): Promise<readonly Message[]>;
  last(sessionId: string, place: Place): Promise<Message | undefined>;
  /** Counts the hidden messages of a source with times from `fromMs` until before `untilMs`, archived ones too. */
  countHidden(sessionId: string, source: string, fromMs: number, untilMs: number): Promise<number>;
  listArchived(sessionId: string): Promise<readonly Message[]>;
  /** Yields all messages of a place in order, page by page. */
  streamPages(sessionId: string, place: Place): AsyncIterable<readonly Message[]>;
  /** Returns the newest `limit` messages for the model, oldest first, after the newest summary, which does not count. */
  history(session: Session, limit: number): Promise<readonly Message[]>;
  /** Returns the existing messages with these ids, in the given order. */
  byIds(ids: readonly string[]): Promise<readonly Message[]>;
  /** Returns messages like `byIds`, from a database that this process has not opened. */
  readByIds(ids: readonly string[], read: ReadRows): readonly Message[];
  /** Appends a message unless it exists; returns the stored message. */
  append(message: Message, channelId: string, platformMessageId?: string): Promise<AppendResult>;
  /** Stores a changed message in one transaction with `others`. */
  replace(message: Message, others?: readonly Write[]): Promise<void>;
  ids(sessionId: string, place: Place): Promise<readonly string[]>;
}

/** A conversation of up to this length is read by one query with all columns. */
const SHORT_SESSION_MESSAGES = 50;
const SHORT_HISTORY_SQL = `select * from messages where session_id = ? and place = 'live'
  and (kind = 'summary' or (kind in ('normal', 'tool') and role != 'system')) order by seq`;

const BY_ID_SQL = "select * from messages where id = ?";

type MessageQueryBuilder = SelectQueryBuilder<SessionTables, "messages", object>;

export function createMessageStore(database: () => Database, isShared: () => boolean): MessageStore {
  const tables = (): Kysely<SessionTables> => database().tables<SessionTables>();
  const inPlace = (sessionId: string, place: Place): MessageQueryBuilder =>
    tables().selectFrom("messages").where("session_id", "=", sessionId).where("place", "=", place);
  const live = (sessionId: string) => inPlace(sessionId, "live");
  const read = async (rows: MessageQueryBuilder) =>
    (await rows.selectAll().execute()).map((row) => fromMessageRow(row as MessageTable));
  const readFirst = async (rows: MessageQueryBuilder) => (await read(rows.limit(1)))[0];

  const find = async (sessionId: string, messageId: string, place: Place = "live") => {
    const found = await readFirst(inPlace(sessionId, place).where("id", "=", messageId));
    if (!found) throw notFound("message", messageId);
    return found;
  };
  const sequence = createSequence(database, isShared);
  const order = createMessageOrder(tables, sequence);
  const statements = createMessageStatements(tables);
  const byId = async (id: string) => {
    const [row] = await database().lookup<MessageTable>(fixedStatement(BY_ID_SQL, [id]));
    return row && fromMessageRow(row);
  };
  return {
    ...statements,
    ...order,
    find,
    async byIds(ids) {
      const found = await Promise.all(ids.map(byId));
      return found.filter((message) => message !== undefined);
    },
    readByIds: (ids, read) => ids.flatMap((id) => read<MessageTable>(BY_ID_SQL, id)).map(fromMessageRow),
    async findPlatformId(sessionId, messageId) {
      const row = await live(sessionId).where("id", "=", messageId).select("platform_message_id").executeTakeFirst();
      return row?.platform_message_id ?? undefined;
    },
    findByPlatform: (sessionId, platformMessageId) =>
      readFirst(live(sessionId).where("platform_message_id", "=", platformMessageId)),
    async findSentByOperator(sessionId, traceId) {
      const sent = await read(live(sessionId).where("trace_id", "=", traceId));
      return sent.find(({ metadata }) => metadata.sent_by_operator === true);
    },
    async page(session, query) {
      const { order, before, after, role, include_system, include_hidden, archived, q } = query;
      const place = archived ? "archive" : "live";
      if (before !== undefined && after !== undefined)
        throw sessionsTexts.error("bad_request", "one_cursor", {}, { field: "before" });
      const cursor = before ?? after;
      if (cursor !== undefined && query.offset > 0)
        throw sessionsTexts.error("bad_request", "no_offset", {}, { field: "offset" });
      const page = clampPage(query);
      const at = cursor === undefined ? undefined : await find(session.id, cursor, place);
      let rows = inPlace(session.id, place);
      if (role) rows = rows.where("role", "=", role);
      else if (!include_system) rows = rows.where("role", "!=", "system");
      if (!include_hidden) rows = rows.where("hidden", "=", 0);
      if (q) rows = rows.where(contains("content", q));
      const isPlain = !archived && !role && !q && !include_hidden && !include_system;
      const total = isPlain ? await countVisible(tables(), session.id) : await countRows(rows);
      if (at && before !== undefined) rows = rows.where("seq", "<", at.seq).orderBy("seq", "desc");
      else if (at) rows = rows.where("seq", ">", at.seq).orderBy("seq", "asc");
      else rows = rows.orderBy("seq", order);
      const items = await read(rows.limit(page.limit).offset(page.offset));
      return { items: items.toSorted((a, b) => (order === "asc" ? a.seq - b.seq : b.seq - a.seq)), total, ...page };
    },
    liveFrom: (sessionId, seq) => read(live(sessionId).where("seq", ">=", seq).orderBy("seq")),
    liveUpTo: (sessionId, seq) => read(live(sessionId).where("seq", "<=", seq).orderBy("seq")),
    last: (sessionId, place) => readFirst(inPlace(sessionId, place).orderBy("seq", "desc")),
    countHidden: (sessionId, source, fromMs, untilMs) =>
      countRows(
        tables()
          .selectFrom("messages")
          .where("session_id", "=", sessionId)
          .where("hidden", "=", 1)
          .where("timestamp", ">=", new Date(fromMs).toISOString())
          .where("timestamp", "<", new Date(untilMs).toISOString())
          .where(contains("fields", JSON.stringify({ source }).slice(1, -1))),
      ),
    listArchived: (sessionId) => read(inPlace(sessionId, "archive").orderBy("seq")),
    async *streamPages(sessionId, place) {
      for (let after: number | undefined; ; ) {
        const all = inPlace(sessionId, place);
        const rows = after === undefined ? all : all.where("seq", ">", after);
        const page = await read(rows.orderBy("seq").limit(PAGE_SIZE));
        if (page.length > 0) yield page;
        if (page.length < PAGE_SIZE) return;
        after = page.at(-1)?.seq ?? after;
      }
    },
    async history({ id, message_count }, limit) {
      if (message_count <= SHORT_SESSION_MESSAGES) {
        const rows = await database().lookup<MessageTable>(fixedStatement(SHORT_HISTORY_SQL, [id]));
        return putSummaryFirst(rows.map(fromMessageRow), limit);
      }
      const talk = live(id).where("kind", "in", ["normal", "tool"]).where("role", "!=", "system");
      const [newest, summary] = await Promise.all([
        read(talk.orderBy("seq", "desc").limit(limit)),
        readFirst(live(id).where("kind", "=", "summary").orderBy("seq", "desc")),
      ]);
      return [...(summary ? [summary] : []), ...newest.reverse()];
    },
    async append(message, channelId, platformMessageId) {
      const stored = { ...message, seq: await sequence.next(message.session_id) };
      const [appended] = await database().write(statements.appendWrites(stored, channelId, platformMessageId));
      const isNew = appended?.changes === 1;
      return { message: isNew ? stored : await find(message.session_id, message.id), isNew };
    },
    async replace(message, others = []) {
      await database().write([...statements.replaceWrites(message), ...others]);
    },
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
  };
}

/** Retries up to `MAX_ATTEMPTS` times when another write took the same position. */
export async function retryOnConflict<T>(operation: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation();
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !AppError.is(error) || error.code !== "conflict") throw error;
    }
  }
}

/** Puts the newest summary first and drops older summaries. */
function putSummaryFirst(messages: readonly Message[], limit: number): readonly Message[] {
  const summary = messages.findLast(({ kind }) => kind === "summary");
  return [...(summary ? [summary] : []), ...messages.filter(({ kind }) => kind !== "summary").slice(-limit)];
}

async function countVisible(tables: Kysely<SessionTables>, sessionId: string): Promise<number> {
  const row = await tables
    .selectFrom("sessions")
    .select("visible_count")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  return row?.visible_count ?? 0;
}
