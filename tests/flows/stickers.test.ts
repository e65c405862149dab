import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Channels, type Character, Gateway, type Message, type Session } from "@parley/core";
import { STICKER_CATEGORIES } from "@parley/core/characters";
import { type ImbServer, type ModelServer, startImbServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

const SECRET = "webhook-secret";
const PICTURE = { url: "https://pictures.example/a.gif", artist_name: "<b>Ann</b>", source_url: "javascript:alert(1)" };

const fake = createFakeChannel();
let stickers: Server;
let address: string;
/** Requested categories. */
let asked: string[];
let answer: (response: ServerResponse, category: string) => void;
let models: ModelServer;
let platform: ImbServer;
let parley: Parley;
let api: Client;

const json = (response: ServerResponse, body: unknown, status = 200) => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
};

beforeAll(async () => {
  stickers = createServer((request, response) => {
    const category = (request.url ?? "").split("/").at(-1) ?? "";
    asked.push(category);
    answer(response, category);
  });
  await new Promise<void>((done) => stickers.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${(stickers.address() as AddressInfo).port}/api/`;
  models = await startModelServer({ answer: () => ({ kind: "text", text: "fine" }) });
  platform = await startImbServer();
  const env = {
    IMB_BOT_TOKEN: "42:secret",
    IMB_WEBHOOK_SECRET: SECRET,
    SVC_STICKER_ENABLED: "yes",
    SVC_STICKER_PROBABILITY: "1",
    SVC_STICKER_API_URL: address,
  };
  parley = await startParley({ env, plugins: [fake.plugin] });
  api = await parley.signIn();
  await api.post("/api/channels", {
    id: fake.id,
    name: "Fake",
    type: fake.id,
    transport: "bridge",
    capabilities: { supports_file_send: true },
  });
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${id}/apply`, {});
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
  stickers.close();
});
beforeEach(() => {
  asked = [];
  answer = (response) => json(response, { results: [{ url: "ftp://no" }, PICTURE] });
});

const createWithMood = async (mood: string) => {
  const { id } = await api.post<Character>("/api/characters", { name: "Mira", initial_state: { mood } });
  return api.post<Session>("/api/sessions", { character_id: id });
};
const say = async ({ id }: Session, content: string) =>
  (await api.post<{ replies: readonly Message[] }>(`/api/sessions/${id}/chat`, { content })).replies[0];
const settings = (features: object) => api.put("/api/settings", { features });

describe("a sticker", () => {
  test("matches the mood of the answer", async () => {
    for (const [category, moods] of Object.entries(STICKER_CATEGORIES)) {
      for (const mood of moods.slice(-1)) {
        asked = [];
        const reply = await say(await createWithMood(mood), "hm");
        expect(asked, mood).toEqual([category]);
        expect(reply?.attachments, mood).toEqual([
          {
            type: "sticker",
            name: category,
            mime_type: "image/gif",
            size: 0,
            url: PICTURE.url,
            source: "sticker",
            meta: { category, mood, artist_name: "<b>Ann</b>", source_url: "" },
          },
        ]);
      }
    }
  });

  test("for an unknown mood is one of the nine, and without a mood a smile", async () => {
    const reply = await say(await createWithMood("玩味"), "hm");
    expect(Object.keys(STICKER_CATEGORIES)).toContain(reply?.attachments[0]?.name);
    asked = [];
    await say(await api.post<Session>("/api/sessions", {}), "hello");
    expect(asked).toEqual(["smile"]);
  });

  test("shows the mood after the message, and is recorded in the latest turn", async () => {
    const session = await createWithMood("平静");
    await say(session, "你真棒");
    expect(asked).toEqual(["happy"]);
    const { turn } = await api.get<{ turn: { sticker: object } }>(
      `/api/characters/${session.character_id}/debug/latest-turn`,
    );
    expect(turn.sticker).toEqual({ tried: true, sent: true, category: "happy" });
  });

  test("is not requested for a command, with probability 0, or when it is off", async () => {
    const session = await createWithMood("平静");
    await say(session, "/help");
    await settings({ sticker_probability: 0 });
    await say(session, "hm");
    await settings({ sticker_probability: 1, sticker: false });
    await say(session, "hm");
    expect(asked).toEqual([]);
    await settings({ sticker: null, sticker_probability: null });
    await say(session, "hm");
    expect(asked).toHaveLength(1);
  });

  test("does not follow a redirect to another host, and an answer without a sticker is complete", async () => {
    const session = await createWithMood("平静");
    answer = (response) => response.writeHead(302, { location: "http://127.0.0.1:9/elsewhere" }).end();
    expect(await say(session, "hm")).toMatchObject({ content: "fine", attachments: [] });
    answer = (response) => json(response, { results: "none" });
    expect(await say(session, "hm")).toMatchObject({ content: "fine", attachments: [] });
    answer = (response) => json(response, { results: [], filler: "x".repeat(70_000) });
    expect(await say(session, "hm")).toMatchObject({ content: "fine", attachments: [] });
    answer = (response, category) =>
      category === "smile"
        ? response.writeHead(302, { location: "/api/other" }).end()
        : json(response, { results: [PICTURE] });
    expect((await say(session, "hm"))?.attachments).toHaveLength(1);
  });
});

