import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, fixedStatement, HostControl, type Migration } from "@parley/core";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfiguration } from "../../host/src/config/configuration.ts";
import { collectDeclaredSteps, type OwnerSteps } from "../../host/src/migrate/declared-steps.ts";
import { openRows } from "../../host/src/migrate/open-rows.ts";
import { DATABASE_FILE } from "../harness/chosen-storage.ts";
import { startParley } from "../harness/parley.ts";
import { findPostgresPrograms, makeDatabase, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";

/** The steps of the previous version (`commit`) as `<owner> <id>`, and the later steps with which it cannot work, with the reason. */
const { before, waits } = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "fixtures", "schema-steps.json"), "utf8"),
) as { readonly before: readonly string[]; readonly waits: Readonly<Record<string, string>> };
const known = new Set(before);

let root: string;
let declared: readonly OwnerSteps[];
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-steps-"));
  declared = (await collectDeclaredSteps(toConfiguration(root), new Set())).steps;
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const toConfiguration = (folder: string) => readConfiguration({ root: folder, flags: {}, env: {} });
const named = (owner: string, { id }: Migration) => `${owner} ${id}`;
/** Returns true for a known step, or one that replaces known steps. */
const isKnown = (owner: string, { id, replaces = [] }: Migration) =>
  known.has(`${owner} ${id}`) || (replaces.length > 0 && replaces.every((one) => known.has(`${owner} ${one}`)));
/** Returns true for a step on a table that the previous version does not have. */
const isLater = (owner: string, step: Migration, steps: readonly Migration[]) =>
  !isKnown(owner, step) && steps.some((one) => isKnown(owner, one));

test("every step of the previous version remains, and each later one declares whether that version works with it", () => {
  const all = declared.flatMap(({ owner, steps }) =>
    steps.flatMap((step) => [named(owner, step), ...(step.replaces ?? []).map((id) => `${owner} ${id}`)]),
  );
  expect(before.filter((name) => !all.includes(name))).toEqual([]);
  const unsaid = declared.flatMap(({ owner, steps }) =>
    steps.filter((step) => isLater(owner, step, steps) && !step.expands).map((step) => named(owner, step)),
  );
  // Each step has `expands: true`, or is in the fixture with the reason why the previous version cannot work with it.
  expect(unsaid.filter((name) => !waits[name])).toEqual([]);
});

describe("an expanding step removes nothing", () => {
  const findHarm = async (steps: readonly OwnerSteps[], more: readonly OwnerSteps[]) => {
    const folder = mkdtempSync(join(root, "rows-"));
    await using rows = await openRows({ ...toConfiguration(folder), data: join(folder, "data") });
    const { main } = rows.databases;
    for (const { owner, steps: some } of steps) await main.migrate(owner, some);
    const seen = await readSchema(main);
    for (const { owner, steps: some } of more) await main.migrate(owner, some);
    return harm(seen, await readSchema(main));
  };

  test("of those since the previous version", async () => {
    const only = (is: (owner: string, step: Migration) => boolean) =>
      declared.map((one) => ({ ...one, steps: one.steps.filter((step) => is(one.owner, step)) }));
    const old = only(isKnown);
    const expanding = only((owner, step) => isKnown(owner, step) || step.expands === true);
    expect(await findHarm(old, expanding)).toEqual([]);
  });

  test.each([
    ["alter table things add column name text", []],
    ["create table more (id integer primary key)", []],
    ["alter table things drop column old", ["things.old is gone"]],
    ["alter table things rename column old to older", ["things.old is gone"]],
    ["drop table things", ["things is gone"]],
    ["alter table things add column name text not null default ''", []],
    ["create unique index things_old on things (old)", ["things has a new unique index"]],
  ])("%s", async (text, wrong) => {
    const run =
      (statement: string): Migration["up"] =>
      async (db) =>
        void (await sql.raw(statement).execute(db));
    const first = { id: "001", up: run("create table things (id integer primary key, old text)") };
    const next = { id: "002", expands: true as const, up: run(text) };
    const of = (steps: readonly Migration[]) => [{ file: undefined, owner: "things", steps, isAtFirstUse: false }];
    expect(await findHarm(of([first]), of([first, next]))).toEqual(wrong);
  });
});

