import { expect, test } from "vitest";
import { buildTables, createAutomaton } from "./automaton.ts";

type Found = readonly [keyword: number, start: number, end: number];

const foundBy = (keywords: readonly string[], text: string) => {
  const found: Found[] = [];
  createAutomaton(buildTables(keywords)).search(text, (...one) => found.push(one));
  return found.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
};

test("thousands of keywords are found where a few of them are", () => {
  const wordOf = (index: number) => `${index.toString(5)}龙${(index * 7919).toString(36)}`;
  const many = Array.from({ length: 12_000 }, (_, index) => wordOf(index));
  const few = many.slice(0, 50);
  expect(buildTables(many).next).toHaveLength(0);
  expect(buildTables(few).next.length).toBeGreaterThan(0);
  const text = [3, 11_999, 17, 49, 800, 3].map(wordOf).join("").concat(wordOf(20).slice(1), "0龙0龙");
  const both = foundBy(many, text).filter(([keyword]) => keyword < few.length);
  expect(both).toEqual(foundBy(few, text));
  const naive = few.flatMap((word, keyword) =>
    Array.from(text.matchAll(RegExp(`(?=${word})`, "g")), ({ index }): Found => [keyword, index, index + word.length]),
  );
  expect(both).toEqual(naive);
  expect(both).toHaveLength(5);
});
