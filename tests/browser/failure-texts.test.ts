import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Catalogue, HTTP_STATUS, listParams } from "@parley/core";
import { describe, expect, test } from "vitest";

/** Reads all texts that a file of a catalogue exports. */
async function readTexts(file: string): Promise<Catalogue> {
  const exported = (await import(join(root, file))) as Readonly<Record<string, Catalogue>>;
  return Object.assign({}, ...Object.values(exported)) as Catalogue;
}

const root = join(import.meta.dirname, "..", "..");
const catalogues = await Promise.all(
  globSync("{core,host,plugins/*,adapters/*}/src/locales/en.ts", { cwd: root }).map(async (file) => {
    return { file, en: await readTexts(file), zh: await readTexts(file.replace(/en\.ts$/, "zh.ts")) };
  }),
);
const texts = catalogues.flatMap(({ file, en, zh }) =>
  Object.keys(en).map((key) => [`${file} ${key}`, en[key] ?? "", zh[key] ?? ""] as const),
);

test("every error code has a meaning in words", async () => {
  const codes = Object.keys(HTTP_STATUS).map((code) => `code.${code}`);
  expect(Object.keys(await readTexts("core/src/locales/zh.ts"))).toEqual(expect.arrayContaining(codes));
});

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
  // The name of a pattern exists in English only.
  const named = /\.pattern\(\s*(?:\/.*\/\w*|[A-Z_]+|new RegExp\(.*\)),\s*"/;
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((file) => named.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
});
