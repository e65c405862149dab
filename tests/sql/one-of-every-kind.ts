import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { definePlugin, StoredTables } from "@parley/core";
import { startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

/** The databases of a data folder. */
const FILES = ["parley.db", "gateway.db"];
/** Notes of steps, and what an engine makes anew of the rows themselves. */
const DERIVED = /^(sqlite_.*|migrations|migration_.*|unfinished_move|text_.*)$/;

/** Rows as text, by `<file> <table>`; tables without rows are not in it. */
export type Rows = Readonly<Record<string, readonly string[]>>;

/** A data folder with a record of every kind that people make, and a row in every other table there can be. */
export async function makeOneOfEveryKind(root: string): Promise<void> {
  const fake = createFakeChannel();
  const preparing = definePlugin({
    id: "preparing",
    register() {},
    async ready({ all }) {
      for (const set of all(StoredTables)) await set.prepare();
    },
  });
  {
    await using parley = await startParley({ root, plugins: [fake.plugin, preparing], server: undefined });
    const api = await parley.signIn();
    await api.post("/api/characters", { name: "Mira" });
    await api.post("/api/personality/custom-presets", { name: "Calm" });
    await api.post("/api/workflows", { name: "mornings", description: "Look at the day." });
    await api.post("/api/task-center", { name: "news", prompt: "What is new?" });
    await api.post("/api/person-links", { name: "Ann", target_id: "imA:user:1", same_as: "imB:user:2" });
    await api.post("/api/memory", { title: "bicycles", content: "Mara bought two bicycles.", target_id: "imA:user:1" });
    await api.post("/api/knowledge", { title: "tea", content: "Green tea is made at 80 degrees." });
  }
  for (const file of FILES) fillEmptyTables(join(root, "data", file));
}

/** The rows of the databases in a data folder. */
export function readRows(folder: string): Rows {
  const found: Record<string, readonly string[]> = {};
  for (const file of FILES) {
    using database = new DatabaseSync(join(folder, file), { readOnly: true });
    for (const name of listTables(database)) {
      const rows = database.prepare(`select * from "${name}"`).all();
      // A column that is not there is one without a value.
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

/** The names of the tables in a data folder that have no row. */
export function emptyTables(folder: string): readonly string[] {
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
