import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Catalogue, ERROR_TEXTS, HTTP_STATUS, listParams } from "@parley/core";
import { CHINESE_CODES, CHINESE_ERROR_TEXTS } from "@parley/core/chinese";
import { describe, expect, test } from "vitest";

const CHINESE_TEXTS: Readonly<Record<string, string>> = CHINESE_ERROR_TEXTS;

describe("Chinese texts of shared failures", () => {
  test.each(Object.entries(ERROR_TEXTS))("of %s exist, with parameters that the service sends", (key, english) => {
    expect(CHINESE_TEXTS[key]).toMatch(/\p{Script=Han}/u);
    expect(listParams(english)).toEqual(expect.arrayContaining([...listParams(CHINESE_TEXTS[key] ?? "")]));
  });

  test("exist for every error code", () => {
    expect(Object.keys(CHINESE_CODES)).toEqual(expect.arrayContaining(Object.keys(HTTP_STATUS)));
  });
});

const root = join(import.meta.dirname, "..", "..");
const catalogues = await Promise.all(
  globSync("{core,host,plugins/*,adapters/*}/src/locales/en.ts", { cwd: root }).map(async (file) => {
    const { en } = (await import(join(root, file))) as { readonly en: Catalogue };
    const { zh } = (await import(join(root, file.replace(/en\.ts$/, "zh.ts")))) as { readonly zh: Catalogue };
    return { file, en, zh };
  }),
);
const texts = catalogues.flatMap(({ file, en, zh }) =>
  Object.keys(en).map((key) => [`${file} ${key}`, en[key] ?? "", zh[key] ?? ""] as const),
);

describe("the texts of every package", () => {
  test("are found", () => {
    expect(catalogues.length).toBeGreaterThan(30);
    expect(texts.length).toBeGreaterThan(900);
  });

  test.each(texts)("%s: has a Chinese text with the parameters of the English one", (_key, english, chinese) => {
    const words = chinese.replaceAll(/\{\w+\}/g, "");
    // Some texts consist of their parameters alone.
    expect(words).toMatch(/\p{Script=Han}|^\P{L}*$/u);
    expect(listParams(english)).toEqual(expect.arrayContaining([...listParams(chinese)]));
    expect(words).not.toMatch(/[a-z]{2,} [a-z]{2,} [a-z]{2,}/);
  });
});

test("patterns in sources have no English name, which a translation would lack", () => {
  const sources = globSync("{plugins,adapters,examples}/*/src/**/*.ts", { cwd: root });
  // A name behind a pattern is known in English alone.
  const named = /\.pattern\(\s*(?:\/.*\/\w*|[A-Z_]+|new RegExp\(.*\)),\s*"/;
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((file) => named.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
});
