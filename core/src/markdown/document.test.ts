import fc from "fast-check";
import { expect, test } from "vitest";
import { parseMarkdown, readDocument } from "./document.ts";
import { tokenize } from "./parser.ts";

const WORDS = [
  "a",
  "12",
  "3.",
  "4)",
  "-",
  "it's",
  "well-known",
  "(yes)",
  "http:",
  "你好。",
  "是吗？",
  "😀",
  "👩‍👧",
  "50%",
  "!",
  "  ",
  "é",
  '"no"',
];

test("a text without Markdown syntax reads as the parser reads it", () => {
  const texts = fc.array(fc.oneof(fc.constantFrom(...WORDS), fc.string({ unit: "grapheme", maxLength: 3 })), {
    maxLength: 8,
  });
  const separators = fc.constantFrom("", " ", ", ");
  fc.assert(
    fc.property(texts, separators, (words, separator) => {
      const text = words.join(separator);
      const tokens = tokenize(text);
      if (tokens) expect(parseMarkdown(text)).toEqual(readDocument(text, tokens));
    }),
    { numRuns: 3_000 },
  );
});
