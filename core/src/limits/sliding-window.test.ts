import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSlidingWindow } from "./sliding-window.ts";

describe("a sliding window", () => {
  it("lets through what is within the limit and reports the delay of the next call", () => {
    let now = 0;
    const window = createSlidingWindow(60_000, () => now);
    window.count("a");
    now = 10_000;
    window.count("a");
    expect(window.waitMs("a", 3)).toBe(0);
    expect(window.waitMs("a", 2)).toBe(50_000);
    expect(window.waitMs("b", 1)).toBe(0);
    expect(window.waitMs("b", 0)).toBe(60_000);
    now = 60_000;
    expect(window.waitMs("a", 2)).toBe(0);
  });

  it("counts like a list of all times, whatever the order of calls", () => {
    const step = fc.record({ passes: fc.integer({ min: 0, max: 700 }), key: fc.constantFrom("a", "b") });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), fc.integer({ min: 1, max: 20 }), (steps, most) => {
        let now = 0;
        const window = createSlidingWindow(1_000, () => now);
        const all: { key: string; at: number }[] = [];
        for (const { passes, key } of steps) {
          now += passes;
          const recent = all.filter((one) => one.key === key && one.at > now - 1_000).length;
          expect(window.waitMs(key, most) === 0).toBe(recent < most);
          if (recent >= most) continue;
          window.count(key);
          all.push({ key, at: now });
        }
      }),
    );
  });

  it("takes back a call that did not happen", () => {
    const window = createSlidingWindow(1_000, () => 0);
    window.uncount("a");
    window.count("a");
    expect(window.waitMs("a", 1)).toBe(1_000);
    window.uncount("a");
    expect(window.waitMs("a", 1)).toBe(0);
  });

  it("forgets inactive keys", () => {
    let now = 0;
    const window = createSlidingWindow(1_000, () => now);
    for (let key = 0; key < 50_000; key += 1) {
      now += 10;
      window.count(String(key));
    }
    expect(window.size()).toBeLessThan(3_000);
  });

  it("remembers a maximum number of keys, the most recent ones", () => {
    const window = createSlidingWindow(1_000, () => 0, 2);
    for (const key of ["a", "b", "a", "c"]) window.count(key);
    expect(["a", "b", "c"].map((key) => window.waitMs(key, 1) > 0)).toEqual([true, false, true]);
  });
});
