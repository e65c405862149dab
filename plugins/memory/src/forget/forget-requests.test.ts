import type { Memory } from "@parley/core";
import { describe, expect, test } from "vitest";
import { extractLocally } from "../extraction/local-facts.ts";
import { findMemoriesToForget, parseForgetRequest } from "./forget-requests.ts";

const KNOWN = [
  "My name is Ann.",
  "I live in Rome.",
  "I work as a baker.",
  "My birthday is on May 3.",
  "I'm allergic to walnuts.",
  "I'm allergic to bees.",
  "I love green tea.",
  "My dog is called Rex.",
  "My wife is called Ana.",
  "我生日是五月三号",
  "我养了两只猫",
]
  .flatMap(extractLocally)
  .map((one, at) => ({ ...one, id: `mem_${at}` }) as unknown as Memory);
const byModel = { id: "mem_m", content: "Ann celebrates her birthday on May 3", fact: null } as Memory;

test.each([
  ["Please forget my birthday", ["Has birthday on May 3", "生日是五月三号"]],
  ["Forget my birthday, please.", ["Has birthday on May 3", "生日是五月三号"]],
  ["Could you forget where I live?", ["Lives in Rome"]],
  ["forget that I live in Rome", ["Lives in Rome"]],
  ["I want you to forget about my job", ["Works as or at a baker"]],
  ["Please forget that I'm allergic to walnuts", ["Is allergic to walnuts"]],
  ["Please forget that I’m allergic to walnuts!", ["Is allergic to walnuts"]],
  ["Forget all my allergies", ["Is allergic to walnuts", "Is allergic to bees"]],
  ["Forget my pets", ["Has a dog called Rex", "养了两只猫"]],
  ["stop remembering my wife", ["Has a wife called Ana"]],
  ["Delete my name from your memory", ["Is called Ann"]],
  ["Forget that I like green tea", ["Likes green tea"]],
  ["请忘记我的生日", ["Has birthday on May 3", "生日是五月三号"]],
  ["把我的工作忘掉吧", ["Works as or at a baker"]],
  ["别再记得我住在哪里", ["Lives in Rome"]],
  ["Forget my age", []],
  ["Forget that I have a parrot called Kiki", undefined],
])("asks to forget something: %s", (text, wanted) => {
  const { what = "" } = parseForgetRequest(text) ?? {};
  expect(what).not.toBe("");
  expect(findMemoriesToForget(what, KNOWN)?.map(({ content }) => content)).toEqual(wanted);
});

test.each(["Forget everything you know about me", "请忘记关于我的一切"])("asks to forget everything: %s", (text) => {
  expect(findMemoriesToForget(parseForgetRequest(text)?.what ?? "", KNOWN)).toEqual(KNOWN);
});

test("facts that a model extracted are forgotten too", () => {
  expect(findMemoriesToForget("my birthday", [byModel])).toEqual([byModel]);
});

describe("is no request to forget", () => {
  test.each([
    "Don't forget my birthday!",
    "Never forget that I love you",
    "Did you forget my birthday?",
    "I always forget my keys",
    "I forgot my birthday",
    "Forget it.",
    "Forget about it, never mind",
    "Forget my last message",
    "I can't forget my ex",
    "别忘了我的生日",
    "不要忘记我对花生过敏",
    "我忘了我的钥匙",
    "你忘了我的生日吗",
  ])("%s", (text) => {
    expect(parseForgetRequest(text)).toBeUndefined();
  });
});
