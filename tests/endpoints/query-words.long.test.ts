import { afterAll, beforeAll, expect, test } from "vitest";
import { fillPath, startWorld, type World } from "./world.ts";

/** Names that every object has, and numbers too large for a column. */
const WORDS = ["constructor", "__proto__", "toString", "9999999999999999999"];
const WITHIN_MS = 20_000;

let world: World;
beforeAll(async () => {
  world = await startWorld();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

test("no word in any query of a read route causes an internal error", { timeout: 600_000 }, async () => {
  const { api } = world.seed;
  const failed: string[] = [];
  let asked = 0;
  for (const [row, { query }] of world.mounted) {
    if (!row.startsWith("GET ") || !query) continue;
    const path = fillPath(row.slice(4), new Proxy({}, { get: () => "none" }));
    for (const name of Object.keys(query.describe().keys ?? {}))
      for (const word of WORDS) {
        asked += 1;
        const { status } = await fetch(`${api.address}${path}?${name}=${word}`, {
          headers: { authorization: `Bearer ${api.token}` },
          redirect: "manual",
          signal: AbortSignal.timeout(WITHIN_MS),
        });
        if (status === 500) failed.push(`${path}?${name}=${word}`);
      }
  }
  expect(failed).toEqual([]);
  expect(asked).toBeGreaterThan(400);
});
