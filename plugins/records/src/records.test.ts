import {
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
  Clock,
  Collections,
  Databases,
  Environment,
  fixedStatement,
  JsonFiles,
  LiveEvents,
  Paths,
  SecretBox,
  systemClock,
} from "@parley/core";
import { collectionsContract, recordedEvents, type StartedPlugins, startPlugins } from "@parley/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import storage from "../../storage/src/index.ts";
import records from "./index.ts";

let data: string;
let running: StartedPlugins;

const start = (variables: Readonly<Record<string, string>> = {}) =>
  startPlugins([storage, records], {
    services: [
      [Paths as never, { root: data, data } satisfies Paths],
      [
        Environment as never,
        { get: (name) => variables[name], secret: (name) => variables[name] } satisfies Environment,
      ],
      [Clock as never, systemClock],
      [LiveEvents as never, recordedEvents()],
    ],
  });

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), "parley-records-"));
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

  test("of an earlier version are read, as many as there are", async () => {
    const make =
      "CREATE TABLE IF NOT EXISTS \"documents\"(key VARCHAR(255) NOT NULL, value TEXT, namespace VARCHAR(255) NOT NULL DEFAULT '', expires BIGINT DEFAULT NULL, UNIQUE(key, namespace))";
    const ids = Array.from({ length: 1200 }, (_, i) => `${i}`.padStart(4, "0"));
    const rows = ids.map((id) =>
      fixedStatement("insert into documents (key, value, namespace) values (?, ?, 'old')", [
        id,
        // A colon at the beginning is written twice.
        JSON.stringify({ value: { id, name: "::x" } }),
      ]),
    );
    await running.get(Databases).main.write([fixedStatement(make, []), ...rows].map((query) => ({ query })));
    const old = running.get(Collections).open<{ id: string; name: string }>("old");
    expect((await old.list()).map(({ id }) => id)).toEqual(ids);
    expect(await old.get("0007")).toEqual({ id: "0007", name: ":x" });
    expect(await old.remove("0007")).toBe(true);
    await old.put({ id: "0008", name: ":new" });
    await restart();
    const again = running.get(Collections).open<{ id: string; name: string }>("old");
    expect(await again.get("0007")).toBeUndefined();
    expect(await again.get("0008")).toEqual({ id: "0008", name: ":new" });
  });

  test("that cannot be read are an error, not an empty collection", async () => {
    await running.get(Databases).main.write([{ query: fixedStatement("create table documents (key text)", []) }]);
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

  test("returned as results cannot be modified by accident", async () => {
    const items = running.get(Collections).open<{ id: string; tags: string[] }>("things");
    await items.put({ id: "a", tags: ["x"] });
    await expect(items.get("a").then((item) => item?.tags.push("y"))).rejects.toThrow(TypeError);
  });
});

describe("files that people edit by hand", () => {
  const file = () =>
    running.get(JsonFiles).open<Record<string, unknown>>({
      path: join(data, "settings.json"),
      empty: {},
      parse: (json) => {
        if (typeof json !== "object" || Array.isArray(json)) throw new Error("must be an object");
        return json as Record<string, unknown>;
      },
    });

  test("show a manual edit at the next check", async () => {
    const settings = file();
    await settings.update(() => ({ a: 1 }));
    writeFileSync(join(data, "settings.json"), '{"a":2}');
    expect(settings.read()).toEqual({ a: 2 });
  });

  test.each(["", "{", "[1]", '{"a":'])(
    "that are broken (%s) leave the last valid content in use and are not overwritten",
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

  test("lose no changes of two writers", async () => {
    const [one, other] = [file(), file()];
    await Promise.all([
      one.update((content) => ({ ...content, a: 1 })),
      other.update((content) => ({ ...content, b: 2 })),
    ]);
    expect(one.read()).toEqual({ a: 1, b: 2 });
  });
});

describe("files that people and the service edit at the same time", () => {
  const path = () => join(data, "shared.json");
  const file = () =>
    running.get(JsonFiles).open<Record<string, unknown>>({
      path: path(),
      empty: {},
      parse: (json) => json as Record<string, unknown>,
    });

  test("show a second edit of the same length in the same instant", () => {
    const shared = file();
    writeFileSync(path(), '{"a":1}');
    expect(shared.read()).toEqual({ a: 1 });
    const { atime, mtime } = statSync(path());
    writeFileSync(path(), '{"a":2}');
    utimesSync(path(), atime, mtime);
    expect(shared.read()).toEqual({ a: 2 });
  });

  test("show an older file that is restored", () => {
    const shared = file();
    writeFileSync(path(), '{"a":1}');
    shared.read();
    writeFileSync(path(), '{"a":"old"}');
    utimesSync(path(), 1, 1);
    expect(shared.read()).toEqual({ a: "old" });
  });

  test("keep a manual edit during a write of the service, which is repeated on top of it", async () => {
    const shared = file();
    await shared.update(() => ({ count: 0 }));
    let hand = 0;
    for (let ours = 1; ours <= 30; ours += 1) {
      const update = shared.update((content) => ({ ...content, ours }));
      // Runs between the read and the replacement, both of which take several steps.
      await new Promise((resolve) => setImmediate(resolve));
      const now = JSON.parse(readFileSync(path(), "utf8"));
      hand += 1;
      writeFileSync(`${path()}.hand`, JSON.stringify({ ...now, hand }));
      renameSync(`${path()}.hand`, path());
      await update;
      expect(JSON.parse(readFileSync(path(), "utf8"))).toMatchObject({ ours, hand });
    }
  });

  test("stay in place when they are symbolic links", async () => {
    const otherFile = join(data, "elsewhere.json");
    writeFileSync(otherFile, "{}");
    symlinkSync(otherFile, path());
    await file().update(() => ({ a: 1 }));
    expect(JSON.parse(readFileSync(otherFile, "utf8"))).toEqual({ a: 1 });
    expect(lstatSync(path()).isSymbolicLink()).toBe(true);
  });
});

describe("secrets", () => {
  test("can be decrypted by their owner only, also after a restart", async () => {
    const sealed = running.get(SecretBox).seal("sk-very-secret", "model_1");
    expect(sealed).not.toContain("very");
    await restart();
    expect(running.get(SecretBox).open(sealed, "model_1")).toBe("sk-very-secret");
    expect(() => running.get(SecretBox).open(sealed, "model_2")).toThrow("cannot be decrypted");
    expect(statSync(join(data, "keys", "data.key")).mode & 0o777).toBe(0o600);
  });

  test("use a key from the environment instead of the file", async () => {
    await running[Symbol.asyncDispose]();
    running = await start({ SVC_SECRET_KEY: "a long sentence nobody knows" });
    const sealed = running.get(SecretBox).seal("s", "o");
    await running[Symbol.asyncDispose]();
    running = await start({ SVC_SECRET_KEY: "another sentence" });
    expect(() => running.get(SecretBox).open(sealed, "o")).toThrow("cannot be decrypted");
  });
});

describe("the port", () => {
  collectionsContract("on disk", () => running.get(Collections));
});
