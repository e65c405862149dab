import { type Profiler, Session } from "node:inspector/promises";
import { splitMarkdown } from "@parley/core/markdown";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { splitParts as splitForImb } from "../../adapters/imb/src/outbound/format-reply.ts";
import { splitParts as splitForImc } from "../../adapters/imc/src/outgoing.ts";

// Work is measured in function calls of the parser, the splitter and the renderers, not in time.
vi.setConfig({ testTimeout: 240_000 });

const COUNTED = /markdown|\/adapters\/im[bc]\//;
const LIMIT = 2_000;
/** Length from which the splitter examines one window per part. */
const SHORT = 8_000;
/** Four times the text; quadratic work would be 16 times as much. */
const MOST_GROWTH = 8;

const fillText = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const table = (head: string, row: string) => (length: number) => head + fillText(row, length);
const texts: Readonly<Record<string, (length: number) => string>> = {
  "a table of cells of one letter": table("| a | b |\n|---|---|\n", "| x | y |\n"),
  "a table without spaces": table("|a|b|c|d|\n|-|-|-|-|\n", "|x|y|z|u|\n"),
  "a table with marks": table("| a | b |\n|---|---|\n", "| **x** | `y` |\n"),
  "a table in a quote": table("> | a | b |\n> |---|---|\n", "> | x | y |\n"),
  "a table in a list": table("- t\n\n  | a | b |\n  |---|---|\n", "  | x | y |\n"),
  "a list": (length) => fillText("- item **b**\n", length),
  "a list of numbers": (length) => fillText("1. item\n", length),
  "lists in lists": (length) => fillText("- a\n  - b\n    - c\n", length),
  "one long item": (length) => `- ${fillText("word and word\n  ", length)}`,
  code: (length) => `\`\`\`js\n${fillText("let x = 1;\n", length)}\n\`\`\``,
  "code in a list": (length) => `- a\n  \`\`\`\n${fillText("  x = 1\n", length)}  \`\`\``,
  "many blocks of code": (length) => fillText("```js\nx\n```\n\n", length),
  "quotes in quotes": (length) => fillText("> > > a\n", length),
  "code in a quote": (length) => `> \`\`\`\n${fillText("> x = 1\n", length)}> \`\`\``,
  emphasis: (length) => fillText("**b** *i* ", length),
  "emphasis that never ends": (length) => fillText("*a _b **c ", length),
  "emphasis over everything": (length) => `**${fillText("word ", length)}x**`,
  links: (length) => fillText("[a](https://x.y/z) ", length),
  "links that never end": (length) => fillText("[a](", length),
  "brackets that are no links": (length) => `${"[".repeat(length / 2)}${"]".repeat(length / 2)}`,
  "brackets before one link": (length) => `${fillText("[a][b] ", length)}[c](https://x.y)`,
  "pictures without spaces": (length) => fillText("![a](b)", length),
  headings: (length) => fillText("# h\n", length),
  "inline code": (length) => fillText("`a` ", length),
  "one long line": (length) => fillText("word ", length),
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

/** Counts the function calls while a text is split; reading the counters resets them. */
async function getCost(split: (text: string) => readonly string[], text: string): Promise<number> {
  split(text);
  const { result } = (await session.post("Profiler.takePreciseCoverage")) as Profiler.TakePreciseCoverageReturnType;
  return result
    .filter(({ url }) => COUNTED.test(url))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
    .reduce((sum, count) => sum + count, 0);
}

describe.each(Object.entries(renderers))("splitting %s", (_name, split) => {
  test.each(Object.entries(texts))("costs the same for each part of a longer text: %s", async (_what, make) => {
    const [short, long] = [await getCost(split, make(SHORT)), await getCost(split, make(4 * SHORT))];
    expect(short).toBeGreaterThan(100);
    expect(long / short).toBeLessThan(MOST_GROWTH);
  });
});
