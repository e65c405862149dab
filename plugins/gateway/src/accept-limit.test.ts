import { describe, expect, test } from "vitest";
import { createAcceptLimit } from "./accept-limit.ts";

/** `after`: time passes, in which each message takes so long and so many are on their way. */
function started() {
  let nowMs = 0;
  const limit = createAcceptLimit({ monotonic: () => nowMs });
  return {
    isOver: limit.isOver,
    after(ms: number, tookMs: number, storing: number): void {
      for (const end = nowMs + ms; nowMs < end; nowMs += 50) {
        limit.isOver(storing);
        limit.took(tookMs);
      }
    },
  };
}

describe("how many messages may be on their way to the disk", () => {
  test("is any number while the service keeps up, and in a burst", () => {
    const { isOver, after } = started();
    after(5_000, 3, 500);
    expect(isOver(1_000)).toBe(false);
    after(1_500, 80, 400);
    expect(isOver(400)).toBe(false);
  });

  test("becomes smaller while the service stays behind, and never so small that nothing goes on", () => {
    const { isOver, after } = started();
    after(300, 3, 1);
    after(2_100, 80, 31);
    expect([isOver(31), isOver(12)]).toEqual([true, false]);
    after(1_300, 80, 31);
    expect([isOver(8), isOver(7)]).toEqual([true, false]);
  });

  test("is any number again once it keeps up", () => {
    const { isOver, after } = started();
    after(300, 3, 1);
    after(3_400, 80, 31);
    after(1_250, 3, 3);
    expect([isOver(31), isOver(9)]).toEqual([true, false]);
    after(5_000, 3, 3);
    expect(isOver(500)).toBe(false);
  });

  test("is any number for a while where few at once are as late: something else is the reason", () => {
    const { isOver, after } = started();
    after(300, 3, 1);
    after(6_000, 80, 31);
    expect(isOver(31)).toBe(false);
    after(11_000, 80, 31);
    expect(isOver(31)).toBe(true);
  });

  test("is any number on a slow disk: fewer at once would not be faster", () => {
    const { isOver, after } = started();
    after(10_000, 60, 40);
    expect(isOver(40)).toBe(false);
  });
});
