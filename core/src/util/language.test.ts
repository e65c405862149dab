import { describe, expect, test } from "vitest";
import { inLanguage, languageOf } from "./language.ts";

describe("the language of an answer", () => {
  test.each([
    ["zh", "hello", "zh"],
    ["zh-Hans-CN", "hello", "zh"],
    ["ZH_tw", "hello", "zh"],
    ["en-GB", "你好", "en"],
    ["de", "hallo", "en"],
    ["zha", "hello", "en"],
    ["", "帮助", "zh"],
    [undefined, "/help 记忆", "zh"],
    [undefined, "/help", "en"],
    [undefined, "", "en"],
    [undefined, "日本語で話しています", "en"],
  ])("to a sender with %j who writes %j is %s", (language, text, expected) => {
    const sender = { id: "1", name: "Ann", isAdmin: false, ...(language !== undefined && { language }) };
    expect(languageOf({ sender, text })).toBe(expected);
  });

  test("selects one of two texts, and a single text is used as it is", () => {
    expect([inLanguage({ en: "yes", zh: "是" }, "zh"), inLanguage("ok", "zh")]).toEqual(["是", "ok"]);
  });
});
