import { expect, test } from "vitest";
import { appendReason, readFacts, toSentence } from "./trace-facts.ts";

test("a step says its sentence in the reader's language, and its facts where nobody translated it", () => {
  expect(toSentence({ lines: ["12 ms"] }, "the turn begins", true)).toBe("开始处理");
  expect(toSentence({ lines: ["12 ms"] }, "something new", true)).toBe("12 ms");
  expect(toSentence({ lines: ["12 ms"] }, "something new", false)).toBe("something new");
});

test("a sentence says why something failed in Chinese where its row brings that along", () => {
  const why = { en: "m.example cannot be reached", zh: "无法连接到 $& m.example" };
  expect(appendReason("A gives no answer: m.example cannot be reached", { why })).toBe(
    "A gives no answer: 无法连接到 $& m.example",
  );
  expect(appendReason("A gives no answer: 401", {})).toBe("A gives no answer: 401");
});

test("how a call came out is a word of the reader's, and how long it took in a unit that people know", () => {
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

test("parts of the prompt and phases of a turn have names; what nobody named keeps its key", () => {
  const reader = { t: (key: string) => `<${key}>`, language: "zh-CN" };
  const parts = [{ key: "character.profile", source: "characters.profile", length: 7 }];
  const off = "switched off in the session";
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
