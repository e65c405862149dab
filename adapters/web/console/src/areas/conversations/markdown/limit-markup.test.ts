import { expect, test } from "vitest";
import { limitMarkup } from "./limit-markup.ts";

const repeat = (sign: string) => sign.repeat(5_000);
/** Returns the text that a reader sees: escaped signs without their backslashes. */
const toShownText = (text: string) => text.replaceAll(/\\([[\]*_~>-])/g, "$1");

test.each([
  ["brackets that close nothing", repeat("]")],
  ["brackets that nothing closes", repeat("[")],
  ["links that never end", repeat("[a](")],
  ["emphasis that never ends", repeat("*a_ ")],
  ["signs on both sides of code", `${repeat("]")} \`x\` ${repeat("]")}`],
])("%s are shown as written, without formatting", (_name, text) => {
  const limited = limitMarkup(text);
  expect(limited).not.toMatch(/(?<!\\)[[\]*_~]/);
  expect(toShownText(limited)).toBe(text);
});

test("escaped characters stay escaped", () => {
  expect(limitMarkup("\\]".repeat(5_000))).toBe("\\]".repeat(5_000));
});

test("code and other paragraphs keep their characters", () => {
  const code = `\`\`\`json\n${repeat("[")}\n\n${repeat("]")}\n\`\`\``;
  const bold = "**bold** [a](https://x.example)";
  const limited = limitMarkup(`${bold}\n\n${code}\n\n${repeat("]")}\n\n${bold}`);
  expect(limited).toContain(code);
  expect(limited.split(bold)).toHaveLength(3);
});

test("quotes and lists that are nested too deep are shown as text", () => {
  const deep = `${"> ".repeat(200)}a\n${"a\n".repeat(2_000)}`;
  expect(limitMarkup(deep)).toBe(`\\${deep}`);
  expect(limitMarkup(`${"- ".repeat(40)}a\n${"b ".repeat(2_000)}`)).toMatch(/^\\- - /);
});

test("ordinary text stays as it is", () => {
  const table = `| a | b |\n|---|---|\n${"| **x** | [y](https://x.example) |\n".repeat(200)}`;
  const list = "- **item** with `code` and [a link](https://x.example)\n\n".repeat(800);
  for (const text of [table, list, `> > quoted\n${"word ".repeat(2_000)}`, ""]) expect(limitMarkup(text)).toBe(text);
});
