// Compares keyword search in messages: ours, two libraries, and one search per keyword, on the same words and texts.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AhoCorasick } from "@monyone/aho-corasick";
import { MessageFilter } from "@parley/core";
import { buildTables, fold, foldText } from "@parley/core/text-match";
import { Mint } from "mint-filter";
import { prepareKeywords } from "../../plugins/filter/src/engine/keywords.ts";
import { createRule, createTestEngine } from "../../plugins/filter/src/test-setup.ts";
import { startParley } from "../harness/parley.ts";

const COUNTS = [100, 1_000, 10_000, 100_000];
const TEXTS = [
  { name: "zh 200", length: 200, isChinese: true },
  { name: "en 200", length: 200, isChinese: false },
  { name: "zh 4000", length: 4_000, isChinese: true },
  { name: "en 4000", length: 4_000, isChinese: false },
];

// A fixed seed gives the same words and texts in every run.
let seed = 42;
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
const chinese = () => String.fromCharCode(0x4e00 + Math.floor(random() * 3_000));
const letter = () => String.fromCharCode(97 + Math.floor(random() * 26));
const repeat = (count: number, make: () => string) => Array.from({ length: count }, make).join("");
const word = (index: number) =>
  index % 2 ? repeat(2 + Math.floor(random() * 4), chinese) : repeat(4 + Math.floor(random() * 6), letter);
const text = (length: number, isChinese: boolean) =>
  repeat(length, () => (isChinese ? chinese() : random() < 0.18 ? " " : letter()));

/** Returns the microseconds of one call in the fastest of several rounds. */
function measureUs(texts: readonly string[], call: (text: string) => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 12; round += 1) {
    const began = performance.now();
    let calls = 0;
    for (; performance.now() - began < 15; ) {
      for (const one of texts) call(one);
      calls += texts.length;
    }
    best = Math.min(best, ((performance.now() - began) * 1_000) / calls);
  }
  return best;
}

function buildTimed<Result>(make: () => Result): { readonly result: Result; readonly ms: number } {
  const began = performance.now();
  const result = make();
  return { result, ms: performance.now() - began };
}

const formatUs = (value: number) => `${value < 10 ? value.toFixed(2) : value.toFixed(1)} µs`;
let found = 0;
const count = (by = 1) => {
  found += by;
};

buildTimed(() => buildTables(Array.from({ length: 5_000 }, (_, index) => foldText(word(index)))));
for (const keywords of COUNTS) {
  const words = [...new Set(Array.from({ length: keywords }, (_, index) => word(index)))];
  const ours = buildTimed(() => buildTables(words.map(foldText)));
  const prepared = await prepareKeywords(words);
  const mint = buildTimed(() => new Mint([...words]));
  const other = buildTimed(() => new AhoCorasick([...words]));
  console.log(
    `${keywords} keywords: build ours ${ours.ms.toFixed(1)} ms, mint-filter ${mint.ms.toFixed(1)} ms, @monyone ${other.ms.toFixed(1)} ms`,
  );
  const folded = words.map(foldText);
  for (const { name, length, isChinese } of TEXTS) {
    const texts = Array.from({ length: 20 }, () => text(length, isChinese));
    const mine = measureUs(texts, (one) => prepared.search(fold(one), () => count()));
    const theirs = measureUs(texts, (one) => count(mint.result.filter(one, { replace: true }).words.length));
    const third = measureUs(texts, (one) => count(other.result.matchInText(one.toLowerCase()).length));
    const naive = measureUs(texts.slice(0, 2), (one) => {
      const low = foldText(one);
      for (const keyword of folded) if (low.includes(keyword)) count();
    });
    console.log(
      `  ${name}: ours ${formatUs(mine)}, mint-filter ${formatUs(theirs)} (${(theirs / mine).toFixed(1)} ×), @monyone ${formatUs(third)} (${(third / mine).toFixed(1)} ×), one by one ${formatUs(naive)} (${(naive / mine).toFixed(0)} ×)`,
    );
  }
}

// Rules exist, but none for this channel: the cost of such a message without the check of the file.
const idle = createTestEngine({ channels: { other: [createRule("word")] } });
console.log(
  `no rule that applies: ${formatUs(measureUs(["a message of the console"], () => void idle.hasRulesFor("user", "web", "sess_x")))}`,
);

// The whole service: the check of the file, the rules of three scopes, the answer.
await using parley = await startParley();
const file = join(parley.root, "resources/config/message_filter.json");
mkdirSync(dirname(file), { recursive: true });
const filter = parley.host.get(MessageFilter);
const messages = Array.from({ length: 500 }, () => text(200, true));
const office = { days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], start: "00:00", end: "00:00" };
for (const [keywords, more] of [[0], [10_000], [10_000, { window: office }], [100_000]] as const) {
  const global = Array.from({ length: keywords }, (_, index) => ({
    id: `rule_${index}`,
    pattern: word(index),
    ...more,
  }));
  writeFileSync(file, JSON.stringify({ enabled: true, global, channels: {} }));
  const request = { target: "user", channelId: "web", sessionId: "sess_x", hasAttachments: false } as const;
  const first = performance.now();
  await filter.apply({ ...request, text: "warm" });
  const load = performance.now() - first;
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 20; round += 1) {
    const began = performance.now();
    for (const message of messages) await filter.apply({ ...request, text: `${message}${round}` });
    best = Math.min(best, ((performance.now() - began) * 1_000) / messages.length);
  }
  console.log(
    `service with ${keywords} keywords${more ? " that have a time" : ""}, zh 200: ${formatUs(best)} a message; ready ${load.toFixed(0)} ms after an edit`,
  );
}
console.log(`(${found} matches)`);
