import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { closingFence, splitText, truncate, truncateWithEllipsis } from "./split-text.ts";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const bare = (text: string) => text.replaceAll(/^ {0,3}(`{3,}|~{3,}).*$/gm, "").replaceAll(/\s/g, "");

describe("a text that is too long", () => {
  const pieces = fc.constantFrom(
    "word ",
    "中文。",
    "Ende. ",
    "\n",
    "\n\n",
    "👩‍👩‍👧",
    "e\u0301",
    "x".repeat(80),
    "\n```ts\nconst a = 1;\n",
    "\n```\n",
    "，",
  );
  const texts = fc.array(pieces, { maxLength: 120 }).map((parts) => parts.join(""));

  test("is split into parts within the limit, none empty, that together are the text", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 64, max: 400 }), (text, limit) => {
        const parts = splitText(text, limit);
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(limit);
          expect(part.trim()).not.toBe("");
          expect(part.isWellFormed()).toBe(true);
        }
        expect(bare(parts.join("\n"))).toBe(bare(text));
      }),
      { numRuns: 500 },
    );
  });

  test("is split at a paragraph, else at a line, a sentence, a space", () => {
    const a = "a".repeat(70);
    const b = "b".repeat(60);
    expect(splitText(`${a}\n\n${b}`, 100)).toEqual([a, b]);
    expect(splitText(`${a}\n${b}`, 100)).toEqual([a, b]);
    expect(splitText(`${a}。${b}`, 100)).toEqual([`${a}。`, b]);
    expect(splitText(`${a} ${b}`, 100)).toEqual([a, b]);
  });

  test("has no tiny first part because of an early blank line", () => {
    const [first] = splitText(`Hi\n\n${"word ".repeat(60)}`, 100);
    expect(first?.length).toBeGreaterThan(50);
  });

  test("is never split inside a character that people see as one", () => {
    const family = "👩‍👩‍👧‍👦";
    const parts = splitText(family.repeat(40), 100);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(part.replaceAll(family, "")).toBe("");
  });

  test.each([
    ["flags, which are two characters of two units each", "🇩🇪🇫🇷🇨🇳"],
    ["families", "👩‍👩‍👧‍👦"],
    ["letters with marks", "e\u0301"],
    ["syllables", "\u1112\u1161\u11ab"],
    ["a text without any place to cut at", "中文字"],
  ])("is split between visible characters, wherever the limit falls: %s", (_, sign) => {
    for (const limit of [100, 1_500, 4_000]) {
      for (let before = 0; before < 12; before += 1) {
        const text = "a".repeat(before) + sign.repeat((3 * limit) / sign.length);
        const edges = new Set([...segmenter.segment(text)].map(({ index }) => index));
        let at = 0;
        for (const part of splitText(text, limit)) {
          expect(edges.has(at), `${limit} units, ${before} letters before`).toBe(true);
          at += part.length;
          if (at < text.length) expect(part.length).toBeGreaterThan(limit / 2);
        }
        expect(at).toBe(text.length);
      }
    }
  });

  test("is not split at a space that formatting belongs to", () => {
    for (const mark of ["\u0301", "\u200d", "\u200c", "\uff9e", "\u{e0067}"]) {
      const parts = splitText(`${"a".repeat(80)} ${mark}${"b".repeat(60)}`, 100);
      expect(parts.filter((part) => part.startsWith(mark))).toEqual([]);
    }
  });

  test("keeps a code block whole if it fits, and closes and reopens one that does not", () => {
    const block = `\`\`\`ts\n${"let x;\n".repeat(8)}\`\`\``;
    expect(splitText(`${"a".repeat(60)}\n${block}`, 100)).toEqual(["a".repeat(60), block]);
    const long = splitText(`\`\`\`ts\n${"let x;\n".repeat(60)}\`\`\``, 120);
    for (const part of long) {
      expect(part.startsWith("```ts\n")).toBe(true);
      expect(part.endsWith("```")).toBe(true);
    }
  });

  test("continues a code block with its own fence, which shorter ones do not end", () => {
    const parts = splitText(`\`\`\`\`md\n${"```js\nlet x;\n```\n".repeat(20)}\`\`\`\``, 100);
    for (const part of parts) expect(part).toMatch(/^````md\n[\s\S]*\n````$/);
  });

  test("that is one endless grapheme is split too", () => {
    const parts = splitText(`a${"\u0301".repeat(5_000)}`, 100);
    expect(parts.join("")).toHaveLength(5_001);
  });
});

describe("the beginning of a text", () => {
  test("is whole within the limit, and ends between two visible characters", () => {
    expect(truncate("abc", 3)).toBe("abc");
    expect(truncate("abcd", 3)).toBe("abc");
    expect(truncate("ab🇩🇪🇫🇷", 7)).toBe("ab🇩🇪");
    expect(truncate("a👩‍👩‍👧‍👦b", 11)).toBe("a");
    expect(truncate("👩‍👩‍👧‍👦b", 10)).toBe("👩‍👩‍👧‍");
    expect(truncate("😀😀", 3)).toBe("😀");
  });

  test("is always well-formed", () => {
    const strings = fc.string({ unit: "grapheme", maxLength: 300 });
    fc.assert(
      fc.property(strings, fc.integer({ min: 2, max: 300 }), (text, most) => {
        const start = truncate(text, most);
        expect(start.length).toBeLessThanOrEqual(most);
        expect(text.startsWith(start)).toBe(true);
        expect(start.isWellFormed()).toBe(text.isWellFormed());
      }),
    );
  });
});

test("an ellipsis ends a text that is cut, and counts towards its length", () => {
  expect(truncateWithEllipsis("short", 5)).toBe("short");
  expect(truncateWithEllipsis("a word more", 8)).toBe("a word…");
  expect(truncateWithEllipsis("ab👩‍👩‍👧", 6)).toBe("ab…");
  const strings = fc.string({ unit: "grapheme", maxLength: 300 });
  fc.assert(
    fc.property(strings, fc.integer({ min: 2, max: 300 }), (text, most) => {
      const short = truncateWithEllipsis(text, most);
      expect(short.length).toBeLessThanOrEqual(most);
      expect(short.isWellFormed()).toBe(text.isWellFormed());
    }),
  );
});

describe("a text that is cut inside a code block", () => {
  test.each([
    ["in a block of code", "a\n```js\nlet x", "```"],
    ["in one with a longer fence", "````md\n```js\nlet x\n```\n", "````"],
    ["in one between waves", "~~~\n```\nx", "~~~"],
    ["after a block of code", "```\nx\n```\nb", undefined],
    ["after code in a line", "see ```x``` and", undefined],
    ["without code", "hello", undefined],
  ])("%s gets the line that closes it", (_where, text, fence) => {
    expect(closingFence(text)).toBe(fence);
  });
});
