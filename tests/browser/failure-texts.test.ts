import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ERROR_TEXTS, HTTP_STATUS } from "@parley/core";
import { CHINESE_CODES, CHINESE_ERROR_TEXTS } from "@parley/core/chinese";
import { describe, expect, test } from "vitest";

const CHINESE_TEXTS: Readonly<Record<string, string>> = CHINESE_ERROR_TEXTS;
const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

describe("Chinese texts for failures", () => {
  test.each(Object.entries(ERROR_TEXTS))(
    "of %s exist, and for nothing that the service does not send",
    (key, english) => {
      expect(CHINESE_TEXTS[key]).toMatch(/\p{Script=Han}/u);
      expect(namesIn(english)).toEqual(expect.arrayContaining(namesIn(CHINESE_TEXTS[key] ?? "")));
    },
  );

  test("exist for every error code", () => {
    expect(Object.keys(CHINESE_CODES)).toEqual(expect.arrayContaining(Object.keys(HTTP_STATUS)));
  });
});

const root = join(import.meta.dirname, "..", "..");
const PAIR = /\b(\w+): \{\s*en: "((?:[^"\\]|\\.)*)",\s*zh: "((?:[^"\\]|\\.)*)",?\s*\}/g;
const tables = globSync("{core,host,plugins/*,adapters/*}/src/**/{*-failures,said-lines,said-warnings}.ts", {
  cwd: root,
}).map((file) => {
  const text = readFileSync(join(root, file), "utf8");
  return { file, count: text.match(/\ben: "/g)?.length ?? 0, pairs: [...text.matchAll(PAIR)] };
});

describe("failures and warnings of our plugins", () => {
  test("are defined in tables", () => {
    expect(tables.flatMap(({ pairs }) => pairs).length).toBeGreaterThan(100);
    expect(tables.filter(({ count, pairs }) => count !== pairs.length)).toEqual([]);
  });

  test.each(tables.flatMap(({ file, pairs }) => pairs.map(([, key, en = "", zh = ""]) => [`${file} ${key}`, en, zh])))(
    "of %s have Chinese texts with the same parameters",
    (_key, english, chinese) => {
      const words = chinese.replaceAll(/\{\w+\}/g, "");
      // Of some there is nothing to say but what stands in it.
      expect(words).toMatch(/\p{Script=Han}|^\P{L}+$/u);
      expect(namesIn(english)).toEqual(expect.arrayContaining(namesIn(chinese)));
      expect(words).not.toMatch(/[a-z]{2,} [a-z]{2,} [a-z]{2,}/);
    },
  );
});

test("include the patterns of our schemas, where they are defined", () => {
  const sources = globSync("{plugins,adapters,examples}/*/src/**/*.ts", { cwd: root });
  // A name behind a pattern is known in English alone.
  const named = /\.pattern\(\s*(?:\/.*\/\w*|[A-Z_]+|new RegExp\(.*\)),\s*"/;
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((file) => named.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
});
