import { expect, test } from "vitest";
import { readPackageTexts } from "./package-texts.ts";

test("a package is described in both languages", () => {
  const parley = { title: { en: "Stickers", zh: "贴纸" }, about: { zh: "挂图。" } };
  expect(readPackageTexts({ description: "Hangs pictures.", parley }, "sticker")).toEqual({
    title: { en: "Stickers", zh: "贴纸" },
    about: { en: "Hangs pictures.", zh: "挂图。" },
  });
});

test("a missing description falls back to the existing one", () => {
  expect(readPackageTexts({ description: "Hangs pictures." }, "sticker")).toEqual({
    title: { en: "sticker", zh: "sticker" },
    about: { en: "Hangs pictures.", zh: "Hangs pictures." },
  });
  expect(readPackageTexts(undefined, "given")).toEqual({
    title: { en: "given", zh: "given" },
    about: { en: "", zh: "" },
  });
});

test("an invalid description is ignored, and control characters in one have no effect", () => {
  const parley = { title: { en: 7, zh: ["x"] }, about: "x" };
  const texts = readPackageTexts({ description: `a\u202eb\u001b[1m ${"x".repeat(1_000)}`, parley }, "odd");
  expect(texts.title).toEqual({ en: "odd", zh: "odd" });
  expect(texts.about.en).toMatch(/^a b \[1m x+$/);
  expect(texts.about.en).toHaveLength(400);
});
