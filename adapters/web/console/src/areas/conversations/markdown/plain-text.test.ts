import { expect, test } from "vitest";
import { toPlainPreview, toPlainText } from "./plain-text.ts";

test.each([
  [
    "Here it is. ## The log 1. **Lamp** lit, *steady*. 2. `Petrel`",
    "Here it is. The log 1. Lamp lit, steady. 2. Petrel",
  ],
  ["see [the office](https://example.com/a) and ![a map](/m.png)", "see the office and a map"],
  ["a dot ![of ink](data:image/png;base64,iVBORw0KGgoAAAANSUh", "a dot of ink"],
  ["> The sea never asks twice. ```ts const a = 1; ```", "The sea never asks twice. const a = 1;"],
  ["| Hour | Wind | |:--|--:| | 18 | NW |", "| Hour | Wind | | 18 | NW |"],
  ["***both*** and _one_ and __two__", "both and one and two"],
  ["--- after a line --- and another", "after a line and another"],
  ["see [链接](https://例子.测试/a_(b)) 之后", "see 链接 之后"],
  ['see [the office](https://example.com "at the harbour") first', "see the office first"],
  ["a \\*not\\* b and 1\\. c", "a *not* b and 1. c"],
  ["> one line\n> and the next", "one line and the next"],
  ["~~~js\nconst a = 1;\n~~~", "const a = 1;"],
])("%s is shown without its formatting characters", (markdown, words) => {
  expect(toPlainText(markdown)).toBe(words);
});

test.each([
  "__init__.py",
  "https://x.example/_a_/b__c__",
  "$x_1 + y_2$",
  "2 * 3 * 4 = 24",
  "snake_case_name and #tag",
  "a < b > c",
  "5 ** 2",
  "今晚的风向",
  "C# and F#",
])("%s is plain text, not Markdown", (text) => {
  expect(toPlainText(text)).toBe(text);
});

const LONG = "The harbour lies below the old town, and whoever comes by sea sees ";
const cutTo100 = (text: string) => [...text].slice(0, 100).join("");

test.each([
  [`${LONG}**the white tower of Saint Nicholas first** and then`, `${LONG}the white tower of Saint Nichol…`],
  [`${LONG}[the office](https://harbour.example/a/very/long/address)`, `${LONG}the office…`],
  [`${LONG}[the office of the harbour master, who](https://x.example)`, `${LONG}the office of the harbour master…`],
  [`${LONG}*the white tower of Saint Nicholas* first`, `${LONG}the white tower of Saint Nichola…`],
  [`${LONG}\`the white tower of Saint Nicholas\` first`, `${LONG}the white tower of Saint Nichola…`],
  [`${LONG}***the white tower of Saint Nicholas*** first`, `${LONG}the white tower of Saint Nicho…`],
  [`${LONG}2 * 3 and 4 * 5 and nothing else that is worth it`, `${LONG}2 * 3 and 4 * 5 and nothing else…`],
])("%s is shown without formatting characters where a preview is cut", (text, words) => {
  expect(toPlainPreview(cutTo100(text))).toBe(words);
});

test("a short preview is the whole text", () => {
  expect(toPlainPreview("**Yes**")).toBe("Yes");
});
