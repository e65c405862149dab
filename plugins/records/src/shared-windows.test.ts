import type { Databases, SharedWindow } from "@parley/core";
import { createTestClock, memoryDatabases } from "@parley/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { createSharedWindows } from "./shared-windows.ts";

const MINUTE_MS = 60_000;

describe.each([
  ["one process", 1],
  ["two processes", 2],
])("a rate window shared by %s", (_name, processes) => {
  let clock: ReturnType<typeof createTestClock>;
  let windows: readonly SharedWindow[];

  beforeEach(async () => {
    clock = createTestClock(Date.parse("2026-01-01T00:00:00.000Z"));
    const databases: Databases = { ...memoryDatabases(), ...(processes > 1 && { isShared: true as const }) };
    const all = Array.from({ length: processes }, () => createSharedWindows(() => databases, clock));
    for (const one of all) await one.prune();
    windows = all.map((one) => one.open("x", MINUTE_MS));
  });
  const at = (index: number) => windows[index % windows.length] as SharedWindow;
  const limits = (...entries: readonly (readonly [string, number])[]) => new Map(entries);

  test("admits no more than the limit under concurrency, and reports the end of the wait", async () => {
    const tries = Array.from({ length: 12 }, (_, index) => at(index).count(limits(["a", 5])));
    const waits = (await Promise.all(tries)).map(({ waitMs }) => waitMs);
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(5);
    expect(waits.filter((waitMs) => waitMs === MINUTE_MS)).toHaveLength(7);
    clock.advance(MINUTE_MS - 1);
    expect((await at(1).count(limits(["a", 5]))).waitMs).toBe(1);
    clock.advance(1);
    expect((await at(1).count(limits(["a", 5]))).waitMs).toBe(0);
  });

  test("counts all keys or none, with their notes", async () => {
    expect((await at(0).count(limits(["a", 1], ["b", 2]), ["c"])).counts).toEqual(limits(["a", 1], ["b", 1], ["c", 1]));
    const rejected = await at(1).count(limits(["a", 1], ["b", 2]), ["c"]);
    expect(rejected).toEqual({ waitMs: MINUTE_MS, counts: limits(["a", 1], ["b", 1], ["c", 1]) });
    for (let count = 0; count < 40; count += 1) await at(count).count(new Map(), ["c"]);
    expect((await at(1).count(new Map(), ["c"])).counts.get("c")).toBe(32);
  });

  test("releases a reservation, and expires", async () => {
    for (let count = 0; count < 2; count += 1) await at(count).count(limits(["a", 2], ["b", 2]));
    await at(1).uncount(["a"], ["b", "unknown"]);
    expect([await at(0).waitMs("a", 2), await at(0).waitMs("a", 1), await at(0).waitMs("b", 1)]).toEqual([
      0,
      MINUTE_MS,
      0,
    ]);
  });

  test("admits continuous use up to the limit, on any node", async () => {
    const waits = await Promise.all(Array.from({ length: 60 }, (_, index) => at(index).use("a", 40)));
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(40);
    clock.advance(MINUTE_MS);
    expect(await at(0).use("a", 40)).toBe(0);
  });

  test("admits no more when several take the last share at once", async () => {
    for (const key of ["a", "b", "c", "d"]) {
      const first = await Promise.all(Array.from({ length: 190 }, () => at(0).use(key, 200)));
      // The last twentieth of the window is granted to whichever process asks first.
      const last = await Promise.all(Array.from({ length: 60 }, (_, index) => at(index).use(key, 200)));
      expect([...first, ...last].filter((waitMs) => waitMs === 0)).toHaveLength(200);
    }
  });
});

test("sends no more queries while a caller is over its limit", async () => {
  const clock = createTestClock(Date.parse("2026-01-01T00:00:00.000Z"));
  const { main, ...others } = memoryDatabases();
  let questions = 0;
  const counting = new Proxy(main, {
    get(target, name, receiver) {
      if (name === "tables") questions += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  const windows = createSharedWindows(() => ({ ...others, main: counting, isShared: true }), clock);
  const window = windows.open("x", MINUTE_MS);
  for (let count = 0; count < 3; count += 1) expect(await window.use("a", 3)).toBe(0);
  expect(await window.use("a", 3)).toBe(MINUTE_MS);
  const before = questions;
  clock.advance(1_000);
  expect(await Promise.all([window.use("a", 3), window.use("a", 3)])).toEqual([MINUTE_MS - 1_000, MINUTE_MS - 1_000]);
  expect(questions).toBe(before);
  // Another limit is another question.
  expect(await window.use("a", 4)).toBe(0);
  clock.advance(MINUTE_MS);
  expect(await window.use("a", 3)).toBe(0);
});
