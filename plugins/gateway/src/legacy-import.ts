import { existsSync, renameSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { AppError, type Databases, type Migration, type TurnOutcome } from "@parley/core";
import { type Kysely, sql } from "kysely";
import { LEGACY_MIGRATIONS } from "./legacy-migrations.ts";
import { MAIN_MIGRATIONS } from "./migrations.ts";
import { toStoredOutcome } from "./store/stored-outcome.ts";

// The only file of the gateway specific to SQLite: the imported data never existed on another engine.

const BATCH_ROWS = 200;
/** Tables of the gateway that go to the main database as they are; `seq` becomes the order. */
const MOVED_TABLES = ["inbox", "dedupe", "tool_ledger", "outbox", "gateway_nodes", "alias"] as const;
/** Tables that stay in the file. */
const HISTORY_TABLES = new Set(["gateway_logs", "turn_record", "migrations", "sqlite_sequence"]);
/** Details of applied migrations: copied, and left in the file too. */
const MIGRATION_TABLES = new Set(["migration_versions", "migration_expansions"]);

/**
 * Creates the gateway's tables in the main database. From a `gateway.db` of the version that stored everything in it,
 * data needed for delivery is moved in the same transaction; the original file is stored as `gateway.db.before-move`.
 * Throws `unavailable` when that fails; nothing is changed then.
 */
export async function migrateMainDatabase(databases: Databases, file: string): Promise<void> {
  if (!isLegacyFile(file)) return databases.main.migrate("gateway", MAIN_MIGRATIONS);
  const backup = `${file}.before-move`;
  try {
    const old = await databases.open(file, { isHistory: true });
    await old.migrate("gateway", LEGACY_MIGRATIONS);
    backUpFile(file, backup);
    await databases.main.migrate("gateway", createImportMigrations(file));
    const foreignTables = listForeignTables(file).flatMap(({ name }) => (MIGRATION_TABLES.has(name) ? [] : name));
    for (const table of [...MOVED_TABLES, "turn", ...foreignTables]) {
      await old.tables().schema.dropTable(table).ifExists().execute();
    }
  } catch (cause) {
    const reason = AppError.is(cause) && cause.cause instanceof Error ? cause.cause.message : (cause as Error).message;
    throw new AppError(
      "unavailable",
      `${file} is from an earlier version and cannot be moved into the main database: ${reason}. Nothing was changed; mend that and start again`,
      { cause },
    );
  }
}

function isLegacyFile(file: string): boolean {
  if (!existsSync(file)) return false;
  return queryFile(file, (db) => db.prepare("select 1 from sqlite_master where name = 'inbox'").get() !== undefined);
}

function backUpFile(file: string, backup: string): void {
  if (existsSync(backup)) return;
  try {
    queryFile(file, (db) => db.prepare("vacuum into ?").run(`${backup}.part`));
    renameSync(`${backup}.part`, backup);
  } catch (error) {
    rmSync(`${backup}.part`, { force: true });
    throw error;
  }
}

interface ForeignTable {
  readonly name: string;
  readonly definitions: readonly string[];
}

/** Returns tables of other plugins in the file, which are moved unchanged. */
function listForeignTables(file: string): readonly ForeignTable[] {
  return queryFile(file, (db) => {
    const rows = db.prepare("select name, tbl_name, sql from sqlite_master where sql is not null order by rowid").all();
    const all = rows as unknown as readonly {
      readonly name: string;
      readonly tbl_name: string;
      readonly sql: string;
    }[];
    const ownTables = new Set<string>([...MOVED_TABLES, "turn", ...HISTORY_TABLES]);
    return all
      .filter(({ name, tbl_name }) => name === tbl_name && !ownTables.has(name))
      .map(({ name }) => ({ name, definitions: all.filter((one) => one.tbl_name === name).map((one) => one.sql) }));
  });
}

/** The first step, and the rows with it: one transaction. */
function createImportMigrations(file: string): readonly Migration[] {
  const [first, ...others] = MAIN_MIGRATIONS as readonly [Migration, ...Migration[]];
  const up = async (db: Kysely<unknown>) => {
    await first.up(db);
    const rows = db as Kysely<Record<string, object>>;
    for (const table of MOVED_TABLES)
      await copyRows(rows, table, readPages(file, table, 0), (row) => toMainRow(table, row));
    for await (const page of readPages(file, "turn", 0)) for (const row of page) await importTurn(rows, row);
    for (const { name, definitions } of listForeignTables(file)) {
      const there = sql`select 1 from sqlite_master where name = ${name}`;
      const isThere = (await there.execute(db)).rows.length > 0;
      for (const definition of isThere ? [] : definitions) await sql.raw(definition).execute(db);
      await copyRows(rows, name, readPages(file, name, 0), (row) => row);
    }
    await copyRows(rows, "migrations", readPages(file, "migrations", 0), (row) =>
      row.owner === "gateway" ? undefined : row,
    );
  };
  return [{ id: first.id, up }, ...others];
}

type Row = Readonly<Record<string, unknown>>;

async function copyRows(
  db: Kysely<Record<string, object>>,
  table: string,
  rows: Iterable<readonly Row[]>,
  convert: (row: Row) => Row | undefined,
): Promise<void> {
  for (const page of rows) {
    const converted = page.map(convert).filter((row) => row !== undefined);
    // Limited by the number of parameters per statement.
    for (let at = 0; at < converted.length; at += 20) {
      await db
        .insertInto(table)
        .values(converted.slice(at, at + 20))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }
}

function toMainRow(table: string, { seq, ...row }: Row): Row {
  return table === "inbox" || table === "outbox" ? { ...row, position: seq } : row;
}

/** Imports a turn: its outcome into the row of its message, a draft into a row of its own. */
async function importTurn(db: Kysely<Record<string, object>>, row: Row): Promise<void> {
  const { trace_id, phase, draft, outcome, updated_ms } = row;
  if (outcome !== null) {
    const stored = JSON.stringify(toStoredOutcome(JSON.parse(String(outcome)) as TurnOutcome));
    await sql`update inbox set outcome = ${stored} where trace_id = ${trace_id}`.execute(db);
  } else if (draft !== null) {
    const draftTurn = { ...JSON.parse(String(draft)), effects: [], data: {} };
    await db
      .insertInto("turn_draft")
      .values({ trace_id, phase, draft: JSON.stringify({ turn: draftTurn, effects: [] }), updated_ms })
      .execute();
  }
}

function* readPages(file: string, table: string, from: number): Generator<readonly Row[]> {
  for (let after = from; ; ) {
    const query = `select rowid as "row id", * from "${table}" where rowid > ? order by rowid limit ?`;
    const page = queryFile(file, (db) => db.prepare(query).all(after, BATCH_ROWS)) as readonly Row[];
    const last = page.at(-1);
    if (!last) return;
    after = Number(last["row id"]);
    yield page.map(({ "row id": _rowId, ...row }) => row);
  }
}

function queryFile<Result>(file: string, ask: (db: DatabaseSync) => Result): Result {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    return ask(db);
  } finally {
    db.close();
  }
}
