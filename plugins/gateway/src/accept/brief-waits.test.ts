import type { Busy } from "@parley/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type BriefWaits, createBriefWaits } from "./brief-waits.ts";

const BUSY: Busy = { reason: "too many messages at once", retryAfterS: 1 };
let room: number;
let waits: BriefWaits;

beforeEach(() => {
  vi.useFakeTimers();
  room = 0;
  const takeRoom = () => {
    if (room === 0) return BUSY;
    room -= 1;
    return undefined;
  };
  waits = createBriefWaits({ busy: takeRoom, nowMs: () => Date.now() });
});
afterEach(() => void vi.useRealTimers());

const waitFor = (count: number) => {
  const ended: (Busy | "accepted")[] = [];
  for (let n = 0; n < count; n += 1) void waits.wait("shop", BUSY).then((busy) => ended.push(busy ?? "accepted"));
  return ended;
};

test("waiting requests are accepted as soon as there is room, and no more than there is room for", async () => {
  const ended = waitFor(3);
  await vi.advanceTimersByTimeAsync(40);
  expect(ended).toEqual([]);
  room = 2;
  await vi.advanceTimersByTimeAsync(10);
  expect(ended).toEqual(["accepted", "accepted"]);
  await vi.advanceTimersByTimeAsync(50);
  expect(ended).toEqual(["accepted", "accepted", BUSY]);
  expect(vi.getTimerCount()).toBe(0);
});

test("requests beyond two hundred are rejected at once", async () => {
  const ended = waitFor(201);
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual([BUSY]);
  await vi.advanceTimersByTimeAsync(100);
  expect(ended).toHaveLength(201);
});
