import { type Database, fixedStatement, type Migration, type RecordCopy, type Write } from "@parley/core";

/** Number of injections of one entry in one conversation. */
export interface InjectionCount {
  /** The turn in which the entry was injected last. */
  readonly turn: number;
  /** Number of injections so far. */
  readonly count: number;
  /** Position of the message that was answered then. */
  readonly seq: number;
}

/** Injection counts at the start of a turn. */
export interface InjectionState {
  /** Number of the current turn. */
  readonly turn: number;
  /** True when the conversation has stored counts. */
  readonly isKnown: boolean;
  readonly entries: ReadonlyMap<string, InjectionCount>;
}

/** An activated entry with a cooldown or a maximum number of injections. */
export interface CountedEntry {
  readonly id: string;
  readonly bookId: string;
}

/** The user message that a turn answers, by its id and position. */
export interface AnsweredMessage {
  readonly sessionId: string;
  readonly messageId: string;
  readonly seq: number;
}

/**
 * Counts the injections of entries with limits. Turns are numbered by the replies before them and identified by the
 * message they answer: a regenerated reply has the number of the old one, and counts of later turns are dropped.
 */
export interface InjectionCounters {
  /** Returns the state before the turn that answers this message. */
  loadState(asked: AnsweredMessage): Promise<InjectionState>;
  /** Returns the writes that count the injections of an answered turn; empty when nothing is counted. */
  countWrites(
    asked: AnsweredMessage,
    injectionState: InjectionState,
    entries: readonly CountedEntry[],
  ): readonly Write[];
  /** Returns the writes that revert the counts of turns that answered these messages. */
  uncountWrites(sessionId: string, messageIds: readonly string[]): Promise<readonly Write[]>;
  removeSessionWrites(sessionId: string): readonly Write[];
  /** Returns the writes that copy the counts for copied messages. */
  copySessionWrites(copy: RecordCopy): Promise<readonly Write[]>;
  removeBookWrites(bookId: string): readonly Write[];
  removeEntryWrites(entryId: string): readonly Write[];
}

/** Maximum rows of an entry, and so the number of turns back for which a reply can be regenerated correctly. */
const MAX_ROWS_PER_ENTRY = 100;
/** Number of turns that are stored; more than the longest cooldown of 1,000 turns. */
const MAX_TURNS = 1_100;

const READ_LAST = "select coalesce(max(turn), 0) as turn from world_book_turns where session_id = ?";
const READ_TURN_OF_MESSAGE = `select min(turn) as turn from world_book_turns where session_id = ? and (message_id = ? or seq > ?)`;
const READ_ENTRIES = `select i.entry_id, max(i.turn) as turn, max(i.count) as count, max(t.seq) as seq
  from world_book_injections i left join world_book_turns t on t.session_id = i.session_id and t.turn = i.turn
  where i.session_id = ? and i.turn <= ? group by i.entry_id`;
const FORGET_TURNS = "delete from world_book_turns where session_id = ? and (turn >= ? or turn <= ?)";
const FORGET_LATER = "delete from world_book_injections where session_id = ? and turn >= ?";
const FORGET_OLD = "delete from world_book_injections where session_id = ? and entry_id = ? and count <= ?";
const COUNT_LESS = `update world_book_injections set count = count - 1 where session_id = ? and turn > ? and entry_id in
  (select entry_id from world_book_injections where session_id = ? and turn = ?)`;
const FORGET_ENTRIES_OF = "delete from world_book_injections where session_id = ? and turn = ?";
const FORGET_TURN = "delete from world_book_turns where session_id = ? and turn = ?";
const ADD_TURN = "insert into world_book_turns (session_id, turn, message_id, seq) values (?, ?, ?, ?)";
const ADD_ENTRY = `insert into world_book_injections (session_id, entry_id, turn, count, book_id) values (?, ?, ?, ?, ?)`;

interface CounterTables {
  readonly world_book_turns: {
    readonly session_id: string;
    readonly turn: number;
    readonly message_id: string;
    readonly seq: number;
  };
  readonly world_book_injections: {
    readonly session_id: string;
    readonly entry_id: string;
    readonly turn: number;
    readonly count: number;
    readonly book_id: string;
  };
}

