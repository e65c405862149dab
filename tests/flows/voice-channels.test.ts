import { Channels, Gateway, Jobs, type Message } from "@parley/core";
import {
  IMABOT_APP,
  type ImaBotServer,
  type ImaBridge,
  type ModelServer,
  type Receiver,
  startImaBotServer,
  startImaBridge,
  startModelServer,
  startReceiver,
} from "@parley/simulators";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createRecording, startVoiceServer, type VoiceServer } from "../harness/servers/voice-server.ts";

let models: ModelServer;
let voice: VoiceServer;
let ima: ImaBridge;
let bot: ImaBotServer;
let shop: Receiver;
let parley: Parley;
let api: Client;

beforeAll(async () => {
  models = await startModelServer();
  voice = await startVoiceServer();
  ima = await startImaBridge();
  bot = await startImaBotServer();
  shop = await startReceiver();
  parley = await startParley({ env: { IMABOT_APP_SECRET: IMABOT_APP.secret } });
  api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${id}/apply`, {});
  for (const purpose of ["tts", "stt"]) {
    await api.post("/api/ai-models", { name: purpose, model: purpose, purpose, base_url: voice.baseUrl });
  }
  await api.put("/api/channels/imA", { config: { ws_uri: ima.address } });
  await api.put("/api/channels/imAbot", { config: { app_id: IMABOT_APP.id, api_base: bot.address } });
  for (const one of ["imA", "imAbot"]) await api.post(`/api/channels/${one}/toggle`, { enabled: true });
  const config = { auth: { type: "none" }, outbound_url: shop.address };
  await api.post("/api/channels", { id: "shop", name: "shop", type: "custom", config });
  await ima.up();
  await eventually(() => expect(parley.host.get(Channels).status("imAbot").connected).toBe(true));
  await eventually(() => expect(parley.host.get(Channels).link("shop")).toBeDefined());
  shop.useWebhook({ url: `${parley.address}/api/gateway/shop/webhook`, headers: {} });
}, 60_000);
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  for (const one of [ima, bot, shop, models, voice]) await one[Symbol.asyncDispose]();
});
beforeEach(() =>
  api.put("/api/settings", {
    gateway: { allow_private_outbound: true },
    features: { tts: true },
    voice: { transcribe: true, answer_in_kind: false, channels: [] },
  }),
);

/** Sends a recording in a private conversation, in the format of each platform. */
const CHANNELS = [
  {
    channel: "imA",
    session: (name: string) => `imA:private:${number(name)}`,
    async say(name: string, recording: Buffer) {
      ima.files.set(name, recording);
      await ima.say(`private:${number(name)}`, [{ type: "record", data: { file: name } }]);
    },
  },
  {
    channel: "imAbot",
    session: (name: string) => `imAbot:private:${name}`,
    async say(name: string, recording: Buffer) {
      bot.files.set(name, recording);
      const url = `${bot.address}/download/${name}`;
      await bot.say(`private:${name}`, "", { attachments: [{ content_type: "voice", filename: name, url }] });
    },
  },
  {
    channel: "shop",
    session: (name: string) => `shop:${name}`,
    async say(name: string, recording: Buffer) {
      bot.files.set(name, recording);
      const url = `${bot.address}/download/${name}`;
      await shop.say(name, "", { attachments: [{ type: "audio", url }] });
    },
  },
] as const;

const number = (name: string) => 900 + name.length;
/** Waits for a message and its answer, and returns both. */
const turn = async (session: string): Promise<readonly Message[]> => {
  await eventually(async () => {
    const found = await api.send("GET", `/api/sessions/${session}/messages`);
    expect(found.text).toContain('"role":"assistant"');
  });
  await parley.host.get(Gateway).idle();
  return (await api.get<{ items: readonly Message[] }>(`/api/sessions/${session}/messages`)).items;
};
/** Formats of phone recorders that no model accepts. */
const AMR = Buffer.concat([Buffer.from("#!AMR\n"), Buffer.alloc(64, 1)]);
const SILK = Buffer.concat([Buffer.from("\x02#!SILK_V3", "latin1"), Buffer.alloc(64, 1)]);

describe.each(CHANNELS)("a voice message of $channel", ({ channel, session, say }) => {
  test("is transcribed, and answered", async () => {
    const name = `${channel}-hello`;
    const from = models.requests.length;
    await say(name, createRecording("good morning"));
    const [message, answer] = await turn(session(name));
    expect(message).toMatchObject({
      content: "good morning",
      attachments: [{ type: "audio", mime_type: "audio/wav", meta: { transcript: "good morning" } }],
    });
    expect(JSON.stringify(models.requests.slice(from).at(-1)?.body.messages.at(-1))).toContain("good morning");
    expect(answer?.role).toBe("assistant");
  });

  test.each([
    ["AMR", AMR, "audio/amr"],
    ["SILK", SILK, "audio/silk"],
  ])(
    "in %s remains as it is, and the model learns that it was not transcribed",
    async (format, recording, mime_type) => {
      const name = `${channel}-in-${format}-here`;
      const [from, receivedBefore] = [models.requests.length, voice.transcriptions.length];
      await say(name, recording);
      const [message] = await turn(session(name));
      expect(message).toMatchObject({
        content: "",
        attachments: [{ type: "audio", mime_type, meta: { transcript: null } }],
      });
      expect(voice.transcriptions.length).toBe(receivedBefore);
      expect(JSON.stringify(models.requests.slice(from).at(-1)?.body.messages.at(-1))).toContain(
        "[voice message, not transcribed]",
      );
    },
  );
});

describe("a spoken answer", () => {
  test("is a voice message on imA, after its text", async () => {
    await api.put("/api/settings", { voice: { channels: ["imA"] } });
    await ima.say("private:701", "Speak to me.");
    const isVoice = ({ segments }: ImaBridge["sent"][number]) => JSON.stringify(segments).includes('"record"');
    const sent = await ima.seen((one) => one.to === "private:701" && isVoice(one));
    const bytes = Buffer.from(/base64:\/\/([^"]+)/.exec(JSON.stringify(sent.segments))?.[1] ?? "", "base64");
    expect(bytes.subarray(0, 4).toString()).toBe("OggS");
    expect(ima.sent.filter(({ to }) => to === "private:701").map(isVoice)).toEqual([false, true]);
  });

  test("remains text where the platform can play no available format, and the conversation says so once", async () => {
    await api.put("/api/settings", { voice: { channels: ["imAbot"] } });
    const spoken = voice.speechRequests.length;
    const session = "imAbot:private:quiet";
    const sendMessage = async (more: string) => {
      await bot.say("private:quiet", more);
      await eventually(() => expect(bot.sent.map(({ text }) => text)).toContain(`You said: ${more}`));
    };
    const fetchMessages = async () =>
      (await api.get<{ items: readonly Message[] }>(`/api/sessions/${session}/messages?include_system=true`)).items;
    await sendMessage("Speak to me.");
    await eventually(async () =>
      expect((await fetchMessages()).map(({ kind }) => kind)).toEqual(["normal", "normal", "notice"]),
    );
    await sendMessage("Once more.");
    const messages = await fetchMessages();
    const traces = new Set(messages.map(({ trace_id }) => trace_id));
    await eventually(async () => {
      const { items } = await parley.host.get(Jobs).list({ kind: "voice.speak", status: "done", limit: 50, offset: 0 });
      expect(items.filter(({ trace_id }) => traces.has(trace_id))).toHaveLength(2);
    });
    expect((await fetchMessages()).filter(({ kind }) => kind === "notice")).toMatchObject([
      {
        role: "system",
        metadata: { notice: "voice.not_played" },
        content: expect.stringContaining("none of the audio formats"),
      },
    ]);
    expect(bot.sent.filter(({ to }) => to === "/v2/users/quiet").map(({ text }) => text)).toEqual([
      "You said: Speak to me.",
      "You said: Once more.",
    ]);
    expect(voice.speechRequests).toHaveLength(spoken);
    expect(JSON.stringify(models.requests.at(-1)?.body.messages)).not.toContain("audio format");
  });

  test("is sent to a program of the generic protocol as a link to the audio, after its text", async () => {
    await api.put("/api/settings", { voice: { channels: ["shop"] } });
    await shop.say("room-9", "Speak to me.");
    const posts = () => shop.posts.filter(({ body }) => body.conversation_id === "room-9").map(({ body }) => body);
    await eventually(() => expect(posts()).toHaveLength(2));
    const [text, sound] = posts();
    expect(text).toMatchObject({ content: "You said: Speak to me.", attachments: [] });
    expect(sound).toMatchObject({ content: "", attachments: [{ type: "audio", name: "voice.ogg" }] });
    const [{ url = "" } = {}] = (sound?.attachments ?? []) as readonly { readonly url?: string }[];
    expect((await (await fetch(url)).text()).slice(0, 4)).toBe("OggS");
  });

  test("is one message beside its voice message, also where answers are sent in sentences", async () => {
    await api.put("/api/settings", { voice: { channels: ["shop"] } });
    await api.put("/api/channels/shop", { config: { reply_style: "sentences" } });
    await eventually(() => expect(parley.host.get(Channels).link("shop")).toBeDefined());
    await shop.say("room-10", "Speak to me. Now.");
    const posts = () => shop.posts.filter(({ body }) => body.conversation_id === "room-10").map(({ body }) => body);
    await eventually(() => expect(posts()).toHaveLength(2));
    expect(posts().map(({ content }) => content)).toEqual(["You said: Speak to me. Now.", ""]);
  });
});
