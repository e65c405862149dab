import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AppError,
  Clock,
  Collections,
  Databases,
  Environment,
  fixedStatement,
  HostControl,
  JsonFiles,
  Paths,
  SecretBox,
  silentLogger,
  systemClock,
} from "@parley/core";
import { collectionsContract, databasesContract, type StartedPlugins, startPlugins } from "@parley/core/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import storage from "./index.ts";

interface Tables {
  readonly notes: { readonly id: number; readonly text: string };
}

let data: string;
let running: StartedPlugins;

const start = (
  variables: Readonly<Record<string, string>> = {},
  more: readonly (readonly [key: never, service: unknown])[] = [],
  folder = data,
) =>
  startPlugins([storage], {
    log: silentLogger,
    services: [
      ...more,
      [Paths as never, { root: folder, data: folder } satisfies Paths],
      [
        Environment as never,
        { get: (name) => variables[name], secret: (name) => variables[name] } satisfies Environment,
      ],
      [Clock as never, systemClock],
    ],
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
  test("what was written is there after a restart", async () => {
    const { database, tables } = await notes();
    await database.write([{ query: tables.insertInto("notes").values({ id: 1, text: "kept" }) }]);
    await restart();
    const again = (await notes()).tables;
    expect(await again.selectFrom("notes").selectAll().execute()).toEqual([{ id: 1, text: "kept" }]);
  });

  test("a write is whole or not at all, and hurts nobody who shares its commit", async () => {
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

  test("a write that changes another number of rows than expected is a conflict and undone", async () => {
    const { database, tables } = await notes();
    const insert = tables.insertInto("notes").values({ id: 1, text: "x" });
    const change = tables.updateTable("notes").set({ text: "y" }).where("id", "=", 9);
    await expect(database.write([{ query: insert }, { query: change, expect: 1 }])).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await tables.selectFrom("notes").selectAll().execute()).toEqual([]);
  });

  test("what a full file refused is stored once there is room", async () => {
    const { database, tables } = await notes();
    const room = (pages: number) => database.write([{ query: fixedStatement(`PRAGMA max_page_count = ${pages}`, []) }]);
    const insert = (id: number, text: string) =>
      database.write([{ query: tables.insertInto("notes").values({ id, text }) }]);
    const change = () =>
      database.write([{ query: fixedStatement("insert into notes (id, text) values (?, ?)", [2, "y"]) }]);
    // While the first is written the others come together.
    const [, ...refused] = await Promise.allSettled([room(40), insert(1, "x".repeat(400_000)), change()]);
    expect(refused).toMatchObject(Array.from({ length: 2 }, () => ({ reason: { code: "unavailable" } })));
    await room(10_000);
    await insert(1, "x");
    await change();
    expect(await tables.selectFrom("notes").select("id").orderBy("id").execute()).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test("a thread for reading is started by the first read after the start of the service", async () => {
    await running[Symbol.asyncDispose]();
    let phase = "starting";
    let threads = 0;
    const count = () => {
      threads += 1;
    };
    process.on("worker", count);
    try {
      running = await start({}, [[HostControl as never, { phase: () => phase }]]);
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

  test("a transaction keeps others out until it ends", async () => {
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

  test("steps of a schema are applied once; a newer database is refused", async () => {
    const { database } = await notes();
    await notes();
    await expect(database.migrate("test", [])).rejects.toThrow("newer version");
  });

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

describe("documents", () => {
  test("survive a restart, in the order of their ids", async () => {
    const items = running.get(Collections).open<{ id: string; name: string }>("things");
    await Promise.all(["b", "a", "c"].map((id) => items.put({ id, name: id })));
    await items.remove("c");
    await restart();
    const again = running.get(Collections).open<{ id: string; name: string }>("things");
    expect(await again.list()).toEqual([
      { id: "a", name: "a" },
      { id: "b", name: "b" },
    ]);
    expect(await running.get(Collections).open("others").list()).toEqual([]);
  });

  test("that an earlier version wrote are read, as many as there are", async () => {
    const database = running.get(Databases).main;
    const insert = (text: string, parameters: readonly unknown[]) =>
      database.write([{ query: fixedStatement(text, parameters) }]);
    await insert(
      "CREATE TABLE IF NOT EXISTS \"documents\"(key VARCHAR(255) NOT NULL, value TEXT, namespace VARCHAR(255) NOT NULL DEFAULT '', expires BIGINT DEFAULT NULL, UNIQUE(key, namespace))",
      [],
    );
    await insert(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < 1200)
       insert into documents (key, value, namespace) select printf('%04d', i), json_object('value', json_object('id', printf('%04d', i), 'name', '::x')), 'old' from n`,
      [],
    );
    const old = running.get(Collections).open<{ id: string; name: string }>("old");
    expect((await old.list()).map(({ id }) => id)).toEqual(
      Array.from({ length: 1201 }, (_, i) => `${i}`.padStart(4, "0")),
    );
    expect(await old.get("0007")).toEqual({ id: "0007", name: ":x" });
    expect(await old.remove("0007")).toBe(true);
    await old.put({ id: "0008", name: "new" });
    await restart();
    const again = running.get(Collections).open<{ id: string; name: string }>("old");
    expect(await again.get("0007")).toBeUndefined();
    expect(await again.get("0008")).toEqual({ id: "0008", name: "new" });
  });

  test("that cannot be read are an error, not an empty collection", async () => {
    const database = running.get(Databases).main;
    await database.write([{ query: fixedStatement("create table documents (key text not null)", []) }]);
    const items = running.get(Collections).open("things");
    await expect(items.list()).rejects.toThrow();
    await expect(items.put({ id: "a" })).rejects.toThrow();
  });

  test("changes of one document are made one after another", async () => {
    const items = running.get(Collections).open<{ id: string; count: number }>("counts");
    await items.put({ id: "a", count: 0 });
    await Promise.all(
      Array.from({ length: 20 }, () => items.update("a", (item) => ({ ...item, count: item.count + 1 }))),
    );
    expect(await items.get("a")).toEqual({ id: "a", count: 20 });
  });

  test("what is handed out cannot be changed by the way", async () => {
    const items = running.get(Collections).open<{ id: string; tags: string[] }>("things");
    await items.put({ id: "a", tags: ["x"] });
    await expect(items.get("a").then((item) => item?.tags.push("y"))).rejects.toThrow(TypeError);
  });
});

describe("files that people edit", () => {
  const file = () =>
    running.get(JsonFiles).open<Record<string, unknown>>({
      path: join(data, "settings.json"),
      empty: {},
      parse: (json) => {
        if (typeof json !== "object" || Array.isArray(json)) throw new Error("must be an object");
        return json as Record<string, unknown>;
      },
    });

  test("an edit by hand is seen at the next look", async () => {
    const settings = file();
    await settings.update(() => ({ a: 1 }));
    writeFileSync(join(data, "settings.json"), '{"a":2}');
    expect(settings.read()).toEqual({ a: 2 });
  });

  test.each(["", "{", "[1]", '{"a":'])(
    "a broken file (%s) keeps what was good and is not written over",
    async (text) => {
      const settings = file();
      await settings.update(() => ({ a: 1 }));
      writeFileSync(join(data, "settings.json"), text);
      expect(settings.read()).toEqual({ a: 1 });
      expect(settings.problem()).toBeDefined();
      await expect(settings.update(() => ({ a: 3 }))).rejects.toMatchObject({ code: "conflict" });
      expect(readFileSync(join(data, "settings.json"), "utf8")).toBe(text);
    },
  );

  test("writers through two handles lose nothing of each other", async () => {
    const [one, other] = [file(), file()];
    await Promise.all([
      one.update((content) => ({ ...content, a: 1 })),
      other.update((content) => ({ ...content, b: 2 })),
    ]);
    expect(one.read()).toEqual({ a: 1, b: 2 });
  });
});

describe("files that people edit, at the same moment", () => {
  const path = () => join(data, "shared.json");
  const file = () =>
    running.get(JsonFiles).open<Record<string, unknown>>({
      path: path(),
      empty: {},
      parse: (json) => json as Record<string, unknown>,
    });

  test("a second edit of the same length in the same instant is seen", () => {
    const shared = file();
    writeFileSync(path(), '{"a":1}');
    expect(shared.read()).toEqual({ a: 1 });
    const { atime, mtime } = statSync(path());
    writeFileSync(path(), '{"a":2}');
    utimesSync(path(), atime, mtime);
    expect(shared.read()).toEqual({ a: 2 });
  });

  test("an older file that is put back is seen", () => {
    const shared = file();
    writeFileSync(path(), '{"a":1}');
    shared.read();
    writeFileSync(path(), '{"a":"old"}');
    utimesSync(path(), 1, 1);
    expect(shared.read()).toEqual({ a: "old" });
  });

  test("an edit by hand while ours is under way is not lost: ours is made again on top of it", async () => {
    const shared = file();
    await shared.update(() => ({ count: 0 }));
    let hand = 0;
    for (let ours = 1; ours <= 30; ours += 1) {
      const update = shared.update((content) => ({ ...content, ours }));
      // Lands between the reading and the replacing: both of them take several steps.
      await new Promise((resolve) => setImmediate(resolve));
      const now = JSON.parse(readFileSync(path(), "utf8"));
      hand += 1;
      writeFileSync(`${path()}.hand`, JSON.stringify({ ...now, hand }));
      renameSync(`${path()}.hand`, path());
      await update;
      expect(JSON.parse(readFileSync(path(), "utf8"))).toMatchObject({ ours, hand });
    }
  });

  test("a file that is linked to stays where it is", async () => {
    const elsewhere = join(data, "elsewhere.json");
    writeFileSync(elsewhere, "{}");
    symlinkSync(elsewhere, path());
    await file().update(() => ({ a: 1 }));
    expect(JSON.parse(readFileSync(elsewhere, "utf8"))).toEqual({ a: 1 });
    expect(lstatSync(path()).isSymbolicLink()).toBe(true);
  });
});

describe("secrets", () => {
  test("open for their owner only, also after a restart", async () => {
    const sealed = running.get(SecretBox).seal("sk-very-secret", "model_1");
    expect(sealed).not.toContain("very");
    await restart();
    expect(running.get(SecretBox).open(sealed, "model_1")).toBe("sk-very-secret");
    expect(() => running.get(SecretBox).open(sealed, "model_2")).toThrow("cannot be opened");
    expect(statSync(join(data, "keys", "data.key")).mode & 0o777).toBe(0o600);
  });

  test("a key from the environment stands for the file", async () => {
    await running[Symbol.asyncDispose]();
    running = await start({ SVC_SECRET_KEY: "a long sentence nobody knows" });
    const sealed = running.get(SecretBox).seal("s", "o");
    await running[Symbol.asyncDispose]();
    running = await start({ SVC_SECRET_KEY: "another sentence" });
    expect(() => running.get(SecretBox).open(sealed, "o")).toThrow("cannot be opened");
  });
});

test("a second process on the same folder is told who has it", async () => {
  await expect(start()).rejects.toThrow(`process ${process.pid}`);
});

test("a second one by another name of the folder is refused too, and the first goes on", async () => {
  const alias = `${data}-alias`;
  symlinkSync(data, alias);
  try {
    await expect(start({}, [], alias)).rejects.toThrow(`process ${process.pid}`);
    await expect(start()).rejects.toThrow("another Parley");
  } finally {
    rmSync(alias);
  }
});

test("whatever lies in place of a lock of earlier versions is not minded and removed", async () => {
  for (const left of [`${process.pid} boot 1`, "999999 old-boot 1", ""]) {
    await running[Symbol.asyncDispose]();
    writeFileSync(join(data, "parley.lock"), left);
    running = await start();
    expect(existsSync(join(data, "parley.lock"))).toBe(false);
  }
});

describe("the ports", () => {
  collectionsContract("on disk", () => running.get(Collections));
  databasesContract("on disk", () => running.get(Databases));
});
