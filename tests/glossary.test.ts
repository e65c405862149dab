import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const repository = dirname(import.meta.dirname);
const [, glossary = ""] = readFileSync(join(repository, ".github", "ARCHITECTURE.md"), "utf8").split("\n## Glossary\n");
const words = [...glossary.matchAll(/^\| ([^|]+?) +\| ([^|]+?) +\|/gm)]
  .map(([, en = "", zh = ""]) => ({ en, zh }))
  .slice(2);

const sources = globSync("{adapters/*/src,adapters/web/console/src,plugins/*/src,host/src}/**/*.{ts,tsx}", {
  cwd: repository,
})
  .filter((file) => !file.includes(".test."))
  .map((file) => readFileSync(join(repository, file), "utf8"));

/** All strings in double quotes in the texts that people read. */
const texts = sources
  .flatMap((text) => text.match(/"(?:[^"\\\n]|\\.)*"/g) ?? [])
  .join("\n")
  .toLowerCase();

const QUOTED = '"((?:[^"\\\\\\n]|\\\\.)*)"';
/** Forms of an English text with its Chinese one: in a catalogue, a localized text, and a table by the English sentence. */
const PAIRS = [
  `\\[\\s*${QUOTED},\\s*${QUOTED},?\\s*\\]`,
  `en:\\s*${QUOTED},\\s*zh:\\s*${QUOTED}`,
  `${QUOTED}:\\s*${QUOTED}`,
];
const translated = PAIRS.flatMap((pair) =>
  sources.flatMap((text) => [...text.matchAll(new RegExp(pair, "g"))].map(([, en = "", zh = ""]) => ({ en, zh }))),
).filter(({ zh }) => /\p{Script=Han}/u.test(zh));

/** Words with one meaning, which must always be translated by the same Chinese word. */
const EXACT =
  "administrator|attachment|backup|broadcast|credentials|dead letter|environment variable|job|notification|offline companion|" +
  "platform|preset|relationship|retry|sticker|tag|task|temporary conversation|trace|variant|webhook|workflow|workspace|world book";
/** Sentences whose translation needs no such word. */
const WITHOUT_THE_WORD = [
  "the job failed: see the log for the reason",
  "What happens to each message from arrival to delivery. Select a line for the whole trace.",
];

test("the glossary has each word once, in both languages", () => {
  expect(words.length).toBeGreaterThan(50);
  const twice = (all: readonly string[]) => all.filter((word, at) => all.indexOf(word) !== at);
  expect(twice(words.map(({ en }) => en))).toEqual([]);
});

test("the console and the service use the words of the glossary", () => {
  const missing = words.filter(({ en, zh }) => !texts.includes(en.toLowerCase()) || !texts.includes(zh.toLowerCase()));
  expect(missing).toEqual([]);
});

test("Chinese texts use the glossary's word where the English ones do", () => {
  expect(translated.length).toBeGreaterThan(3000);
  const exact = words.filter(({ en }) => EXACT.split("|").includes(en.toLowerCase()));
  expect(exact).toHaveLength(EXACT.split("|").length);
  const strange = exact.flatMap(({ en: word, zh: chinese }) => {
    const spelling = new RegExp(`(?<![\\w{'/.-])${word}s?(?![\\w}'/-])`, "i");
    const isMissing = ({ en, zh }: { readonly en: string; readonly zh: string }) =>
      spelling.test(en) && !zh.toLowerCase().includes(chinese.toLowerCase()) && !WITHOUT_THE_WORD.includes(en);
    return translated.filter(isMissing).map(({ en, zh }) => `${word} is ${chinese}: ${en} | ${zh}`);
  });
  expect(strange).toEqual([]);
});
