import { Channels, Gateway, type InboundMessage, type Message } from "@parley/core";
import { type ImaBridge, type ImbServer, type ModelRequest, startImaBridge, startImbServer } from "@parley/simulators";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type ParleyWithModel, startParleyWithModel } from "../harness/parley-with-model.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

const fake = createFakeChannel();
const SECRETS = { IMB_BOT_TOKEN: "42:secret", IMB_WEBHOOK_SECRET: "webhook-secret" };
let world: ParleyWithModel;
let api: Client;
let bridge: ImaBridge;
let imb: ImbServer;

beforeAll(async () => {
  bridge = await startImaBridge();
  imb = await startImbServer();
  world = await startParleyWithModel({ plugins: [fake.plugin], env: SECRETS });
  api = world.api;
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
  await api.put("/api/channels/imA", { config: { ws_uri: bridge.address } });
  await api.post("/api/channels/imA/toggle", { enabled: true });
  await api.post("/api/channels/presets/imB", { transport: "webhook", config: { api_base: imb.address } });
  await eventually(() => expect(world.parley.host.get(Channels).status("imA").connected).toBe(true));
});
afterEach(() => void vi.useRealTimers());
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await imb[Symbol.asyncDispose]();
  await bridge[Symbol.asyncDispose]();
});

const set = (config: object, channel = fake.id) => api.put(`/api/channels/${channel}`, { config });
const startedMs = Date.now();
const setClock = (seconds: number) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(startedMs + seconds * 1_000);
};
const answersIn = (group: string) => fake.sent.filter(({ conversation }) => conversation.id === group).length;
const idle = () => world.parley.host.get(Gateway).idle();

/** Says something that does not mention the bot; returns why it got no answer, null when it got one. */
async function say(group: string, text: string, more: Partial<InboundMessage> = {}): Promise<string | null> {
  const { traceId } = await fake.say(group, text, { addressed: false, ...more });
  await idle();
  const path = `/api/gateway/events/${traceId}`;
  return eventually(async () => (await api.get<{ unanswered_reason: string | null }>(path)).unanswered_reason);
}

test.each([
  ["mention", "Ada, are you there?", "not_addressed"],
  ["listen", "who was that?", "not_addressed"],
  ["keywords", "I asked ada yesterday", null],
  ["keywords", "adaptive things", "not_addressed"],
  ["keywords", "昨天小艾说的", null],
  ["judge", "are you there, Bo?", null],
  ["judge", "see you later everyone", "judge"],
  ["all", "anything at all", null],
  ["never", "anything", "denied"],
] as const)("with the trigger %s, '%s' is %s", async (group_trigger, text, reason) => {
  await set({
    group_trigger,
    wake_words: group_trigger === "keywords" ? ["Ada", "小艾"] : ["Bo"],
    group_cooldown_s: 0,
  });
  const group = `room-${group_trigger}-${text.length}`;
  expect(await say(group, text)).toBe(reason);
  expect(answersIn(group)).toBe(reason === null ? 1 : 0);
});

test("chance decides, and a mention always counts", async () => {
  await set({ group_trigger: "probability", group_probability: 0, group_cooldown_s: 0 });
  expect(await say("room-chance", "one")).toBe("probability");
  expect(await say("room-chance", "two", { addressed: true })).toBeNull();
  await set({ group_trigger: "probability", group_probability: 1, group_cooldown_s: 0 });
  expect(await say("room-chance", "three")).toBeNull();
});

test("answers nobody asked for keep their distance and their number an hour, also when the clock is set back", async () => {
  setClock(10_000);
  await set({ group_trigger: "probability", group_probability: 1, group_cooldown_s: 30, group_hourly_limit: 2 });
  expect(await say("room-limits", "one")).toBeNull();
  setClock(10_029);
  expect(await say("room-limits", "two")).toBe("cooldown");
  expect(await say("room-limits", "two, but asked", { addressed: true })).toBeNull();
  setClock(10_031);
  expect(await say("room-limits", "three")).toBeNull();
  setClock(11_800);
  expect(await say("room-limits", "four")).toBe("hourly_limit");
  setClock(6_400);
  expect(await say("room-limits", "five")).toBeNull();
});

test("in quiet hours of the channel's time zone the bot answers only who calls it", async () => {
  const hour = Number(new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Tokyo", hour: "2-digit" }).format());
  const at = (offset: number) => `${String((hour + offset + 24) % 24).padStart(2, "0")}:00`;
  const config = { group_trigger: "all", timezone: "Asia/Tokyo" };
  await set({ ...config, quiet_hours: `${at(-1)}-${at(2)}` });
  expect(await say("room-quiet", "talk")).toBe("quiet_hours");
  expect(await say("room-quiet", "called", { addressed: true })).toBeNull();
  await set({ ...config, quiet_hours: `${at(2)}-${at(-1)}` });
  expect(await say("room-quiet", "talk again")).toBeNull();
  await set({ ...config, quiet_hours: "" });
});

test("two bots that answer each other are cut off after twenty messages in a minute", async () => {
  await set({ group_trigger: "all" });
  const other = { id: "bot-9", name: "Echo", isAdmin: false, isBot: true as const };
  const reasons: (string | null)[] = [];
  for (let turn = 0; turn < 14; turn += 1)
    reasons.push(await say("room-loop", `echo ${turn}`, { sender: other, addressed: true }));
  expect(reasons.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => null));
  expect(reasons.at(-1)).toBe("loop_budget");
  expect(answersIn("room-loop")).toBeLessThanOrEqual(11);
});

