import { expect, test } from "vitest";
import { PLATFORMS } from "./platforms.ts";
import { POINTS } from "./points.ts";
import { torture } from "./torture.ts";

// Faults of these seeds make nobody wait ten seconds for an answer that does not come.
const SEEDS = [15, 19];

// The short form, two lives with half of the places each; `pnpm torture` does it fifty times, and with imA.
test("killed at every place a message comes by, the service keeps what it promised", async () => {
  const platforms = PLATFORMS.filter(({ mayLose }) => !mayLose);
  const lives = [0, 1].map((half) => {
    const points = POINTS.filter((_, index) => index % 2 === half);
    return torture({ platforms, points, seeds: [SEEDS[half] ?? 1] });
  });
  const ended = await Promise.all(lives);
  const sum = (of: (one: (typeof ended)[number]) => number) => ended.reduce((total, one) => total + of(one), 0);
  expect(ended.flatMap(({ problems }) => problems)).toEqual([]);
  expect(sum(({ kills }) => kills)).toBe(POINTS.length);
  expect(sum(({ accepted }) => accepted)).toBe(POINTS.length * platforms.length * 6);
  // Killed between the send and its receipt, a channel that can neither repeat nor ask leaves it to a person.
  expect(sum(({ inDoubt }) => inDoubt)).toBeGreaterThan(0);
  expect(sum(({ toolsInDoubt }) => toolsInDoubt)).toBeGreaterThan(0);
}, 240_000);
