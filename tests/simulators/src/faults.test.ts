import { describe, expect, test } from "vitest";
import { createFaults, type FaultOptions } from "./faults.ts";

const ALL = {
  duplicate: 0.2,
  delay: 0.2,
  reorder: 0.2,
  tooMany: 0.1,
  serverError: 0.1,
  halfOpen: 0.1,
  lyingOk: 0.1,
} as const;

function run(options: FaultOptions, conversations: readonly string[], times = 200) {
  const faults = createFaults(options);
  for (let time = 0; time < times; time += 1) {
    for (const about of conversations) {
      faults.ofCall("send", about);
      faults.ofEvent(about);
    }
  }
  return faults.injected;
}

describe("faults by seed", () => {
  test("are the same for the same seed and the same calls, and others for another seed", () => {
    expect(run({ seed: 1, ...ALL }, ["a", "b"])).toEqual(run({ seed: 1, ...ALL }, ["a", "b"]));
    expect(run({ seed: 1, ...ALL }, ["a", "b"])).not.toEqual(run({ seed: 2, ...ALL }, ["a", "b"]));
  });

  test("of one conversation do not depend on other conversations", () => {
    const alone = run({ seed: 1, ...ALL }, ["a"]);
    const among = run({ seed: 1, ...ALL }, ["b", "a", "c"]).filter(({ about }) => about === "a");
    expect(among).toEqual(alone);
  });

  test("are the requested ones, with about the requested frequency", () => {
    const injected = run({ seed: 3, ...ALL }, ["a"], 5_000);
    const share = (kind: string, calls: number) => injected.filter((one) => one.kind === kind).length / calls;
    for (const kind of ["tooMany", "serverError", "lyingOk"]) expect(share(kind, 5_000)).toBeCloseTo(0.1, 1);
    expect(share("reorder", 5_000)).toBeCloseTo(0.2, 1);
    // Counts only events whose connection survives.
    expect(share("duplicate", 4_500)).toBeCloseTo(0.2, 1);
    // Counts calls and events together.
    expect(share("halfOpen", 10_000)).toBeCloseTo(0.1, 1);
    expect(share("delay", 10_000)).toBeCloseTo(0.2, 1);
    const errors = injected.filter(({ kind }) => kind === "serverError");
    expect(errors.filter(({ isDone }) => isDone).length / errors.length).toBeCloseTo(0.5, 1);
    expect(injected.filter(({ kind, isDone }) => isDone && (kind === "tooMany" || kind === "lyingOk"))).toEqual([]);
  });

  test("never happen when none were requested", () => {
    expect(run({ seed: 4 }, ["a"])).toEqual([]);
  });

  test("let no reading call claim a wrong success", () => {
    const faults = createFaults({ seed: 6, lyingOk: 1 });
    expect(faults.ofCall("get", "a", false)).toEqual({ delayMs: 0, isDone: true });
    expect(faults.ofCall("send", "a")).toEqual({ delayMs: 0, kind: "lyingOk", isDone: false });
    expect(faults.injected).toHaveLength(1);
  });

  test("delay no longer than the longest delay", () => {
    const faults = createFaults({ seed: 5, delay: 1, longestDelayMs: 3 });
    const delays = Array.from({ length: 100 }, () => faults.ofEvent("a").delayMs);
    expect(new Set(delays)).toEqual(new Set([1, 2, 3]));
  });

  test.each([
    { duplicate: -0.1 },
    { delay: 1.1 },
    { reorder: Number.NaN },
    { tooMany: 0.5, serverError: 0.3, halfOpen: 0.3 },
  ])("are rejected as %j: no probability, or together above 1", (options) => {
    expect(() => createFaults({ seed: 1, ...options })).toThrow(RangeError);
  });
});
