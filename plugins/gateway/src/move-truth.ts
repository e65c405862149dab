import { existsSync, renameSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { AppError, type Databases, type Migration, type TurnOutcome } from "@parley/core";
import { type Kysely, sql } from "kysely";
import { EARLIER_MIGRATIONS } from "./earlier-migrations.ts";
import { TRUTH_MIGRATIONS } from "./migrations.ts";
import { storedOutcome } from "./stored-outcome.ts";

// The one file of the gateway that speaks to SQLite alone: what it moves was never kept by another engine.

const ROWS_AT_ONCE = 200;
/** Tables of the gateway that go to the main database as they are; `seq` becomes the order. */
const MOVED = ["inbox", "dedupe", "tool_ledger", "outbox", "gateway_nodes", "alias"] as const;
/** What stays in the file. */
const HISTORY = new Set(["gateway_logs", "turn_record", "migrations", "sqlite_sequence"]);
/** What says more of steps that were taken: it comes along and stays. */
const OF_STEPS = new Set(["migration_versions", "migration_expansions"]);

/**
 * Makes the gateway's tables in the main database. Where `gateway.db` is from when it held everything, what delivery depends on
 * is moved over in the same transaction; the file as it was is kept as `gateway.db.before-move`. `unavailable` when it cannot be
 * moved; then nothing is changed.
 */
export async function migrateTruth(databases: Databases, file: string): Promise<void> {
  if (!isEarlier(file)) return databases.main.migrate("gateway", TRUTH_MIGRATIONS);
  const kept = `${file}.before-move`;
  try {
    const old = await databases.open(file, { isHistory: true });
    await old.migrate("gateway", EARLIER_MIGRATIONS);
    keepCopy(file, kept);
    await databases.main.migrate("gateway", withRows(file));
    const others = othersIn(file).flatMap(({ name }) => (OF_STEPS.has(name) ? [] : name));
    for (const table of [...MOVED, "turn", ...others]) {
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

function isEarlier(file: string): boolean {
  if (!existsSync(file)) return false;
  return read(file, (db) => db.prepare("select 1 from sqlite_master where name = 'inbox'").get() !== undefined);
}

function keepCopy(file: string, kept: string): void {
  if (existsSync(kept)) return;
  try {
    read(file, (db) => db.prepare("vacuum into ?").run(`${kept}.part`));
    renameSync(`${kept}.part`, kept);
  } catch (error) {
    rmSync(`${kept}.part`, { force: true });
    throw error;
  }
}

interface OtherTable {
  readonly name: string;
  readonly definitions: readonly string[];
}

/** Tables that other plugins kept in the file: they come along as they are. */
function othersIn(file: string): readonly OtherTable[] {
  return read(file, (db) => {
    const rows = db.prepare("select name, tbl_name, sql from sqlite_master where sql is not null order by rowid").all();
    const all = rows as unknown as readonly {
      readonly name: string;
      readonly tbl_name: string;
      readonly sql: string;
    }[];
    const ours = new Set<string>([...MOVED, "turn", ...HISTORY]);
    return all
      .filter(({ name, tbl_name }) => name === tbl_name && !ours.has(name))
      .map(({ name }) => ({ name, definitions: all.filter((one) => one.tbl_name === name).map((one) => one.sql) }));
  });
}

/** The first step, and the rows with it: one transaction. */
function withRows(file: string): readonly Migration[] {
  const [first, ...others] = TRUTH_MIGRATIONS as readonly [Migration, ...Migration[]];
  const up = async (db: Kysely<unknown>) => {
    await first.up(db);
    const rows = db as Kysely<Record<string, object>>;
    for (const table of MOVED) await copy(rows, table, pages(file, table, 0), (row) => asTruth(table, row));
    for await (const page of pages(file, "turn", 0)) for (const row of page) await addTurn(rows, row);
    for (const { name, definitions } of othersIn(file)) {
      const there = sql`select 1 from sqlite_master where name = ${name}`;
      const isThere = (await there.execute(db)).rows.length > 0;
      for (const definition of isThere ? [] : definitions) await sql.raw(definition).execute(db);
      await copy(rows, name, pages(file, name, 0), (row) => row);
    }
    await copy(rows, "migrations", pages(file, "migrations", 0), (row) => (row.owner === "gateway" ? undefined : row));
  };
  return [{ id: first.id, up }, ...others];
}

type Row = Readonly<Record<string, unknown>>;

async function copy(
  db: Kysely<Record<string, object>>,
  table: string,
  rows: Iterable<readonly Row[]>,
  as: (row: Row) => Row | undefined,
): Promise<void> {
  for (const page of rows) {
    const some = page.map(as).filter((row) => row !== undefined);
    // A statement takes a limited number of parameters.
    for (let at = 0; at < some.length; at += 20) {
      await db
        .insertInto(table)
        .values(some.slice(at, at + 20))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }
}

function asTruth(table: string, { seq, ...row }: Row): Row {
  return table === "inbox" || table === "outbox" ? { ...row, position: seq } : row;
}

/** What a turn had come to stands with its message now; only a draft has a row of its own. */
async function addTurn(db: Kysely<Record<string, object>>, row: Row): Promise<void> {
  const { trace_id, phase, draft, outcome, updated_ms } = row;
  if (outcome !== null) {
    const stored = JSON.stringify(storedOutcome(JSON.parse(String(outcome)) as TurnOutcome));
    await sql`update inbox set outcome = ${stored} where trace_id = ${trace_id}`.execute(db);
  } else if (draft !== null) {
    const kept = { ...JSON.parse(String(draft)), effects: [], data: {} };
    await db
      .insertInto("turn_draft")
      .values({ trace_id, phase, draft: JSON.stringify({ turn: kept, effects: [] }), updated_ms })
      .execute();
  }
}

function* pages(file: string, table: string, from: number): Generator<readonly Row[]> {
  for (let after = from; ; ) {
    const query = `select rowid as "row id", * from "${table}" where rowid > ? order by rowid limit ?`;
    const page = read(file, (db) => db.prepare(query).all(after, ROWS_AT_ONCE)) as readonly Row[];
    const last = page.at(-1);
    if (!last) return;
    after = Number(last["row id"]);
    yield page.map(({ "row id": _rowId, ...row }) => row);
  }
}

function read<Result>(file: string, ask: (db: DatabaseSync) => Result): Result {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    return ask(db);
  } finally {
    db.close();
  }
}
