import { afterAll, expect, test } from "vitest";
import { createEncoder } from "./encoder.ts";
import { isMainlyLatin } from "./is-mainly-latin.ts";

const encoder = createEncoder({ error() {} });
afterAll(() => encoder[Symbol.asyncDispose]());

const cosine = (one: readonly number[] = [], other: readonly number[] = []) =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);

test("texts of like meaning are closer than others, without a common word", async () => {
  const [question, answer, other] = await encoder.encode([
    "Which animals does she own?",
    "Ann got two puppies from the shelter last spring.",
    "The train to Oxford leaves at nine.",
  ]);
  expect(question).toHaveLength(512);
  expect(cosine(question, question)).toBeCloseTo(1, 3);
  expect(cosine(question, answer)).toBeGreaterThan(cosine(question, other) + 0.1);
});

test("texts in another script get zeros, so that only their words count", async () => {
  const [chinese, english] = await encoder.encode(["她养了两只小狗", "two puppies"]);
  expect(chinese).toHaveLength(512);
  expect(new Set(chinese)).toEqual(new Set([0]));
  expect(cosine(english, english)).toBeCloseTo(1, 3);
});

test.each([
  ["I like 东京 very much", true],
  ["我喜欢 Tokyo", true],
  ["我非常喜欢东京 ok", false],
  ["Москва", false],
  ["123", false],
  ["", false],
])("%j is mainly Latin: %s", (text, expected) => {
  expect(isMainlyLatin(text)).toBe(expected);
});

test("many calls at once are answered in order, one that is given up does not hold back the others", async () => {
  const leaving = new AbortController();
  const left = encoder.encode(["given up"], leaving.signal);
  const asked = Array.from({ length: 20 }, (_, at) => encoder.encode([`text ${at}`, "same"]));
  leaving.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  const answers = await Promise.all(asked);
  expect(new Set(answers.map(([, same]) => JSON.stringify(same))).size).toBe(1);
  expect(new Set(answers.map(([own]) => JSON.stringify(own))).size).toBe(20);
});

test("a closed encoder rejects", async () => {
  const closed = createEncoder({ error() {} });
  const asked = expect(closed.encode(["text"])).rejects.toMatchObject({ code: "unavailable" });
  await closed[Symbol.asyncDispose]();
  await asked;
  await expect(closed.encode(["text"])).rejects.toMatchObject({ code: "unavailable" });
});
