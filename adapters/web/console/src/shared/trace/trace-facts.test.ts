import { expect, test } from "vitest";
import { factsOf, sentenceOf, withReason } from "./trace-facts.ts";

test("a step says its sentence in the reader's language, and its facts where nobody translated it", () => {
  expect(sentenceOf({ lines: ["12 ms"] }, "the turn begins", true)).toBe("开始处理");
  expect(sentenceOf({ lines: ["12 ms"] }, "something new", true)).toBe("12 ms");
  expect(sentenceOf({ lines: ["12 ms"] }, "something new", false)).toBe("something new");
});

test("a sentence says why something failed in Chinese where its row brings that along", () => {
  const why = { en: "m.example cannot be reached", zh: "无法连接到 $& m.example" };
  expect(withReason("A gives no answer: m.example cannot be reached", { why })).toBe(
    "A gives no answer: 无法连接到 $& m.example",
  );
  expect(withReason("A gives no answer: 401", {})).toBe("A gives no answer: 401");
});

test("how a call came out is a word of the reader's", () => {
  const t = (key: string) => `<${key}>`;
  const model = { what: "model", model: "m", ms: 5, input_tokens: 1, output_tokens: 2, ending: "failed" };
  expect(factsOf(model, t).lines).toEqual(["m · 5 ms · 1 → 2 · <stepFailed>"]);
  expect(factsOf({ what: "tool", name: "dice", ms: 3, status: "denied" }, t).lines).toEqual(["<factDenied> · 3 ms"]);
  expect(factsOf({ what: "tool", name: "dice", ms: 3, status: "unheard" }, t).lines).toEqual(["unheard · 3 ms"]);
});
