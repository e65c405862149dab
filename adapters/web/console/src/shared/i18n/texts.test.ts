import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const WRITTEN = String.raw`"(?:[^"\\]|\\.)*"|'[^']*'`;
const PAIR = new RegExp(String.raw`^\s+"?([\w-]+)"?: \[\s*(${WRITTEN}|\{[\s\S]*?\}),\s*(${WRITTEN}),?\s*\]`, "gm");

/** Every pair of texts: [file and key, English, 中文]. */
const pairs = globSync("**/{texts,*-texts,setting-titles}.ts", { cwd: root }).flatMap((file) =>
  [...readFileSync(join(root, file), "utf8").matchAll(PAIR)].map(
    ([, key, english = "", chinese = ""]) => [`${file} ${key}`, english, chinese] as const,
  ),
);
/** Names, and signs between values. */
const SAME_IN_BOTH =
  /^["'](?:AI|MCP|ID|JSON(?: Schema|（V\d）)?|Parley|World Info|(?:\{\{\w+\}\} token)|\/|Lorebook（V\d）|(?:\{\{\w+\}\}|\W)+)["']$/;

describe("the texts of the console", () => {
  it("are in Chinese too", () => {
    expect(pairs.length).toBeGreaterThan(1_000);
    const english = pairs.filter(([, , chinese]) => !/\p{Script=Han}/u.test(chinese) && !SAME_IN_BOTH.test(chinese));
    expect(english).toEqual([]);
  });

  it("leave no English sentence in the Chinese ones", () => {
    const words = /(?<![\w.{/])[a-z]{2,} [a-z]{2,} [a-z]{2,}/;
    expect(pairs.filter(([, , chinese]) => words.test(chinese))).toEqual([]);
  });

  it("have the same values in both languages", () => {
    const valuesIn = (text: string) => new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name));
    const other = pairs.filter(([, english, chinese]) => valuesIn(chinese).difference(valuesIn(english)).size > 0);
    expect(other).toEqual([]);
  });
});
