import { describe, expect, test } from "vitest";
import { closeMarks, layOutMarkdown, splitMarkdown, toPlainText } from "./index.ts";

describe("a channel without formatting shows", () => {
  test.each([
    [
      "code of several lines as it is",
      "Here:\n```js\nconst a = **1**;\n  b();\n```\nend",
      "Here:\nconst a = **1**;\n  b();\nend",
    ],
    ["a fence of four signs around one of three", "````\n```js\nx\n```\n````", "```js\nx\n```"],
    ["code in a line, with a backtick in it", "a `x**y**` and `` c`d ``", "a x**y** and c`d"],
    ["marks within marks without their signs", "***both*** **a *b* c** ~~old~~", "both a b c old"],
    ["a link with its address", "[here](https://x.y/a_(b)?c=1)", "here (https://x.y/a_(b)?c=1)"],
    ["an address once", "[https://x.y](https://x.y) <https://u.v> <a@b.c>", "https://x.y https://u.v a@b.c"],
    [
      "a picture as a link",
      "![a cat](https://x.y/cat.png) ![](https://x.y/2.png)",
      "a cat (https://x.y/cat.png) https://x.y/2.png",
    ],
    ["a link without a text by its address", "go [](https://x.y)", "go https://x.y"],
    ["headings and rules", "# Title **x**\ntext\n\n---\nmore", "Title x\ntext\n\n———\nmore"],
    ["a line of signs below a text as a rule", "text\n---\nmore", "text\n———\nmore"],
    ["lists, one inside the other", "- a\n  - b\n    more\n- c", "• a\n  • b\n    more\n• c"],
    ["a list that begins with three", "3. c\n4. d", "3. c\n4. d"],
    ["a list that numbers every item with one", "1. **a**\n1. b\n1. c", "1. a\n2. b\n3. c"],
    ["tasks", "- [ ] open\n- [x] done\n1. [ ] first", "☐ open\n☑ done\n1. ☐ first"],
    ["a table in lines", "| a | b |\n|---|:-:|\n| 1 | **2** |", "a | b\n1 | 2"],
    ["a line break in a cell as a space", "| a |\n|---|\n| 1<br>2 |", "a\n1 2"],
    ["a quote behind a bar", "> one\n> **two**\n\nafter", "│ one\n│ two\n\nafter"],
    ["a quote with code", "> see\n> ```\n> a = 1\n> ```", "│ see\na = 1"],
    ["bold beside Chinese punctuation", "**重点：**后文，**“引号”**后文", "重点：后文，“引号”后文"],
    ["bold that a word follows at once", "**Note:**text", "Note:text"],
    ["bold inside a Chinese sentence", "这是**很重要**的", "这是很重要的"],
    ["the first letters of words", "**T**est **D**riven", "Test Driven"],
    ["hard line breaks", "a  \nb\\\nc **d**", "a\nb\nc d"],
    ["what is escaped", "\\*no\\* **yes** &lt;", "*no* yes <"],
  ])("%s", (_what, markdown, text) => {
    expect(toPlainText(markdown)).toBe(text);
  });

  test.each([
    "**args and **kwargs",
    "snake_case_words and __init__.py",
    "2 * 3 * 4, 2*3*4 and 2**3 and 4**5",
    "a*b*c",
    "f(**a) and g(**b), (x)**y + (z)**w",
    "<script>alert(1)</script> <b>bold</b>",
    "#hashtag and #1",
    "https://x.y/_a_/b*c*d?e=**f",
    "see [1] and [^1]\n\n[^1]: a note\n[1]: https://x.y",
    "\\(x_1 * y_1\\) and \\[\\frac{a}{b}\\] and $a_i * b_i$ for $5",
    "¯\\_(ツ)_/¯ 👩‍👩‍👧",
    "a || b || c and |x|",
    "[x](javascript:alert(1))",
    "first\n\n\n\nsecond  \n  third",
  ])("a text without formatting as it was written: %j", (text) => {
    expect(toPlainText(text)).toBe(text);
    expect(layOutMarkdown(text)).toBeUndefined();
  });

  test("text that is nested unreasonably deep", () => {
    const text = `${"> ".repeat(500)}deep **and bold**`;
    expect(toPlainText(text)).toBe(text);
  });
});

