import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Clock, Databases, Environment, fixedStatement, Paths, silentLogger, systemClock } from "@parley/core";
import { startPlugins } from "@parley/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import storage from "./index.ts";

let data: string;

const at = (name: string) => join(data, name);
const start = () =>
  startPlugins([storage], {
    log: silentLogger,
    services: [
      [Paths as never, { root: data, data } satisfies Paths],
      [Environment as never, { get: () => undefined, secret: () => undefined } satisfies Environment],
      [Clock as never, systemClock],
    ],
  });
/** Opens both databases and adds a row to each; returns their numbers of rows. */
const use = async () => {
  await using running = await start();
  const databases = running.get(Databases);
  const counts: unknown[] = [];
  for (const database of [databases.main, await databases.open(at("gateway.db"))]) {
    await database.write([
      { query: fixedStatement("create table if not exists t (a integer primary key)", []) },
      { query: fixedStatement("insert into t default values", []) },
    ]);
    const [row] = await database.lookup<{ n: number }>(fixedStatement("select count(*) as n from t", []));
    counts.push(row?.n);
  }
  return counts;
};

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), "parley-gone-"));
  await use();
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

describe("a missing database", () => {
  test.each([
    ["parley.db", "is missing", () => rmSync(at("parley.db"))],
    ["parley.db", "is empty", () => truncateSync(at("parley.db"))],
    ["gateway.db", "is missing", () => rmSync(at("gateway.db"))],
    ["gateway.db", "is empty", () => truncateSync(at("gateway.db"))],
  ])("is not created again (%s %s), and the start waits until it is back", async (name, what, lose) => {
    copyFileSync(at(name), at("backup"));
    lose();
    const before = readdirSync(data).sort();
    await expect(use()).rejects.toThrow(new RegExp(`${name} ${what}.*make the file '.*${name}\\.accept-loss'`));
    expect(readdirSync(data).sort()).toEqual(
      [...before, "instance.lock"].filter((one, n, all) => all.indexOf(one) === n).sort(),
    );
    copyFileSync(at("backup"), at(name));
    expect(await use()).toEqual([2, 2]);
  });

  test("is created again on request, and only once", async () => {
    rmSync(at("parley.db"));
    writeFileSync(at("parley.db.accept-loss"), "");
    expect(await use()).toEqual([1, 2]);
    expect(existsSync(at("parley.db.accept-loss"))).toBe(false);
    rmSync(at("parley.db"));
    await expect(start()).rejects.toThrow("parley.db is missing");
  });

  test("is noticed also in a folder of an earlier version without a list", async () => {
    rmSync(at("databases.json"));
    expect(await use()).toEqual([2, 2]);
    rmSync(at("databases.json"));
    truncateSync(at("gateway.db"));
    await expect(use()).rejects.toThrow("gateway.db is empty");
    rmSync(at("databases.json"));
    rmSync(at("parley.db"));
    writeFileSync(at("gateway.db"), "not empty");
    await expect(use()).rejects.toThrow("parley.db is missing");
  });

  test("is not reported when its creation was interrupted, nor in a folder prepared for one", async () => {
    for (const name of readdirSync(data)) rmSync(at(name));
    writeFileSync(at("parley.db"), "");
    writeFileSync(at("settings.json"), "{}");
    writeFileSync(at("channels.json"), "{}");
    expect(await use()).toEqual([1, 1]);
  });

  test("is reported with an unreadable list, which is not taken for an empty one", async () => {
    writeFileSync(at("databases.json"), "{");
    await expect(use()).rejects.toThrow(/databases\.json cannot be used/);
  });
});
