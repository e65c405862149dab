import { Channels } from "@parley/core";
import {
  createGate,
  IMABOT_APP,
  IMC_APP,
  type ImaBotServer,
  type ImaBridge,
  type ImbServer,
  type ImcServer,
  type ModelServer,
  parseHtml,
  startImaBotServer,
  startImaBridge,
  startImbServer,
  startImcServer,
  startModelServer,
} from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { IMA_TIMING } from "../../adapters/ima/src/bridge/timing.ts";
import { createImaPlugin } from "../../adapters/ima/src/index.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const QUICK = { ...IMA_TIMING, firstBackoffMs: 2, maxBackoffMs: 20, conversationIntervalMs: 1, accountIntervalMs: 1 };

let models: ModelServer;
let bridge: ImaBridge;
let imb: ImbServer;
let imc: ImcServer;
let bot: ImaBotServer;
let parley: Parley;
let api: Client;
let count = 0;

beforeAll(async () => {
  [models, bridge, imb, imc, bot] = await Promise.all([
    startModelServer(),
    startImaBridge({ token: "sesame" }),
    startImbServer(),
    startImcServer(),
    startImaBotServer(),
  ]);
  parley = await startParley({
    plugins: [createImaPlugin(QUICK)],
    env: {
      IMA_ACCESS_TOKEN: "sesame",
      IMB_BOT_TOKEN: "42:secret",
      IMB_WEBHOOK_SECRET: "s",
      IMC_APP_SECRET: IMC_APP.secret,
      IMC_ENCRYPT_KEY: "encrypt-key",
      IMC_VERIFICATION_TOKEN: "vt",
      IMABOT_APP_SECRET: IMABOT_APP.secret,
    },
  });
  api = await parley.signIn();
  const model = { name: "m", model: "m", base_url: models.baseUrl };
  const { id } = await api.post<{ id: string }>("/api/ai-models", model);
  await api.post(`/api/ai-models/${id}/apply`, {});
  await api.put("/api/channels/imA", { config: { ws_uri: bridge.address } });
  await api.post("/api/channels/imA/toggle", { enabled: true });
  await api.put("/api/channels/imAbot", { config: { app_id: IMABOT_APP.id, api_base: bot.address } });
  await api.post("/api/channels/imAbot/toggle", { enabled: true });
  await api.post("/api/channels/presets/imB", { config: { api_base: imb.address, paced: false } });
  await api.post("/api/channels/presets/imC", { config: { app_id: IMC_APP.id, api_base: imc.address } });
  const isUp = (channel: string) => expect(parley.host.get(Channels).status(channel).connected).toBe(true);
  await vi.waitFor(() => ["imA", "imAbot"].forEach(isUp), { timeout: 20_000 });
  imb.useWebhook({ url: `${parley.address}/api/channels/imB/imB/webhook`, secret_token: "s" });
  const url = `${parley.address}/api/channels/imC/imC/webhook`;
  imc.useWebhook({ url, encryptKey: "encrypt-key", verificationToken: "vt" });
}, 60_000);
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  for (const server of [models, bridge, imb, imc, bot]) await server[Symbol.asyncDispose]();
});

const nextNumber = () => 1_000 + ++count;
const answers = (text: string) => void models.script.push({ kind: "text", text });
const timeout = 20_000;

/** For each platform: asks in a new chat and returns the answer as it was sent. */
const SENT: Readonly<Record<string, (answer: string) => Promise<unknown>>> = {
  async imA(answer) {
    answers(answer);
    const to = `private:${nextNumber()}`;
    await bridge.say(to, "go");
    await bridge.seen((one) => one.to === to);
    return bridge.shown(to)[0];
  },
  async imAbot(answer) {
    answers(answer);
    const id = String(nextNumber());
    bot.push("C2C_MESSAGE_CREATE", { id, content: "go", author: { user_openid: `U${id}` } });
    return vi.waitFor(() => bot.shown(`private:U${id}`)[0] ?? Promise.reject(new Error("nothing yet")), { timeout });
  },
  async imB(answer) {
    answers(answer);
    const id = nextNumber();
    await imb.say(String(id), "go");
    const { text, body } = await imb.seen(({ chat }) => chat === id);
    return body.parse_mode === undefined ? text : { [String(body.parse_mode)]: text };
  },
  async imC(answer) {
    answers(answer);
    const id = `oc_${nextNumber()}`;
    await imc.say(id, "go");
    const { text, post } = await imc.seen(({ chat }) => chat === id);
    return post ?? text;
  },
};

