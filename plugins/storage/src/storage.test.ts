import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AppError,
  Clock,
  Databases,
  fixedStatement,
  HostControl,
  Paths,
  silentLogger,
  systemClock,
} from "@parley/core";
import { databasesContract, type StartedPlugins, startPlugins } from "@parley/testing";
import type { Kysely } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "./database.ts";
import storage from "./index.ts";
import { createSqlThread } from "./sql-thread.ts";

interface Tables {
  readonly notes: { readonly id: number; readonly text: string };
}

let data: string;
let running: StartedPlugins;

const start = (more: readonly (readonly [key: never, service: unknown])[] = [], folder = data) =>
  startPlugins([storage], {
    log: silentLogger,
    services: [
      ...more,
      [Paths as never, { root: folder, data: folder } satisfies Paths],
      [Clock as never, systemClock],
    ],
  });

/** A database beside that of the plugin. */
const openNew = (name: string) =>
  openDatabase(join(data, name), {
    thread: createSqlThread(),
    isStarting: () => true,
    version: "1.0.0",
    watch: { onFailed() {}, onCommitted() {} },
  });

const notes = async () => {
  const database = running.get(Databases).main;
  await database.migrate("test", [
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
  return { database, tables: database.tables<Tables>() };
};

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), "parley-storage-"));
  running = await start();
});

afterEach(async () => {
  await running[Symbol.asyncDispose]();
  rmSync(data, { recursive: true, force: true });
});

const restart = async () => {
  await running[Symbol.asyncDispose]();
  running = await start();
};

