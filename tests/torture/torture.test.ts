import { expect, test } from "vitest";
import { PLATFORMS } from "./platforms.ts";
import { POINTS } from "./points.ts";
import { torture } from "./torture.ts";

// The short form; `pnpm torture` does it fifty times, and with imA.
test("killed at every place a message comes by, the service keeps what it promised", async () => {
  const platforms = PLATFORMS.filter(({ mayLose }) => !mayLose);
  const { problems, kills, accepted, inDoubt } = await torture({ platforms, points: POINTS, seeds: [1] });
  expect(problems).toEqual([]);
  expect(kills).toBe(POINTS.length);
  expect(accepted).toBe(POINTS.length * platforms.length * 6);
  // Killed between the send and its receipt, a channel that can neither repeat nor ask leaves it to a person.
  expect(inDoubt).toBeGreaterThan(0);
  expect(inDoubt).toBeLessThanOrEqual(POINTS.length);
}, 240_000);
