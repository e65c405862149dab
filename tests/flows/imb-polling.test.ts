import { Channels, Gateway, type Message } from "@parley/core";
import { type ImbServer, type ModelServer, startImbServer, startModelServer } from "@parley/simulators";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const SECRET = "webhook-secret";

interface ChannelView {
  readonly transport: string;
  readonly transports: readonly string[];
  readonly webhook_path: string | null;
  readonly missing_variables: readonly string[];
  readonly status: { readonly connected: boolean; readonly last_error: string | null; readonly warnings: string[] };
}

interface PollingStatus {
  readonly enabled: boolean;
  readonly state: string;
  readonly connected: boolean;
  readonly connected_at: string | null;
  readonly last_event_at: string | null;
  readonly reconnects: number;
  readonly last_error: string | null;
}

let models: ModelServer;
let parley: Parley;
let api: Client;
let platform: ImbServer;
let tests = 0;
/** A private chat of this test alone. */
let chat = "";

beforeAll(async () => {
  models = await startModelServer();
  parley = await startParley();
  api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${id}/apply`, {});
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});
beforeEach(async () => {
  tests += 1;
  chat = String(500 + tests);
  // The service remembers the ids of updates.
  platform = await startImbServer({ firstId: tests * 1_000 });
});
afterEach(async () => {
  await api.send("DELETE", "/api/channels/imB");
  await platform[Symbol.asyncDispose]();
});

/** Connects the channel as a person does who has a token and nothing else. */
const connect = () =>
  api.post<ChannelView>("/api/channels/presets/imB", {
    config: { api_base: platform.address, paced: false, burst: "off" },
    secrets: { IMB_BOT_TOKEN: "42:secret" },
  });
/** Enters the secret that webhooks need. */
const enterSecret = async () => {
  await api.put("/api/channels/imB", { secrets: { IMB_WEBHOOK_SECRET: SECRET } });
  await waitForState("connected");
};
const getChannel = async (): Promise<ChannelView> => {
  const { items } = await api.get<{ items: readonly ChannelView[] }>("/api/channels?type=imB");
  const [channel] = items;
  if (!channel) throw new Error("the channel does not exist");
  return channel;
};
const getStatus = () => api.get<PollingStatus>("/api/channels/imB/polling/status");
const waitForState = (state: string) =>
  vi.waitFor(async () => expect(await getStatus()).toMatchObject({ state }), { timeout: 15_000 });
const toAnswer = (text: string) => `You said: ${text}`;
const waitForAnswers = (texts: readonly string[], shownIn = chat) =>
  vi.waitFor(() => expect(platform.shown(shownIn)).toEqual(texts.map(toAnswer)), { timeout: 15_000 });
const history = async (id: string) =>
  (await api.get<{ items: readonly Message[] }>(`/api/sessions/imB:${id}/messages?limit=200`)).items;
const countCalls = (method: string) => platform.calls.filter((one) => one.method === method).length;

test("without a public address, a token alone connects a channel that answers", async () => {
  const created = await connect();
  expect(created).toMatchObject({ transport: "polling", transports: ["webhook", "polling"], webhook_path: null });
  await waitForState("connected");
  await platform.say(chat, "hello");
  await waitForAnswers(["hello"]);
  expect(await getStatus()).toEqual({
    channel_id: "imB",
    enabled: true,
    state: "connected",
    connected: true,
    connected_at: expect.any(String),
    last_event_at: expect.any(String),
    reconnects: 0,
    last_error: null,
  });
  expect((await getChannel()).status).toMatchObject({ connected: true, receives: true, warnings: [] });
});

test("the preset is a webhook channel where a webhook was prepared: an address, a secret, or none needed", async () => {
  for (const given of [
    { config: { webhook_url: "https://bot.example/api/channels/imB/imB/webhook" } },
    { secrets: { IMB_WEBHOOK_SECRET: SECRET } },
    { config: { secret_token_env: "" } },
  ]) {
    const draft = { ...given, config: { ...given.config, api_base: platform.address } };
    expect(await api.post("/api/channels/presets/imB", draft)).toMatchObject({ transport: "webhook" });
    await api.send("DELETE", "/api/channels/imB");
  }
  await api.put("/api/settings", { web: { public_base_url: "https://bot.example" } });
  try {
    const { items } = await api.get<{ items: readonly object[] }>("/api/channels/presets");
    expect(items.find((one) => "id" in one && one.id === "imB")).toMatchObject({ transport: "webhook" });
  } finally {
    await api.put("/api/settings", { web: { public_base_url: "" } });
  }
});

test("many messages of several chats arrive once each and in order", async () => {
  await connect();
  await waitForState("connected");
  const chats = ["401", "403", "405"];
  const texts = Array.from({ length: 12 }, (_, index) => `message ${index}`);
  await Promise.all(
    chats.map(async (one) => {
      for (const text of texts) await platform.say(one, text);
    }),
  );
  for (const one of chats) {
    await waitForAnswers(texts, one);
    expect((await history(one)).filter(({ role }) => role === "user").map(({ content }) => content)).toEqual(texts);
  }
});

test("a registered webhook is removed and named, and what waited for it arrives", async () => {
  platform.useWebhook({ url: "http://127.0.0.1:9/old" });
  const waiting = platform.say(chat, "said before");
  await connect();
  await waiting;
  await waitForAnswers(["said before"]);
  expect((await getChannel()).status.warnings).toEqual([
    "the bot's webhook at 127.0.0.1:9 was removed, because this channel fetches its messages itself",
  ]);
  expect(platform.calls.find(({ method }) => method === "deleteWebhook")?.body).toEqual({
    drop_pending_updates: false,
  });
});

test("a webhook that is registered again is reported, and removed by starting the connection", async () => {
  await connect();
  await waitForState("connected");
  platform.useWebhook({ url: "http://127.0.0.1:9/other" });
  await waitForState("error");
  expect(await getStatus()).toMatchObject({
    connected: false,
    reconnects: 1,
    last_error: "nothing is received: a webhook was registered for this bot again. Connect again to remove it",
  });
  expect(await api.post("/api/channels/imB/polling/start", {})).toEqual({
    channel_id: "imB",
    state: "connected",
    started: true,
  });
  await platform.say(chat, "back");
  await waitForAnswers(["back"]);
});

test("another program that polls the same bot is reported, and does not take turns with this one", async () => {
  await connect();
  await waitForState("connected");
  await vi.waitFor(() => expect(countCalls("getUpdates")).toBe(2));
  // The other program's request ends the one of this service.
  const other = fetch(`${platform.address}/bot42:secret/getUpdates`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ timeout: 50 }),
  });
  await waitForState("error");
  const { last_error } = await getStatus();
  expect(last_error).toContain("another program reads the messages of this bot");
  const polls = countCalls("getUpdates");
  await api.post("/api/channels/imB/polling/start", {});
  expect((await other).status).toBe(409);
  await waitForState("connected");
  await platform.say(chat, "ours again");
  await waitForAnswers(["ours again"]);
  expect(polls).toBe(3);
});

test("a stopped connection stays stopped until it is started", async () => {
  await connect();
  await waitForState("connected");
  expect(await api.post("/api/channels/imB/polling/stop", {})).toEqual({
    channel_id: "imB",
    state: "stopped",
    stopped: true,
  });
  const waiting = platform.say(chat, "while stopped");
  expect(await getStatus()).toMatchObject({ state: "stopped", connected: false });
  expect(await api.post("/api/channels/imB/polling/start", {})).toMatchObject({ state: "connected", started: true });
  expect(await api.post("/api/channels/imB/polling/start", {})).toMatchObject({ state: "connected", started: false });
  await waiting;
  await waitForAnswers(["while stopped"]);
});

test("switching between webhook and polling loses nothing and doubles nothing", async () => {
  await connect();
  await waitForState("connected");
  await enterSecret();
  const texts = Array.from({ length: 30 }, (_, index) => `message ${index}`);
  const url = `${parley.address}/api/channels/imB/imB/webhook`;
  const saying = (async () => {
    for (const text of texts) await platform.say(chat, text);
  })();
  for (const at of [8, 16, 24]) {
    await vi.waitFor(async () => expect((await history(chat)).length).toBeGreaterThan(at), { timeout: 10_000 });
    const isPolling = (await getChannel()).transport === "polling";
    await api.put("/api/channels/imB", { transport: isPolling ? "webhook" : "polling" });
    if (isPolling) platform.useWebhook({ url, secret_token: SECRET });
  }
  await saying;
  await waitForAnswers(texts);
  await parley.host.get(Gateway).idle();
  expect(platform.shown(chat)).toEqual(texts.map(toAnswer));
});

test("an update that cannot be read does not hold back the others", async () => {
  await connect();
  await waitForState("connected");
  await Promise.all([
    platform.say(chat, "unreadable", { chat: { id: "none", type: 7 } }),
    platform.say(chat, "unreadable too", { from: {} }),
    platform.say("402", "readable"),
  ]);
  await waitForAnswers(["readable"], "402");
  expect(platform.shown(chat)).toEqual([]);
});

test("a revoked token is reported, and a new one connects", async () => {
  await connect();
  await waitForState("connected");
  const revoked = { kind: "error", code: 401, description: "Unauthorized" } as const;
  for (let times = 0; times < 4; times += 1) platform.faults.push({ method: "getUpdates", fault: revoked });
  const saying = platform.say(chat, "ends the request");
  await waitForState("error");
  expect((await getChannel()).status.last_error).toContain("Unauthorized");
  platform.faults.length = 0;
  await api.put("/api/channels/imB", { secrets: { IMB_BOT_TOKEN: "42:secret" } });
  await waitForState("connected");
  await saying;
  await platform.say(chat, "again");
  await waitForAnswers(["ends the request", "again"]);
});

test("errors of the platform are repeated until it answers", async () => {
  platform.faults.push(
    { method: "getUpdates", fault: { kind: "gateway-page" } },
    { method: "getUpdates", fault: { kind: "reset-after" } },
    {
      method: "getUpdates",
      fault: { kind: "error", code: 429, description: "Too Many", parameters: { retry_after: 0 } },
    },
  );
  await connect();
  await platform.say(chat, "hello");
  await waitForAnswers(["hello"]);
});

test("a channel whose webhook is registered no longer polls", async () => {
  await connect();
  await waitForState("connected");
  await enterSecret();
  const webhook_url = "https://bot.example/api/channels/imB/imB/webhook";
  await api.post("/api/channels/imB/imB/set-webhook", { webhook_url });
  expect(await getChannel()).toMatchObject({ transport: "webhook", webhook_path: "/api/channels/imB/imB/webhook" });
  expect(platform.webhook()).toMatchObject({ url: webhook_url, secret_token: SECRET });
  await expect(getStatus()).rejects.toThrow("404");
});

test("a polling channel answers a webhook only with its secret", async () => {
  await connect();
  await waitForState("connected");
  await enterSecret();
  const path = "/api/channels/imB/imB/webhook";
  const update = {
    update_id: 9,
    message: {
      message_id: 9,
      from: { id: Number(chat), first_name: "Lin" },
      chat: { id: Number(chat), type: "private" },
      text: "by webhook",
    },
  };
  expect((await api.send("POST", path, { body: update })).status).toBe(401);
  const headers = { "x-imb-bot-api-secret-token": SECRET };
  expect((await api.send("POST", path, { body: update, headers })).status).toBe(200);
  await waitForAnswers(["by webhook"]);
});

test("without a token the channel says which variable is missing", async () => {
  const config = { api_base: platform.address, secret_token_env: "IMB_UNSET" };
  const created = await api.post<ChannelView>("/api/channels/presets/imB", { config });
  // The secret of a webhook is not needed.
  expect(created.missing_variables).toEqual(["IMB_BOT_TOKEN"]);
  await vi.waitFor(async () => expect((await getChannel()).status.last_error).toContain("IMB_BOT_TOKEN"));
  await expect(api.post("/api/channels/imB/polling/start", {})).rejects.toThrow("IMB_BOT_TOKEN");
  expect(parley.host.get(Channels).status("imB").connected).toBe(false);
});
