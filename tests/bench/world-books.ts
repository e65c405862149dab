// Measures the search for world book entries per message: main-thread milliseconds against a message, its history and a scene.
import { setImmediate } from "node:timers/promises";
import { createLoreActivator } from "../../plugins/world-books/src/activation/lore-activator.ts";
import { createBook, createEntry, createTestLibrary } from "../../plugins/world-books/src/test-setup.ts";

const ROUNDS = 2_000;
const NOTHING = { message: "", before: [], scene: {} };
const SYLLABLES = [
  "ka",
  "ro",
  "mi",
  "len",
  "dor",
  "va",
  "shi",
  "tan",
  "el",
  "qu",
  "ber",
  "no",
  "sa",
  "thi",
  "gra",
  "ul",
];
const COMMON =
  "the a of and to in is was he for it with as his on be at by had not are but from or have you they".split(" ");

let seed = 1;
const drawNumber = (most: number) => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed % most;
};
const createWord = (index: number) =>
  [index % 16, (index >> 4) % 16, (index >> 8) % 16, (index >> 12) % 16].map((at) => SYLLABLES[at]).join("");
const someWords = 20_000;
/** Returns a text of ordinary words with a keyword now and then. */
const createText = (length: number, every: number) => {
  let text = "";
  for (let count = 1; text.length < length; count += 1) {
    text += `${count % every === 0 ? createWord(drawNumber(someWords)) : COMMON[drawNumber(COMMON.length)]} `;
  }
  return text.slice(0, length);
};

for (const [count, budget, behaviour] of [
  [10, 0.05, "native"],
  [5_000, 1, "native"],
  [10, 0.05, "world_info"],
  [5_000, 1, "world_info"],
] as const) {
  const entries = Array.from({ length: count }, (_, at) =>
    createEntry({
      name: `Entry ${at}`,
      keywords: [0, 1, 2, 3].map((each) => createWord((at * 4 + each) % someWords)),
      content: "It has been so for as long as anybody remembers. ".repeat(4),
      trigger_sources: ["user", "assistant_recent", "history", "scene_state"],
      ...(at % 50 === 0 && { state_triggers: { place: [`place ${at}`] } }),
    }),
  );
  const begun = performance.now();
  const [library, longestBlockMs] = await measureLongestBlock(
    createTestLibrary([createBook({ id: "book_1", behaviour })], entries),
  );
  const built = performance.now() - begun;
  const recaller = createLoreActivator({
    library,
    findPartner: async () => undefined,
    findDefaultPartner: async () => undefined,
    getScene: () => ({}),
    readInfoContext: async () => ({ user: "", char: "", contextTokens: 8_192, generation: "normal" }),
    runner: () => undefined,
    regexLimitMs: 200,
  });
  const texts = Array.from({ length: 50 }, () => ({
    message: createText(200, 12),
    before: Array.from({ length: 6 }, (_, at) => ({
      role: at % 2 === 0 ? ("user" as const) : ("assistant" as const),
      content: createText(400, 30),
    })),
    scene: { place: `place ${drawNumber(count)}`, weather: createText(60, 9) },
  }));
  const ask = (round: number) => recaller.activateForInput(texts[round % texts.length] ?? NOTHING, () => true);
  for (let round = 0; round < ROUNDS; round += 1) await ask(round);
  const times: number[] = [];
  const cpu = process.cpuUsage();
  let found = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = performance.now();
    const recalled = await ask(round);
    times.push(performance.now() - before);
    found += recalled.length;
  }
  const spent = process.cpuUsage(cpu);
  times.sort((a, b) => a - b);
  const [median = 0, p99 = 0] = [times[ROUNDS >> 1], times[Math.floor(ROUNDS * 0.99)]];
  console.log(
    `${behaviour}: ${count} entries, ${count * 4} keywords: median ${median.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms, ${(spent.user / 1_000 / ROUNDS).toFixed(3)} ms of CPU (budget ${budget}), ` +
      `${(found / ROUNDS).toFixed(1)} found a message; ready in ${built.toFixed(0)} ms, of which the main thread computed ${longestBlockMs.toFixed(1)} ms at most at once`,
  );
}

/** Returns the result, and the longest time in CPU milliseconds that this thread blocked others. */
async function measureLongestBlock<Made>(work: Promise<Made>): Promise<readonly [Made, number]> {
  let isOver = false;
  let most = 0;
  const over = work.finally(() => {
    isOver = true;
  });
  for (let before = process.threadCpuUsage(); !isOver; before = process.threadCpuUsage()) {
    await setImmediate();
    const { user, system } = process.threadCpuUsage(before);
    most = Math.max(most, (user + system) / 1_000);
  }
  return [await over, most];
}
