import { setImmediate as nextRound } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTurnStarts } from "./turn-starts.ts";

test("turns that could begin together begin one after another, in order, each in a round of the event loop of its own", async () => {
  const mayStart = createTurnStarts();
  const begun: number[] = [];
  const all = [1, 2, 3].map((turn) => mayStart().then(() => begun.push(turn)));
  expect(begun).toEqual([]);
  const seen: number[] = [];
  while (begun.length < 3) {
    await nextRound();
    seen.push(begun.length);
  }
  await Promise.all(all);
  expect(begun).toEqual([1, 2, 3]);
  expect(seen).toEqual(expect.arrayContaining([1, 2, 3]));
  await mayStart();
});
