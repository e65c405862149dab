import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Clock,
  type Database,
  Databases,
  Environment,
  fixedStatement,
  HostControl,
  LiveEvents,
  type Logger,
  type Migration,
  Paths,
  silentLogger,
  systemClock,
} from "@parley/core";
import { type StartedPlugins, startPlugins } from "@parley/testing";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import postgres from "../../plugins/postgres/src/index.ts";
import { createUpgradeCopies } from "../../plugins/postgres/src/upgrade-copies.ts";
import { DATABASE_FILE } from "../harness/chosen-storage.ts";
import { startParley } from "../harness/parley.ts";
import { findPostgresPrograms, makeDatabase, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";

const DAY_MS = 86_400_000;
const programs = findPostgresPrograms();

const step = (id: string, ...statements: readonly string[]): Migration => ({
  id,
  async up(db) {
    for (const one of statements) await sql.raw(one).execute(db);
  },
});
const FIRST = step(
  "001",
  "create table pages (id serial primary key, text text not null, at text not null default 'now')",
  "create unique index pages_text on pages (text)",
  "create table notes (page integer not null references pages (id) on delete cascade, note text, primary key (page, note))",
);
const CHANGE = step("002", "update pages set text = text || ' in new words'", "drop index pages_text");

describe.skipIf(!programs)("an upgrade of a database on PostgreSQL", () => {
  let root: string;
  let server: PostgresServer;
  let url: string;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "parley-upgrade-"));
    server = await startPostgres(programs ?? "", { isSafe: true });
  }, 60_000);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });
  beforeEach(async () => {
    url = await server.makeDatabase();
    await using old = await start("0.1.0");
    const { main } = old.get(Databases);
    await main.migrate("pages", [FIRST]);
    const insert = (text: string) => ({ query: fixedStatement("insert into pages (text) values (?)", [text]) });
    await main.write(["one", "two"].map(insert));
    await main.write([{ query: fixedStatement("insert into notes (page, note) values (1, 'first')", []) }]);
  });

  const start = (
    version: string,
    { nodes = false, now = Date.now(), log = silentLogger }: { nodes?: boolean; now?: number; log?: Logger } = {},
  ): Promise<StartedPlugins> =>
    startPlugins([postgres], {
      log,
      config: { storage: { nodes } },
      services: [
        [Paths as never, { root, data: root } satisfies Paths],
        [Environment as never, { get: () => undefined, secret: () => url } satisfies Environment],
        [Clock as never, { ...systemClock, now: () => now } satisfies typeof systemClock],
        [HostControl as never, { version } as HostControl],
        [LiveEvents as never, { subscribe: () => () => {}, relay() {} } as unknown as LiveEvents],
      ],
    });
  const ask = async <Row extends object>(text: string): Promise<readonly Row[]> => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  };
  const copies = async () =>
    (
      await ask<{ name: string }>("select nspname as name from pg_namespace where nspname like 'before-%' order by 1")
    ).map(({ name }) => name);
  const textsIn = async (main: Database) =>
    (await main.lookup<{ text: string }>(fixedStatement("select text from pages order by id", []))).map(
      ({ text }) => text,
    );
  const indexes = () =>
    ask(
      "select indexname, replace(indexdef, ' public.', ' ') as def from pg_indexes where tablename in ('pages', 'notes') and schemaname = 'public' order by 1",
    );
  const constraints = () =>
    ask(
      "select conname, contype::text, pg_get_constraintdef(oid) as def from pg_constraint where conrelid in ('pages'::regclass, 'notes'::regclass) order by 1",
    );
  /** A migration step that ends every connection, as a killed process does. */
  const killed: Migration = {
    id: "003",
    async up(db) {
      await sql`delete from pages`.execute(db);
      await ask(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      await sql`delete from notes`.execute(db);
    },
  };

  test("copies the data first; after a kill in the middle the copy is restored, and the older version works", async () => {
    const before = [await indexes(), await constraints()];
    const interrupted = await start("0.2.0");
    await expect(interrupted.get(Databases).main.migrate("pages", [FIRST, CHANGE, killed])).rejects.toThrow();
    await interrupted[Symbol.asyncDispose]();
    const [copy, ...others] = await copies();
    expect([copy, others]).toEqual([expect.stringMatching(/^before-0\.2\.0-\d{8}T\d{6}Z$/), []]);
    const restore = `select "${copy}".restore()`;
    await expect(start("0.1.0")).rejects.toThrow(
      `Install 0.2.0 or newer, or run ${restore} in it, as it was before the upgrade. Nothing was changed`,
    );

    await ask(restore);
    expect([await indexes(), await constraints()]).toEqual(before);
    await using old = await start("0.1.0");
    const { main } = old.get(Databases);
    await main.migrate("pages", [FIRST]);
    expect(await textsIn(main)).toEqual(["one", "two"]);
    await main.write([{ query: fixedStatement("insert into pages (text) values ('three')", []) }]);
    expect(await ask("select id::text, text from pages where text = 'three'")).toEqual([{ id: "3", text: "three" }]);
    await main.write([{ query: fixedStatement("delete from pages where id = 1", []) }]);
    expect(await ask("select * from notes")).toEqual([]);
  });

  test("continues after a kill without a second copy, which would be of half an upgrade", async () => {
    const interrupted = await start("0.2.0");
    await expect(interrupted.get(Databases).main.migrate("pages", [FIRST, CHANGE, killed])).rejects.toThrow();
    await interrupted[Symbol.asyncDispose]();
    const made = await copies();
    await using again = await start("0.2.0");
    await again.get(Databases).main.migrate("pages", [FIRST, CHANGE, step("003", "delete from notes")]);
    expect(await textsIn(again.get(Databases).main)).toEqual(["one in new words", "two in new words"]);
    expect(await copies()).toEqual(made);
    expect(await ask(`select text from "${made[0]}".pages order by id`)).toEqual([{ text: "one" }, { text: "two" }]);
  });

  test("names the copy in the log, keeps it for seven days and makes none where nothing is upgraded", async () => {
    const warnings: object[] = [];
    const log: Logger = {
      ...silentLogger,
      warn: (_text, fields) => void warnings.push({ ...fields }),
      child: () => log,
    };
    const now = Date.now();
    const upgraded = await start("0.2.0", { log, now });
    await upgraded.get(Databases).main.migrate("pages", [FIRST, CHANGE]);
    await upgraded[Symbol.asyncDispose]();
    const made = await copies();
    expect(warnings).toEqual([expect.objectContaining({ schema: made[0], days: 7, version: "0.2.0" })]);
    for (const [days, left] of [
      [6, made],
      [8, []],
    ] as const) {
      const later = await start("0.2.0", { now: now + days * DAY_MS });
      await later.get(Databases).main.migrate("pages", [FIRST, CHANGE]);
      await later[Symbol.asyncDispose]();
      expect(await copies()).toEqual(left);
    }
  });

  test("is not rolled back while a service works on the database", async () => {
    await using upgraded = await start("0.2.0");
    await upgraded.get(Databases).main.migrate("pages", [FIRST, CHANGE]);
    await expect(ask(`select "${(await copies())[0]}".restore()`)).rejects.toThrow("stop it first");
  });

  test("does not begin where the tables cannot be copied", async () => {
    await ask("create role guest login; alter table pages owner to guest; alter table notes owner to guest");
    await ask("alter table migrations owner to guest; alter table migration_versions owner to guest");
    await ask("alter table migration_expansions owner to guest; alter table processes owner to guest");
    await ask("alter table signals owner to guest; alter schema public owner to guest");
    url = url.replace("parley@", "guest@").replace("user=parley", "user=guest");
    await using upgraded = await start("0.2.0");
    await expect(upgraded.get(Databases).main.migrate("pages", [FIRST, CHANGE])).rejects.toThrow(
      /cannot be copied first: .*permission denied.*Nothing was changed/,
    );
    expect(await textsIn(upgraded.get(Databases).main)).toEqual(["one", "two"]);
  });

  test("of several nodes is copied by one", async () => {
    const upgrade = async () => {
      const node = await start("0.2.0", { nodes: true });
      await node.get(Databases).main.migrate("pages", [FIRST, CHANGE]);
      return node;
    };
    const nodes = await Promise.all([upgrade(), upgrade(), upgrade()]);
    expect(await copies()).toHaveLength(1);
    expect(await ask(`select text from "${(await copies())[0]}".pages order by id`)).toEqual([
      { text: "one" },
      { text: "two" },
    ]);
    for (const node of nodes) await node[Symbol.asyncDispose]();
  });

  test("restores everything of a service: columns, defaults, keys, indexes and rows", async () => {
    url = await makeDatabase(server.folder);
    const folder = mkdtempSync(join(root, "service-"));
    writeFileSync(join(folder, DATABASE_FILE), url);
    const schema = async () => [
      await ask(
        "select table_name, column_name, data_type, is_nullable, replace(column_default, 'public.', '') as def from information_schema.columns where table_schema = 'public' order by 1, 2",
      ),
      await ask(
        "select indexname, replace(indexdef, ' public.', ' ') as def from pg_indexes where schemaname = 'public' order by 1",
      ),
      await ask(
        "select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as def from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2",
      ),
    ];
    const say = async () => {
      await using parley = await startParley({ root: folder, server: server.folder });
      const api = await parley.signIn();
      const { id } = await api.post<{ id: string }>("/api/sessions", { name: "open" });
      await api.post(`/api/sessions/${id}/chat`, { content: "hello" });
      return (await api.get<{ items: readonly { content: string }[] }>(`/api/sessions/${id}/messages`)).items.length;
    };
    const count = await say();
    const before = await schema();
    const options = { connectionString: url };
    const upgrades = createUpgradeCopies({
      options,
      excludedTables: ["processes", "signals"],
      clock: systemClock,
      log: silentLogger,
    });
    await upgrades.make("9.0.0");
    await ask(
      "do $$ begin execute (select string_agg(format('alter table %I rename to %I', tablename, 'new_' || tablename), '; ') from pg_tables where schemaname = 'public'); end $$",
    );
    await ask("alter table new_processes rename to processes; alter table new_signals rename to signals");
    await ask(`select "${(await copies())[0]}".restore()`);
    expect(await schema()).toEqual(before);
    expect(await say()).toBe(count);
    expect(await copies()).toHaveLength(1);
    expect(await upgrades.find("0.1.0")).toBeUndefined();
  }, 60_000);
});
