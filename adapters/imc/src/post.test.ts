import { describe, expect, test } from "vitest";
import { splitParts } from "./outgoing.ts";
import { toPost } from "./post.ts";

const text = (words: string, ...style: string[]) => ({ tag: "text", text: words, ...(style.length > 0 && { style }) });

describe("an answer is formatted as rich text", () => {
  test.each([
    [
      "with marks in marks",
      "**a *b*** ~~c~~",
      [[text("a ", "bold"), text("b", "bold", "italic"), text(" "), text("c", "lineThrough")]],
    ],
    [
      "with links",
      "see [**a**](https://x.y)",
      [[text("see "), { tag: "a", text: "a", href: "https://x.y", style: ["bold"] }]],
    ],
    ["with other addresses as text", "[a *b*](/f)", [[text("a "), text("b", "italic"), text(" (/f)")]]],
    [
      "with code of several lines",
      "Here:\n```js\na\nb\n```\nend",
      [[text("Here:")], [{ tag: "code_block", text: "a\nb", language: "JAVASCRIPT" }], [text("end")]],
    ],
    ["with code of a language nobody colours", "```brainfuck\n+\n```", [[{ tag: "code_block", text: "+" }]]],
    [
      "with empty lines and rules",
      "# T\n\na\n\n---\nb",
      [[text("T", "bold")], [text(" ")], [text("a")], [text(" ")], [{ tag: "hr" }], [text("b")]],
    ],
    ["with lists", "- **a**\n- b", [[text("• "), text("a", "bold")], [text("• b")]]],
    [
      "without calling anybody",
      '**x** <at user_id="all">all</at>',
      [[text("x", "bold"), text(' ＜at user_id="all">all＜/at>')]],
    ],
    [
      "with quotes and tables in lines",
      "> a\n\n| h |\n|---|\n| c |",
      [[text("│ a")], [text(" ")], [text("h", "bold")], [text("c")]],
    ],
  ])("%s", (_what, markdown, lines) => {
    expect(toPost(markdown)).toEqual(lines);
  });

  test.each(["hello", "2 * 3 * 4", "**args and **kwargs", "a\nb <at>"])(
    "not when it has no formatting: %j",
    (markdown) => {
      expect(toPost(markdown)).toBeUndefined();
    },
  );
});

describe("a long answer", () => {
  test("is measured in characters of plain text, and in bytes of rich text", () => {
    expect(splitParts("字".repeat(30_000))).toHaveLength(1);
    const parts = splitParts(`**${"字".repeat(90)}。**\n\n`.repeat(300));
    for (const part of parts) expect(Buffer.byteLength(JSON.stringify(toPost(part)))).toBeLessThan(30_000);
    expect(parts.length).toBeGreaterThan(2);
  });
});
