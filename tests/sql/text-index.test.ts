import { Clock, type Database, Databases, type StoredTexts, systemClock, TextIndex } from "@parley/core";
import { memoryDatabases, startPlugins } from "@parley/testing";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import plugin from "../../plugins/text-index/src/index.ts";
import { findPostgresPrograms, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";
import { createKyselyDatabase } from "./kysely-database.ts";

const programs = findPostgresPrograms();
const TEXTS = [
  "Mara bought two bicycles in Lyon on 3 March 2024.",
  "小林去年搬到了京都，现在在一家书店工作。",
  "The bakery on Mill Street closes at six; on Sundays it stays shut.",
  "Her brother sold his bicycle and takes the tram.",
  "他养了一只猫，名字叫团子。",
  "Nothing in this note is about any of that.",
  "The tram to the harbour leaves every ten minutes.",
];
const QUESTIONS = [
  "who buys a bicycle?",
  "小林搬到哪里了",
  "猫",
  "2024-03-03",
  "when does the bakery close",
  "trams",
  "qwertz",
];

type Indexed = Awaited<ReturnType<typeof indexOn>>;

async function indexOn(database: Database, texts: readonly string[] = TEXTS) {
  const plugins = await startPlugins([plugin], {
    services: [
      [Databases, { main: database }],
      [Clock, systemClock],
    ],
  });
  const space = plugins.get(TextIndex).space("notes");
  for (const [at, text] of texts.entries()) {
    const entry = {
      id: `e${at}`,
      place: 0,
      title: at === 2 ? "Bakery" : "",
      text,
      time: at,
      labels: [`even:${at % 2 === 0}`],
    };
    await database.write(await space.replacing(`g${at}`, [entry]));
  }
  return { plugins, space, database };
}

/** Creates a pool of an empty database. */
async function poolOf(server: PostgresServer): Promise<pg.Pool & AsyncDisposable> {
  const pool = new pg.Pool({ connectionString: await server.makeDatabase(), max: 2 });
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() });
}

describe.skipIf(!programs)("the text index", () => {
  let server: PostgresServer;
  let sqlite: Awaited<ReturnType<typeof indexOn>>;
  let postgres: Awaited<ReturnType<typeof indexOn>>;

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
    sqlite = await indexOn(memoryDatabases().main);
    postgres = await indexOn(
      createKyselyDatabase(new Kysely({ dialect: new PostgresDialect({ pool: server.pool() }) })),
    );
  }, 60_000);
  afterAll(async () => {
    await sqlite?.plugins[Symbol.asyncDispose]();
    await postgres?.plugins[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  test.each(QUESTIONS)("finds the same on both engines: %s", async (text) => {
    const expected = await sqlite.space.search({ text, limit: 5 });
    expect(await postgres.space.search({ text, limit: 5 })).toEqual(expected);
    expect(expected.length > 0).toBe(text !== "qwertz");
  });

  test.each([
    ["SQLite", "PostgreSQL"],
    ["PostgreSQL", "SQLite"],
  ])("of %s is the same after it was copied to %s", async (from) => {
    await using fresh = await poolOf(server);
    const made = async (): Promise<Indexed> =>
      from === "PostgreSQL"
        ? indexOn(memoryDatabases().main, [])
        : indexOn(createKyselyDatabase(new Kysely({ dialect: new PostgresDialect({ pool: fresh }) })), []);
    const source = from === "PostgreSQL" ? postgres : sqlite;
    const copy = await made();
    const [read, stored] = [source, copy].map(({ plugins, database }) => plugins.get(TextIndex).stored(database));
    if (!read || !stored) throw new Error("no tables");
    await copy.space.entriesOf("none");
    for (let after = 0; ; ) {
      const page = await read.passages("notes", after, 3);
      const last = page.at(-1);
      if (!last) break;
      after = Number(last.seq);
      await copy.database.write(stored.adding("notes", page));
    }
    const terms = async (one: StoredTexts) =>
      (await one.passages("notes", 0, 100)).map(({ title_terms, body_terms, label_terms, ...row }) => ({
        ...row,
        seq: Number(row.seq),
        said_at: Number(row.said_at),
        terms: [title_terms, body_terms, label_terms].map((all) => all.split(" ").sort()),
      }));
    expect(await terms(stored)).toEqual(await terms(read));
    for (const text of QUESTIONS) {
      expect(await copy.space.search({ text, limit: 5 })).toEqual(await source.space.search({ text, limit: 5 }));
    }
    const labelled = { text: "bicycle", limit: 5, labels: [["even:true"]] };
    expect(await copy.space.search(labelled)).toEqual(await source.space.search(labelled));
    // A new passage is ordered after all of them.
    await copy.database.write(
      await copy.space.replacing("later", [{ id: "later", place: 0, title: "", text: "tea", time: 9 }]),
    );
    expect((await stored.passages("notes", 0, 100)).at(-1)?.id).toBe("later");
    await copy.plugins[Symbol.asyncDispose]();
  });

  test("filters, replaces and deletes alike", async () => {
    for (const { space, database } of [sqlite, postgres]) {
      const found = async (labels: readonly (readonly string[])[]) =>
        (await space.search({ text: "bicycle tram", limit: 5, labels, since: 1 })).map(({ id }) => id).sort();
      expect(await found([["even:false"]])).toEqual(["e3"]);
      expect(await found([["even:true", "even:false"]])).toEqual(["e3", "e6"]);
      const entry = { id: "e3", place: 0, title: "", text: "a tram", time: 3, labels: [] };
      await database.write(await space.replacing("g3", [entry]));
      expect(await found([["group:g3"]])).toEqual(["e3"]);
      await database.write(await space.removing(["g3", "g6"]));
      expect(await found([])).toEqual([]);
    }
  });

  test("compares vectors alike", async () => {
    for (const { space, database } of [sqlite, postgres]) {
      const vectors = new Map([
        ["e4", Float32Array.of(1, 0)],
        ["e5", Float32Array.of(0.2, 1)],
      ]);
      await database.write(space.keepingVectors("m", vectors));
      const vector = { space: "m", values: Float32Array.of(1, 0.1) };
      const hits = await space.search({ text: "kitten", limit: 2, mode: "vector", vector });
      expect(hits.map(({ id }) => id)).toEqual(["e4", "e5"]);
      const among = await space.search({ text: "kitten", limit: 2, mode: "vector", vector, labels: [["even:false"]] });
      expect(among.map(({ id }) => id)).toEqual(["e5"]);
      expect((await space.withoutVector("m", 2)).map(({ id, text }) => [id, text])).toEqual([
        ["e0", TEXTS[0]],
        ["e1", TEXTS[1]],
      ]);
      // The vector of a missing passage is not stored.
      await database.write(space.keepingVectors("n", new Map([["gone", Float32Array.of(1, 0)]])));
      expect(await space.search({ text: "x", limit: 2, mode: "vector", vector: { ...vector, space: "n" } })).toEqual(
        [],
      );
    }
  });
});
