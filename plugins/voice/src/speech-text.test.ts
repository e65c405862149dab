import { describe, expect, test } from "vitest";
import { splitIntoPieces, toSpeechText } from "./speech-text.ts";

test.each([
  ["marks of emphasis", "This is **very** *important*, ~~not~~ `now`.", "This is very important, not now."],
  ["names with underscores", "Call read_file_text, _please_.", "Call read_file_text, please."],
  ["a heading and a list", "# Plan\n\n- one\n- [x] two\n1. three", "Plan.\none.\ntwo.\n1. three"],
  ["a block of code", "Try:\n```js\nlet a = 1;\n```\nDone.", "Try:\nDone."],
  ["a block that is not closed", "Try:\n~~~\nlet a", "Try:"],
  ["nothing but code", "```\nlet a\n```", ""],
  ["links and pictures", "See [the guide](https://e.org/a_b) ![a cat](c.png)", "See the guide a cat"],
  ["bare addresses", "At https://www.example.org:8080/a/b?c=1, say.", "At example.org say."],
  ["an address in Chinese", "请看https://example.org/甲。谢谢", "请看example.org。谢谢"],
  ["a table", "| a | b |\n|---|:-:|\n| 1 | 2 |", "a, b.\n1, 2"],
  ["a quotation", "> He said\n> no\n\nI see", "He said.\nno.\nI see"],
  ["emoji", "Fine 👍🏽, 👩‍👩‍👧 and 🇩🇪 at 10 #1", "Fine , and at 10 #1"],
  ["Chinese", "## 计划\n- **第一**：开始\n\n完成了！", "计划。\n第一：开始。\n完成了！"],
  ["tags and entities", "<b>one</b> &amp; two<!-- no -->", "one & two"],
  ["nothing but marks", "***\n---\n🎉", ""],
])("%s is spoken as people say it", (_what, text, spoken) => {
  expect(toSpeechText(text)).toBe(spoken);
});

describe("splitting a text for speech", () => {
  const text = `${"The first sentence is said soon. "}${"Then comes one more. ".repeat(30)}`.trim();

  test("starts with a short piece and loses nothing", () => {
    const pieces = splitIntoPieces(text, true);
    expect(pieces[0]).toBe("The first sentence is said soon.");
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join(" ")).toBe(text);
  });

  test("keeps earlier pieces when text is added", () => {
    const whole = splitIntoPieces(text, true);
    for (let end = 0; end < text.length; end += 7) {
      const early = splitIntoPieces(text.slice(0, end), false);
      expect(whole.slice(0, early.length)).toEqual(early);
    }
  });

  test("splits at sentence ends in Chinese", () => {
    const [first] = splitIntoPieces(
      `${"这是第一句话，比较长，说得很清楚，没有问题，大家都明白了。"}这是第二句。`,
      true,
    );
    expect(first).toBe("这是第一句话，比较长，说得很清楚，没有问题，大家都明白了。");
  });
});

test.each([
  "[".repeat(20_000),
  "|-".repeat(10_000),
  "*a".repeat(10_000),
  "`".repeat(20_000),
  "<a ".repeat(20_000),
  "_".repeat(20_000),
  "```\n".repeat(12_000),
  "<!--".repeat(5_000),
  "http://a".repeat(6_000),
])("is fast with hostile input", (text) => {
  const begun = process.cpuUsage();
  toSpeechText(text);
  // CPU time is measured, because other processes use the machine too.
  expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(200);
});
