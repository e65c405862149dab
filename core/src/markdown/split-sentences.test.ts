import { expect, test } from "vitest";
import { splitSentences } from "./split-sentences.ts";

const split = (text: string, most = 5) => splitSentences(text, most).map((part) => part.text);

test("splits a text into its sentences", () => {
  expect(split("Hi there! I was at the lake today. It was cold, but lovely 😊 And you?")).toEqual([
    "Hi there!",
    "I was at the lake today.",
    "It was cold, but lovely 😊 And you?",
  ]);
  expect(split("你好！今天天气真不错。要不要出去走走？")).toEqual(["你好！", "今天天气真不错。", "要不要出去走走？"]);
});

test.each([
  "One sentence without an end",
  "Just one sentence.",
  "Dr. Smith and J. Doe know e.g. Mr. Jones.",
  "She said “Wait. Not now.” and left",
  "看「等等。别急」这一段",
  "See [the docs. Really](https://example.com/a?b=c) now",
  "https://example.com/?q=1 is it",
  "Run `a. B? C!` now",
  "**First. Second.** and more",
])("leaves %j whole", (text) => {
  expect(split(text)).toEqual([text]);
});

test("never cuts inside code, lists, tables and quotes", () => {
  const blocks = [
    "```js\nrun(); // One. Two.\n\nstop();\n```",
    "- One. Two.\n- Three. Four.",
    "| a. B | c. D |\n|---|---|\n| e. F | g. H |",
    "> One. Two.\n> Three.",
  ];
  expect(split(`Look. ${"\n\n"}${blocks.join("\n\n")}`)).toEqual(["Look.", ...blocks]);
});

test("keeps a heading and an introduction with what follows", () => {
  expect(split("Sure.\n\n# Plan\n\nFirst we eat.\n\nYou need:\n\n- bread\n- salt")).toEqual([
    "Sure.",
    "# Plan\n\nFirst we eat.",
    "You need:\n\n- bread\n- salt",
  ]);
});

test("merges many sentences to parts of similar length, none lost and none twice", () => {
  const sentences = Array.from({ length: 23 }, (_, at) => `This is sentence ${at}${" more".repeat(at % 4)}.`);
  const parts = split(sentences.join(" "));
  expect(parts).toHaveLength(5);
  expect(parts.join(" ")).toBe(sentences.join(" "));
  expect(Math.max(...parts.map(({ length }) => length)) / Math.min(...parts.map(({ length }) => length))).toBeLessThan(
    2,
  );
  expect(split(sentences.join(" "), 1)).toEqual([sentences.join(" ")]);
});

test("says where each part begins", () => {
  const text = "  One.  Two.\n\n    code. Here.\n\nThree.";
  for (const { from, text: part } of splitSentences(text, 5)) expect(text.startsWith(part, from)).toBe(true);
  expect(splitSentences("", 5)).toEqual([]);
});
