import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { silentLogger } from "@parley/core";
import { describe, expect, test } from "vitest";
import { createRegexAnalysis } from "../rules/regex-analysis.ts";
import { createRegexRunner } from "./regex-runner.ts";

/** A worker that blocks at the pattern `stuck`, ends at `broken`, and finds all others at the start of the text. */
const UNRELIABLE = `
  const { parentPort, workerData } = require("node:worker_threads");
  const current = new Int32Array(workerData.progress);
  parentPort.on("message", ({ patterns }) => {
    const at = patterns.findIndex((one) => one === "stuck" || one === "broken");
    Atomics.store(current, 0, Math.max(at, 0));
    if (patterns[at] === "broken") throw new Error("out of memory");
    if (at < 0) parentPort.postMessage(patterns.map(() => [[0, 1]]));
  });
`;

describe("the regular expression workers", () => {
  test("start with the first pattern, two at most for any number of texts", async () => {
    await using runner = createRegexRunner({ limitMs: 100, log: silentLogger });
    expect(runner.threads()).toEqual({ alive: 0, started: 0 });
    const found = await Promise.all(
      Array.from({ length: 50 }, (_, index) => runner.find(`a${index}b`, () => ["\\d+"])),
    );
    expect(found[42]).toEqual([[[1, 3]]]);
    expect(runner.threads()).toEqual({ alive: 2, started: 2 });
  });

  test("continue after slow patterns, without being replaced", async () => {
    await using runner = createRegexRunner({ limitMs: 20, log: silentLogger });
    const patterns = ["(a+)+$", "b", "(a|aa)+$", "c"];
    expect(await runner.find(`${"a".repeat(60)}bc`, () => patterns)).toEqual([
      "timeout",
      [[60, 61]],
      "timeout",
      [[61, 62]],
    ]);
    expect(runner.threads().started).toBe(1);
  });

  test("skip no quick pattern while other threads keep the machine busy", async () => {
    const spin = () => new Worker("for (;;);", { eval: true });
    const busy = Array.from({ length: 2 * availableParallelism() }, spin);
    try {
      await using runner = createRegexRunner({ limitMs: 20, log: silentLogger });
      const patterns = Array.from({ length: 300 }, (_, at) => `b${at}|b`);
      for (let round = 0; round < 10; round += 1)
        expect(await runner.find("abc", () => patterns)).toEqual(patterns.map(() => [[1, 2]]));
    } finally {
      await Promise.all(busy.map((one) => one.terminate()));
    }
  });

  test.each(["stuck", "broken"])("are replaced when one is %s, and only that pattern is skipped", async (word) => {
    const spawn = (workerData: object) => new Worker(UNRELIABLE, { eval: true, workerData });
    await using runner = createRegexRunner({ limitMs: 10, log: silentLogger, spawn });
    expect(await runner.find("x", () => ["one", word, "two"])).toEqual([[[0, 1]], "timeout", [[0, 1]]]);
    expect(runner.threads()).toMatchObject({ alive: 1, started: 2 });
    expect(await runner.find("x", () => ["one"])).toEqual([[[0, 1]]]);
  });
});

describe("replacements", () => {
  const toReplacement = (pattern: string, flags: string, replacement: string, ...trim: readonly string[]) => ({
    pattern,
    flags,
    replacement,
    trim,
  });

  test.each([
    ["an apple, an apple", toReplacement("apple", "", "pear"), "an pear, an apple"],
    ["an apple, an APPLE", toReplacement("apple", "gi", "pear"), "an pear, an pear"],
    ["an apple", toReplacement("apple", "", "**{{match}}**", "le"), "an **app**"],
    ["a-b", toReplacement("(a)-(b)", "", "$2-$1 $0 $9"), "b-a a-b "],
    ["a-b", toReplacement("(?<first>a)-b", "", "$<first>$<none>"), "a"],
    ["a\nb", toReplacement("a.b", "s", "c"), "c"],
    ["aaa", toReplacement("", "g", "-"), "-a-a-a-"],
    ["text", toReplacement("(", "", "x"), "text"],
    ["text", toReplacement("t", "gyd", "$&$$"), "$&$$ex$&$$"],
    ["a".repeat(1_000), toReplacement("a", "g", "b".repeat(1_000)), "a".repeat(1_000)],
  ])("of %s by %j give %s", async (text, replacement, replaced) => {
    await using runner = createRegexRunner({ limitMs: 1_000, log: silentLogger });
    expect(await runner.replace(text, [replacement])).toMatchObject({ text: replaced, timeouts: [], skipped: [] });
  });

  test("run one after the other, and one that takes too long is skipped", async () => {
    await using runner = createRegexRunner({ limitMs: 20, log: silentLogger });
    const all = [toReplacement("b", "", "c"), toReplacement("(a+)+$", "", "x"), toReplacement("c", "", "d")];
    const text = "a".repeat(60);
    expect(await runner.replace(`${text}b`, all)).toMatchObject({ text: `${text}d`, timeouts: [1], skipped: [] });
    expect(runner.threads().started).toBe(1);
  });

  test("none begins after the time for all, and those left are named", async () => {
    await using runner = createRegexRunner({ limitMs: 20, log: silentLogger });
    const endless = toReplacement("(a+)+$", "", "x");
    const all = Array.from({ length: 40 }, () => endless);
    const { timeouts, skipped, ms } = await runner.replace(`${"a".repeat(60)}b`, all, { totalMs: 60 });
    expect([...timeouts, ...skipped]).toEqual(all.map((_, index) => index));
    expect(skipped.length).toBeGreaterThan(0);
    expect(ms).toBeGreaterThanOrEqual(60);
    expect(await runner.replace("aaab", [endless], { totalMs: 0 })).toMatchObject({ text: "aaab", skipped: [0] });
  });
});

describe("pattern advice", () => {
  test.each(["(a+)+$", "(a|aa)+$", "^(\\w+\\s?)*$", "(.*a){25}", "^(a|b|ab)*c"])("warns of %s", async (pattern) => {
    await using runner = createRegexRunner({ limitMs: 100, log: silentLogger });
    const advice = createRegexAnalysis(runner, silentLogger);
    expect((await advice.findWarning(pattern))?.error).toMatch(/for example on ".+"/);
  });

  test.each(["abc", "a.*b", "[a-z]+@[a-z]+\\.com", "(?i)b.d"])("has nothing against %s", async (pattern) => {
    // The limit is long, because other processes may use the machine.
    await using runner = createRegexRunner({ limitMs: 3_000, log: silentLogger });
    expect(await createRegexAnalysis(runner, silentLogger).findWarning(pattern)).toBeUndefined();
  });
});
