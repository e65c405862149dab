import { type Logger, silentLogger, TurnStages } from "@parley/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createUnendedCalls } from "./unended-calls.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const started = (run: () => Promise<unknown>) => {
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const calls = createUnendedCalls({ ...silentLogger, warn: note, info: note } as Logger, () => Date.now());
  const stage = calls.watch("slow", TurnStages, { id: "slow.stage", phase: "prepare", run } as never);
  return { calls, lines, stage: stage as unknown as { run(): Promise<unknown> } };
};

test("a call that does not end is reported once, and stays a finding until it ends", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { calls, lines, stage } = started(() => promise);
  const both = [stage.run(), stage.run()];
  vi.advanceTimersByTime(9_000);
  expect(calls.findings()).toEqual([]);
  vi.advanceTimersByTime(6_000);
  expect(lines).toEqual(["stage 'slow.stage' of plugin 'slow' has not ended after 10 s"]);
  expect(calls.findings()).toMatchObject([
    { key: "plugin.unended", parameters: { plugin: "slow", name: "stage 'slow.stage'", seconds: "15" } },
  ]);
  resolve();
  await Promise.all(both);
  expect(calls.findings()).toEqual([]);
  expect(lines[1]).toBe("stage 'slow.stage' of plugin 'slow' ended after 15 s");
});

test("calls that end or fail in time are not reported, whatever `this` they need", async () => {
  const calls = createUnendedCalls(silentLogger);
  class Stage {
    readonly id = "own.stage";
    #count = 0;
    async run(): Promise<number> {
      this.#count += 1;
      if (this.#count > 2) throw new Error("enough");
      return this.#count;
    }
  }
  const made = new Stage();
  for (const _ of ["loaded", "loaded again"]) calls.watch("own", TurnStages, made as never);
  expect([await made.run(), await made.run()]).toEqual([1, 2]);
  await expect(made.run()).rejects.toThrow("enough");
  vi.advanceTimersByTime(60_000);
  expect(calls.findings()).toEqual([]);
});
