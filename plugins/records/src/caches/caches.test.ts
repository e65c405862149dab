import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { silentLogger } from "@parley/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { removeAbandonedCaches, toCachePath } from "./cache-file.ts";
import { createCaches, type OwnCaches } from "./caches.ts";

const DAY_MS = 86_400_000;
const lines: string[] = [];
const log = { ...silentLogger, warn: (line: string) => void lines.push(line) };
let folder = "";
let open: OwnCaches[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-caches-"));
  lines.length = 0;
  vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
});
afterEach(async () => {
  vi.useRealTimers();
  for (const caches of open) await caches.close();
  open = [];
  rmSync(folder, { recursive: true });
});

function start(path = join(folder, "cache.db")): OwnCaches {
  const caches = createCaches({ path, log });
  open.push(caches);
  return caches;
}

test("returns what was stored, also after a restart, by the text of any key", async () => {
  const first = start();
  const cache = first.open<{ readonly text: string }>("words", { ttlMs: DAY_MS, max: 10 });
  const long = "键".repeat(5_000);
  await cache.setMany(
    new Map([
      ["", { text: "empty" }],
      ["a\0b", { text: "zero" }],
      [long, { text: "long" }],
    ]),
  );
  await first.close();
  const again = start().open<{ readonly text: string }>("words", { ttlMs: DAY_MS, max: 10 });
  expect(await again.get("a\0b")).toEqual({ text: "zero" });
  expect(await again.getMany([long, "", "other"])).toEqual(
    new Map([
      [long, { text: "long" }],
      ["", { text: "empty" }],
    ]),
  );
  await again.delete("");
  expect(await again.get("")).toBeUndefined();
});

test("names have entries of their own, and each is opened once", async () => {
  const caches = start();
  const [one, other] = ["one", "one-more"].map((name) => caches.open<number>(name, { ttlMs: DAY_MS, max: 10 }));
  await one?.set("key", 1);
  expect(await other?.get("key")).toBeUndefined();
  expect(() => caches.open("one", { ttlMs: 1, max: 1 })).toThrow("'one' is open already");
  expect(() => caches.open("one:", { ttlMs: 1, max: 1 })).toThrow("no name of a cache");
});

test("entries expire", async () => {
  const cache = start().open<number>("words", { ttlMs: DAY_MS, max: 10 });
  await cache.set("key", 1);
  vi.setSystemTime(1_000_000 + DAY_MS - 1);
  expect(await cache.get("key")).toBe(1);
  vi.setSystemTime(1_000_000 + DAY_MS);
  expect(await cache.get("key")).toBeUndefined();
});

test("nothing is left when they are cleared, and they can be filled again", async () => {
  const caches = start();
  const cache = caches.open<string>("words", { ttlMs: DAY_MS, max: 2 });
  await cache.set("key", "planted");
  await Promise.all([caches.clear(), cache.get("key"), cache.set("key", "planted")]);
  await caches.clear();
  expect(readdirSync(folder)).toEqual([]);
  await cache.setMany(new Map([1, 2].map((at) => [`key ${at}`, "new"])));
  expect(await cache.getMany(["key", "key 1", "key 2"])).toEqual(new Map([1, 2].map((at) => [`key ${at}`, "new"])));
  expect(lines).toEqual([]);
});

test("a full cache loses its oldest entries, and another one none", async () => {
  const caches = start();
  const other = caches.open<number>("zz", { ttlMs: 10 * DAY_MS, max: 10 });
  await other.set("kept", 1);
  const cache = caches.open<number>("words", { ttlMs: DAY_MS, max: 100 });
  for (let at = 0; at < 150; at += 1) {
    vi.setSystemTime(1_000_000 + at);
    await cache.set(`key ${at}`, at);
  }
  const found = await cache.getMany(Array.from({ length: 150 }, (_, at) => `key ${at}`));
  expect(found.size).toBeLessThanOrEqual(100);
  expect(found.size).toBeGreaterThanOrEqual(95);
  expect([...found.values()]).toEqual(Array.from({ length: found.size }, (_, at) => 150 - found.size + at));
  await cache.setMany(new Map(Array.from({ length: 250 }, (_, at) => [`more ${at}`, at])));
  expect((await cache.getMany(Array.from({ length: 250 }, (_, at) => `more ${at}`))).size).toBeLessThanOrEqual(100);
  expect(await other.get("kept")).toBe(1);
});

