// Measures the console in a browser: the first load, and keys and scrolling with 5,000 messages and 5,000 conversations compared to ten
// of each. Needs the built console and Chromium.
// node --conditions=@parley/source tests/bench/console.ts
import type { Page } from "playwright-core";
import { openBrowser } from "../harness/browser.ts";
import { startParley } from "../harness/parley.ts";

const MANY = 5_000;
const FEW = 10;
const KEYS = 120;
const ROUNDS = 5;

/** Milliseconds of the page's thread per key, including layout. */
const TYPED = `(async () => {
  const times = [];
  for (let at = 0; at < ${KEYS}; at += 1) {
    const from = performance.now();
    document.execCommand("insertText", false, at % 6 === 5 ? " " : "a");
    await Promise.resolve();
    document.body.offsetHeight;
    times.push(performance.now() - from);
    await new Promise((done) => requestAnimationFrame(done));
  }
  return times;
})()`;
/** Milliseconds between frames while a list is scrolled by a third of a screen at a time. */
const createScrollScript = (selector: string, step: number) => `(async () => {
  const list = document.querySelector(${JSON.stringify(selector)});
  const times = [];
  let last = await new Promise((done) => requestAnimationFrame(done));
  for (let at = 0; at < 120; at += 1) {
    list.scrollBy({ top: ${step}, behavior: "instant" });
    const now = await new Promise((done) => requestAnimationFrame(done));
    times.push(now - last);
    last = now;
  }
  return times;
})()`;

await using parley = await startParley();
const api = await parley.signIn();
const browser = await openBrowser();
const options = { viewport: { width: 1280, height: 800 }, serviceWorkers: "block" } as const;

const at = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
const formatSpread = (times: readonly number[]) => {
  const sorted = times.toSorted((a, b) => a - b);
  return { p50: at(sorted, 0.5), p95: at(sorted, 0.95), max: at(sorted, 1) };
};
const printTimes = (what: string, times: readonly number[], reference?: readonly number[]) => {
  const { p50, p95, max } = formatSpread(times);
  const ratio = reference && ` = ${(p50 / formatSpread(reference).p50).toFixed(2)} x among ten`;
  console.log(
    `${what.padEnd(46)} p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)}, max ${max.toFixed(1)} ms${ratio ?? ""}`,
  );
};

const messages = Array.from({ length: MANY }, (_, index) => ({
  role: index % 2 === 0 ? "user" : "assistant",
  content: `Line **${index}** of a long conversation, with \`code\` and some words in it.`,
}));
const sessions = [
  { name: "Huge", messages },
  { name: "Tiny", messages: messages.slice(0, FEW) },
];
await api.post("/api/sessions/import", { sessions });
const { items } = await api.get<{ items: readonly { id: string; name: string }[] }>("/api/sessions?limit=50");
const findId = (name: string) => items.find((one) => one.name === name)?.id;

const context = await browser.newContext(options);
await context.request.post(`${parley.address}/api/login`, { data: parley.credentials });

async function measureFirstLoad(): Promise<{ readonly bytes: number; readonly ms: number }> {
  const fresh = await browser.newContext(options);
  const page = await fresh.newPage();
  const network = await fresh.newCDPSession(page);
  let bytes = 0;
  await network.send("Network.enable");
  network.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const from = performance.now();
  await page.goto(parley.address);
  await page.locator("input[type=password]").waitFor();
  const ms = performance.now() - from;
  await page.waitForLoadState("networkidle");
  await fresh.close();
  return { bytes, ms };
}

async function openConversation(name: string): Promise<readonly [page: Page, ms: number]> {
  const page = await context.newPage();
  await page.goto(`${parley.address}/#/files`);
  await page.locator("h1").first().waitFor();
  const from = performance.now();
  await page.evaluate(`location.hash = "/sessions/${findId(name)}"`);
  await page.getByTestId("message").last().waitFor();
  return [page, performance.now() - from];
}

const loads = [];
for (let round = 0; round < ROUNDS; round += 1) loads.push(await measureFirstLoad());
console.log(`first load, over the wire: ${((loads[0]?.bytes ?? 0) / 1_000).toFixed(1)} kB`);
printTimes(
  "first load until one can sign in",
  loads.map(({ ms }) => ms),
);

const found: Record<
  string,
  { readonly open: number[]; readonly keys: number[]; readonly streaming: number[]; readonly frames: number[] }
> = {};
for (const name of ["Tiny", "Huge"]) {
  const one = { open: [] as number[], keys: [] as number[], streaming: [] as number[], frames: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const [page, ms] = await openConversation(name);
    one.open.push(ms);
    if (name === "Huge" && round === ROUNDS - 1) {
      // Starts at the beginning of the conversation, with all messages below.
      await page.getByRole("button", { name: "More" }).click();
      await page.getByTestId("to-beginning").click();
      await page.locator('[data-found="true"]').waitFor();
      one.frames.push(...(await page.evaluate<number[]>(createScrollScript(".chat_messageLog", 260))));
    }
    await page.getByTestId("composer").focus();
    one.keys.push(...(await page.evaluate<number[]>(TYPED)));
    await page.close();
  }
  const [page] = await openConversation(name);
  await page.getByTestId("composer").fill("Say it again, all of it, word by word. ".repeat(120));
  await page.keyboard.press("Enter");
  await page.getByTestId("stop").waitFor();
  await page.getByTestId("composer").focus();
  one.streaming.push(...(await page.evaluate<number[]>(TYPED)));
  await page.close();
  found[name] = one;
}
const { Tiny: tiny, Huge: huge } = found;
printTimes(`open a conversation of ${FEW}`, tiny?.open ?? []);
printTimes(`open a conversation of ${MANY}`, huge?.open ?? [], tiny?.open);
printTimes(`a key among ${FEW}`, tiny?.keys ?? []);
printTimes(`a key among ${MANY}`, huge?.keys ?? [], tiny?.keys);
printTimes(`a key among ${FEW} while an answer streams`, tiny?.streaming ?? []);
printTimes(`a key among ${MANY} while an answer streams`, huge?.streaming ?? [], tiny?.streaming);
printTimes(`a frame while ${MANY} messages are scrolled`, huge?.frames ?? []);

for (let from = 0; from < MANY; from += 500) {
  const some = Array.from({ length: 500 }, (_, index) => ({
    name: `Conversation ${from + index}`,
    messages: messages.slice(0, 1),
  }));
  await api.post("/api/sessions/import", { sessions: some });
}
const page = await context.newPage();
await page.goto(`${parley.address}/#/`);
await page.getByTestId("session-item").first().waitFor();
printTimes(
  `a frame while ${MANY} conversations are scrolled`,
  await page.evaluate<number[]>(createScrollScript("nav.items", 260)),
);
await page.getByTestId("session-search").focus();
printTimes(`a key in the search of ${MANY} conversations`, await page.evaluate<number[]>(TYPED));
await browser.close();