export function createInjectionCounters(database: () => Database): InjectionCounters {
  const write = (text: string, ...values: readonly unknown[]): Write => ({ query: fixedStatement(text, values) });
  const readTurn = async (text: string, ...values: readonly unknown[]) => {
    const [row] = await database().lookup<{ turn: number | null }>(fixedStatement(text, values));
    return Number(row?.turn ?? 0);
  };
  return {
    async loadState({ sessionId, messageId, seq }) {
      const again = await readTurn(READ_TURN_OF_MESSAGE, sessionId, messageId, seq);
      const last = again ? again - 1 : await readTurn(READ_LAST, sessionId);
      if (last === 0) return { turn: 1, isKnown: again > 0, entries: new Map() };
      const rows = await database().lookup<{ entry_id: string; turn: number; count: number; seq: number | null }>(
        fixedStatement(READ_ENTRIES, [sessionId, last]),
      );
      const entries = rows.map(
        ({ entry_id, turn, count, seq }) =>
          [entry_id, { turn: Number(turn), count: Number(count), seq: Number(seq ?? 0) }] as const,
      );
      return { turn: last + 1, isKnown: true, entries: new Map(entries) };
    },
    countWrites({ sessionId, messageId, seq }, { turn, isKnown, entries: known }, entries) {
      if (!isKnown && entries.length === 0) return [];
      return [
        write(FORGET_TURNS, sessionId, turn, turn - MAX_TURNS),
        write(FORGET_LATER, sessionId, turn),
        write(ADD_TURN, sessionId, turn, messageId, seq),
        ...entries.flatMap(({ id, bookId }) => {
          const count = (known.get(id)?.count ?? 0) + 1;
          const old = count > MAX_ROWS_PER_ENTRY ? [write(FORGET_OLD, sessionId, id, count - MAX_ROWS_PER_ENTRY)] : [];
          return [...old, write(ADD_ENTRY, sessionId, id, turn, count, bookId)];
        }),
      ];
    },
    async uncountWrites(sessionId, messageIds) {
      const gone = new Set(messageIds);
      const turns = await database()
        .tables<CounterTables>()
        .selectFrom("world_book_turns")
        .select(["turn", "message_id"])
        .where("session_id", "=", sessionId)
        .orderBy("turn", "desc")
        .execute();
      const lastTurn = turns.find(({ message_id }) => !gone.has(message_id))?.turn ?? 0;
      const between = turns.filter(({ turn, message_id }) => turn < lastTurn && gone.has(message_id));
      if (lastTurn === turns[0]?.turn && between.length === 0) return [];
      return [
        write(FORGET_TURNS, sessionId, lastTurn + 1, 0),
        write(FORGET_LATER, sessionId, lastTurn + 1),
        ...between.flatMap(({ turn }) => [
          write(COUNT_LESS, sessionId, turn, sessionId, turn),
          write(FORGET_ENTRIES_OF, sessionId, turn),
          write(FORGET_TURN, sessionId, turn),
        ]),
      ];
    },
    removeSessionWrites: (sessionId) => [
      write("delete from world_book_turns where session_id = ?", sessionId),
      write("delete from world_book_injections where session_id = ?", sessionId),
    ],
    async copySessionWrites({ from, to, messages }) {
      const tables = database().tables<CounterTables>();
      const turns = await tables.selectFrom("world_book_turns").selectAll().where("session_id", "=", from).execute();
      const remaining = turns.flatMap(({ turn, message_id, seq }) => {
        const copied = messages.get(message_id);
        return copied === undefined ? [] : [{ turn, messageId: copied, seq }];
      });
      const numbers = new Set(remaining.map(({ turn }) => turn));
      if (numbers.size === 0) return [];
      const rows = await tables
        .selectFrom("world_book_injections")
        .selectAll()
        .where("session_id", "=", from)
        .execute();
      return [
        ...remaining.map(({ turn, messageId, seq }) => write(ADD_TURN, to, turn, messageId, seq)),
        ...rows
          .filter(({ turn }) => numbers.has(turn))
          .map(({ entry_id, turn, count, book_id }) => write(ADD_ENTRY, to, entry_id, turn, count, book_id)),
      ];
    },
    removeBookWrites: (bookId) => [write("delete from world_book_injections where book_id = ?", bookId)],
    removeEntryWrites: (entryId) => [write("delete from world_book_injections where entry_id = ?", entryId)],
  };
}

/** Forward only; a released step is never changed. */
export const COUNTER_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-turns-and-injections",
    async up(db) {
      await db.schema
        .createTable("world_book_turns")
        .addColumn("session_id", "text", (column) => column.notNull())
        .addColumn("turn", "integer", (column) => column.notNull())
        .addColumn("message_id", "text", (column) => column.notNull())
        .addColumn("seq", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("world_book_turns_key", ["session_id", "turn"])
        .execute();
      await db.schema
        .createTable("world_book_injections")
        .addColumn("session_id", "text", (column) => column.notNull())
        .addColumn("entry_id", "text", (column) => column.notNull())
        .addColumn("turn", "integer", (column) => column.notNull())
        .addColumn("count", "integer", (column) => column.notNull())
        .addColumn("book_id", "text", (column) => column.notNull())
        .addPrimaryKeyConstraint("world_book_injections_key", ["session_id", "entry_id", "turn"])
        .execute();
      for (const column of ["book_id", "entry_id"]) {
        await db.schema
          .createIndex(`world_book_injections_${column}`)
          .on("world_book_injections")
          .column(column)
          .execute();
      }
    },
  },
];
