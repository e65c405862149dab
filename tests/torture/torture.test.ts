import { expect, test } from "vitest";
import { PLATFORMS } from "./platforms.ts";
import { POINTS } from "./points.ts";
import { torture } from "./torture.ts";

// Faults of these seeds make nobody wait ten seconds for an answer that does not come.
const SEEDS = [15, 19];

/** In the long form all of them are met. */
const HALVES = process.env.PARLEY_LONG === "1" ? [0, 1] : [0];

// The short form: a life with half of the places. `pnpm torture` does it fifty times with all of them, and with imA.
test("killed at every place a message comes by, the service keeps what it promised", async () => {
  const platforms = PLATFORMS.filter(({ mayLose }) => !mayLose);
  const pointsOf = (half: number) => POINTS.filter((_, index) => index % 2 === half);
  const met = HALVES.flatMap(pointsOf).length;
  const lives = HALVES.map((half) => torture({ platforms, points: pointsOf(half), seeds: [SEEDS[half] ?? 1] }));
  const ended = await Promise.all(lives);
  const sum = (of: (one: (typeof ended)[number]) => number) => ended.reduce((total, one) => total + of(one), 0);
  expect(ended.flatMap(({ problems }) => problems)).toEqual([]);
  expect(sum(({ kills }) => kills)).toBe(met);
  expect(sum(({ accepted }) => accepted)).toBe(met * platforms.length * 6);
  // Killed between the send and its receipt, a channel that can neither repeat nor ask leaves it to a person.
  expect(sum(({ inDoubt }) => inDoubt)).toBeGreaterThan(0);
  expect(sum(({ toolsInDoubt }) => toolsInDoubt)).toBeGreaterThan(0);
}, 240_000);
