import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findPostgresPrograms, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";
import { runEverything } from "./all-statements.ts";
import { type CompiledText, createRecordingStorage, type RecordedWrite } from "./recording-storage.ts";

const programs = findPostgresPrograms();
if (!programs) process.stderr.write("tests/sql: skipped, PostgreSQL is not installed (apt-get install postgresql)\n");

/** Table of the storage itself, which differs between engines. */
const OF_THE_STORAGE = new Set(["migrations"]);
/** Word tables, which are engine-specific; another test compares their results. */
const OF_ITS_ENGINE = /^text_/;
type Row = Readonly<Record<string, unknown>>;

describe.skipIf(!programs)("SQL statements of the service for SQLite", () => {
  const storage = createRecordingStorage();
  const root = mkdtempSync(join(tmpdir(), "parley-two-engines-"));
  const failures: object[] = [];
  let server: PostgresServer;
  let client: pg.PoolClient;
  let files: readonly DatabaseSync[];

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
    await runEverything({ plugins: [storage.plugin], root });
    const paths = [join(root, "data", "parley.db"), ...storage.files];
    files = paths.map((path) => new DatabaseSync(path, { readOnly: true }));
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: server.pool() }) });
    for (const { owner, steps } of storage.migrations) {
      for (const { id, up } of steps) {
        await db
          .transaction()
          .execute(up)
          .catch((error: Error) => failures.push({ step: `${owner} ${id}`, error: error.message }));
      }
    }
    client = await server.pool().connect();
  }, 120_000);

  afterAll(async () => {
    for (const file of files ?? []) file.close();
    client?.release();
    await server?.[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });

  const inPostgres = async ({ sql, parameters }: CompiledText) => client.query(toPostgres(sql), [...parameters]);
  const inSqlite = ({ sql, parameters }: CompiledText): readonly Row[] => {
    const file = files.find((one) => isIn(one, sql));
    return file ? (file.prepare(sql).all(...(parameters as never[])) as unknown as readonly Row[]) : [];
  };

  test("have a schema on PostgreSQL, too", () => {
    expect(storage.migrations.length).toBeGreaterThan(7);
    expect(failures).toEqual([]);
  });

  test("can be executed on PostgreSQL", async () => {
    const rejected: object[] = [];
    // Queries of the catalog differ between engines (`tablesIn` of core).
    const shared = [...storage.statements.keys()].filter((statement) => !statement.includes("sqlite_schema"));
    for (const [index, statement] of shared.entries()) {
      await client
        .query(`prepare statement_${index} as ${statement}`)
        .catch((error: Error) => rejected.push({ statement, error: error.message }));
    }
    expect(storage.statements.size).toBeGreaterThan(200);
    expect(rejected).toEqual([]);
  });

  test("write the same rows there", async () => {
    const different: object[] = [];
    for (const batch of storage.written) different.push(...(await replay(batch)));
    expect(different).toEqual([]);
    const { rows: tables } = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    for (const { name } of tables.filter(({ name: one }) => !OF_THE_STORAGE.has(one) && !OF_ITS_ENGINE.test(one))) {
      const text = { sql: `select * from ${name}`, parameters: [] };
      const { rows } = await inPostgres(text);
      expect(inOrder(rows), name).toEqual(inOrder(inSqlite(text)));
    }
  });

  test("read the same rows there, in the same order", async () => {
    const reads = [...storage.statements.values()].flat().filter(({ isRead }) => isRead);
    expect(reads.length).toBeGreaterThan(300);
    for (const { sqlite, postgres } of reads) {
      const { rows } = await inPostgres(postgres);
      const toComparable = / order by /i.test(postgres.sql)
        ? (some: readonly Row[]) => some.map(normalizeRow)
        : inOrder;
      expect(toComparable(rows), postgres.sql).toEqual(toComparable(inSqlite(sqlite)));
    }
  });

  /** Replays an atomic write; returns the statements that failed or changed another number of rows. */
  async function replay(batch: readonly RecordedWrite[]): Promise<readonly object[]> {
    const different: object[] = [];
    await client.query("begin");
    let last = 1;
    for (const { statement, ifChanged, changes } of batch) {
      if (ifChanged && last === 0) continue;
      const { postgres } = statement;
      try {
        last = (await inPostgres(postgres)).rowCount ?? 0;
        if (last !== changes) different.push({ ...postgres, sqlite: changes, postgres: last });
      } catch (error) {
        await client.query("rollback");
        return [...different, { ...postgres, error: (error as Error).message }];
      }
    }
    await client.query("commit");
    return different;
  }
});

function isIn(file: DatabaseSync, sql: string): boolean {
  const [, table = ""] = /\bfrom\s+"?([a-z_]+)/i.exec(sql) ?? [];
  return file.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(table) !== undefined;
}

/** Normalizes a row: PostgreSQL returns 64-bit numbers as texts, and averages differ in the last digit. */
function normalizeRow(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const isNumber = typeof value === "number" || (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value));
      return [name, isNumber ? Number(Number(value).toPrecision(15)) : value];
    }),
  );
}

function inOrder(rows: readonly Row[]): readonly Row[] {
  return rows
    .map(normalizeRow)
    .map((row) => [JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))), row] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row);
}

/** Log rows are inserted from one JSON text by a statement for either engine (`log-rows.ts` of the gateway). */
function toPostgres(sql: string): string {
  return sql.replace(/json_each\((\S+)\) as one where true/, "json_array_elements(cast($1 as json)) as one(value)");
}
