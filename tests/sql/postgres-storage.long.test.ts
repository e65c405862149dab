import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Clock,
  Collections,
  Databases,
  Environment,
  Paths,
  Probes,
  silentLogger,
  systemClock,
  toLocalized,
} from "@parley/core";
import { collectionsContract, databasesContract, type StartedPlugins, startPlugins } from "@parley/testing";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import postgres from "../../plugins/postgres/src/index.ts";
import records from "../../plugins/records/src/index.ts";
import { eventually } from "../harness/eventually.ts";
import { findPostgresPrograms, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";
import { openPostgresProxy } from "../harness/servers/postgres-proxy.ts";

const programs = findPostgresPrograms();
if (!programs) process.stderr.write("tests/sql: skipped, PostgreSQL is not installed (apt-get install postgresql)\n");

interface Tables {
  readonly notes: { readonly id: number; readonly text: string };
}

describe.skipIf(!programs)("the storage on PostgreSQL", () => {
  let data: string;
  let server: PostgresServer;
  const running: StartedPlugins[] = [];

  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), "parley-postgres-"));
    server = await startPostgres(programs ?? "", { isSafe: true });
  }, 60_000);
  afterAll(async () => {
    for (const one of running.splice(0)) await one[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    rmSync(data, { recursive: true, force: true });
  });

  const start = async (url?: string) => {
    const given = url ?? (await server.makeDatabase());
    const plugins = await startPlugins([postgres, records], {
      log: silentLogger,
      services: [
        [Paths as never, { root: data, data } satisfies Paths],
        [Environment as never, { get: () => undefined, secret: () => given } satisfies Environment],
        [Clock as never, systemClock],
      ],
    });
    running.push(plugins);
    return plugins;
  };
  const stop = async (plugins: StartedPlugins) => {
    running.splice(running.indexOf(plugins), 1);
    await plugins[Symbol.asyncDispose]();
  };
  const notesIn = async (plugins: StartedPlugins) => {
    const { main } = plugins.get(Databases);
    await main.migrate("test", [
      {
        id: "001",
        up: async (db) => {
          await db.schema
            .createTable("notes")
            .addColumn("id", "integer", (column) => column.primaryKey())
            .addColumn("text", "text", (column) => column.notNull())
            .execute();
        },
      },
    ]);
    const tables = main.tables<Tables>();
    const add = (id: number, text = "x") => ({ query: tables.insertInto("notes").values({ id, text }) });
    const ids = async () => (await tables.selectFrom("notes").select("id").orderBy("id").execute()).map(({ id }) => id);
    return { main, tables, add, ids };
  };

  collectionsContract("on PostgreSQL", async () => (await start()).get(Collections));
  databasesContract("on PostgreSQL", async () => (await start()).get(Databases));

  test("a transaction keeps others out until it ends, and leaves nothing when it throws", async () => {
    const { main, tables, add, ids } = await notesIn(await start());
    let outside: Promise<unknown> | undefined;
    const seen = await tables.transaction().execute(async (transaction) => {
      await transaction.insertInto("notes").values({ id: 1, text: "in" }).execute();
      outside = main.write([add(2)]);
      return transaction.selectFrom("notes").select("id").execute();
    });
    expect(seen).toEqual([{ id: 1 }]);
    await outside;
    const failing = tables.transaction().execute(async (transaction) => {
      await transaction.insertInto("notes").values({ id: 3, text: "in" }).execute();
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await ids()).toEqual([1, 2]);
  });

  test("a snapshot reads one moment, whatever is written meanwhile", async () => {
    const { main, add, ids } = await notesIn(await start());
    await main.write([add(1)]);
    const seen = await main.snapshot?.(async () => {
      const first = ids();
      await main.write([add(2)]);
      return [await first, ...(await Promise.all([ids(), ids()]))];
    });
    expect(seen).toEqual([[1], [1], [1]]);
    expect(await ids()).toEqual([1, 2]);
    const broken = main.snapshot?.(() => Promise.reject(new Error("broken off")));
    await expect(broken).rejects.toThrow("broken off");
    await main.write([add(3)]);
    const later = {
      id: "001",
      up: async (db: Kysely<unknown>) => db.schema.createTable("later").addColumn("id", "integer").execute(),
    };
    const made = main.snapshot?.(async () => {
      await main.migrate("later", [later]);
      return main.tables<{ later: { id: number } }>().selectFrom("later").selectAll().execute();
    });
    expect(await made).toEqual([]);
  });

  test("returns numbers and booleans like the storage in files", async () => {
    const { tables, main, add } = await notesIn(await start());
    await main.write([add(1)]);
    const numbers = tables
      .selectFrom("notes")
      .select(({ fn }) => [fn.countAll().as("count"), fn.sum("id").as("sum"), fn.avg("id").as("average")]);
    expect(await numbers.execute()).toEqual([{ count: 1, sum: 1, average: 1 }]);
    const is = tables.selectFrom("notes").select((one) => one("id", "=", 1).as("is"));
    expect(await is.execute()).toEqual([{ is: 1 }]);
  });

  test("a second service on the same database is told which one uses it", async () => {
    const url = await server.makeDatabase();
    const first = await start(url);
    await expect(start(url)).rejects.toThrow(
      /another Parley \(connected from this machine since .*\) uses the database/,
    );
    await stop(first);
    await stop(await start(url));
  }, 20_000);

  test.each([
    ["no server", (url: string) => url.replace(/host=.*/, "host=/nowhere"), /cannot be reached: connect ENOENT/],
    [
      "no database",
      (url: string) => url.replace(/t_\w+/, "absent"),
      /'absent' .* does not exist: make it with createdb/,
    ],
    ["no user", (url: string) => url.replace("parley@", "nobody@"), /refuses the user/],
  ])("names the problem at the start: %s", async (_what, change, sentence) => {
    const error = await start(change(await server.makeDatabase())).catch((one: Error) => one);
    expect(error).toMatchObject({ code: "unavailable", message: expect.stringMatching(sentence) });
  });

  test.each([
    ["is read-only", "alter database $ set default_transaction_read_only = on", /cannot be written: it is read-only/],
    [
      "sorts by a language",
      "drop database $; create database $ template template0 locale_provider icu icu_locale 'en-US'",
      /sorts texts by the rules of a language: make it with createdb .*--locale=C/,
    ],
    ["is of others", "alter database $ set search_path = nowhere", /gives parley no right to make tables/],
  ])("a database that %s is rejected", async (_what, change, sentence) => {
    const url = await server.makeDatabase();
    const name = /t_\w+/.exec(url)?.[0] ?? "";
    for (const statement of change.replaceAll("$", name).split("; ")) await server.pool().query(statement);
    const error = await start(url).catch((one: Error) => one);
    expect(error).toMatchObject({ code: "unavailable", message: expect.stringMatching(sentence) });
  });

  test("while the server is unavailable writes are rejected with 503, and recovery is automatic", async () => {
    const plugins = await start();
    const { main, add, ids } = await notesIn(plugins);
    await main.write([add(1)]);
    await server.interrupt();
    const rejected = await main.write([add(2)]).catch((error) => error);
    expect(rejected).toMatchObject({ code: "unavailable", retryAfterS: 1 });
    expect(toLocalized(rejected)).toEqual({ en: "the storage cannot take this now", zh: "存储暂时无法处理" });
    await expect(ids()).rejects.toMatchObject({ code: "unavailable" });
    const storage = plugins.all(Probes).find(({ id }) => id === "storage");
    expect(await storage?.health?.()).toMatchObject({
      status: "degraded",
      detail: expect.stringContaining("nothing can be stored"),
    });
    await server.resume();
    await eventually(() => main.write([add(3)]));
    expect(await eventually(ids)).toEqual([1, 3]);
    expect(await storage?.health?.()).toMatchObject({ status: "ok" });
  });

  test.each([
    ["unanswered", "fulfilled", [1, 2]],
    ["unheard", "rejected", [1]],
  ] as const)("the outcome of a commit that was %s is found out", async (when, status, stored) => {
    await using way = await openPostgresProxy(server.folder);
    const url = (await server.makeDatabase()).replace(/host=.*/, `host=${encodeURIComponent(way.folder)}`);
    const plugins = await start(url);
    const { main, add, ids } = await notesIn(plugins);
    await main.write([add(1)]);
    way.breakAtCommit(when);
    const [result] = await Promise.allSettled([main.write([add(2)])]);
    expect(result).toMatchObject({ status, ...(status === "rejected" && { reason: { code: "unavailable" } }) });
    expect(await ids()).toEqual(stored);
    await main.write([add(3)]);
    await stop(plugins);
  });

  test("writes reported as stored survive a crash of the server, and rejected ones are absent", async () => {
    const { main, add, ids } = await notesIn(await start());
    const rowCounts: number[] = [];
    const rejected: number[] = [];
    let next = 1;
    let isOver = false;
    const writer = async () => {
      while (!isOver) {
        const id = next++;
        await main.write([add(id)]).then(
          () => rowCounts.push(id),
          () => rejected.push(id),
        );
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const writers = Array.from({ length: 8 }, writer);
    for (let round = 0; round < 3; round += 1) {
      await eventually(() => expect(rowCounts.length).toBeGreaterThan(round * 50 + 50));
      await server.interrupt();
      await server.resume();
    }
    await eventually(() => expect(rowCounts.length).toBeGreaterThan(250));
    isOver = true;
    await Promise.all(writers);
    const stored = new Set(await ids());
    expect(rowCounts.filter((id) => !stored.has(id))).toEqual([]);
    expect(rejected.filter((id) => stored.has(id))).toEqual([]);
    expect(rejected.length).toBeGreaterThan(0);
  }, 60_000);
});
