import { describe, expect, it } from "vitest";
import { splitByKeywords } from "./split-by-keywords.ts";

describe("a text with highlights", () => {
  it("stays complete, and its keywords are highlighted, the longest first", () => {
    const pieces = splitByKeywords("The Tavern and the inn", ["tavern", "tav", "inn"]);
    expect(pieces.map(({ text }) => text).join("")).toBe("The Tavern and the inn");
    expect(pieces.filter(({ keyword: mark }) => mark).map(({ text, keyword: mark }) => [text, mark])).toEqual([
      ["Tavern", "tavern"],
      ["inn", "inn"],
    ]);
  });

  it("highlights given ranges, but none outside the text", () => {
    const messages = [
      { start: 0, end: 2, keyword: "a+" },
      { start: 1, end: 99, keyword: "x" },
    ];
    expect(splitByKeywords("aab", [], messages)).toEqual([
      { text: "aa", keyword: "a+", at: 0 },
      { text: "b", at: 2 },
    ]);
    expect(splitByKeywords("İx", ["x"])).toEqual([{ text: "İx", at: 0 }]);
  });
});