const programs = findPostgresPrograms();
describe.skipIf(!programs)("on a database of the previous version, where one of its nodes works", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  test("a node of this version starts, unless a step is declared to wait", async () => {
    const folder = mkdtempSync(join(root, "node-"));
    const url = await makeDatabase(server.folder);
    writeFileSync(join(folder, DATABASE_FILE), url);
    await madeByVersionBefore(folder, url);
    await using client = await connect(url);
    await client.query(
      `insert into processes (id, version, seen_at) values ('older', '0.0.1', now() + interval '1 hour')`,
    );
    const starting = startParley({ root: folder, server: server.folder, config: "nodes = true\n" });
    if (Object.keys(waits).length > 0) return void (await expect(starting).rejects.toThrow("Stop those first"));
    await using parley = await starting;
    expect(
      parley.host
        .get(HostControl)
        .plugins()
        .filter(({ state }) => state === "failed"),
    ).toEqual([]);
    const { rows } = await client.query("select owner || ' ' || id as name from migrations");
    const taken = new Set(rows.map(({ name }) => name));
    const atStart = declared.filter(({ isAtFirstUse }) => !isAtFirstUse);
    const all = atStart.flatMap(({ owner, steps }) => steps.map((step) => named(owner, step)));
    expect(all.filter((name) => !taken.has(name))).toEqual([]);
  });

  /** Applies its migrations under its version. */
  async function madeByVersionBefore(folder: string, url: string): Promise<void> {
    writeFileSync(join(folder, "config.ini"), "[plugins]\nstorage = @parley/plugin-postgres\n");
    const env = { PARLEY_DATABASE_URL: url };
    await using rows = await openRows(readConfiguration({ root: folder, flags: {}, env }));
    for (const { owner, steps } of declared) {
      const old = steps.filter((step) => isKnown(owner, step));
      if (old.length > 0) await rows.databases.main.migrate(owner, old);
    }
  }
});

async function connect(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client(url);
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

interface Schema {
  /** `<table>` and `<table>.<column>`. */
  readonly names: ReadonlySet<string>;
  readonly uniques: ReadonlyMap<string, number>;
}

async function readSchema(database: Database): Promise<Schema> {
  const columns = await database.lookup<{ readonly table: string; readonly column: string }>(
    fixedStatement(
      `select m.name as "table", c.name as "column" from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table'`,
      [],
    ),
  );
  const uniques = await database.lookup<{ readonly table: string; readonly count: number }>(
    fixedStatement(
      `select m.name as "table", count(*) as count from sqlite_schema m join pragma_index_list(m.name) i
        where m.type = 'table' and i."unique" = 1 group by m.name`,
      [],
    ),
  );
  return {
    names: new Set(columns.flatMap(({ table, column }) => [table, `${table}.${column}`])),
    uniques: new Map(uniques.map(({ table, count }) => [table, count])),
  };
}

/** Returns changes that an earlier version could not work with. */
function harm(before: Schema, after: Schema): readonly string[] {
  const gone = [...before.names].filter((name) => !after.names.has(name));
  const tables = gone.filter((name) => !name.includes("."));
  // A missing table includes its columns.
  const missing = gone.filter((name) => !tables.some((table) => name.startsWith(`${table}.`)));
  const tighter = [...after.uniques].filter(([table, count]) => {
    return before.names.has(table) && count > (before.uniques.get(table) ?? 0);
  });
  return [...missing.map((name) => `${name} is gone`), ...tighter.map(([table]) => `${table} has a new unique index`)];
}