test("a conversation's own trigger counts in place of the channel's", async () => {
  await set({ group_trigger: "mention" });
  await say("room-own", "hello", { addressed: true });
  const { items } = await api.get<{ items: readonly { id: string }[] }>("/api/sessions?limit=100");
  const id = items.find((session) => session.id.includes("room-own"))?.id;
  await api.put(`/api/sessions/${id}`, { group_trigger: "never" });
  expect(await say("room-own", "and now?", { addressed: true })).toBe("denied");
  await api.put(`/api/sessions/${id}`, { group_trigger: "all" });
  expect(await say("room-own", "and now?")).toBeNull();
});

test("what was said around the bot is in its prompt, without being stored", async () => {
  await set({ group_trigger: "mention" });
  await say("room-context", "the party is on Saturday");
  await say("room-context", "when is the party?", { addressed: true });
  const { messages } = world.models.requests.at(-1)?.body ?? { messages: [] };
  expect(JSON.stringify(messages)).toContain("the party is on Saturday");
  const path = `/api/sessions/${encodeURIComponent(`${fake.id}:group:room-context`)}/messages`;
  const { items } = await api.get<{ items: readonly Message[] }>(path);
  expect(items.map(({ role }) => role)).toEqual(["user", "assistant"]);
});

test("a message calls the bot by the name of any character of the conversation", async () => {
  await set({ group_trigger: "judge", wake_words: [], group_cooldown_s: 0, group_hourly_limit: 100 });
  const create = async (name: string) => (await api.post<{ id: string }>("/api/characters", { name })).id;
  const character_ids = [await create("Marlene"), await create("Quint")];
  await say("room-cast", "hello", { addressed: true });
  await api.put(`/api/sessions/${encodeURIComponent(`${fake.id}:group:room-cast`)}`, { character_ids });
  setClock(20_000);
  const bob = { sender: { id: "8", name: "Bob", isAdmin: false } };
  await say("room-cast", "nice weather", bob);
  expect(await say("room-cast", "Oscar, are you coming?", bob)).toBe("judge");
  expect(await say("room-cast", "Quint, are you coming?", bob)).toBeNull();
});

test("the model of purpose gate judges, and its verdict is followed", async () => {
  await set({ group_trigger: "judge", wake_words: ["Ada"], group_cooldown_s: 0 });
  const gate = { name: "gate", model: "gate", purpose: "gate", base_url: world.models.baseUrl };
  const { id } = await api.post<{ id: string }>("/api/ai-models", { ...gate, retry_count: 0 });
  const isGate = ({ body }: ModelRequest) => body.model === "gate";
  try {
    world.models.script.push({ kind: "text", text: '{"answer": false}' });
    expect(await say("room-gate", "are you there, Ada?")).toBe("judge");
    world.models.script.push({ kind: "text", text: '{"answer": true}' });
    expect(await say("room-gate", "nice weather")).toBeNull();
    expect(world.models.requests.filter(isGate)).toHaveLength(2);
    // A model that fails, or answers something else, leaves the verdict to the local rules.
    for (const answer of [
      { kind: "status", status: 500 },
      { kind: "text", text: "Maybe." },
    ] as const) {
      world.models.script.push(answer, answer, answer, answer);
      expect(await say("room-broken-gate", "nice weather")).toBe("judge");
      world.models.script.length = 0;
    }
  } finally {
    await api.send("DELETE", `/api/ai-models/${id}`);
  }
});

test("imA: the bot joins in where it is meant, and keeps out where people talk to each other", async () => {
  await set({ group_trigger: "judge", wake_words: ["Ada"] }, "imA");
  await eventually(() => expect(world.parley.host.get(Channels).status("imA").connected).toBe(true));
  bridge.say("group:991", "Tom, are you coming?");
  bridge.say("group:991", "what do you think, Ada?");
  await bridge.seen(({ to }) => to === "group:991");
  await idle();
  expect(bridge.sent.filter(({ to }) => to === "group:991")).toHaveLength(1);
  const { items } = await api.get<{ items: readonly { text: string; unanswered_reason: string | null }[] }>(
    "/api/gateway/messages?channel_id=imA&unanswered=true",
  );
  expect(items).toMatchObject([{ text: "Tom, are you coming?", unanswered_reason: "judge" }]);
});

test("imB: the bot joins in where it is meant, and keeps out where people talk to each other", async () => {
  await set({ group_trigger: "judge", wake_words: ["Ada"] }, "imB");
  const post = (id: number, text: string) =>
    api.send("POST", "/api/channels/imB/imB/webhook", {
      headers: { "x-imb-bot-api-secret-token": SECRETS.IMB_WEBHOOK_SECRET },
      body: {
        update_id: id,
        message: {
          message_id: id,
          from: { id: 501, first_name: "Lin" },
          chat: { id: -77, type: "supergroup", title: "Cats" },
          text,
        },
      },
    });
  await post(1, "Tom, are you coming?");
  await post(2, "what do you think, Ada?");
  await idle();
  expect(imb.messages.filter(({ chat }) => chat === -77)).toHaveLength(1);
});
