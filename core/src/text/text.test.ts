import fc from "fast-check";
import { expect, test } from "vitest";
import { cosine, localVector, passagesOf, queryTerms, termsOf } from "./index.ts";

const words = (text: string) => termsOf(text).map(({ term }) => term);
const asked = (text: string) => queryTerms(text).map(({ term }) => term);

test("words are stemmed, without accents, and numbers stay whole", () => {
  expect(words("Running RUNS café's 1,250")).toEqual(["run", "run", "cafe", "1250"]);
});

test("a text of ASCII alone is indexed like one with other characters", () => {
  const ascii = fc.string({ unit: fc.constantFrom(..."abCz019 ,.'-_\n"), maxLength: 60 });
  fc.assert(
    fc.property(ascii, (text) => {
      expect(words(`${text} é`)).toEqual([...words(text), "e"]);
    }),
    { numRuns: 300 },
  );
});

test("scripts without spaces are indexed in pairs, and the last character alone", () => {
  expect(words("京都塔")).toEqual(["京都", "都塔", "塔"]);
});

test("a date has one index term in every language", () => {
  for (const text of ["2023-05-07", "May 7th, 2023", "7 May 2023", "2023年5月7日"])
    expect(words(text)).toContain("d20230507");
  expect(words("5月7日")).toContain("d0507");
  expect(words("in June 2021")).toContain("m202106");
});

test("a question keeps the words of its topic", () => {
  expect(asked("When did Ann move to Kyoto?")).toEqual(["ann", "move", "kyoto"]);
  expect(asked("小林什么时候搬到京都的")).toEqual(["小林", "搬到", "到京", "京都"]);
  expect(asked("What kind of music does Ann like?")).toEqual(["music", "ann", "like"]);
  expect(asked("how many times")).not.toEqual([]);
  expect(asked("who is he")).not.toEqual([]);
});

test("texts that share words are more similar than others, and vectors have length 1", () => {
  const a = localVector("the cat sleeps on the warm roof");
  expect(cosine(a, a)).toBeCloseTo(1, 5);
  expect(cosine(a, localVector("a cat slept on a roof"))).toBeGreaterThan(cosine(a, localVector("tax forms of 1987")));
});

test("passages have their headings, and code that looks like a heading is none", () => {
  const text = "# Guide\nintro\n## Setup\nfirst\n```\n# not a heading\n```\n# Other\nlast";
  expect(passagesOf(text)).toEqual([
    { headings: ["Guide"], text: "intro" },
    { headings: ["Guide", "Setup"], text: "first\n```\n# not a heading\n```" },
    { headings: ["Other"], text: "last" },
  ]);
});

test("whatever the text, passages are small, split no character and lose only white space", () => {
  const unit = fc.constantFrom("a", " ", "\n", "\n\n", "。", ". ", "🙂", "字", "word ");
  fc.assert(
    fc.property(
      fc.array(unit, { maxLength: 2_000 }).map((parts) => parts.join("")),
      (text) => {
        const passages = passagesOf(text);
        for (const passage of passages) {
          expect([...passage.text].length).toBeLessThanOrEqual(500);
          expect(passage.text.isWellFormed()).toBe(true);
          expect(text).toContain(passage.text);
        }
        const withoutSpaces = (one: string) => one.replaceAll(/\s/g, "");
        expect(new Set(withoutSpaces(passages.map((one) => one.text).join("")))).toEqual(new Set(withoutSpaces(text)));
      },
    ),
    { numRuns: 50 },
  );
});
