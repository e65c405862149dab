import { expect, test } from "vitest";
import { PLATFORMS } from "./platforms.ts";
import { torture } from "./torture.ts";

const POINTS = ["committed-inbox", "user-recorded", "model-start", "model-done", "intent-written"];

test.each([
  ["wait", 15],
  ["interrupt", 20],
])(
  "a service killed amid bursts answers each message in exactly one turn: %s",
  async (_mode, seed) => {
    const platforms = PLATFORMS.filter(({ mayLose }) => !mayLose);
    const { problems, kills, accepted, merged } = await torture({
      platforms,
      points: POINTS,
      seeds: [seed],
      manner: "bursts",
    });
    expect(problems).toEqual([]);
    expect(kills).toBe(POINTS.length);
    expect(accepted).toBe(POINTS.length * platforms.length * 3 * 2 * 4);
    expect(merged).toBeGreaterThan(accepted / 4);
  },
  240_000,
);
