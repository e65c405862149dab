import { describe, expect, test } from "vitest";
import { defineTexts } from "./define-texts.ts";
import { localizeMessage, toLocalized } from "./error-texts.ts";

const en = {
  removed: "{count, plural, one {# die} other {# dice}} removed from {place}",
  too_many: "{count} dice are too many",
} as const;
const zh = { removed: "已从{place}移除 {count} 个骰子", too_many: "骰子太多（{count}）" };

describe("the texts of a package", () => {
  const texts = defineTexts("dice", { en, zh });

  test("give an error its sentence in both languages, and the key by which others know it", () => {
    const error = texts.error("bad_request", "too_many", { count: 9 }, { field: "dice" });
    expect(error).toMatchObject({
      code: "bad_request",
      message: "dice: 9 dice are too many",
      detail: { key: "dice.too_many", field: "dice", params: { count: 9 } },
    });
    expect(toLocalized(error).zh).toBe("dice：骰子太多（9）");
  });

  test.each([
    [0, "0 dice removed from the table", "已从桌上移除 0 个骰子"],
    [1, "1 die removed from the table", "已从桌上移除 1 个骰子"],
    [2, "2 dice removed from the table", "已从桌上移除 2 个骰子"],
  ])("have the form that a language has for the number %s", (count, english, chinese) => {
    const { error, detail } = texts.message("removed", { count, place: { en: "the table", zh: "桌上" } });
    expect(localizeMessage(error, detail)).toEqual({ en: english, zh: chinese });
  });

  test("give a text in both languages", () => {
    expect(texts.localized("too_many", { count: 9 })).toEqual({ en: "9 dice are too many", zh: "骰子太多（9）" });
  });

  test.each([
    ["lacks a key", { removed: zh.removed }, "'too_many' is missing"],
    ["has a key more", { ...zh, more: "更多" }, "'more' is unknown"],
    ["names a parameter more", { ...zh, too_many: "{total} 个" }, "'too_many' has no parameter 'total'"],
  ])("are rejected when a language %s", (_how, wrong, problem) => {
    expect(() => defineTexts("dice", { en, zh: wrong as typeof zh })).toThrow(
      `the Chinese texts of 'dice' do not fit the English ones: ${problem}`,
    );
  });
});
