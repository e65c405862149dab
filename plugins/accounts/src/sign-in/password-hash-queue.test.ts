import { expect, test } from "vitest";
import { createPasswordHashQueue } from "./password-hash-queue.ts";

const stays = new AbortController().signal;

/** Creates work that finishes when `finish` is called. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun: number[] = [];
  const of = (id: number) => () => {
    begun.push(id);
    return promise;
  };
  return { begun, finish: resolve, of };
}

test("two hashes run at once, eight wait in order, more are rejected at once", async () => {
  const line = createPasswordHashQueue();
  const { begun, finish, of } = work();
  const all = Array.from({ length: 10 }, (_, id) => line.run(stays, of(id)));
  await expect(line.run(stays, of(10))).rejects.toMatchObject({ code: "rate_limited", retryAfterS: 2 });
  expect(begun).toEqual([0, 1]);
  finish();
  await Promise.all(all);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("a cancelled hash is not computed and frees its place", async () => {
  const line = createPasswordHashQueue();
  const { begun, finish, of } = work();
  const left = new AbortController();
  const first = [0, 1].map((id) => line.run(stays, of(id)));
  const leaving = Array.from({ length: 8 }, () => line.run(left.signal, of(99)).catch((error: unknown) => error));
  left.abort("left");
  expect(await Promise.all(leaving)).toEqual(Array(8).fill("left"));
  const next = line.run(stays, of(2));
  finish();
  await Promise.all([...first, next]);
  expect(begun).toEqual([0, 1, 2]);
});

test("a failed hash frees its place", async () => {
  const line = createPasswordHashQueue();
  const fails = () => Promise.reject(new Error("broken"));
  for (let count = 0; count < 20; count += 1) await expect(line.run(stays, fails)).rejects.toThrow("broken");
  expect(await line.run(stays, async () => "works")).toBe("works");
});
