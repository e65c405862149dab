import { type Profiler, Session } from "node:inspector/promises";
import { splitMarkdown } from "@parley/core/markdown";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { splitParts as splitForImb } from "../../adapters/imb/src/format-reply.ts";
import { splitParts as splitForImc } from "../../adapters/imc/src/outgoing.ts";

// Work is counted, not timed: how often the functions of the parser, the splitter and the renderers were called.
vi.setConfig({ testTimeout: 240_000 });

const COUNTED = /markdown|\/adapters\/im[bc]\//;
const LIMIT = 2_000;
/** A window is looked at for each part: from here on there are as many as parts. */
const SHORT = 8_000;
/** Four times the text; quadratic work would be 16 times as much. */
const MOST_GROWTH = 8;

const filled = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const table = (head: string, row: string) => (length: number) => head + filled(row, length);
const texts: Readonly<Record<string, (length: number) => string>> = {
  "a table of cells of one letter": table("| a | b |\n|---|---|\n", "| x | y |\n"),
  "a table without spaces": table("|a|b|c|d|\n|-|-|-|-|\n", "|x|y|z|u|\n"),
  "a table with marks": table("| a | b |\n|---|---|\n", "| **x** | `y` |\n"),
  "a table in a quote": table("> | a | b |\n> |---|---|\n", "> | x | y |\n"),
  "a table in a list": table("- t\n\n  | a | b |\n  |---|---|\n", "  | x | y |\n"),
  "a list": (length) => filled("- item **b**\n", length),
  "a list of numbers": (length) => filled("1. item\n", length),
  "lists in lists": (length) => filled("- a\n  - b\n    - c\n", length),
  "one long item": (length) => `- ${filled("word and word\n  ", length)}`,
  code: (length) => `\`\`\`js\n${filled("let x = 1;\n", length)}\n\`\`\``,
  "code in a list": (length) => `- a\n  \`\`\`\n${filled("  x = 1\n", length)}  \`\`\``,
  "many blocks of code": (length) => filled("```js\nx\n```\n\n", length),
  "quotes in quotes": (length) => filled("> > > a\n", length),
  "code in a quote": (length) => `> \`\`\`\n${filled("> x = 1\n", length)}> \`\`\``,
  emphasis: (length) => filled("**b** *i* ", length),
  "emphasis that never ends": (length) => filled("*a _b **c ", length),
  "emphasis over everything": (length) => `**${filled("word ", length)}x**`,
  links: (length) => filled("[a](https://x.y/z) ", length),
  "links that never end": (length) => filled("[a](", length),
  "brackets that are no links": (length) => `${"[".repeat(length / 2)}${"]".repeat(length / 2)}`,
  "brackets before one link": (length) => `${filled("[a][b] ", length)}[c](https://x.y)`,
  "pictures without spaces": (length) => filled("![a](b)", length),
  headings: (length) => filled("# h\n", length),
  "inline code": (length) => filled("`a` ", length),
  "one long line": (length) => filled("word ", length),
  "one long line without spaces": (length) => "x".repeat(length),
  "one long line of ideographs": (length) => "中".repeat(length),
};
const renderers: Readonly<Record<string, (text: string) => readonly string[]>> = {
  "plain text, as for imA": (text) => splitMarkdown(text, LIMIT),
  "HTML, as for imB": (text) => splitForImb(text, LIMIT),
  "a rich text, as for imC": (text) => splitForImc(text, LIMIT),
};

let session: Session;
beforeAll(async () => {
  session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
});
afterAll(() => session.disconnect());

/** Counts what runs while a text is cut; each look at the counters begins them anew. */
async function costOf(split: (text: string) => readonly string[], text: string): Promise<number> {
  split(text);
  const { result } = (await session.post("Profiler.takePreciseCoverage")) as Profiler.TakePreciseCoverageReturnType;
  return result
    .filter(({ url }) => COUNTED.test(url))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
    .reduce((sum, count) => sum + count, 0);
}

describe.each(Object.entries(renderers))("splitting %s", (_name, split) => {
  test.each(Object.entries(texts))("costs the same for each part of a longer text: %s", async (_what, make) => {
    const [short, long] = [await costOf(split, make(SHORT)), await costOf(split, make(4 * SHORT))];
    expect(short).toBeGreaterThan(100);
    expect(long / short).toBeLessThan(MOST_GROWTH);
  });
});
