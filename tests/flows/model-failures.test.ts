import { Channels, Gateway } from "@parley/core";
import {
  IMABOT_APP,
  IMC_APP,
  type ImaBotServer,
  type ImaBridge,
  type ImbServer,
  type ImcServer,
  type ReplayServer,
  startImaBotServer,
  startImaBridge,
  startImbServer,
  startImcServer,
  startReplayServer,
} from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IMA_TIMING } from "../../adapters/ima/src/bridge/timing.ts";
import { createImaPlugin } from "../../adapters/ima/src/index.ts";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

// A model that cannot answer until the setup is changed: people on a platform are notified at once, and once.

const QUICK = { ...IMA_TIMING, firstBackoffMs: 2, maxBackoffMs: 20, conversationIntervalMs: 1, accountIntervalMs: 1 };
const SORRY = ["Sorry, this could not be answered. Please try again later.", "抱歉，暂时无法回答，请稍后再试。"];

const fake = createFakeChannel();
let ima: ImaBridge;
let bot: ImaBotServer;
let imb: ImbServer;
let imc: ImcServer;
let provider: ReplayServer;
let parley: Parley;
let api: Client;

beforeAll(async () => {
  [ima, bot, imb, imc, provider] = await Promise.all([
    startImaBridge({ token: "sesame" }),
    startImaBotServer(),
    startImbServer(),
    startImcServer(),
    startReplayServer(),
  ]);
  parley = await startParley({
    plugins: [fake.plugin, createImaPlugin(QUICK)],
    env: {
      IMA_ACCESS_TOKEN: "sesame",
      IMABOT_APP_SECRET: IMABOT_APP.secret,
      IMB_BOT_TOKEN: "42:secret",
      IMB_WEBHOOK_SECRET: "s",
      IMC_APP_SECRET: IMC_APP.secret,
      IMC_ENCRYPT_KEY: "encrypt-key",
      IMC_VERIFICATION_TOKEN: "vt",
    },
  });
  api = await parley.signIn();
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
  await api.put("/api/channels/imA", { config: { ws_uri: ima.address } });
  await api.put("/api/channels/imAbot", { config: { app_id: IMABOT_APP.id, api_base: bot.address } });
  for (const id of ["imA", "imAbot"]) await api.post(`/api/channels/${id}/toggle`, { enabled: true });
  await api.post("/api/channels/presets/imB", { config: { api_base: imb.address, paced: false } });
  await api.post("/api/channels/presets/imC", { config: { app_id: IMC_APP.id, api_base: imc.address } });
  imb.useWebhook({ url: `${parley.address}/api/channels/imB/imB/webhook`, secret_token: "s" });
  const url = `${parley.address}/api/channels/imC/imC/webhook`;
  imc.useWebhook({ url, encryptKey: "encrypt-key", verificationToken: "vt" });
  const isUp = (id: string) => expect(parley.host.get(Channels).status(id).connected).toBe(true);
  await eventually(() => ["imA", "imAbot"].forEach(isUp));
}, 60_000);
afterAll(async () => {
  await parley?.[Symbol.asyncDispose]();
  for (const one of [ima, bot, imb, imc, provider]) await one?.[Symbol.asyncDispose]();
});

/** A conversation on a platform: sends messages and shows those of the bot. */
interface Asking {
  readonly conversation: (number: number) => string;
  readonly say: (conversation: string) => Promise<unknown>;
  readonly shown: (conversation: string) => readonly string[];
}
const asking = (
  platform: () => Pick<ImaBridge, "shown"> & { say(conversation: string, text: string): Promise<unknown> },
  conversation: Asking["conversation"],
): Asking => ({
  conversation,
  say: (one) => platform().say(one, "Why?"),
  shown: (one) => platform().shown(one),
});
const ADAPTERS: Readonly<Record<string, Asking>> = {
  "a channel of a test": {
    conversation: (number) => `team-${number}`,
    say: (one) => fake.say(one, "Why?"),
    shown: (one) => fake.sent.filter(({ conversation }) => conversation.id === one).map(({ text }) => text),
  },
  imA: asking(
    () => ima,
    (number) => `private:${number}`,
  ),
  imAbot: asking(
    () => bot,
    (number) => `private:U${number}`,
  ),
  imB: asking(() => imb, String),
  imC: asking(
    () => imc,
    (number) => `oc_${number}`,
  ),
};
let count = 1_000;

describe.each(Object.entries(ADAPTERS))("people on %s", (_adapter, { conversation, say, shown }) => {
  test.each([
    ["rejects its key", 401, {}],
    ["may not be used", 403, {}],
    ["is not there", 404, {}],
    ["has no credit left", 402, {}],
    ["rejects the request", 400, {}],
    ["has no key", 0, { base_url: "https://api.openai.com/v1" }],
  ])("whose model %s are informed at once, and the model is called once", async (_why, status, more) => {
    count += 1;
    const draft = { name: `M ${count}`, model: "m", base_url: provider.address, retry_count: 0, ...more };
    const { id } = await api.post<{ id: string }>("/api/ai-models", draft);
    await api.post(`/api/ai-models/${id}/apply`, {});
    const asked = provider.calls.length;
    for (let one = 0; one < 2; one += 1) provider.answers.push({ status, body: { error: { message: "no" } } });
    const where = conversation(count);
    await say(where);
    await eventually(() => expect(shown(where)).toHaveLength(1));
    await parley.host.get(Gateway).idle();

    expect(SORRY).toContain(shown(where)[0]);
    expect(shown(where)).toHaveLength(1);
    expect(provider.calls.length).toBe(asked + (status === 0 ? 0 : 1));
    provider.answers.length = 0;
    await api.post(`/api/ai-models/${id}/toggle`, { enabled: false });
  });
});
