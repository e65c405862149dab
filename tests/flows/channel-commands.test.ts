import { Channels, type InboundMessage, type Message, type Session } from "@parley/core";
import type { List } from "@parley/core/http";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

const fake = createFakeChannel();
let parley: Parley;
let api: Client;
let models: ModelServer;
let answers = 0;

beforeAll(async () => {
  models = await startModelServer({ answer: () => ({ kind: "text", text: `answer ${++answers}` }) });
  parley = await startParley({ plugins: [fake.plugin] });
  api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${id}/apply`, {});
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
  await api.put("/api/settings", { admin_ids: ["fake:ann"] });
}, 120_000);
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});

const asAdmin: Partial<InboundMessage> = { sender: { id: "ann", name: "Ann", isAdmin: true } };
/** Says something in a group; returns what the channel sent in answer. */
const say = async (group: string, text: string, more = asAdmin): Promise<string> => {
  const before = fake.sent.length;
  await fake.say(group, text, more);
  await eventually(() => expect(fake.sent.length).toBeGreaterThan(before));
  return fake.sent.at(-1)?.text ?? "";
};
const path = (group: string) => `/api/sessions/${encodeURIComponent(`fake:group:${group}`)}`;
const list = async (group: string, query = "") =>
  (await api.get<List<Message>>(`${path(group)}/messages?${query}`)).items;
const contents = async (group: string, query = "") => (await list(group, query)).map(({ content }) => content);
const lastPrompt = () => JSON.stringify(models.requests.at(-1)?.body.messages);

describe("in a group an administrator", () => {
  test("begins anew with /new, and the archived messages can be brought back", async () => {
    await say("new", "the boat is blue");
    expect(await say("new", "/new")).toBe("We begin anew. What was said before is archived.");
    await say("new", "what now?");
    expect(lastPrompt()).not.toContain("the boat is blue");
    expect(await contents("new", "archived=true")).toContain("the boat is blue");
    await api.post(`${path("new")}/restore-from-archive`, { turns: 100 });
    await say("new", "and now?");
    expect(lastPrompt()).toContain("the boat is blue");
  });

  test("reads and changes the settings of the conversation with /set", async () => {
    const settings = await say("set", "/set");
    expect(settings).toContain("- group_trigger = mention (In groups)");
    expect(settings).toContain("- burst = off (Several quick messages)");
    expect(await say("set", "/set reply_style")).toContain("sentences: in short messages with pauses");
    expect(await say("set", "/set reply_style sentences")).toBe("reply_style is sentences now.");
    expect(await say("set", "/set group_probability 0.2")).toBe("group_probability is 0.2 now.");
    expect(await say("set", "/set quiet_hours 22:00-07:00")).toBe("quiet_hours is 22:00-07:00 now.");
    const changed = { reply_style: "sentences", group_probability: 0.2, quiet_hours: "22:00-07:00" };
    expect(await api.get(path("set"))).toMatchObject(changed);
    expect(await say("set", "/set group_hourly_limit 0")).toBe("group_hourly_limit is 0 now.");
    expect(await say("set", "/set quiet_hours none")).toBe("quiet_hours is – now.");
    expect(await say("set", "/set reply_style default")).toBe("reply_style is whole now.");
    const { reply_style, quiet_hours } = await api.get<Session>(path("set"));
    expect([reply_style, quiet_hours]).toEqual([null, ""]);
  });

  test.each([
    ["/set burst maybe", "burst"],
    ["/set group_probability 7", "group_probability"],
    ["/set quiet_hours 25:00-07:00", "must be a range such as 22:00-07:00"],
    ["/set colour red", "There is no setting “colour”"],
  ])("is told what is wrong with %s, and nothing changes", async (text, reason) => {
    await say("set-wrong", "hello");
    const before = await api.get<Session>(path("set-wrong"));
    expect(await say("set-wrong", text)).toContain(reason);
    const after = await api.get<Session>(path("set-wrong"));
    expect(after.burst).toBe(before.burst);
    expect(after.group_probability).toBe(before.group_probability);
  });

  test("takes the last exchange back with /undo", async () => {
    await say("undo", "first");
    await say("undo", "a mistake");
    expect(await say("undo", "/undo")).toBe("Taken back: “a mistake”");
    await say("undo", "go on");
    expect(lastPrompt()).toContain("first");
    expect(lastPrompt()).not.toContain("a mistake");
    expect(await contents("undo")).not.toContain("a mistake");
    await say("undo", "/undo");
    await say("undo", "/undo");
    expect(await say("undo", "/undo")).toBe("There is nothing to take back.");
  });

  test("gets the last message answered again with /retry", async () => {
    expect(await say("retry", "/retry")).toBe("There is no message to answer again.");
    const first = await say("retry", "tell me a story");
    const second = await say("retry", "/retry");
    expect(second).toMatch(/^answer \d+$/);
    expect(second).not.toBe(first);
    const talk = (await list("retry")).filter(({ kind }) => kind === "normal");
    expect(talk.map(({ content }) => content)).toEqual(["tell me a story", second]);
  });
});

test("other people of a group see figures with /stats, and may not change the conversation", async () => {
  const asGuest: Partial<InboundMessage> = { sender: { id: "bob", name: "Bob", isAdmin: false } };
  await say("team", "hello");
  expect(await say("team", "/stats", asGuest)).toMatch(/^Messages: 2, archived: 0\nTokens: 1\d\nCost: –\nModel: m\n/);
  for (const command of ["/new", "/undo", "/retry"])
    expect(await say("team", command, asGuest)).toBe(`${command} is for administrators only`);
  expect(await contents("team")).toContain("hello");
});

test("in private everyone may use them", async () => {
  const inPrivate: Partial<InboundMessage> = {
    sender: { id: "bob", name: "Bob", isAdmin: false },
    conversation: { id: "bob", isGroup: false },
  };
  await say("bob", "hello", inPrivate);
  expect(await say("bob", "/undo", inPrivate)).toBe("Taken back: “hello”");
});

/** Makes the messages of a group old, as if they had been said on New Year's Day. */
async function ageMessages(group: string): Promise<void> {
  const { id } = await api.get<Session>(path(group));
  for (const { id: messageId } of await list(group))
    await api.put(`/api/sessions/${encodeURIComponent(id)}/messages/${messageId}`, {
      timestamp: "2026-01-01T00:00:00Z",
    });
  // Deleting a message counts the session's messages anew, with the time of the last one.
  const [message] = (await list(group, "order=desc")).slice(0, 1);
  await api.send("DELETE", `/api/sessions/${encodeURIComponent(id)}/messages/${message?.id}`);
}

test("a conversation begins anew after its idle time", async () => {
  await say("idle", "the old topic");
  await api.put<Session>(path("idle"), { reset_after_idle_h: 1 });
  await say("idle", "soon after");
  expect(lastPrompt()).toContain("the old topic");
  await ageMessages("idle");
  await say("idle", "a day later");
  expect(lastPrompt()).not.toContain("the old topic");
  expect(await contents("idle", "archived=true")).toContain("the old topic");
});

test("with a time of day on its channel a conversation begins anew once it has passed", async () => {
  await say("daily", "the old topic");
  await ageMessages("daily");
  await api.put(`/api/channels/${fake.id}`, { config: { reset_daily_at: "04:00", timezone: "Asia/Tokyo" } });
  onTestFinished(async () => void (await api.put(`/api/channels/${fake.id}`, { config: { reset_daily_at: null } })));
  await eventually(() => expect(parley.host.get(Channels).status(fake.id).connected).toBe(true));
  await say("daily", "the next day");
  expect(lastPrompt()).not.toContain("the old topic");
  await say("daily", "and soon after");
  expect(lastPrompt()).toContain("the next day");
  expect(await contents("daily", "archived=true")).toContain("the old topic");
});
