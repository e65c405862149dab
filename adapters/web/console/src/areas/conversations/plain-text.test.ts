import { expect, test } from "vitest";
import { plainOf } from "./plain-text.ts";

test.each([
  [
    "Here it is. ## The log 1. **Lamp** lit, *steady*. 2. `Petrel`",
    "Here it is. The log 1. Lamp lit, steady. 2. Petrel",
  ],
  ["see [the office](https://example.com/a) and ![a map](/m.png)", "see the office and a map"],
  ["a dot ![of ink](data:image/png;base64,iVBORw0KGgoAAAANSUh", "a dot of ink"],
  ["> The sea never asks twice. ```ts const a = 1; ```", "The sea never asks twice. const a = 1;"],
  ["| Hour | Wind | |:--|--:| | 18 | NW |", "| Hour | Wind | | 18 | NW |"],
])("%s reads without its signs", (markdown, words) => {
  expect(plainOf(markdown)).toBe(words);
});

test.each(["2 * 3 * 4 = 24", "snake_case_name and #tag", "a < b > c", "5 ** 2", "今晚的风向", "C# and F#"])(
  "%s is no Markdown",
  (text) => {
    expect(plainOf(text)).toBe(text);
  },
);
