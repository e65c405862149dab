import type { Database, Write } from "@parley/core";
import { MOVE_TABLE, tablesIn } from "@parley/core/storage";
import type { RowChecksum } from "./row-checksum.ts";
import type { Key } from "./table-pages.ts";

/** Progress of a table copy. */
export interface CopiedTable extends RowChecksum {
  readonly after: Key | undefined;
  readonly isWhole: boolean;
}

interface Tables {
  readonly [MOVE_TABLE]: { readonly part: string; readonly state: string };
}

/** Key of the entry that identifies the source rows. */
const SOURCE_KEY = "";
/** Keys of marks; no table can have such a name. */
const COPIED_KEY = "-- copied";
const DONE_KEY = "-- whole";

/** Progress of a copy, stored in the target database together with the rows. */
export interface Progress {
  copied(table: string): Promise<CopiedTable | undefined>;
  toProgressWrite(table: string, copied: CopiedTable): Write;
  /** Marks that all rows are copied and verified; the steps that they lack may follow. */
  markCopied(): Promise<void>;
  isCopied(): Promise<boolean>;
  /** Marks that the target is as a start of this version expects it. */
  markDone(): Promise<void>;
  isDone(): Promise<boolean>;
}

/** Marks the move as finished; from now on a service may start on the database. */
export async function finishMove(database: Database): Promise<void> {
  await database.tables<Tables>().schema.dropTable(MOVE_TABLE).ifExists().execute();
}

/** Returns the identity of the rows that a move was started with; undefined when none was started. */
export async function readMoveIdentity(database: Database): Promise<string | undefined> {
  if (!(await tablesIn(database)).has(MOVE_TABLE)) return undefined;
  const query = database.tables<Tables>().selectFrom(MOVE_TABLE).select("state").where("part", "=", SOURCE_KEY);
  return (await query.executeTakeFirst())?.state ?? "";
}

export async function startMove(database: Database, source: string): Promise<Progress> {
  const tables = database.tables<Tables>();
  if ((await readMoveIdentity(database)) === undefined) {
    await tables.schema
      .createTable(MOVE_TABLE)
      .ifNotExists()
      .addColumn("part", "text", (column) => column.primaryKey())
      .addColumn("state", "text", (column) => column.notNull())
      .execute();
  }
  const toStateWrite = (part: string, state: string): Write => ({
    query: tables
      .insertInto(MOVE_TABLE)
      .values({ part, state })
      .onConflict((on) => on.column("part").doUpdateSet({ state })),
  });
  await database.write([toStateWrite(SOURCE_KEY, source)]);
  const readState = async (part: string) =>
    (await tables.selectFrom(MOVE_TABLE).select("state").where("part", "=", part).executeTakeFirst())?.state;
  return {
    async copied(table) {
      const state = await readState(table);
      return state === undefined ? undefined : JSON.parse(state);
    },
    toProgressWrite: (table, copied) => toStateWrite(table, JSON.stringify(copied)),
    markCopied: async () => void (await database.write([toStateWrite(COPIED_KEY, "1")])),
    isCopied: async () => (await readState(COPIED_KEY)) !== undefined,
    markDone: async () => void (await database.write([toStateWrite(DONE_KEY, "1")])),
    isDone: async () => (await readState(DONE_KEY)) !== undefined,
  };
}
