// `npm run picture`: takes the screenshot of the README, of a service with a few days of conversations.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startModelServer } from "@parley/simulators";
import type { Browser } from "playwright-core";
import { openBrowser } from "./harness/browser.ts";
import { DEMO_PASSWORD, type DemoChannels, startDemoChannels } from "./harness/demo-channels.ts";
import { reducePng } from "./harness/files/small-png.ts";

const FILE = join(import.meta.dirname, "..", ".github", "console.png");
/** Window size at which the lower edge cuts no entry of the menu. */
const WINDOW = { width: 1440, height: 930 };

const QUESTION = "Bread for Saturday: 60 loaves at 900 g, 75 % water. What do I weigh out tonight?";
const WEIGHING = `In baker's percentages everything counts from the flour, so:

\`\`\`python
loaves, weight, water, salt, starter = 60, 0.9, 0.75, 0.02, 0.20

flour = loaves * weight / (1 + water + salt + starter)
for name, share in [("flour", 1), ("water", water), ("starter", starter), ("salt", salt)]:
    print(f"{name:8}{flour * share:6.1f} kg")
\`\`\`

| Weigh out | Tonight |
|---|---:|
| Flour | 27.4 kg |
| Water | 20.6 kg |
| Starter | 5.5 kg |
| Salt | 0.5 kg |

Feed the starter **now**: it wants six hours at 24 °C before it can lift that much dough.`;
const ANSWERS: Readonly<Record<string, string>> = {
  [QUESTION]: WEIGHING,
  "And if the kitchen is only 20 degrees tonight?":
    "Then give it **eight to nine hours**, or use water at 32 °C: flour at 18 °C and a room at 20 °C bring the dough to 24 °C. Mix at 21:00, shape at 5:30, first loaves out at 7:00.",
  "Which words go on the sign for Saturday?": "“Sixty loaves. When they are gone, so are we.”",
  "What did the mill say about the rye?": "It comes on Thursday before eight, two pallets, at last year's price.",
  "Do you keep a loaf for me on Saturday?": "Of course. One country loaf is yours until ten o'clock.",
  "周六还有酸面包吗？": "有的，周六一共六十个，给您留一个。",
  "Are you open on the holiday?": "From seven to noon. The ovens are off on Monday.",
  "Who takes the early shift tomorrow?": "Jonas opens at four, you come at six. I have put it on the board.",
  "order 1184 paid": "Order 1184: 12 rolls and a plum cake, ready on Friday at nine.",
};

const PORTRAIT = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 256" width="256" height="256">
<rect width="256" height="256" fill="#f6d9b8"/><circle cx="128" cy="116" r="118" fill="#fbe8d0"/>
<path d="M60 256c0-52 30-76 68-76s68 24 68 76z" fill="#fff8ef"/><path d="M88 256v-46h80v46z" fill="#0f766e"/>
<path d="M92 214c0-22 6-34 8-38h10l4 26h28l4-26h10c2 4 8 16 8 38z" fill="#0f766e"/>
<path d="M66 128c-6-64 28-88 62-88s68 24 62 88c-3 30-14 50-22 56H88c-8-6-19-26-22-56z" fill="#5b3426"/>
<path d="M110 158h36v28c0 12-36 12-36 0z" fill="#e3a987"/><ellipse cx="128" cy="122" rx="44" ry="50" fill="#f2c3a2"/>
<path d="M82 116c2-36 22-50 46-50s44 14 46 50c-14-6-24-18-30-30-12 16-38 26-62 30z" fill="#5b3426"/>
<path d="M64 84c0-14 28-22 64-22s64 8 64 22l-4 10c-14-8-36-12-60-12s-46 4-60 12z" fill="#c9452f"/>
<path d="M72 76c4-34 28-50 56-50s52 16 56 50c-14-8-34-12-56-12s-42 4-56 12z" fill="#e05a3f"/>
<g fill="#3b2219"><circle cx="111" cy="124" r="5"/><circle cx="145" cy="124" r="5"/></g>
<g fill="#e9967a" opacity=".55"><circle cx="99" cy="140" r="9"/><circle cx="157" cy="140" r="9"/></g>
<path d="M112 148c8 10 24 10 32 0" fill="none" stroke="#a5483a" stroke-width="5" stroke-linecap="round"/></svg>`;

interface Created {
  readonly id: string;
}

const root = mkdtempSync(join(tmpdir(), "parley-picture-"));
const models = await startModelServer({
  answer({ body }) {
    const lastContent = JSON.stringify(body.messages.findLast(({ role }) => role === "user")?.content);
    const text = Object.entries(ANSWERS).find(([question]) => lastContent.includes(question))?.[1];
    return { kind: "text", text: text ?? "Good morning!" };
  },
});
const demo = await startDemoChannels(root, 0);
const browser = await openBrowser();
try {
  await take(browser, demo, await fill(demo, await portrait(browser, demo)));
} finally {
  await browser.close();
  await demo[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
}

async function portrait(from: Browser, { host, api }: DemoChannels): Promise<string> {
  const page = await from.newPage({ viewport: { width: 256, height: 256 } });
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${PORTRAIT}`);
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(await page.screenshot())], { type: "image/png" }), "mira.png");
  await page.close();
  const headers = { authorization: `Bearer ${api.token}` };
  const answer = await fetch(`${host.address}/api/personality/portrait`, { method: "POST", headers, body: form });
  return ((await answer.json()) as { readonly data: { readonly url: string } }).data.url;
}