describe("SQL", () => {
  test("written rows are there after a restart", async () => {
    const { database, tables } = await notes();
    await database.write([{ query: tables.insertInto("notes").values({ id: 1, text: "kept" }) }]);
    await restart();
    const again = (await notes()).tables;
    expect(await again.selectFrom("notes").selectAll().execute()).toEqual([{ id: 1, text: "kept" }]);
  });

  test("a write is complete or absent, and does not affect others in the same commit", async () => {
    const { database, tables } = await notes();
    const insert = (id: number) => ({ query: tables.insertInto("notes").values({ id, text: "x" }) });
    const results = await Promise.allSettled([
      database.write([insert(1), insert(2)]),
      database.write([insert(3), insert(1)]),
      database.write([insert(4)]),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const stored = await tables.selectFrom("notes").select("id").orderBy("id").execute();
    expect(stored.map(({ id }) => id)).toEqual([1, 2, 4]);
  });

  test("a write that changes an unexpected number of rows is a conflict and rolled back", async () => {
    const { database, tables } = await notes();
    const insert = tables.insertInto("notes").values({ id: 1, text: "x" });
    const change = tables.updateTable("notes").set({ text: "y" }).where("id", "=", 9);
    await expect(database.write([{ query: insert }, { query: change, expect: 1 }])).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await tables.selectFrom("notes").selectAll().execute()).toEqual([]);
  });

  test("a write that a full disk rejected is stored once there is room", async () => {
    const { database, tables } = await notes();
    const room = (pages: number) => database.write([{ query: fixedStatement(`PRAGMA max_page_count = ${pages}`, []) }]);
    const insert = (id: number, text: string) =>
      database.write([{ query: tables.insertInto("notes").values({ id, text }) }]);
    const change = () =>
      database.write([{ query: fixedStatement("insert into notes (id, text) values (?, ?)", [2, "y"]) }]);
    // While the first write runs, the others are collected into one commit.
    const [, ...rejected] = await Promise.allSettled([room(40), insert(1, "x".repeat(400_000)), change()]);
    expect(rejected).toMatchObject(Array.from({ length: 2 }, () => ({ reason: { code: "unavailable" } })));
    await room(10_000);
    await insert(1, "x");
    await change();
    expect(await tables.selectFrom("notes").select("id").orderBy("id").execute()).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test("a reader thread is started by the first read after the service started", async () => {
    await running[Symbol.asyncDispose]();
    let phase = "starting";
    let threads = 0;
    const count = () => {
      threads += 1;
    };
    process.on("worker", count);
    try {
      running = await start([[HostControl as never, { phase: () => phase }]]);
      const { database, tables } = await notes();
      await database.write([{ query: tables.insertInto("notes").values({ id: 1, text: "x" }) }]);
      const other = await running.get(Databases).open(join(data, "other.db"));
      expect(await tables.selectFrom("notes").select("id").execute()).toEqual([{ id: 1 }]);
      expect(threads).toBe(2);
      phase = "ready";
      expect(await tables.selectFrom("notes").select("id").execute()).toEqual([{ id: 1 }]);
      await other.migrate("test", []);
      expect(threads).toBe(3);
    } finally {
      process.off("worker", count);
    }
  });

  test("a transaction excludes others until it ends", async () => {
    const { database, tables } = await notes();
    let outside: Promise<unknown> | undefined;
    const seenInside = await tables.transaction().execute(async (transaction) => {
      await transaction.insertInto("notes").values({ id: 1, text: "in" }).execute();
      outside = database.write([{ query: tables.insertInto("notes").values({ id: 2, text: "out" }) }]);
      return transaction.selectFrom("notes").select("id").execute();
    });
    expect(seenInside).toEqual([{ id: 1 }]);
    await outside;
    expect(await tables.selectFrom("notes").selectAll().execute()).toHaveLength(2);
  });

  test("a transaction that throws leaves nothing", async () => {
    const { tables } = await notes();
    const failing = tables.transaction().execute(async (transaction) => {
      await transaction.insertInto("notes").values({ id: 1, text: "in" }).execute();
      throw new AppError("bad_request", "no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await tables.selectFrom("notes").selectAll().execute()).toEqual([]);
  });

  test("a read sees a consistent state in memory and storage, also under concurrent writes", async () => {
    const { database, tables } = await notes();
    let openCount = 0;
    const writing = (async () => {
      for (let id = 1; id <= 200; id += 1) {
        await database.write([{ query: tables.insertInto("notes").values({ id, text: "x" }) }]);
        openCount = id;
      }
    })();
    for (let round = 0; round < 20; round += 1) {
      const seen = await database.snapshot?.(async () => {
        const memory = openCount;
        return { memory, stored: (await tables.selectFrom("notes").select("id").execute()).length };
      });
      expect(seen?.memory).toBe(seen?.stored);
    }
    await writing;
  });

  test("migrations are applied once; a newer database is rejected", async () => {
    const { database } = await notes();
    await notes();
    await expect(database.migrate("test", [])).rejects.toThrow("newer version");
  });

  test("applied migrations are looked up once, and the same ones again cause no query", async () => {
    await using database = await openNew("steps.db");
    const steps = [{ id: "001", up: async () => {} }];
    await database.migrate("one", steps);
    const before = database.getMessageCount();
    await database.migrate("one", steps);
    expect(database.getMessageCount()).toBe(before);
    await database.migrate("other", steps);
    expect(database.getMessageCount()).toBeGreaterThan(before);
  });

  test("in a new database all migrations of an owner are one transaction", async () => {
    await using database = await openNew("steps.db");
    const table = (name: string) => (db: Kysely<unknown>) =>
      db.schema.createTable(name).addColumn("id", "integer").execute();
    await database.migrate("first", []);
    await database.migrate("one", [{ id: "001", up: table("a") }]);
    const before = database.getMessageCount();
    await database.migrate("other", [
      { id: "001", up: table("b") },
      { id: "002", expands: true, up: table("c") },
    ]);
    expect(database.getMessageCount() - before).toBe(1);
    await database.write([{ query: database.tables<{ c: { id: number } }>().insertInto("c").values({ id: 1 }) }]);
  });

  test("a migration that reads sees what the earlier ones created and wrote", async () => {
    await using database = await openNew("reading.db");
    const seen: unknown[] = [];
    await database.migrate("reader", [
      {
        id: "001",
        async up(db) {
          await db.schema.createTable("notes").addColumn("id", "integer").addColumn("text", "text").execute();
          await (db as Kysely<Tables>).insertInto("notes").values({ id: 1, text: "one" }).execute();
        },
      },
      {
        id: "002",
        async up(db) {
          const changed = await (db as Kysely<Tables>).updateTable("notes").set({ text: "two" }).executeTakeFirst();
          seen.push(Number(changed.numUpdatedRows));
          seen.push(...(await (db as Kysely<Tables>).selectFrom("notes").selectAll().execute()));
        },
      },
    ]);
    expect(seen).toEqual([1, { id: 1, text: "two" }]);
  });

  test.each(["before a read", "after a read"])(
    "a migration that fails %s leaves nothing behind, and can be repeated",
    async (when) => {
      await using database = await openNew(`failing-${when.length}.db`);
      let isMended = false;
      const steps = [
        {
          id: "001",
          async up(db: Kysely<unknown>) {
            await db.schema.createTable("notes").addColumn("id", "integer").execute();
            if (when === "after a read") await (db as Kysely<Tables>).selectFrom("notes").select("id").execute();
          },
        },
        {
          id: "002",
          async up(db: Kysely<unknown>) {
            await db.schema
              .createTable(isMended ? "other" : "notes")
              .addColumn("id", "integer")
              .execute();
          },
        },
      ];
      await expect(database.migrate("failing", steps)).rejects.toThrow();
      isMended = true;
      await database.migrate("failing", steps);
      expect(await database.tables<Tables>().selectFrom("notes").select("id").execute()).toEqual([]);
    },
  );

  test("a damaged file stops the start, is named, and is left as it is", async () => {
    await running[Symbol.asyncDispose]();
    writeFileSync(join(data, "parley.db"), "this is no database, and was never one".repeat(200));
    await expect(start()).rejects.toThrow(/parley\.db cannot be used/);
    expect(readFileSync(join(data, "parley.db"), "utf8")).toContain("was never one");
    rmSync(join(data, "parley.db"));
    await expect(start()).rejects.toThrow(/parley\.db is missing/);
    writeFileSync(join(data, "parley.db.accept-loss"), "");
    running = await start();
  });
});

test("a second process on the same folder is told which process uses it", async () => {
  await expect(start()).rejects.toThrow(`process ${process.pid}`);
});

test("a second process by another path of the folder is rejected too, and the first continues", async () => {
  const alias = `${data}-alias`;
  symlinkSync(data, alias);
  try {
    await expect(start([], alias)).rejects.toThrow(`process ${process.pid}`);
    await expect(start()).rejects.toThrow("another Parley");
  } finally {
    rmSync(alias);
  }
});

test("lock files of earlier versions are ignored and removed", async () => {
  for (const left of [`${process.pid} boot 1`, "999999 old-boot 1", ""]) {
    await running[Symbol.asyncDispose]();
    writeFileSync(join(data, "parley.lock"), left);
    running = await start();
    expect(existsSync(join(data, "parley.lock"))).toBe(false);
  }
});

describe("the ports", () => {
  databasesContract("on disk", () => running.get(Databases));
});
