import { STICKER_CATEGORIES } from "@parley/core";
import { expect, test } from "vitest";
import { ENGLISH_MOODS } from "../../adapters/web/console/src/shared/i18n/mood-names.ts";

test("every mood of the product has a name for who reads English, and no two the same", () => {
  expect(Object.keys(ENGLISH_MOODS).toSorted()).toEqual(Object.values(STICKER_CATEGORIES).flat().toSorted());
  expect(new Set(Object.values(ENGLISH_MOODS)).size).toBe(Object.keys(ENGLISH_MOODS).length);
});
