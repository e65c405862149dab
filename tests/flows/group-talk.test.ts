import { expect, test } from "vitest";
import { countMistakes, readGroupTalks } from "../harness/group-talk.ts";

const all = [...readGroupTalks("en"), ...readGroupTalks("zh")];

test("without a model, the judge joins in and misses at most twice in a hundred group messages", () => {
  expect(all).toHaveLength(400);
  const { interjections, missed } = countMistakes("judge", all, Math.random);
  expect(interjections).toBeLessThanOrEqual(2);
  expect(missed).toBeLessThanOrEqual(2);
});

test("by mentions alone it never joins in where people talk to each other", () => {
  expect(countMistakes("mention", all, Math.random).interjections).toBe(0);
});
