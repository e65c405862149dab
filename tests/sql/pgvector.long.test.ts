import { Clock, type Database, Databases, systemClock, TextIndex, type TextQuery } from "@parley/core";
import { cosine } from "@parley/core/text";
import { type StartedPlugins, startPlugins } from "@parley/testing";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import plugin from "../../plugins/text-index/src/index.ts";
import { eventually } from "../harness/eventually.ts";
import { type PgliteServer, startPglite } from "../harness/servers/pglite.ts";
import { createKyselyDatabase } from "./kysely-database.ts";

const DIMENSIONS = 48;
const COUNT = 1_000;
const ASKED = 40;
const BEST = 10;
const SPACE = "m@here tiny 48";

describe("vectors on a server with pgvector", () => {
  let server: PgliteServer;
  let pool: pg.Pool;
  let db: Kysely<unknown>;
  let database: Database;
  const vectors = new Map(Array.from({ length: COUNT }, (_, at) => [`e${at}`, createVector(at)]));
  const questions = Array.from({ length: ASKED }, (_, at) => createVector(COUNT + at));

  beforeAll(async () => {
    server = await startPglite();
    pool = new pg.Pool({ host: server.folder, user: "postgres", database: "postgres", max: 1 });
    db = new Kysely({ dialect: new PostgresDialect({ pool }) });
    database = createKyselyDatabase(db);
  }, 180_000);
  afterAll(async () => {
    await pool?.end();
    await server?.[Symbol.asyncDispose]();
  });

  /** Starts the plugins of a service. */
  const start = async (): Promise<StartedPlugins> =>
    startPlugins([plugin], {
      services: [
        [Databases, { main: database }],
        [Clock, systemClock],
      ],
    });
  const openSpace = (plugins: StartedPlugins) => plugins.get(TextIndex).space("notes");
  /** Stores passages, each labelled with its half and its tenth. */
  const fill = async (plugins: StartedPlugins) => {
    const space = openSpace(plugins);
    const entries = [...vectors.keys()].map((id, at) => ({
      id,
      place: at,
      title: "",
      text: `note ${at}`,
      time: at,
      labels: [`half:${at < COUNT / 2}`, `tenth:${at % 10}`],
    }));
    await database.write(await space.replacing("all", entries));
    await database.write(space.keepingVectors(SPACE, vectors));
  };
  const searched = async (plugins: StartedPlugins, values: Float32Array, more: Partial<TextQuery> = {}) => {
    const query = { text: "note", limit: BEST, mode: "vector", vector: { space: SPACE, values }, ...more } as const;
    return (await openSpace(plugins).search(query)).map(({ id }) => id);
  };
  /** Returns the share of the nearest passages that the search finds. */
  const recall = async (plugins: StartedPlugins, isInside: (at: number) => boolean, more: Partial<TextQuery> = {}) => {
    let found = 0;
    for (const question of questions) {
      const nearest = [...vectors]
        .filter((_, at) => isInside(at))
        .map(([id, values]) => [id, cosine(question, values)] as const)
        .sort((a, b) => b[1] - a[1])
        .slice(0, BEST)
        .map(([id]) => id);
      const ids = new Set(await searched(plugins, question, more));
      found += nearest.filter((id) => ids.has(id)).length;
    }
    return found / (ASKED * BEST);
  };
  const nearTables = async () => {
    const { rows } = await sql<{ name: string }>`select relname as name from pg_class where relkind = 'r'
      and relname like 'text\_notes\_near\_%'`.execute(db);
    return rows.map(({ name }) => name);
  };
  const inIndex = async () => {
    const [table] = await nearTables();
    if (!table) return 0;
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
    return Number(rows[0]?.count);
  };

  test("vectors stored without it are found exactly, and migrated at the next start", async () => {
    await sql`alter database postgres set search_path = public`.execute(db);
    {
      await using plugins = await start();
      // Simulates a server without the extension.
      await sql`create schema elsewhere`.execute(db);
      await sql`create extension vector schema elsewhere`.execute(db);
      expect(await plugins.get(TextIndex).comparing()).toMatchObject({
        by: "each",
        detail: "pgvector is in a schema outside the search path",
      });
      await fill(plugins);
      expect(await nearTables()).toEqual([]);
      expect(await recall(plugins, () => true)).toBeGreaterThan(0.95);
    }
    await sql`drop extension vector`.execute(db);
    await using plugins = await start();
    expect(await plugins.get(TextIndex).comparing()).toMatchObject({
      by: "index",
      detail: expect.stringMatching(/^pgvector \d/),
    });
    expect(await searched(plugins, createVector(7))).toContain("e7");
    await eventually(async () => expect(await inIndex()).toBe(COUNT));
  });

  test("its index finds what an exact comparison finds", async () => {
    await using plugins = await start();
    await searched(plugins, createVector(7));
    await eventually(async () => expect(await inIndex()).toBe(COUNT));
    // Otherwise the server would compare each of so few vectors.
    await sql`set enable_sort = off`.execute(db);
    expect(await plan(plugins)).toMatch(/_hnsw/);
    const share = await recall(plugins, () => true);
    process.stderr.write(`pgvector: ${Math.round(share * 1000) / 10} % of the ${BEST} nearest of ${COUNT}\n`);
    expect(share).toBeGreaterThan(0.98);
    expect(await recall(plugins, (at) => at < COUNT / 2, { labels: [["half:true"]] })).toBeGreaterThan(0.98);
    await sql`reset enable_sort`.execute(db);
  });

  test.each([
    ["half of all", (at: number) => at < COUNT / 2, { labels: [["half:true"]] }],
    ["a tenth of a half", (at: number) => at < COUNT / 2 && at % 10 === 3, { labels: [["half:true"], ["tenth:3"]] }],
    ["some of a time", (at: number) => at >= 100 && at < 160, { since: 100, until: 160 }],
  ])("a filtered search loses no results: %s", async (_what, isInside, more) => {
    await using plugins = await start();
    await searched(plugins, createVector(7));
    await eventually(async () => expect(await recall(plugins, isInside, more)).toBeGreaterThan(0.98));
  });

  test("added entries are found, deleted ones are not", async () => {
    await using plugins = await start();
    const space = openSpace(plugins);
    const values = createVector(COUNT + ASKED + 1);
    const entry = { id: "new", place: 0, title: "", text: "a note more", time: 1, labels: [] };
    await database.write(await space.replacing("more", [entry]));
    await database.write(space.keepingVectors(SPACE, new Map([["new", values]])));
    expect((await searched(plugins, values))[0]).toBe("new");
    await eventually(async () => expect(await inIndex()).toBe(COUNT + 1));
    await database.write(await space.removing(["more"]));
    expect(await searched(plugins, values)).not.toContain("new");
    expect(await inIndex()).toBe(COUNT);
  });

  test("vectors of another model have their own index, which is deleted with them", async () => {
    await using plugins = await start();
    const other = "m@elsewhere other 3";
    const vector = { space: other, values: Float32Array.of(1, 0, 0) };
    const stored = new Map([["e1", Float32Array.of(1, 0.1, 0)] as const, ["e2", Float32Array.of(0, 0, 1)] as const]);
    await searched(plugins, createVector(1));
    const before = [...(await nearTables())];
    await database.write(openSpace(plugins).keepingVectors(other, stored));
    expect(await nearTables()).toHaveLength(before.length + 1);
    expect(await searched(plugins, vector.values, { vector })).toEqual(["e1"]);
    // Its vectors are no longer of the first model.
    expect(await searched(plugins, createVector(1))).not.toContain("e1");
    await database.write(openSpace(plugins).keepingVectors(SPACE, new Map([...vectors].slice(0, 3))));
    await using again = await start();
    expect((await searched(again, createVector(1)))[0]).toBe("e1");
    expect(await nearTables()).toEqual(before);
  });

  test("a database that lost the extension searches exactly, and uses it again later", async () => {
    await sql`drop extension vector cascade`.execute(db);
    await sql`create schema if not exists elsewhere`.execute(db);
    await sql`create extension vector schema elsewhere`.execute(db);
    {
      await using plugins = await start();
      expect((await searched(plugins, createVector(7)))[0]).toBe("e7");
      const entry = { id: "later", place: 0, title: "", text: "a later note", time: 1, labels: [] };
      await database.write(await openSpace(plugins).replacing("later", [entry]));
      await database.write(openSpace(plugins).keepingVectors(SPACE, new Map([["later", createVector(9_999)]])));
    }
    await sql`drop extension vector`.execute(db);
    await using plugins = await start();
    expect((await searched(plugins, createVector(7)))[0]).toBe("e7");
    await eventually(async () => expect(await inIndex()).toBe(COUNT + 1));
    expect((await searched(plugins, createVector(9_999)))[0]).toBe("later");
  });

  /** Returns the server's query plan for the nearest neighbours. */
  const plan = async (plugins: StartedPlugins) => {
    await searched(plugins, createVector(7));
    const [table = ""] = await nearTables();
    await sql`analyze`.execute(db);
    const { rows } = await sql<{ "QUERY PLAN": string }>`explain select n.id from ${sql.table(table)} n
      join text_notes_vectors v on v.id = n.id and v.space = ${SPACE}
      order by n.near <=> ${`[${createVector(7).join(",")}]`}::halfvec(48) limit 300`.execute(db);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };
});

/** Returns a fixed vector near one of a few dozen directions, like texts on a few topics. */
function createVector(at: number): Float32Array {
  const random = numbersFrom(at + 1);
  const matter = numbersFrom(1_000_003 * ((at % 37) + 1));
  const values = Float32Array.from({ length: DIMENSIONS }, () => matter() + 0.9 * random());
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}