describe("a long text is split so that", () => {
  test("short texts stay as they are", () => {
    expect(splitMarkdown("  **hello**\r\n", 100)).toEqual(["  **hello**\r\n"]);
    expect(splitMarkdown(" \n", 100)).toEqual([]);
  });

  test("code continues as code of its language", () => {
    const parts = splitMarkdown(`Look:\n\`\`\`ts\n${"let x = 1;\n".repeat(30)}\`\`\``, 100);
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) expect(part).toMatch(/^(?:Look:\n)?```ts\n(?:let x = 1;\n)+```$/);
  });

  test("code that contains fences keeps its own fence", () => {
    const parts = splitMarkdown(`\`\`\`\`md\n${"```js\nx\n```\n".repeat(20)}\`\`\`\``, 100);
    for (const part of parts) expect(part).toMatch(/^````md\n[\s\S]*\n````$/);
  });

  test("a code block that fits stays whole, and so does a table", () => {
    const code = `\`\`\`ts\n${"let x;\n".repeat(8)}\`\`\``;
    expect(splitMarkdown(`${"a".repeat(60)}\n${code}`, 100)).toEqual(["a".repeat(60), code]);
    const table = `| a | b |\n|---|---|\n${"| 1 | 2 |\n".repeat(4)}`.trim();
    expect(splitMarkdown(`${"a".repeat(60)}\n\n${table}`, 100)).toEqual(["a".repeat(60), table]);
  });

  test("bold text is bold in each part", () => {
    const parts = splitMarkdown(`**${"bold words ".repeat(20).trim()}** and *${"others ".repeat(20).trim()}*`, 100);
    expect(parts[0]).toMatch(/^\*\*bold .*[a-z]\*\*$/);
    expect(parts[1]).toMatch(/^\*\*[a-z].*[a-z]\*\*$/);
    expect(parts.at(-1)).toMatch(/^\*others.*[a-z]\*$/);
  });

  test("numbering continues where every item is numbered with one", () => {
    const parts = splitMarkdown(Array.from({ length: 9 }, () => `1. ${"item ".repeat(6).trim()}`).join("\n"), 100);
    expect(parts.map(toPlainText).join("\n").match(/^\d+/gm)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  });

  test("a table continues as a table, with its header once", () => {
    const parts = splitMarkdown(`| name | n |\n|---|---|\n${"| **cell** | 1 |\n".repeat(20)}`, 100);
    for (const part of parts) expect(layOutMarkdown(part, { tables: true })).toMatchObject([{ type: "table" }]);
    expect(parts.map(toPlainText).join("\n").match(/name/g)).toHaveLength(1);
  });

  test("a quote continues as a quote", () => {
    for (const part of splitMarkdown(`> ${"quoted words ".repeat(30)}`, 100))
      expect(layOutMarkdown(part, { quotes: true })).toMatchObject([{ type: "quote" }]);
  });

  test("no link is split or repeated", () => {
    const parts = splitMarkdown("see [a page with a name](https://x.y/page) there ".repeat(12), 100);
    expect(
      parts
        .map(toPlainText)
        .join(" ")
        .match(/\(https:\/\/x\.y\/page\)/g),
    ).toHaveLength(12);
  });

  test("text that cannot be split otherwise loses its formatting", () => {
    const parts = splitMarkdown(`[${"label ".repeat(40)}](https://x.y)\n\n**after**`, 100);
    expect(parts.map(toPlainText).join(" ")).toContain("(https://x.y)");
    expect(parts.at(-1)).toBe("**after**");
  });
});

describe("a text that is still being streamed", () => {
  test.each([
    ["an open fence", "a\n```js\nlet **x", "a\nlet **x …"],
    ["a fence whose language is being written", "a\n```j", "a …"],
    ["open bold", "a **bold wor", "a bold wor …"],
    ["bold that is about to end", "a **bold*", "a bold …"],
    ["italics inside bold", "**a *b", "a b …"],
    ["code in a line", "see `a*b", "see a*b …"],
    ["half a link", "see [the page](https://x", "see the page …"],
    ["signs that just began", "now **", "now …"],
    ["code that just ended", "```\nx\n```", "x\n…"],
    ["nothing open", "a *b* c", "a b c …"],
  ])("shows %s as it will look", (_what, markdown, text) => {
    expect(toPlainText(closeMarks(markdown, " …"))).toBe(text);
  });
});