const CODE = "Here:\n```js\nconst a = 1;\nconst b = 2;\n```\nThat is **all**.";
const t = (text: string) => ({ tag: "text", text });

describe("an answer in Markdown", () => {
  test.each([
    ["imA", "Here:\nconst a = 1;\nconst b = 2;\nThat is all."],
    ["imAbot", "Here:\nconst a = 1;\nconst b = 2;\nThat is all."],
    [
      "imB",
      {
        HTML: 'Here:\n<pre><code class="language-js">const a = 1;\nconst b = 2;</code></pre>\nThat is <b>all</b>.',
      },
    ],
    [
      "imC",
      [
        [t("Here:")],
        [{ tag: "code_block", text: "const a = 1;\nconst b = 2;", language: "JAVASCRIPT" }],
        [t("That is "), { ...t("all"), style: ["bold"] }, t(".")],
      ],
    ],
  ])("is sent in the form of %s", async (channel, sent) => {
    expect(await SENT[channel]?.(CODE)).toEqual(sent);
  });

  test.each(Object.keys(SENT))("without markup is sent to %s unchanged", async (channel) => {
    for (const text of ["**args and **kwargs", "2 * 3 * 4 in snake_case_words\n\n#tag <b> & [1]"])
      expect(await SENT[channel]?.(text)).toBe(text);
  });
});

describe("an answer whose formatting the platform rejects is sent once without it", () => {
  test("on imB", async () => {
    const description = "Bad Request: can't parse entities: Unexpected end tag";
    imb.faults.push({ method: "sendMessage", fault: { kind: "error", code: 400, description } });
    expect(await SENT.imB?.("see **this** [page](https://x.y)")).toBe("see this page (https://x.y)");
  });

  test("on imC", async () => {
    imc.faults.push({ kind: "code", code: 230_001, status: 400, msg: "invalid content" });
    expect(await SENT.imC?.("see **this** [page](https://x.y)")).toBe("see this page (https://x.y)");
  });
});

test("a long answer is split on imB into messages with complete code blocks, without loss", async () => {
  const code = Array.from({ length: 600 }, (_, line) => `const line${line} = "<${line}>";`).join("\n");
  answers(`Before:\n\`\`\`ts\n${code}\n\`\`\`\n**After** it.`);
  const id = nextNumber();
  await imb.say(String(id), "go");
  await imb.seen(({ chat, text }) => chat === id && text.includes("After"));
  const texts = imb.messages.filter(({ chat }) => chat === id).map(({ text }) => text);
  expect(texts.length).toBeGreaterThan(3);
  for (const text of texts) expect(text).toContain('<pre><code class="language-ts">');
  const seen = texts.map((text) => {
    const parsed = parseHtml(text);
    return "text" in parsed ? parsed.text : parsed.problem;
  });
  expect(seen.join("\n")).toBe(`Before:\n${code}\nAfter it.`);
});

test("a streamed answer on imB shows its formatting while it grows", async () => {
  await api.put("/api/channels/imB", { capabilities: { supports_stream: true } });
  const gate = createGate();
  const pieces = ["This is **very impor", "tant** code:\n```js\nlet a = 1", ";\n```\nend"];
  models.script.push({ kind: "held", pieces, gate });
  const id = nextNumber();
  await imb.say(String(id), "go");
  const waitForHtml = (html: string) => imb.seen(({ chat, text }) => chat === id && text === html);
  gate.next();
  await waitForHtml("This is <b>very impor …</b>");
  gate.next();
  await waitForHtml('This is <b>very important</b> code:\n<pre><code class="language-js">let a = 1 …</code></pre>');
  gate.next();
  await waitForHtml('This is <b>very important</b> code:\n<pre><code class="language-js">let a = 1;</code></pre>\nend');
  expect(imb.messages.filter(({ chat }) => chat === id)).toHaveLength(1);
});
