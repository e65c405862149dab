import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { markEdges } from "./cjk-spacing.ts";
import { formatValues, toPluralEntries } from "./plurals.ts";

const source = join(import.meta.dirname, "..", "..");

test("a text with a count has a singular and a plural form, chosen by number", () => {
  expect(toPluralEntries("entries", { one: "{{count}} entry", other: "{{count}} entries" })).toEqual([
    ["entries", "{{count}} entries"],
    ["entries_one", "{{count}} entry"],
  ]);
  expect(formatValues({ count: 1 }, "en")).toEqual({ count: "1", context: "one" });
  for (const count of [0, 2, 1.5]) expect(formatValues({ count }, "en")).toEqual({ count: String(count) });
  expect(formatValues({ count: 1 }, "zh-CN")).toEqual({ count: markEdges("1") });
});

test("numbers are formatted for the language, texts stay as they are", () => {
  expect(formatValues({ count: 32_000, most: 1_000, name: "1000" }, "en")).toEqual({
    count: "32,000",
    most: "1,000",
    name: "1000",
  });
});

test("no text of the console has a count without a plural form", () => {
  const wrong = globSync("**/texts.ts", { cwd: source }).flatMap((file) =>
    [
      ...readFileSync(join(source, file), "utf8").matchAll(/\[\s*"([^"]*\{\{(?:count|number)\}\} [a-z]+s\b[^"]*)"/g),
    ].map(([, text]) => `${file}: ${text}`),
  );
  expect(wrong).toEqual([]);
});
