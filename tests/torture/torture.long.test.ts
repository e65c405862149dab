import { expect, test } from "vitest";
import { KILL_POINTS } from "./kill-points.ts";
import { PLATFORMS } from "./platforms.ts";
import { torture } from "./torture.ts";

/** The short form: one service with these kill points. `tests/crash/effects.long.test.ts` covers others. */
const SHORT: readonly string[] = ["verified", "leased", "tool-started", "reply-filtered", "sent", "receipt-written"];

// With these seeds no fault makes anyone wait ten seconds for an answer that does not come.
const LIVES = [
  { points: SHORT, seeds: [15] },
  { points: KILL_POINTS.filter((point) => !SHORT.includes(point)), seeds: [19] },
];

// The long form runs all of them. `pnpm torture` runs fifty seeds, and imA too.
test("a service killed at every step of a message fulfils its guarantees", async () => {
  const platforms = PLATFORMS.filter(({ mayLose }) => !mayLose);
  const lives = process.env.PARLEY_LONG === "1" ? LIVES : LIVES.slice(0, 1);
  const met = lives.flatMap(({ points }) => points).length;
  const ended = await Promise.all(lives.map((life) => torture({ platforms, ...life })));
  const sum = (of: (one: (typeof ended)[number]) => number) => ended.reduce((total, one) => total + of(one), 0);
  expect(ended.flatMap(({ problems }) => problems)).toEqual([]);
  expect(sum(({ kills }) => kills)).toBe(met);
  expect(sum(({ accepted }) => accepted)).toBe(met * platforms.length * 6);
  // After a kill between the send and its receipt, a channel without idempotency and reconciliation leaves the outcome to a person.
  expect(sum(({ unknownOutcomes }) => unknownOutcomes)).toBeGreaterThan(0);
  expect(sum(({ unknownToolOutcomes }) => unknownToolOutcomes)).toBeGreaterThan(0);
}, 240_000);