/** Creates the conversations of a bakery; returns the one to show. */
async function fill({ api, stages }: DemoChannels, avatar: string): Promise<string> {
  const draft = { name: "Kitchen model", model: "kitchen-1", base_url: models.baseUrl };
  await api.post(`/api/ai-models/${(await api.post<Created>("/api/ai-models", draft)).id}/apply`, {});
  const mira = await api.post<Created>("/api/characters", {
    name: "Mira",
    description: "Keeps the books and the ovens of a small bakery by the harbour.",
    avatar,
    portrait: avatar,
    tags: ["bakery"],
  });
  const transcript = [
    ["webhook", "Shop orders", "order 1184 paid"],
    ["imC", "Early shift", "Who takes the early shift tomorrow?"],
    ["imAbot", "Harbour market", "Are you open on the holiday?"],
    ["imA", "林小雨", "周六还有酸面包吗？"],
    ["imB", "Anna Brandt", "Do you keep a loaf for me on Saturday?"],
  ] as const;
  for (const [channel, name, text] of transcript) {
    const { platform, conversation } = stages[channel];
    await platform.say(conversation, text);
    await platform.waitFor(() => platform.shown(conversation).length > 0);
    const { items } = await api.get<{ items: readonly (Created & { readonly key: string })[] }>("/api/sessions");
    const { id = "" } = items.find(({ key }) => key.startsWith(`${channel}:`)) ?? {};
    await api.put(`/api/sessions/${id}`, { name });
  }
  const talk = async (name: string, more: object, ...questions: readonly string[]) => {
    const { id } = await api.post<Created>("/api/sessions", { name, character_id: mira.id, ...more });
    for (const content of questions) await api.post(`/api/sessions/${id}/chat`, { content });
    return id;
  };
  await talk("Sign for the door", {}, "Which words go on the sign for Saturday?");
  await talk("Flour and rye", { tags: ["orders"] }, "What did the mill say about the rye?");
  const [first, ...others] = Object.keys(ANSWERS).slice(0, 2);
  return talk("Sixty loaves for Saturday", { tags: ["recipes"] }, first ?? "", ...others);
}

async function take(from: Browser, { host }: DemoChannels, session: string): Promise<void> {
  const context = await from.newContext({
    locale: "en-US",
    viewport: WINDOW,
    deviceScaleFactor: 2,
    reducedMotion: "reduce",
    serviceWorkers: "block",
  });
  const credentials = { username: "admin", password: DEMO_PASSWORD };
  await context.request.post(`${host.address}/api/login`, { data: credentials });
  const page = await context.newPage();
  await page.goto(`${host.address}/#/sessions/${session}`);
  await page.getByText("first loaves out").first().waitFor();
  await page.evaluate("document.fonts.ready");
  // Removes the blinking cursor from the picture.
  await page.locator(":focus").blur();
  writeFileSync(FILE, reducePng(await page.screenshot({ animations: "disabled" })));
  process.stdout.write(`${FILE}\n`);
}
