import { buildTables, createAutomaton, fold, foldText, type Range } from "@parley/core/text-match";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { prepareKeywords } from "./keywords.ts";
import { createTextCut, toWholeCharacters } from "./ranges.ts";

// Few letters, so that keywords overlap; and those whose lower case is longer, of two units, combining, or half.
const letters = fc.constantFrom(
  "a",
  "b",
  "A",
  "ß",
  "ẞ",
  "İ",
  "ı",
  "i",
  "Σ",
  "ς",
  "Ａ",
  "中",
  "国",
  "é",
  "e\u0301",
  "😀",
  "𐐀",
  "𐐨",
  " ",
  "\0",
);
const words = fc.array(letters, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
const keywords = fc.uniqueArray(words, { minLength: 1, maxLength: 40 });
const texts = fc
  .array(fc.oneof(letters, fc.constantFrom("\ud83d", "\ude00")), { maxLength: 40 })
  .map((parts) => parts.join(""));

type Found = readonly [keyword: number, start: number, end: number];

function findNaively(folded: readonly string[], text: string): readonly Found[] {
  const found: Found[] = [];
  for (const [index, keyword] of folded.entries()) {
    for (let at = 0; at + keyword.length <= text.length; at += 1) {
      if (text.startsWith(keyword, at)) found.push([index, at, at + keyword.length]);
    }
  }
  return found;
}

const sorted = (found: readonly Found[]) => found.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);

describe("keywords", () => {
  test("are found exactly where a naive search finds them", () => {
    fc.assert(
      fc.property(keywords, texts, (list, text) => {
        const folded = list.map(foldText);
        const found: Found[] = [];
        createAutomaton(buildTables(folded)).search(foldText(text), (...one) => found.push(one));
        expect(sorted(found)).toEqual(sorted(findNaively(folded, foldText(text))));
      }),
      { numRuns: 2_000 },
    );
  });

  test("are found in random Unicode as well", () => {
    const any = fc.string({ unit: "binary", maxLength: 30 });
    fc.assert(
      fc.property(
        fc.array(
          any.filter((one) => one !== ""),
          { minLength: 1, maxLength: 20 },
        ),
        any,
        (list, text) => {
          const folded = list.map(foldText);
          const whole = foldText(`${text}${list[0]}${text}`);
          const found: Found[] = [];
          createAutomaton(buildTables(folded)).search(whole, (...one) => found.push(one));
          expect(sorted(found)).toEqual(sorted(findNaively(folded, whole)));
        },
      ),
    );
  });

  test("have ranges in the original text that contain the keyword and split no character", async () => {
    await fc.assert(
      fc.asyncProperty(keywords, texts, async (list, text) => {
        const prepared = await prepareKeywords(list);
        prepared.search(fold(text), (index, [start, end]) => {
          expect(foldText(text.slice(start, end))).toContain(foldText(list[index] as string));
          expect([start, end]).toEqual(toWholeCharacters(text, [start, end]));
        });
      }),
      { numRuns: 1_000 },
    );
  });

  test("in a long list are compiled in another thread with the same result", async () => {
    const list = Array.from({ length: 6_000 }, (_, index) => `word${index}x`);
    const prepared = await prepareKeywords(list);
    const found: string[] = [];
    prepared.search(fold("WORD17x word5999x word6000x"), (index) => found.push(list[index] as string));
    expect(found).toEqual(["word17x", "word5999x"]);
  });

  test.each([
    ["ISTANBUL", "istanbul", true],
    ["İ", "i\u0307", true],
    ["straße", "STRASSE", false],
    ["ẞ", "ß", true],
    ["ΟΔΟΣ", "οδος", true],
    ["ΟΔΟΣ Α", "οδοσ α", true],
    ["ＡＢＣ", "ａｂｃ", true],
    ["ＡＢＣ", "abc", false],
    ["é", "e\u0301", false],
    ["𐐀", "𐐨", true],
    ["a\u200bb", "ab", false],
  ])("of the text %s contain %s: %s", (text, keyword, isFound) => {
    expect(foldText(text).includes(foldText(keyword))).toBe(isFound);
  });
});

describe("cutting matches out of a text", () => {
  const ranges = fc.array(
    fc.tuple(fc.nat(20), fc.nat(20)).map(([a, b]): Range => [Math.min(a, b), Math.max(a, b)]),
    { maxLength: 10 },
  );
  const text = "abcdefghijklmnopqrstu";

  test("leaves the text outside of the ranges, without a replacement", () => {
    fc.assert(
      fc.property(ranges, (list) => {
        const cut = createTextCut();
        for (const [index, range] of list.toSorted(([a], [b]) => a - b).entries()) cut.add(range, index % 3);
        const left = [...text].filter((_, index) => !list.some(([start, end]) => index >= start && index < end));
        expect(cut.apply(text)).toBe(left.join(""));
      }),
    );
  });

  test("applies the first rule first, and the others to the rest, whatever their order", () => {
    const some = ranges.map((list) => list.map(([start, end]): Range => [start, end + 1]));
    fc.assert(
      fc.property(some, (list) => {
        const [forward, backward] = [createTextCut(), createTextCut()];
        for (const [rank, range] of list.entries()) forward.add(range, rank, `<${rank}>`);
        for (const [rank, range] of [...list.entries()].reverse()) backward.add(range, rank, `<${rank}>`);
        const shown: string[] = [...text];
        const isTaken = new Set<number>();
        for (const [rank, [start, end]] of list.entries()) {
          const places = Array.from({ length: end - start }, (_, index) => start + index);
          if (places.some((place) => isTaken.has(place))) continue;
          for (const place of places) {
            isTaken.add(place);
            shown[place] = place === start ? `<${rank}>` : "";
          }
        }
        expect(forward.apply(text)).toBe(shown.join(""));
        expect(backward.apply(text)).toBe(shown.join(""));
      }),
    );
  });
});
