import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const repository = dirname(import.meta.dirname);
const [, glossary = ""] = readFileSync(join(repository, ".github", "ARCHITECTURE.md"), "utf8").split("\n## Glossary\n");
const words = [...glossary.matchAll(/^\| ([^|]+?) +\| ([^|]+?) +\|/gm)]
  .map(([, en = "", zh = ""]) => ({ en, zh }))
  .slice(2);

/** Everything between double quotes in the texts that people read. */
const texts = globSync("{adapters/web/console/src,plugins/*/src,host/src}/**/*.{ts,tsx}", { cwd: repository })
  .filter((file) => !file.includes(".test."))
  .flatMap((file) => readFileSync(join(repository, file), "utf8").match(/"(?:[^"\\\n]|\\.)*"/g) ?? [])
  .join("\n")
  .toLowerCase();

test("the glossary has each word once, in both languages", () => {
  expect(words.length).toBeGreaterThan(50);
  const twice = (all: readonly string[]) => all.filter((word, at) => all.indexOf(word) !== at);
  expect(twice(words.map(({ en }) => en))).toEqual([]);
});

test("the console and the service say each word as the glossary has it", () => {
  const missing = words.filter(({ en, zh }) => !texts.includes(en.toLowerCase()) || !texts.includes(zh.toLowerCase()));
  expect(missing).toEqual([]);
});
