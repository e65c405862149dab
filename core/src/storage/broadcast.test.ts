import { expect, test, vi } from "vitest";
import type { Logger } from "../services/operations/logger.ts";
import type { Signals } from "../services/operations/signals.ts";
import type { Database, Write } from "../services/storage/database.ts";
import { createBroadcast } from "./broadcast.ts";

interface Count {
  readonly n: number;
}

/** Creates the broadcasts of two processes, with a database that writes when the test lets it. */
function createTwo(write: (writes: readonly Write[]) => Promise<void> = async () => {}) {
  const listeners: ((key: string | undefined) => unknown)[] = [];
  const warn = vi.fn();
  const open = (index: number) => {
    const keys = new Map<Write, string>();
    const signals: Signals = {
      isShared: true,
      telling: (some) =>
        some.map(({ key }) => {
          const one: Write = { query: { compile: vi.fn() } };
          keys.set(one, key);
          return one;
        }),
      listen(_topic, listener) {
        listeners[index] = listener;
        return () => void delete listeners[index];
      },
      catchUp: async () => {},
    };
    const database = {
      async write(writes: readonly Write[]) {
        await write(writes);
        for (const one of writes) listeners[1 - index]?.(keys.get(one));
        return [];
      },
    } as unknown as Database;
    return createBroadcast<Count>("counts", {
      database: () => database,
      signals: () => signals,
      log: { warn } as unknown as Logger,
    });
  };
  return { one: open(0), other: open(1), miss: () => listeners[1]?.(undefined), warn };
}

test("an event reaches the other process until it stops listening, and a missed one is nothing", async () => {
  const { one, other, miss } = createTwo();
  const received: Count[] = [];
  const end = other.listen((event) => received.push(event));
  one.send({ n: 1 });
  await vi.waitFor(() => expect(received).toEqual([{ n: 1 }]));
  miss();
  end();
  one.send({ n: 2 });
  one.listen((event) => received.push(event));
  other.send({ n: 3 });
  await vi.waitFor(() => expect(received).toEqual([{ n: 1 }, { n: 3 }]));
});

test("events arrive in order, and one that cannot be written is reported and left out", async () => {
  let written = 0;
  const first = Promise.withResolvers<void>();
  const { one, other, warn } = createTwo(async () => {
    written += 1;
    if (written === 1) await first.promise;
    if (written === 2) throw new Error("the storage is away");
  });
  const received: Count[] = [];
  other.listen((event) => received.push(event));
  for (const n of [1, 2, 3]) one.send({ n });
  first.resolve();
  await vi.waitFor(() => expect(received).toEqual([{ n: 1 }, { n: 3 }]));
  expect(warn).toHaveBeenCalledTimes(1);
});

test("without other processes nothing is written", () => {
  const database = vi.fn();
  const deps = { database, signals: () => undefined, log: { warn: vi.fn() } as unknown as Logger };
  createBroadcast<Count>("counts", deps).send({ n: 1 });
  expect(database).not.toHaveBeenCalled();
});
