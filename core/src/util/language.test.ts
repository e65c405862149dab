import { describe, expect, test } from "vitest";
import { acceptedLanguage, inLanguage, senderLanguage } from "./language.ts";

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
    expect(senderLanguage({ sender, text })).toBe(expected);
  });

  test("selects one of two texts, and a single text is used as it is", () => {
    expect([inLanguage({ en: "yes", zh: "是" }, "zh"), inLanguage("ok", "zh")]).toEqual(["是", "ok"]);
  });
});

describe("the language of a page", () => {
  test.each([
    [undefined, "en"],
    ["", "en"],
    ["zh-CN,zh;q=0.9,en;q=0.8", "zh"],
    ["en-US,en;q=0.9,zh;q=0.8", "en"],
    ["en;q=0.2, zh-Hant;q=0.7", "zh"],
    ["fr-FR, fr;q=0.9, zh;q=0.5", "zh"],
    ["zh;q=0, en;q=0.1", "en"],
    ["ZH", "zh"],
    ["zha, de", "en"],
    ["zh;q=many", "zh"],
    ["*", "en"],
  ])("to a browser with %j is %s", (header, expected) => {
    expect(acceptedLanguage(header)).toBe(expected);
  });
});
