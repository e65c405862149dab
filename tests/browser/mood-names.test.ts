import { STICKER_CATEGORIES } from "@parley/core/characters";
import { expect, test } from "vitest";
import { ENGLISH_MOODS } from "../../adapters/web/console/src/shared/i18n/mood-names.ts";

test("every mood has a unique English name", () => {
  expect(Object.keys(ENGLISH_MOODS).toSorted()).toEqual(Object.values(STICKER_CATEGORIES).flat().toSorted());
  expect(new Set(Object.values(ENGLISH_MOODS)).size).toBe(Object.keys(ENGLISH_MOODS).length);
});
