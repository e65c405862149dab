import { expect, test } from "vitest";
import { PLATFORMS } from "./platforms.ts";
import { torture } from "./torture.ts";

const POINTS = ["committed-inbox", "intent-written", "sending", "sent", "receipt-written"];

test("a service killed while it sends answers in sentences says each part once, in order, or not at all", async () => {
  const platforms = PLATFORMS.filter(({ mayLose }) => !mayLose);
  const { problems, kills, cancelled } = await torture({ platforms, points: POINTS, seeds: [7], manner: "sentences" });
  expect(problems).toEqual([]);
  expect(kills).toBe(POINTS.length);
  expect(cancelled).toBeGreaterThan(0);
}, 300_000);
