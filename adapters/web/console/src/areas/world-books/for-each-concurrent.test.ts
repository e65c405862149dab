import { expect, test } from "vitest";
import { forEachConcurrent } from "./for-each-concurrent.ts";

test("after a failure no further item is begun, and those that run are completed first", async () => {
  const begun: number[] = [];
  const completed: number[] = [];
  const items = Array.from({ length: 20 }, (_, index) => index);
  const all = forEachConcurrent(items, async (item) => {
    begun.push(item);
    if (item === 0) throw new Error("rejected");
    await new Promise((resolve) => setImmediate(resolve));
    completed.push(item);
  });
  await expect(all).rejects.toThrow("rejected");
  expect(begun).toEqual([0, 1, 2, 3]);
  expect(completed).toEqual([1, 2, 3]);
});