test("a full cache that is opened again keeps its bound", async () => {
  const first = start();
  const before = first.open<number>("words", { ttlMs: DAY_MS, max: 3 });
  for (const at of [0, 1, 2]) {
    vi.setSystemTime(1_000_000 + at);
    await before.set(`key ${at}`, at);
  }
  await first.close();
  const cache = start().open<number>("words", { ttlMs: DAY_MS, max: 3 });
  await cache.set("key 3", 3);
  expect([...(await cache.getMany([0, 1, 2, 3].map((at) => `key ${at}`))).values()]).toEqual([1, 2, 3]);
});

test.each([
  ["garbage", (path: string) => writeFileSync(path, "garbage ".repeat(2_000))],
  [
    "damaged in the middle",
    (path: string) => {
      const bytes = readFileSync(path);
      bytes.fill(0xa5, 4_096);
      writeFileSync(path, bytes);
    },
  ],
])("a file that is %s is created again, with one line in the log", async (_, damage) => {
  const path = join(folder, "cache.db");
  const first = start();
  const before = first.open<string>("words", { ttlMs: DAY_MS, max: 1_000 });
  await before.setMany(new Map(Array.from({ length: 200 }, (_, at) => [`key ${at}`, "word ".repeat(200)])));
  await first.close();
  damage(path);

  const cache = start().open<string>("words", { ttlMs: DAY_MS, max: 1_000 });
  await Promise.all(["key 1", "key 2", "key 3"].map((key) => cache.get(key)));
  await cache.set("key 1", "again");
  expect(await cache.get("key 1")).toBe("again");
  expect(lines).toEqual(["the file of the caches was damaged and is created again"]);
  expect(statSync(path).mode & 0o077).toBe(0);
});

test("a file that cannot be written is one line in the log, and every entry is missing", async () => {
  writeFileSync(join(folder, "file"), "");
  const cache = start(join(folder, "file", "cache.db")).open<number>("words", { ttlMs: DAY_MS, max: 10 });
  await cache.set("key", 1);
  expect(await cache.get("key")).toBeUndefined();
  await cache.delete("key");
  expect(lines).toEqual(["the caches cannot be used"]);
});

test("a file of another program that holds it is waited for a moment, and then every entry is missing", async () => {
  const path = join(folder, "cache.db");
  const cache = start().open<number>("words", { ttlMs: DAY_MS, max: 10 });
  await cache.set("key", 1);
  using other = new DatabaseSync(path);
  other.exec("begin immediate");
  await cache.set("key", 2);
  expect(await cache.get("key")).toBe(1);
  other.exec("rollback");
  await cache.set("key", 3);
  expect(await cache.get("key")).toBe(3);
  expect(lines).toEqual(["the caches cannot be used"]);
});

test("nodes have a file for each machine, and those of machines that are gone are removed", () => {
  const own = toCachePath(folder, true);
  for (const name of ["gone", "here"]) writeFileSync(join(folder, `cache-${name}.db`), "");
  writeFileSync(join(folder, "cache-gone.db-wal"), "");
  writeFileSync(own, "");
  for (const path of [own, join(folder, "cache-gone.db")]) utimesSync(path, 0, 0);
  vi.useRealTimers();
  removeAbandonedCaches(folder);
  expect(readdirSync(folder).toSorted()).toEqual(["cache-here.db", basename(own)].toSorted());
  expect(basename(toCachePath(folder, false))).toBe("cache.db");
});
