import type { TextHit } from "@parley/core";
import { expect, test } from "vitest";
import { mergeHits } from "./merge-hits.ts";

const hit = (place: number, text: string, more: Partial<TextHit> = {}) => ({
  hit: { id: `${place}`, group: "doc", place, title: "T", text, score: 1, marks: [], ...more } as unknown as TextHit,
});
const texts = (hits: readonly { readonly hit: TextHit }[]) => hits.map((one) => one.hit.text);

test("shows as many passages of one document as requested", () => {
  const all = Array.from({ length: 9 }, (_, at) => hit(at * 2, `passage ${at} speaks of number${at}`));
  expect(mergeHits(all, 9)).toHaveLength(9);
  expect(mergeHits(all, 4)).toEqual(all.slice(0, 4));
});

test("joins neighbouring passages of a section once, without their overlap, and preserves the highlights", () => {
  const found = [
    hit(5, "the red kite. It nests", { marks: [[4, 7]] }),
    hit(6, "It nests in March", { marks: [[12, 17]] }),
  ];
  const [joined, ...more] = mergeHits(found, 5);
  expect(more).toEqual([]);
  expect(joined?.hit.text).toBe("the red kite. It nests in March");
  expect(joined?.hit.marks.map(([from, to]) => joined.hit.text.slice(from, to))).toEqual(["red", "March"]);
  const [before] = mergeHits([found[1] as (typeof found)[0], found[0] as (typeof found)[0]], 5);
  expect(before?.hit).toMatchObject({ id: "6", text: "the red kite. It nests in March" });
});

test("does not join passages across headings, documents, or more than three passages", () => {
  expect(mergeHits([hit(1, "one alpha"), hit(2, "two beta", { title: "Other" })], 5)).toHaveLength(2);
  expect(mergeHits([hit(1, "one alpha"), hit(2, "two beta", { group: "other" })], 5)).toHaveLength(2);
  const row = ["alpha", "beta", "gamma", "delta"].map((word, at) => hit(at, word));
  expect(texts(mergeHits(row, 5))).toEqual(["alpha\nbeta\ngamma", "delta"]);
});

test("omits a passage that repeats a better hit, whichever document it is in", () => {
  const copy = "The library opens at nine and closes at eight every day but Monday";
  const found = [hit(1, copy), hit(9, `${copy}!`, { group: "copy" }), hit(20, "A garden of roses")];
  expect(texts(mergeHits(found, 5))).toEqual([copy, "A garden of roses"]);
  const chinese = "图书馆的开放时间是上午九点到晚上八点，周一闭馆";
  expect(mergeHits([hit(1, chinese), hit(9, `${chinese}。`)], 5)).toHaveLength(1);
});
