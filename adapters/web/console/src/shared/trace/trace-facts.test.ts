import { expect, test } from "vitest";
import { readFacts } from "./trace-facts.ts";

test("the outcome of a call is a translated word, and its duration has a readable unit", () => {
  const reader = { t: (key: string) => `<${key}>`, language: "en" };
  const model = { what: "model", model: "m", ms: 5_600, input_tokens: 1, output_tokens: 2, ending: "failed" };
  expect(readFacts(model, reader)).toEqual({
    title: "<factAsked>",
    sentence: "m · 5.6 sec · 1 → 2 · <stepFailed>",
    lines: [],
  });
  expect(readFacts({ ...model, ending: "done" }, reader).title).toBe("<factModel>");
  const dice = { what: "tool", name: "dice", ms: 3 };
  expect(readFacts({ ...dice, status: "denied" }, reader).sentence).toBe("<factDenied> · 3 ms");
  expect(readFacts({ ...dice, status: "unheard" }, reader).sentence).toBe("unheard · 3 ms");
});

test("parts of the prompt and phases of a turn have names, and unknown ones show their key", () => {
  const reader = { t: (key: string) => `<${key}>`, language: "zh-CN" };
  const title = { en: "Character", zh: "角色设定" };
  const parts = [{ key: "character.profile", title, source: "characters.profile", length: 7 }];
  const off = "已在会话中关闭";
  const left_out = [
    { key: "parrot.word", source: "parrot", why: off },
    { key: "parrot.egg", source: "parrot", why: off },
  ];
  expect(readFacts({ what: "prompt", parts, left_out }, reader).lines).toEqual([
    "角色设定: <factLength>",
    "<factLeftOut>: parrot.word, parrot.egg (已在会话中关闭)",
  ]);
  expect(readFacts({ what: "times", phases: { context: 44, parrot: 1_200 } }, reader).lines).toEqual([
    "<phase_context> 44毫秒 · parrot 1.2秒",
  ]);
});
