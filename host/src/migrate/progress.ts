import { type Database, MOVE_TABLE, tablesIn, type Write } from "@parley/core";
import type { RowSum } from "./row-sum.ts";
import type { Key } from "./table-pages.ts";

/** How far a table has been copied. */
export interface Copied extends RowSum {
  readonly after: Key | undefined;
  readonly isWhole: boolean;
}

interface Tables {
  readonly [MOVE_TABLE]: { readonly part: string; readonly state: string };
}

/** Which rows are being copied. */
const SOURCE = "";
/** No table has such a name. */
const WHOLE = "-- whole";

/** What a database notes of itself while rows are copied into it; it is written together with them. */
export interface Progress {
  copied(table: string): Promise<Copied | undefined>;
  noting(table: string, copied: Copied): Write;
  /** All rows are there, and are those that were copied. */
  noteWhole(): Promise<void>;
  isWhole(): Promise<boolean>;
}

/** From now on a service may start there. */
export async function endMove(database: Database): Promise<void> {
  await database.tables<Tables>().schema.dropTable(MOVE_TABLE).ifExists().execute();
}

/** The rows of which installation a database was begun with; undefined: nothing was begun. */
export async function begunWith(database: Database): Promise<string | undefined> {
  if (!(await tablesIn(database)).has(MOVE_TABLE)) return undefined;
  const query = database.tables<Tables>().selectFrom(MOVE_TABLE).select("state").where("part", "=", SOURCE);
  return (await query.executeTakeFirst())?.state ?? "";
}

export async function beginMove(database: Database, source: string): Promise<Progress> {
  const tables = database.tables<Tables>();
  if ((await begunWith(database)) === undefined) {
    await tables.schema
      .createTable(MOVE_TABLE)
      .ifNotExists()
      .addColumn("part", "text", (column) => column.primaryKey())
      .addColumn("state", "text", (column) => column.notNull())
      .execute();
  }
  const noting = (part: string, state: string): Write => ({
    query: tables
      .insertInto(MOVE_TABLE)
      .values({ part, state })
      .onConflict((on) => on.column("part").doUpdateSet({ state })),
  });
  await database.write([noting(SOURCE, source)]);
  const stateOf = async (part: string) =>
    (await tables.selectFrom(MOVE_TABLE).select("state").where("part", "=", part).executeTakeFirst())?.state;
  return {
    async copied(table) {
      const state = await stateOf(table);
      return state === undefined ? undefined : JSON.parse(state);
    },
    noting: (table, copied) => noting(table, JSON.stringify(copied)),
    noteWhole: async () => void (await database.write([noting(WHOLE, "1")])),
    isWhole: async () => (await stateOf(WHOLE)) !== undefined,
  };
}
