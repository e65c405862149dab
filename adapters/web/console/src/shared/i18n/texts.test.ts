import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const WRITTEN = String.raw`"(?:[^"\\]|\\.)*"|'[^']*'`;
const PAIR = new RegExp(String.raw`^\s+"?([\w-]+)"?: \[\s*(${WRITTEN}|\{[\s\S]*?\}),\s*(${WRITTEN}),?\s*\]`, "gm");

/** Every pair of texts: [file and key, English, 中文]. */
const pairs = globSync("**/{texts,*-texts}.ts", { cwd: root }).flatMap((file) =>
  [...readFileSync(join(root, file), "utf8").matchAll(PAIR)].map(
    ([, key, english = "", chinese = ""]) => [`${file} ${key}`, english, chinese] as const,
  ),
);
/** Texts that are the same in both languages: names, and punctuation between values. */
const SAME_IN_BOTH =
  /^["'](?:AI|MCP|ID|JSON(?: Schema|（V\d）)?|Parley|World Info|(?:\{\{\w+\}\} token)|\/|Lorebook（V\d）|(?:\{\{\w+\}\}|\W)+)["']$/;

/** Keys that the service sends, such as the place where a world book entry was found. */
const NAMED_BY_THE_SERVICE = /^areas\/world-books\/texts\.ts recursion$/;

describe("the texts of the console", () => {
  it("exist in Chinese too", () => {
    expect(pairs.length).toBeGreaterThan(1_000);
    const english = pairs.filter(([, , chinese]) => !/\p{Script=Han}/u.test(chinese) && !SAME_IN_BOTH.test(chinese));
    expect(english).toEqual([]);
  });

  it("contain no English sentence in the Chinese ones", () => {
    const words = /(?<![\w.{/])[a-z]{2,} [a-z]{2,} [a-z]{2,}/;
    expect(pairs.filter(([, , chinese]) => words.test(chinese))).toEqual([]);
  });

  it("have the same placeholders in both languages", () => {
    const valuesIn = (text: string) => new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name));
    const wrong = pairs.filter(([, english, chinese]) => valuesIn(chinese).difference(valuesIn(english)).size > 0);
    expect(wrong).toEqual([]);
  });

  it("get no value that none of them shows", () => {
    const shown = new Set(
      pairs.flatMap(([, english]) => [...english.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)),
    );
    const wrong = globSync("**/*.tsx", { cwd: root }).flatMap((file) => {
      const source = readFileSync(join(root, file), "utf8");
      const values = [...source.matchAll(/\bt\((?:[^(){}]|\([^()]*\))*, \{([^{}]*)\}/g)].map(([, inner = ""]) => inner);
      const names = values.flatMap((inner) => [
        ...inner.replaceAll(/\((?:[^()]|\([^()]*\))*\)/g, "").matchAll(/(?:^|,)\s*(\w+)/g),
      ]);
      return names.filter(([, name]) => name !== "count" && !shown.has(name)).map(([, name]) => `${file}: ${name}`);
    });
    expect(shown.size).toBeGreaterThan(30);
    expect(wrong).toEqual([]);
  });

  it("are all used", () => {
    const sources = globSync("**/*.{ts,tsx}", { cwd: root })
      .filter((file) => !file.includes(".test."))
      .map((file) => readFileSync(join(root, file), "utf8"))
      .join("\n");
    const uses = new Map<string, number>();
    for (const [word] of sources.matchAll(/[\w-]+/g)) uses.set(word, (uses.get(word) ?? 0) + 1);
    const keys = pairs.map(([name]) => name.split(" ").at(-1) ?? "");
    const entries = new Map<string, number>();
    for (const key of keys) entries.set(key, (entries.get(key) ?? 0) + 1);
    // Keys with a prefix are composed: `state_${state}`.
    const isComposed = (key: string) => sources.includes(`\`${key.slice(0, key.indexOf("_") + 1)}\${`);
    const unused = pairs
      .filter(([name]) => !NAMED_BY_THE_SERVICE.test(name))
      .map(([name]) => [name, name.split(" ").at(-1) ?? ""] as const)
      .filter(([, key]) => (uses.get(key) ?? 0) <= (entries.get(key) ?? 0) && !(key.includes("_") && isComposed(key)))
      .map(([name]) => name);
    expect(unused).toEqual([]);
  });

  it("are not repeated where a shared text exists", () => {
    const shared = new Map(
      pairs
        .filter(([name]) => name.startsWith("shared/i18n/texts.ts "))
        .map(([name, ...texts]) => [name.split(" ").at(-1), texts.join()] as const),
    );
    const repeated = pairs.filter(
      ([name, ...texts]) =>
        !name.startsWith("shared/i18n/texts.ts ") && shared.get(name.split(" ").at(-1)) === texts.join(),
    );
    expect(repeated.map(([name]) => name)).toEqual([]);
  });
});
