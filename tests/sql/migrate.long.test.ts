import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Gateway, TextIndex } from "@parley/core";
import { createGate, type ModelServer, startModelServer } from "@parley/simulators";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runBackup, runRestore } from "../../host/cli/src/backup/backup-command.ts";
import { runMigrate } from "../../host/cli/src/migrate/migrate-command.ts";
import { toBucketConfig } from "../harness/chosen-files.ts";
import { DATABASE_FILE, isInFiles } from "../harness/chosen-storage.ts";
import { eventually } from "../harness/eventually.ts";
import { startParley } from "../harness/parley.ts";
import { createFakeChannel, type FakeChannel } from "../harness/plugins/fake-channel.ts";
import { findPostgresPrograms, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";

const programs = findPostgresPrograms();
/** Differs by design: times of migrations, and the engine's index. */
const OF_THE_ENGINE = /^(sqlite_.*|migrations|migration_expansions|text_.*_(words|counts).*)$/;

describe.runIf(programs && isInFiles)("parley migrate", () => {
  let server: PostgresServer;
  let models: ModelServer;
  let fake: FakeChannel;
  let root: string;
  let url: string;
  let output: string[];
  const at = (...path: readonly string[]) => join(root, ...path);

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
    models = await startModelServer();
    fake = createFakeChannel();
    root = mkdtempSync(join(tmpdir(), "parley-migrate-"));
    await fillFolder({ root, fake, models });
  }, 60_000);
  afterAll(async () => {
    await models?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });
  beforeEach(async () => {
    output = [];
    url = await server.makeDatabase();
    // Moving rows does not need the bucket.
    writeFileSync(at("config.ini"), toBucketConfig("http://127.0.0.1:9", "nobody"));
    writeFileSync(at(".env"), `PARLEY_DATABASE_URL="${url}"\n`);
  });

  const migrate = (to: string, { isTrial = false, endAt = "", atLast = () => {} } = {}) =>
    runMigrate({
      flags: { config: at("config.ini") },
      to,
      isTrial,
      isConfigWritten: true,
      print(line) {
        if (endAt && line.startsWith(endAt)) throw new Error("ended here");
        if (line.startsWith("copied turn_record")) atLast();
        output.push(line);
      },
    });
  /** Reads the rows of a folder without engine-specific ones; a table without rows counts as a missing one. */
  const rowsIn = (folder: string) =>
    FILES.flatMap((file) => {
      using database = new DatabaseSync(join(folder, file), { readOnly: true });
      const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
      return tables
        .filter(({ name }) => !OF_THE_ENGINE.test(String(name)))
        .map(({ name }) => {
          const rows = database.prepare(`select * from "${name}"`).all();
          return [`${file} ${name}`, rows.map((row) => JSON.stringify(row)).sort()] as const;
        })
        .filter(([, rows]) => rows.length > 0);
    });

  test("rejects a target that it cannot migrate to", async () => {
    const expectRejection = async (change: string, undo: string, sentence: RegExp) => {
      using database = new DatabaseSync(at("data", "parley.db"));
      database.exec(change);
      await expect(migrate(url)).rejects.toThrow(sentence);
      database.exec(undo);
    };
    await expectRejection(
      "create table of_old (id text); insert into of_old values ('a')",
      "drop table of_old",
      /of_old: no enabled plugin has this table, and it has 1 rows/,
    );
    await expectRejection(
      "update inbox set runs = runs + 3000000000",
      "update inbox set runs = runs - 3000000000",
      /inbox\.runs has 4 values that a column of integer does not hold/,
    );
    await expectRejection(
      "update migrations set id = 'later ' || id where owner = 'sessions'",
      "update migrations set id = substr(id, 7) where owner = 'sessions'",
      /the rows are of a later version: this one does not know 'later .+' of 'sessions'/,
    );
    await using pool = await poolOf(url);
    const tables = "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace";
    expect((await pool.query(tables)).rows).toEqual([]);
    await pool.query("create table of_others (id text)");
    await expect(migrate(url)).rejects.toThrow(/is not empty, it has the table 'of_others': nothing was changed/);
  });

  test.each([
    ["a service that works alone", ""],
    ["one of several nodes", "nodes = true\n"],
  ])("a turn in progress is answered once by %s, which finds everything", async (_who, config) => {
    await migrate(url);
    const answers = () => fake.sent.filter(({ conversation }) => conversation.id === "held");
    const before = answers().length;
    if (config !== "") await lockByOtherSession(url);
    writeFileSync(at(DATABASE_FILE), url);
    await using parley = await startParley({ root, plugins: [fake.plugin], server: server.folder, config });
    const api = await parley.signIn();
    await eventually(() => expect(answers()).toHaveLength(before + 1));
    // The same message is recognized as a duplicate.
    await fake.say("held", "think about it", { dedupeKey: "k-1" });
    await parley.host.get(Gateway).idle();
    expect(answers()).toHaveLength(before + 1);
    const found = (path: string, body: object) => api.post<{ items: readonly object[] }>(path, body);
    expect((await found("/api/knowledge/search", { query: "绿茶 degrees" })).items).toHaveLength(1);
    expect((await api.get<{ items: readonly object[] }>("/api/memory?q=bicycles")).items).toHaveLength(1);
    const memories = parley.host.get(TextIndex).space("memories");
    expect(await memories.search({ text: "who buys a bicycle", limit: 5 })).toHaveLength(1);
    // New rows are ordered after the migrated ones.
    await api.post("/api/knowledge", { title: "coffee", content: "Coffee is made at 92 degrees." });
    expect((await found("/api/knowledge/search", { query: "degrees" })).items).toHaveLength(2);
  });

  test("migrates all rows there and back unchanged, however often it is interrupted", async () => {
    const before = rowsIn(at("data"));
    await migrate(url, { isTrial: true });
    expect(output).toContain("messages  9");
    for (const endAt of ["copied dedupe", "copied text_memories"]) {
      await expect(migrate(url, { endAt }), endAt).rejects.toThrow("ended here");
    }
    const env = { PARLEY_DATABASE_URL: url };
    const half = { root: at("elsewhere"), server: undefined, config: ON_POSTGRES, env };
    mkdirSync(half.root);
    await expect(startParley(half)).rejects.toThrow(/has only a part of the rows that are being moved there/);
    await migrate(url);
    expect(output).toContain("going on where the last one ended");
    expect(rowsIn(at("data"))).toEqual(before);

    writeFileSync(at("config.ini"), `; kept\n${ON_POSTGRES}`);
    await expect(migrate("sqlite")).rejects.toThrow(
      /parley\.db is there already and is not touched: move it away first/,
    );
    mkdirSync(at("before"));
    for (const file of FILES) renameSync(at("data", file), at("before", file));
    await expect(migrate("sqlite", { endAt: "copied text_memories" })).rejects.toThrow("ended here");
    expect(readdirSync(at("data"))).not.toContain("parley.db");
    // Everything is copied, but the files cannot be moved to their places.
    const inTheWay = at("data", "gateway.db", "x");
    const atLast = () => void mkdirSync(inTheWay, { recursive: true });
    await expect(migrate("sqlite", { atLast })).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    rmSync(at("data", "gateway.db"), { recursive: true });
    await migrate("sqlite");
    expect(readFileSync(at("config.ini"), "utf8")).toBe("; kept\n[plugins]\nstorage = @parley/plugin-storage\n");
    expect(rowsIn(at("data"))).toEqual(before);
    expect(readdirSync(at("data"))).not.toContain("moving");
  }, 120_000);

  test("a backup of a server is one of files: either engine restores the same from it", async () => {
    const before = rowsIn(at("data"));
    await migrate(url);
    writeFileSync(at(DATABASE_FILE), url);
    const folders: string[] = [];
    const backUp = (to: string) =>
      runBackup({
        flags: { config: at("config.ini") },
        to: at(to),
        keep: undefined,
        print: (line) => folders.push(line.replace("backup ", "")),
      });
    await backUp("backups");
    const [note, made = ""] = [folders[0], folders.at(-1)];
    expect(note).toMatch(/files/);
    expect(rowsIn(join(made, "data"))).toEqual(before);

    const restored = at("restored");
    mkdirSync(restored);
    writeFileSync(join(restored, "config.ini"), "");
    await runRestore({ flags: { config: join(restored, "config.ini") }, from: made, isTrial: false, print() {} });
    expect(rowsIn(join(restored, "data"))).toEqual(before);

    const other = await server.makeDatabase();
    const again = at("again");
    mkdirSync(again);
    writeFileSync(join(again, "config.ini"), ON_POSTGRES);
    writeFileSync(join(again, ".env"), `PARLEY_DATABASE_URL="${other}"\n`);
    const flags = { config: join(again, "config.ini") };
    const restore = () => runRestore({ flags, from: made, isTrial: false, print: (line) => folders.push(line) });
    // All rows are copied, but the folder cannot be moved to its place.
    mkdirSync(join(again, "elsewhere"));
    symlinkSync(join(again, "elsewhere"), join(again, "data"));
    await expect(restore()).rejects.toThrow(/ENOTDIR/);
    const env = { PARLEY_DATABASE_URL: other };
    const half = { root: at("half"), server: undefined, config: ON_POSTGRES, env };
    mkdirSync(half.root);
    await expect(startParley(half)).rejects.toThrow(/has only a part of the rows/);
    rmSync(join(again, "data"));
    await restore();
    expect(folders).toContain("going on where the last one ended");
    expect(readdirSync(join(again, "data"))).not.toContain("parley.db");
    await runBackup({
      flags,
      to: at("backups-again"),
      keep: undefined,
      print: (line) => folders.push(line.replace("backup ", "")),
    });
    expect(rowsIn(join(folders.at(-1) ?? "", "data"))).toEqual(before);
  }, 120_000);
});

