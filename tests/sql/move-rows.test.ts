import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, fixedStatement, type Migration } from "@parley/core";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfiguration } from "../../host/src/config/configuration.ts";
import type { DeclaredSteps } from "../../host/src/migrate/declared-steps.ts";
import { moveRows } from "../../host/src/migrate/move-rows.ts";
import { type OpenRows, openRows } from "../../host/src/migrate/open-rows.ts";
import { openPostgres } from "../../host/src/migrate/storages.ts";
import { findPostgresPrograms, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";

const programs = findPostgresPrograms();
const createStep = (id: string, ...statements: readonly string[]): Migration => ({
  id,
  async up(db) {
    for (const one of statements) await sql.raw(one).execute(db);
  },
});
const THINGS = createStep("001-things", "create table things (id text primary key, name text not null)");
const OF_THINGS = "select id, name from things";

let root: string;
let server: PostgresServer | undefined;
let count = 0;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-moved-steps-"));
  if (programs) server = await startPostgres(programs);
}, 60_000);
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

const configure = () => {
  const folder = join(root, String(++count));
  mkdirSync(folder);
  return { ...readConfiguration({ root: folder, flags: {}, env: {} }), data: join(folder, "data") };
};
const openFolder = () => openRows(configure());
const openServer = async () => openPostgres(configure(), await server?.makeDatabase());
const declare = (steps: Readonly<Record<string, readonly Migration[]>>): DeclaredSteps => ({
  steps: Object.entries(steps).map(([owner, own]) => ({ file: undefined, owner, steps: own, isAtFirstUse: false })),
  tables: new Set(),
  texts: undefined,
});
const readRows = (database: Database, table: string) =>
  database.lookup(fixedStatement(`select * from ${table} order by id`, []));

/** Moves rows of the first migration steps to a database with the later ones. */
async function move(from: OpenRows, to: OpenRows, steps: Readonly<Record<string, readonly Migration[]>>) {
  const copied: string[] = [];
  await moveRows({
    sources: [{ database: from.databases.main, ownTables: [] }],
    declared: declare(steps),
    target: to.databases,
    openFile: async () => to.databases.main,
    onCopied: (table, rows) => void copied.push(`${table} ${rows}`),
  });
  return copied;
}

async function openThings(): Promise<OpenRows> {
  const from = await openFolder();
  const { main } = from.databases;
  await main.migrate("things", [THINGS]);
  await main.write([{ query: fixedStatement("insert into things (id, name) values ('a', 'one'), ('b', 'two')", []) }]);
  return from;
}

describe.each([["files", openFolder], ...(programs ? [["PostgreSQL", openServer] as const] : [])] as const)(
  "rows that are moved to %s",
  (_, openTarget) => {
    test("of an earlier version are changed by the steps that they lack", async () => {
      await using from = await openThings();
      await using to = await openTarget();
      const renamed = createStep("002-names", "update things set name = name || '!'");
      const copies = createStep(
        "001-copies",
        "create table copies (id text primary key, name text)",
        `insert into copies ${OF_THINGS}`,
      );
      expect(await move(from, to, { copies: [copies], things: [THINGS, renamed] })).toEqual(["things 2"]);
      const named = (mark: string) => [
        { id: "a", name: `one${mark}` },
        { id: "b", name: `two${mark}` },
      ];
      expect(await readRows(to.databases.main, "things")).toEqual(named("!"));
      expect(await readRows(to.databases.main, "copies")).toEqual(named(""));
      expect(await readRows(from.databases.main, "things")).toEqual(named(""));
    });

    test("of a table that a later version drops are where its step expects them", async () => {
      await using from = await openThings();
      await using to = await openTarget();
      const moved = createStep(
        "002-moved",
        "create table better_things (id text primary key, name text)",
        `insert into better_things ${OF_THINGS}`,
        "drop table things",
      );
      await move(from, to, { things: [THINGS, moved] });
      expect(await readRows(to.databases.main, "better_things")).toHaveLength(2);
      await expect(readRows(to.databases.main, "things")).rejects.toThrow();
    });

    test("are moved on when a step failed after they were copied", async () => {
      await using from = await openThings();
      await using to = await openTarget();
      const failing = createStep("002-names", "update no_such_table set name = 'x'");
      await expect(move(from, to, { things: [THINGS, failing] })).rejects.toThrow();
      const renamed = createStep("002-names", "update things set name = name || '!'");
      expect(await move(from, to, { things: [THINGS, renamed] })).toEqual([]);
      expect(await readRows(to.databases.main, "things")).toContainEqual({ id: "a", name: "one!" });
    });

    test("of a later version are rejected", async () => {
      await using from = await openThings();
      await using to = await openTarget();
      await expect(move(from, to, { things: [createStep("001-other", "select 1")] })).rejects.toThrow(
        "the rows are of a later version: this one does not know '001-things' of 'things'",
      );
    });

    test("of a plugin that is gone are where it finds them when it comes back", async () => {
      await using from = await openThings();
      await using to = await openTarget();
      const ships = createStep(
        "001-ships",
        "create table ships (id text primary key, name text not null default 'it''s new', guns integer, size double precision)",
        "create unique index ships_name on ships (name)",
        "create table empty_ships (fleet text not null, place bigint not null, primary key (fleet, place))",
      );
      await from.databases.main.migrate("ships", [ships]);
      await from.databases.main.write([
        { query: fixedStatement("insert into ships (id, guns, size) values ('s', 3, 1.5)", []) },
      ]);
      expect(await move(from, to, { things: [THINGS] })).toEqual(["empty_ships 0", "ships 1", "things 2"]);
      const { main } = to.databases;
      const notes = "select owner, id from migrations where owner = 'ships'";
      expect(await main.lookup(fixedStatement(notes, []))).toEqual([{ owner: "ships", id: "001-ships" }]);
      expect(await readRows(main, "ships")).toEqual([{ id: "s", name: "it's new", guns: 3, size: 1.5 }]);
      const insert = (text: string) => main.write([{ query: fixedStatement(text, []) }]);
      await expect(insert("insert into ships (id) values ('t')"), "a name twice").rejects.toThrow();
      await insert("insert into empty_ships (fleet, place) values ('north', 5000000000)");
      await expect(insert("insert into empty_ships (fleet, place) values ('north', 5000000000)")).rejects.toThrow();
    });

    test("that the other engine could not tell apart are an obstacle", async () => {
      await using from = await openThings();
      await using to = await openTarget();
      await from.databases.main.migrate("old", [
        createStep("001", "create table of_old (id text)", "insert into of_old values ('a')"),
      ]);
      await expect(move(from, to, { things: [THINGS] })).rejects.toThrow("of_old: no enabled plugin has this table");
    });
  },
);
