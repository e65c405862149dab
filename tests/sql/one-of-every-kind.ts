import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { definePlugin, StoredTables } from "@parley/core";
import { OUR_CALLS } from "../endpoints/calls/additional.ts";
import { CALLS, type Call } from "../endpoints/calls.ts";
import { fillPath, startWorld, toRequest, type World } from "../endpoints/world.ts";
import { startParley } from "../harness/parley.ts";

/** The databases of a data folder. */
const FILES = ["parley.db", "gateway.db"];
/** Tables of migrations, and tables that an engine derives from other rows. */
const DERIVED = /^(sqlite_.*|migrations|migration_.*|unfinished_move|text_.*)$/;

/** Rows as text, by `<file> <table>`; tables without rows are not in it. */
export type Rows = Readonly<Record<string, readonly string[]>>;

/** Creates the tables that are made at first use, too. */
const preparing = definePlugin({
  id: "preparing",
  register() {},
  async ready({ all }) {
    for (const set of all(StoredTables)) await set.prepare();
  },
});

/** Creates a data folder with an invented row in every possible table. */
export async function makeEveryTable(root: string): Promise<void> {
  {
    await using _parley = await startParley({ root, plugins: [preparing], server: undefined });
  }
  for (const file of FILES) fillEmptyTables(join(root, "data", file));
}

/** Creates a data folder by every API call that creates or changes something, with a row in all other tables too. */
export async function makeOneOfEveryKind(root: string): Promise<void> {
  {
    await using world = await startWorld({ root, plugins: [preparing] });
    await makeEveryCall(world);
    await world.seed.idle();
  }
  for (const file of FILES) fillEmptyTables(join(root, "data", file));
}

/** Makes every call that has a working form, except deletions. */
async function makeEveryCall({ seed }: World): Promise<void> {
  const calls: Readonly<Record<string, Call>> = { ...CALLS, ...OUR_CALLS };
  for (const [row, call] of Object.entries(calls)) {
    const [method = "", path = ""] = row.split(" ");
    if (method === "DELETE") continue;
    const made = (await call.params?.(seed)) ?? {};
    if (method !== "GET") {
      const caller = (await call.caller?.(seed)) ?? seed.api;
      const { status } = await caller.send(method, fillPath(path, made), toRequest(call, made));
      if (status !== (call.status ?? 200)) throw new Error(`${row}: ${status}`);
    }
    await call.after?.(seed);
  }
}

/** Reads the rows of the databases in a data folder. */
export function readRows(folder: string): Rows {
  const found: Record<string, readonly string[]> = {};
  for (const file of FILES) {
    using database = new DatabaseSync(join(folder, file), { readOnly: true });
    for (const name of listTables(database)) {
      const rows = database.prepare(`select * from "${name}"`).all();
      // A missing column counts as one without a value.
      const texts = rows.map((row) =>
        JSON.stringify(
          Object.entries(row)
            .filter(([, value]) => value !== null)
            .sort(),
        ),
      );
      if (texts.length > 0) found[`${file} ${name}`] = texts.sort();
    }
  }
  return found;
}

/** Lists the tables in a data folder that have no row. */
export function listEmptyTables(folder: string): readonly string[] {
  return FILES.filter((file) => existsSync(join(folder, file))).flatMap((file) => {
    using database = new DatabaseSync(join(folder, file), { readOnly: true });
    return listTables(database).filter(
      (name) => database.prepare(`select 1 from "${name}" limit 1`).all().length === 0,
    );
  });
}

function listTables(database: DatabaseSync): readonly string[] {
  const all = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
  return all.map(({ name }) => String(name)).filter((name) => !DERIVED.test(name));
}

function fillEmptyTables(file: string): void {
  using database = new DatabaseSync(file);
  for (const name of listTables(database)) {
    if (database.prepare(`select 1 from "${name}" limit 1`).all().length > 0) continue;
    const columns = database.prepare(`select name, lower(type) as type from pragma_table_info('${name}')`).all();
    const values = columns.map(({ name: column, type }) => createSample(String(column), String(type)));
    const names = columns.map(({ name: column }) => `"${String(column)}"`).join(", ");
    database.prepare(`insert into "${name}" (${names}) values (${names.replaceAll(/"[^"]*"/g, "?")})`).run(...values);
  }
}

function createSample(column: string, type: string) {
  if (/^(blob|bytea)/.test(type)) return new Uint8Array([1, 2, 3]);
  return /^(int|big|double|real)/.test(type) ? 7 : `${column} 一`;
}