async function poolOf(url: string): Promise<pg.Pool & AsyncDisposable> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() });
}

/** Locks the rows like a node on another database, whose failure cannot be detected here. */
async function lockByOtherSession(url: string): Promise<void> {
  await using pool = await poolOf(url);
  await pool.query("insert into gateway_homes (home, node_id) values ('fake', 'stranger')");
  await pool.query("update inbox set home = 'fake', holder = 'stranger' where state in ('waiting', 'running')");
}

const FILES = ["parley.db", "gateway.db"];
const ON_POSTGRES = "[plugins]\nstorage = @parley/plugin-postgres\n";

/** Fills a folder with some rows of each kind, and a turn in progress. */
async function fillFolder({ root, fake, models }: { root: string; fake: FakeChannel; models: ModelServer }) {
  await using parley = await startParley({ root, plugins: [fake.plugin], server: undefined });
  const api = await parley.signIn();
  await api.post("/api/channels", { id: fake.id, name: fake.id, type: fake.id, transport: "bridge" });
  const draft = { name: "scripted", model: "scripted", base_url: models.baseUrl, api_key: "sk-1", retry_count: 0 };
  const { id } = await api.post<{ id: string }>("/api/ai-models", draft);
  await api.post(`/api/ai-models/${id}/apply`, {});
  await api.post("/api/memory", {
    title: "bicycles",
    content: "Mara bought two bicycles in Lyon.",
    target_id: "user:1",
  });
  await api.post("/api/knowledge", { title: "tea", content: "Green tea is made at 80 degrees. 绿茶。" });
  const session = await api.post<{ id: string }>("/api/sessions", { name: "Größe", tags: ["a"] });
  for (const content of ["one", "two"]) await api.post(`/api/sessions/${session.id}/messages`, { content });
  for (let count = 0; count < 3; count += 1) await fake.say("g", `hello ${count}`);
  await parley.host.get(Gateway).idle();
  const gate = createGate();
  models.script.push({ kind: "held", pieces: ["never ", "heard"], gate });
  const asked = models.nextRequest();
  await fake.say("held", "think about it", { dedupeKey: "k-1" });
  await asked;
}
