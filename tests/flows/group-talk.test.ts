import { expect, test } from "vitest";
import { findNameUse } from "../../plugins/groups/src/address/vocative.ts";
import { BOT_NAMES, countMistakes, GROUP_TALKS, readGroupTalks } from "../harness/group-talk.ts";

test.each(GROUP_TALKS)(
  "without a model, the judge joins in at most twice in a hundred messages of %s, and misses few",
  (file) => {
    const messages = readGroupTalks(file);
    expect(messages.length).toBeGreaterThan(150);
    const { interjections, missed } = countMistakes("judge", messages, Math.random);
    expect(interjections).toBeLessThanOrEqual(2);
    expect(missed).toBeLessThanOrEqual(file.endsWith("3") ? 5 : 2);
  },
);

test.each(GROUP_TALKS)("by mentions alone it never joins in where people talk to each other in %s", (file) => {
  expect(countMistakes("mention", readGroupTalks(file), Math.random).interjections).toBe(0);
});

test.each([
  ["Ada can a goldfish live in a bowl", "called"],
  ["ada fetch the minutes", "called"],
  ["adda, what is a leap second", "called"],
  ["hey bot is it late", "called"],
  ["what time should I leave ada", "called"],
  ["Ada is a language?", "mentioned"],
  ["Ada already left", "mentioned"],
  ["Ada painted the fence", "mentioned"],
  ["爱达，现在几点", "called"],
  ["艾达拟个提纲", "called"],
  ["小艾同志，讲两句", "called"],
  ["艾达昨天没来", "mentioned"],
  ["艾达说的对吗", "mentioned"],
  ["艾达尔，过来", "mentioned"],
])("takes the name in «%s» as %s", (text, use) => {
  expect(findNameUse([...BOT_NAMES, "bot"], text)).toBe(use);
});

test("a name of one repeated letter does not slow down the judge", () => {
  const startMs = performance.now();
  expect(findNameUse(["a".repeat(40)], `${"a".repeat(20_000)}b`)).toBe("absent");
  expect(performance.now() - startMs).toBeLessThan(1_000);
});
