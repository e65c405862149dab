import fc from "fast-check";

const weighted = (weight: number, ...texts: readonly string[]) => ({ weight, arbitrary: fc.constantFrom(...texts) });

/** Words and Markdown marks in any mixture. */
const words = fc.oneof(
  weighted(4, "word", "中文。", "snake_case_word", "2 * 3", "5*6", "&amp;", "a < b & c", '"quoted"', "😀", "👩‍👩‍👧"),
  weighted(4, "**bold**", "*it*", "***both***", "__b__", "~~old~~", "`a*b`", "``a`b``", "**`code`**"),
  weighted(3, "**重点：**", "**a *b* c**", "**two words", "*", "**", "`", "~~", "_", "\\*", "\\(x_1\\)", "||x||"),
  weighted(3, "[a](https://x.y/z_(b))", "![p](https://p.q)", "<https://u.v>", "https://x.y/_a_b", "[", "]("),
  weighted(2, "[**b** `c`](https://x.y?a=1&b=2)", "[r](/static/f)", "[j](javascript:alert(1))", "<a@b.c>"),
  weighted(2, "<b>", "<script>", "</pre>", "a<br>b", "$x_i*y$", "|", "**kwargs", "x".repeat(70), "#tag"),
);
const line = fc.array(words, { minLength: 1, maxLength: 14 }).map((texts) => texts.join(" "));
const linesArbitrary = (most: number, each: (text: string, at: number) => string) =>
  fc.array(line, { minLength: 1, maxLength: most }).map((texts) => texts.map(each).join("\n"));
const block = fc.oneof(
  { weight: 5, arbitrary: linesArbitrary(3, (text) => text) },
  { weight: 1, arbitrary: line.map((text) => `## ${text}`) },
  { weight: 2, arbitrary: linesArbitrary(9, (text) => text).map((text) => `\`\`\`js\n${text}\n\`\`\``) },
  { weight: 1, arbitrary: line.map((text) => `\`\`\`\`\n\`\`\`\n${text}\n\`\`\`\n\`\`\`\``) },
  { weight: 2, arbitrary: linesArbitrary(5, (text) => `- ${text}`) },
  { weight: 2, arbitrary: linesArbitrary(5, (text) => `1. ${text}`) },
  { weight: 1, arbitrary: line.map((text) => `3. a\n   - ${text}\n     ${text}\n4. [ ] b`) },
  { weight: 1, arbitrary: line.map((text) => `10. a\n\n    ~~~py\n    ${text}\n    ${text}\n    ~~~\n11. b`) },
  { weight: 2, arbitrary: linesArbitrary(4, (text) => `> ${text}`) },
  { weight: 1, arbitrary: line.map((text) => `> > ${text}\n>\n> \`\`\`\n> ${text}\n> \`\`\`\n> - ${text}`) },
  {
    weight: 2,
    arbitrary: linesArbitrary(6, (text) => `| ${text} | c |`).map((rows) => `| a | b |\n|---|---|\n${rows}`),
  },
  weighted(1, "---", "***", "    indented", "[^1]: note", "[1]: https://x.y", "```\nopen", "Title\n===", "text\n---"),
);
const documents = fc.array(block, { maxLength: 8 }).map((blocks) => blocks.join("\n\n"));
const noise = fc.string({ unit: fc.constantFrom(...'*_`~[]()#>-+|\\ \n1.a中：！<&$=:/"'), maxLength: 400 });

/** Markdown texts, well and badly written. */
export const markdownTexts = fc.oneof({ weight: 3, arbitrary: documents }, { weight: 1, arbitrary: noise });