test("a character chats over imB with prompt, mood and timeline, and without stickers, which the platform cannot show", async () => {
  await api.post("/api/channels/presets/imB", { config: { api_base: platform.address } });
  await vi.waitFor(() => expect(parley.host.get(Channels).link("imB")).toBeDefined());
  const post = async (update_id: number, text: string) => {
    const from = { id: 501, first_name: "Lin" };
    const body = { update_id, message: { message_id: update_id, from, chat: { id: 11, type: "private" }, text } };
    await api.send("POST", "/api/channels/imB/imB/webhook", {
      body,
      token: "",
      headers: { "x-imb-bot-api-secret-token": SECRET },
    });
    await parley.host.get(Gateway).idle();
  };
  const { id } = await api.post<Character>("/api/characters", { name: "Mira", personality: "kind to {{user}}" });
  await post(1, "hello");
  await api.put("/api/sessions/imB:11/bind-character", { character_id: id });
  await post(2, "我爱你");
  const prompt = JSON.stringify(models.requests.at(-1)?.body.messages ?? []);
  expect(prompt).toContain("kind to Lin");
  expect(prompt).toContain("You speak as");
  const state = await api.get<{ mood: string; scope_id: string }>(`/api/characters/${id}/state?session_id=imB:11`);
  expect(state).toMatchObject({ mood: "害羞", scope_id: "imB:11" });
  const bond = await api.get<{ affection: number }>(`/api/characters/${id}/relationships?session_id=imB:11`);
  expect(bond).toMatchObject({ target_id: "imB:user:501", affection: 54 });
  const { items } = await api.get<{ items: readonly object[] }>("/api/sessions/imB:11/runtime-timeline");
  expect(items).toMatchObject([{ user_message: "我爱你", state: { mood: "害羞" } }]);
  expect(asked.at(-1)).toBe("blush");
  expect(platform.messages.filter(({ chat }) => chat === 11).map(({ text }) => text)).toContain("fine");
});

test("a late picture is added after the answer, once, and sent to the people of a channel", async () => {
  const released: (() => void)[] = [];
  answer = (response) => void released.push(() => json(response, { results: [PICTURE] }));
  const session = await createWithMood("平静");
  const reply = await say(session, "hm");
  expect(reply).toMatchObject({ content: "fine", attachments: [] });
  const getStickers = async (sessionId: string) => {
    const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/${sessionId}/messages`);
    return items.filter(({ role }) => role === "assistant").flatMap(({ attachments }) => attachments);
  };
  expect(await getStickers(session.id)).toEqual([]);
  const latest = async () => {
    const path = `/api/characters/${session.character_id}/debug/latest-turn`;
    return (await api.get<{ turn: { sticker: object } }>(path)).turn.sticker;
  };
  expect(await latest()).toEqual({ tried: true, sent: false, category: "smile" });
  for (const release of released) release();
  await vi.waitFor(async () => expect(await getStickers(session.id)).toHaveLength(1));
  await vi.waitFor(async () => expect(await latest()).toEqual({ tried: true, sent: true, category: "smile" }));
  expect(asked).toHaveLength(1);

  released.length = 0;
  await fake.say("late", "hello");
  await vi.waitFor(() => expect(fake.sent.map(({ text }) => text)).toContain("fine"));
  expect(fake.sent.flatMap(({ attachments }) => attachments)).toEqual([]);
  for (const release of released) release();
  await vi.waitFor(() =>
    expect(fake.sent.flatMap(({ attachments }) => attachments)).toMatchObject([{ type: "sticker" }]),
  );
  expect(await getStickers(`${fake.id}:group:late`)).toHaveLength(1);
});

test("after five failures in a row the sticker service is not called for a minute", async () => {
  const session = await createWithMood("平静");
  answer = (response) => json(response, {}, 500);
  for (let count = 0; count < 7; count += 1) await say(session, "hm");
  expect(asked).toHaveLength(5);
});
