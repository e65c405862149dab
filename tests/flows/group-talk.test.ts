import { expect, test } from "vitest";
import { findNameUse } from "../../plugins/groups/src/address/vocative.ts";
import { BOT_NAMES, countMistakes, GROUP_TALKS, readGroupTalks, readNameUses } from "../harness/group-talk.ts";

/** Missed messages in a hundred that are accepted: the third talks have many follow-ups after remarks of others. */
const MISSED = { en: 1, zh: 1, "en-2": 1, "zh-2": 1, "en-3": 4, "zh-3": 4 };

test.each(GROUP_TALKS)(
  "without a model, the judge joins in at most twice in a hundred messages of %s, and misses few",
  (file) => {
    const messages = readGroupTalks(file);
    expect(messages.length).toBeGreaterThan(190);
    const { interjections, missed } = countMistakes("judge", messages, Math.random);
    expect(interjections).toBeLessThanOrEqual(2);
    expect(missed).toBeLessThanOrEqual(MISSED[file]);
  },
);

test.each([
  ["en-4", 3, 4.5],
  ["zh-4", 2, 2],
] as const)(
  "on %s, which it was not fitted on, it is wrong at most %d and %d times in a hundred",
  (file, most, missing) => {
    const { interjections, missed } = countMistakes("judge", readGroupTalks(file), Math.random);
    expect(interjections).toBeLessThanOrEqual(most);
    expect(missed).toBeLessThanOrEqual(missing);
  },
);

test.each(GROUP_TALKS)("by mentions alone it never joins in where people talk to each other in %s", (file) => {
  expect(countMistakes("mention", readGroupTalks(file), Math.random).interjections).toBe(0);
});

test("tells calls by name from mentions in 97 of 100 sentences", () => {
  const uses = readNameUses();
  expect(uses.length).toBeGreaterThan(180);
  const names = [...BOT_NAMES, "bot"];
  const wrong = uses.filter(({ text, use }) => (findNameUse(names, text, "loose") === "called") !== (use === "called"));
  expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(uses.length * 0.025);
});

test.each([
  ["adda, what is a leap second", "called"],
  ["hey bot is it late", "called"],
  ["what time should I leave ada", "called"],
  ["Ada is a language?", "mentioned"],
  ["爱达，现在几点", "called"],
  ["小艾同志，讲两句", "called"],
  ["艾达尔，过来", "mentioned"],
])("takes the name in «%s» as %s", (text, use) => {
  expect(findNameUse([...BOT_NAMES, "bot"], text, "loose")).toBe(use);
});

// A pattern that tries every way to read the letters would exceed the time limit of tests.
test("a name of one repeated letter does not slow down the judge", () => {
  expect(findNameUse(["a".repeat(40)], `${"a".repeat(20_000)}b`, "loose")).toBe("absent");
});
