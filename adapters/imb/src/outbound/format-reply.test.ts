import { describe, expect, test } from "vitest";
import { formatText, splitParts, toHtml, toPartialText } from "./format-reply.ts";

describe("the text of an answer is formatted", () => {
  test.each([
    [
      "with code of several lines",
      "Here:\n```js\nconst a = 1;\nconst b = 2;\n```\nThat is all.",
      'Here:\n<pre><code class="language-js">const a = 1;\nconst b = 2;</code></pre>\nThat is all.',
    ],
    ["with code without a language", "```\na < b && c\n```\nafter", "<pre>a &lt; b &amp;&amp; c</pre>\nafter"],
    ["with code that has fences in it", "````\n```js\nx\n```\n````", "<pre>```js\nx\n```</pre>"],
    ["with code that is not closed", "```ts\nlet a", '<pre><code class="language-ts">let a</code></pre>'],
    ["with code in a line", "`a<b` and `` c`d ``", "<code>a&lt;b</code> and <code>c`d</code>"],
    ["with marks in marks", "***both*** **a *b* c** ~~old~~", "<i><b>both</b></i> <b>a <i>b</i> c</b> <s>old</s>"],
    ["with code that ends bold around it", "**a `b` c**", "<b>a </b><code>b</code><b> c</b>"],
    ["with links", "[a **b**](https://x.y/z_(1)?a=1&b=2)", '<a href="https://x.y/z_(1)?a=1&amp;b=2">a <b>b</b></a>'],
    ["with pictures as links", "![cat](https://x.y/c.png)", '<a href="https://x.y/c.png">cat</a>'],
    ["with other addresses as text", "[file](/static/f) <a@b.c> **x**", "file (/static/f) a@b.c <b>x</b>"],
    ["with headings in bold", "# Title **x**\ntext", "<b>Title x</b>\ntext"],
    ["with lists", "- a\n  - **b**\n\n3. c\n4. d", "• a\n  • <b>b</b>\n\n3. c\n4. d"],
    ["with tasks", "- [ ] open\n- [x] done", "☐ open\n☑ done"],
    [
      "with tables in columns",
      "| name | n |\n|---|---|\n| **猫** | 1 |\n| dog | [x](https://x.y) |",
      "<pre>name | n\n猫   | 1\ndog  | x (https://x.y)</pre>",
    ],
    ["with quotes", "> one\n> **two**\n\nafter", "<blockquote>one\n<b>two</b></blockquote>\n\nafter"],
    ["with code in a quote", "> see\n> ```\n> a\n> ```", "<blockquote>see\n<pre>a</pre></blockquote>"],
    ["with a quote in a quote", "> a\n> > b", "<blockquote>a\n│ b</blockquote>"],
    ["with code in a list", "1. a\n   ```\n   b\n   ```\n2. c", "1. a\n<pre>b</pre>\n2. c"],
    ["with bold beside Chinese punctuation", "**重点：**后文", "<b>重点：</b>后文"],
    [
      "with tags as text",
      "<script>x</script> <b>y</b> **z**",
      "&lt;script&gt;x&lt;/script&gt; &lt;b&gt;y&lt;/b&gt; <b>z</b>",
    ],
    ["with addresses as they are", "**see** https://x.y/_a_/b", "<b>see</b> https://x.y/_a_/b"],
    ["with rules", "**a**\n\n---\n\nb", "<b>a</b>\n\n———\n\nb"],
  ])("%s", (_what, markdown, html) => {
    expect(formatText(markdown)).toEqual({ text: html, parse_mode: "HTML" });
  });

  test.each(["plain < text & more", "2 * 3 * 4", "**args and **kwargs", "snake_case_words", "#hashtag", "a\n\nb", ""])(
    "as it was written when it has no formatting: %j",
    (text) => {
      expect(toHtml(text)).toBeUndefined();
      expect(formatText(text)).toEqual({ text });
    },
  );

  test("as it was written when formatting would leave nothing visible", () => {
    expect(formatText("```\n```")).toEqual({ text: "```\n```" });
  });
});

describe("a long answer", () => {
  test("is measured by the length of the text that is sent", () => {
    const parts = splitParts(`\`\`\`html\n${"<b>&</b>\n".repeat(900)}\`\`\``);
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) {
      const { text } = formatText(part);
      expect(text).toMatch(/^<pre><code class="language-html">[\s\S]*<\/code><\/pre>$/);
      expect(text.length).toBeLessThanOrEqual(4_096);
    }
  });

  test("is previewed up to its first split, with the open code block closed", () => {
    const { text } = formatText(toPartialText(`\`\`\`js\n${"let x = 1;\n".repeat(1_000)}`));
    expect(text).toMatch(/^<pre><code class="language-js">let x/);
    expect(text.length).toBeLessThanOrEqual(4_096);
    expect(formatText(toPartialText("so **far"))).toEqual({ text: "so <b>far …</b>", parse_mode: "HTML" });
    expect(toPartialText("nothing special")).toBe("nothing special …");
  });
});
