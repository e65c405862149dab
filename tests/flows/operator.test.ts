import { Databases, DeliveryError, Gateway, type Message, type Session, Sessions } from "@parley/core";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Frame, openSocket } from "../harness/http/socket.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

interface Turn {
  readonly trace_id: string;
  readonly user_message: Message;
  readonly replies: readonly Message[];
}

const desk = createFakeChannel("desk", "none", { supports_stream: true });
let parley: Parley;
let api: Client;
let models: ModelServer;
let count = 0;
let group: string;
let session: string;

beforeAll(async () => {
  [parley, models] = await Promise.all([startParley({ plugins: [desk.plugin] }), startModelServer()]);
  api = await parley.signIn();
  const model = { name: "m", model: "m", base_url: models.baseUrl, api_key: "sk-scripted", retry_count: 1 };
  const { id } = await api.post<{ id: string }>("/api/ai-models", model);
  await api.post(`/api/ai-models/${id}/apply`, {});
  await api.post("/api/channels", { id: "desk", name: "Desk", type: "desk", transport: "bridge" });
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});

/** Starts with a question of a person on a channel and its answer. */
beforeEach(async () => {
  models.script.length = 0;
  desk.failures.length = 0;
  group = `g${++count}`;
  session = `desk:group:${group}`;
  await sayAndWait("hello from outside");
});

const listSentToGroup = () => desk.sent.filter(({ conversation }) => conversation.id === group);
const path = (rest: string) => `/api/sessions/${encodeURIComponent(session)}/${rest}`;
const history = async () => (await api.get<{ items: readonly Message[] }>(path("messages"))).items;
const ask = (content: string, more: object = {}) => api.post<Turn>(path("chat"), { content, ...more });
const send = (body: object) =>
  api.send("POST", path("messages"), { body: { role: "assistant", deliver: true, ...body } });
async function sayAndWait(text: string): Promise<void> {
  const before = listSentToGroup().length;
  await desk.say(group, text);
  await eventually(() => expect(listSentToGroup().length).toBe(before + 1));
}
const getLastPrompt = () => JSON.stringify(models.requests.at(-1)?.body.messages);

test("an operator answers one of several messages, and the platform gets the reference", async () => {
  await desk.say(group, "where is my parcel?", { platformMessageId: `${group}-parcel` });
  await eventually(async () => expect((await history()).length).toBe(4));
  const [, bot, parcel] = await history();
  expect((await send({ content: "On its way.", reply_to: parcel?.id })).status).toBe(200);
  expect(listSentToGroup().at(-1)).toMatchObject({ text: "On its way.", replyTo: `${group}-parcel` });
  expect((await history()).at(-1)).toMatchObject({ reply_to: parcel?.id });
  // A message that did not come from the platform has no id there, so it cannot be quoted.
  await send({ content: "As said.", reply_to: bot?.id });
  expect(listSentToGroup().at(-1)).not.toHaveProperty("replyTo");
  expect((await send({ content: "No.", reply_to: "msg_none" })).status).toBe(404);
});

describe("an operator's own question in a channel's conversation", () => {
  test("is answered in the console, and nothing reaches the platform, not even during streaming", async () => {
    const shownBefore = desk.shown.length;
    const { user_message, replies } = await ask("is this customer angry?");
    expect(replies).toMatchObject([
      { content: `You said: admin: is this customer angry?`, metadata: { operator_only: true } },
    ]);
    expect(user_message.metadata).toEqual({ operator_only: true });
    expect(getLastPrompt()).toContain("hello from outside");
    expect(getLastPrompt()).toContain("who alone sees your answer");

    using socket = await openSocket(api);
    await socket.ask({ type: "send_message", session_id: session, content: "from the console", temp_id: "t-1" });
    await eventually(async () => expect((await history()).at(-1)?.content).toBe(`You said: admin: from the console`));
    const again = await api.post<Turn>(path("regenerate"), {});
    expect(again.replies).toMatchObject([{ metadata: { operator_only: true } }]);
    expect(await api.send("POST", path("regenerate"), { body: { deliver: true } })).toMatchObject({ status: 400 });

    // Deliveries are in order: after one more answer nothing else can be pending.
    await sayAndWait("and now?");
    expect(listSentToGroup().map(({ text }) => text)).toEqual([
      "You said: Eve: hello from outside",
      "You said: Eve: and now?",
    ]);
    expect(desk.shown.slice(shownBefore).join("\n")).not.toMatch(/angry|console/);
  });

  test("is not in the model's context when it answers the person", async () => {
    await ask("between us: refund them at most 10");
    await sayAndWait("what do I get?");
    expect(getLastPrompt()).toContain("hello from outside");
    expect(getLastPrompt()).not.toContain("refund");
  });

  test("is not in a summary for the model either", async () => {
    await ask("between us: refund them at most 10");
    for (let round = 0; round < 4; round += 1) await sayAndWait(`round ${round}`);
    models.script.push({ kind: "text", text: "They greeted." });
    await api.post(path("compress"), { keep_last: 2 });
    expect(getLastPrompt()).toContain("round 1");
    expect(getLastPrompt()).not.toContain("refund");
  });

  test("is forwarded on request: the answer, not the question", async () => {
    await ask("apologize", { deliver: true });
    await eventually(() =>
      expect(
        listSentToGroup()
          .map(({ text }) => text)
          .at(-1),
      ).toBe("You said: admin: apologize"),
    );
    const { replies } = await api.post<Turn>(path("regenerate"), { deliver: true });
    expect(replies[0]?.metadata).toEqual({});
    await eventually(() => expect(listSentToGroup()).toHaveLength(3));
  });
});

describe("a conversation that an operator took over", () => {
  const change = (what: "take-over" | "give-back") => api.post<Session>(path(what), {});
  const sendMessage = async (text: string) => {
    await desk.say(group, text);
    await parley.host.get(Gateway).idle();
  };

  test("stores what people write without an answer, until it is handed back", async () => {
    expect((await change("take-over")).taken_over).toMatchObject({ by: "admin" });
    const asked = models.requests.length;
    await sendMessage("I want to talk to a person");
    expect((await history()).at(-1)).toMatchObject({
      role: "user",
      content: "I want to talk to a person",
      error: null,
    });
    expect(listSentToGroup()).toHaveLength(1);
    expect(models.requests).toHaveLength(asked);

    expect(await send({ content: "I am here." })).toMatchObject({ status: 200 });
    expect((await change("give-back")).taken_over).toBeNull();
    await sayAndWait("thank you");
    expect(getLastPrompt()).toContain("I want to talk to a person");
    expect(getLastPrompt()).toContain("I am here.");
  });

  test("still answers commands, and the operator's own questions", async () => {
    await change("take-over");
    await sendMessage("/help");
    await eventually(() => expect(listSentToGroup().at(-1)?.text).toContain("/help"));
    const { replies } = await ask("what do they want?");
    expect(replies).toMatchObject([{ metadata: { operator_only: true } }]);
    expect(listSentToGroup()).toHaveLength(2);
  });

  test("shows in a message's trace why nobody answered it", async () => {
    await change("take-over");
    await sendMessage("hello?");
    const { trace_id } = (await history()).at(-1) as Message;
    const { events } = await api.get<{ events: readonly { status: string; metadata: { message?: string } }[] }>(
      `/api/gateway/logs/trace/${trace_id}`,
    );
    expect(events.find(({ status }) => status === "ignored")?.metadata.message).toContain("admin answers");
  });

  test("can be forked into one that is not taken over, and does not exist without a channel", async () => {
    await change("take-over");
    await change("take-over");
    expect((await api.post<Session>(path("fork"), {})).taken_over).toBeNull();
    const { id } = await api.post<Session>("/api/sessions", {});
    expect(await api.send("POST", `/api/sessions/${id}/take-over`)).toMatchObject({ status: 400 });
  });
});

describe("a note of an operator", () => {
  const note = (content: string) =>
    api.send("POST", path("messages"), { body: { content, metadata: { operator_only: true, note: true } } });

  test("is sent to nobody, triggers no answer, and is shown to the model only in the operator's turns", async () => {
    const asked = models.requests.length;
    expect(await note("they are a regular")).toMatchObject({ status: 200 });
    expect(models.requests).toHaveLength(asked);
    await sayAndWait("do you know me?");
    expect(getLastPrompt()).not.toContain("regular");
    expect(listSentToGroup()).toHaveLength(2);
    await ask("who is this?");
    expect(getLastPrompt()).toContain("regular");
  });

  test("is not published with the conversation, nor are the operator's own questions", async () => {
    await note("a difficult customer");
    await ask("is this customer angry?");
    const { public_id } = await api.post<{ public_id: string }>(path("public"), {});
    const { messages } = await api.get<{ messages: readonly { content: string }[] }>(`/api/public/${public_id}`);
    expect(messages.map(({ content }) => content)).toEqual(["hello from outside", "You said: Eve: hello from outside"]);
  });
});

describe("a message sent by an operator as the bot", () => {
  test("is sent to the person once, stays in the history, and is known to the model as sent", async () => {
    const answer = await send({ content: "A person takes over." });
    expect(answer).toMatchObject({
      status: 200,
      json: {
        data: {
          message: { role: "assistant", sender: "admin", metadata: { sent_by_operator: true } },
          delivery: { status: "delivered" },
        },
      },
    });
    expect(listSentToGroup().at(-1)).toMatchObject({
      text: "A person takes over.",
      conversation: { id: group, isGroup: true },
    });
    expect(listSentToGroup()).toHaveLength(2);
    expect(await api.send("POST", path("regenerate"), { body: {} })).toMatchObject({ status: 400 });
    await sayAndWait("thanks");
    expect(getLastPrompt()).toContain("A person takes over.");
  });

  test("that the platform rejects is reported, and marked in the history", async () => {
    desk.failures.push(new DeliveryError("permanent", "blocked by the user"));
    expect(await send({ content: "are you there?" })).toMatchObject({ status: 502 });
    expect((await history()).at(-1)).toMatchObject({ content: "are you there?", error: { code: "upstream_failed" } });
  });

  test("is marked as rejected until it is sent again, and again when that fails too", async () => {
    desk.failures.push(new DeliveryError("permanent", "blocked by the user"));
    expect(await send({ content: "are you there?", temp_id: "t-again" })).toMatchObject({ status: 502 });
    const last = async () => (await history()).at(-1);
    expect((await last())?.error?.error).toContain("blocked by the user");
    const retry = async () => {
      const list = `/api/gateway/dead-letters?session_id=${encodeURIComponent(session)}`;
      const { items } = await api.get<{ items: readonly { item_id: string }[] }>(list);
      await api.post("/api/gateway/dead-letters/retry", { item_ids: items.map(({ item_id }) => item_id) });
      await parley.host.get(Gateway).idle();
    };
    desk.failures.push(new DeliveryError("permanent", "still blocked"));
    await retry();
    expect((await last())?.error?.error).toContain("still blocked");

    using socket = await openSocket(api);
    await socket.ask({ type: "join_session", session_id: session });
    await retry();
    expect(listSentToGroup().at(-1)?.text).toBe("are you there?");
    expect(await last()).toMatchObject({ content: "are you there?", error: null });
    const isCleared = ({ type, message }: Frame) => type === "message_updated" && (message as Message).error === null;
    await socket.next(isCleared);
    expect(await send({ content: "are you there?", temp_id: "t-again" })).toMatchObject({ status: 200 });
  });

  test("is stored and queued in one transaction: after a crash there is no half of it", async () => {
    const { main } = parley.host.get(Databases);
    const written = vi.spyOn(main, "write");
    expect(await send({ content: "A person takes over." })).toMatchObject({ status: 200 });
    const texts = written.mock.calls.map(([writes]) => writes.map(({ query }) => query.compile().sql));
    written.mockRestore();
    const stored = texts.filter((one) => one.some((sql) => /^insert into messages/.test(sql)));
    expect(stored).toHaveLength(1);
    expect(stored[0]).toContainEqual(expect.stringMatching(/^insert into outbox/));
    expect(listSentToGroup()).toHaveLength(2);
  });

  test("is sent once, however often it is requested with the same temp_id", async () => {
    const message = { content: "A person takes over.", temp_id: "t-said" };
    const answers = await Promise.all([send(message), send(message)]);
    answers.push(await send(message));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(listSentToGroup()).toHaveLength(2);
    desk.failures.push(new DeliveryError("permanent", "blocked by the user"));
    const rejected = { content: "are you there?", temp_id: "t-refused" };
    for (let tries = 0; tries < 2; tries += 1) expect(await send(rejected)).toMatchObject({ status: 502 });
    expect((await history()).map(({ content }) => content).slice(2)).toEqual([message.content, rejected.content]);
  });

  test("passes the filter like an answer of the AI, and is not stored or sent if it is blocked", async () => {
    const rule = await api.post<{ id: string }>("/api/message-filter", {
      pattern: "secret price",
      type: "keyword",
      action: "recall",
      channel: "global",
      filter_target: "ai",
    });
    expect(await send({ content: "our secret price" })).toMatchObject({
      json: { data: { message: null, blocked: true, delivery: null } },
    });
    await api.send("DELETE", `/api/message-filter/${rule.id}`);
    expect((await history()).map(({ content }) => content)).not.toContain("our secret price");
    expect(listSentToGroup()).toHaveLength(1);
  });

  test("is rejected where it cannot be sent, and for people who may only chat; then it is not stored", async () => {
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    const to = (sessionId: string, body: object, by = api) =>
      by.send("POST", `/api/sessions/${encodeURIComponent(sessionId)}/messages`, { body });
    const message = { role: "assistant", content: "hello", deliver: true };
    expect(await to(id, message)).toMatchObject({ status: 400 });
    expect(await to(session, { ...message, role: "user" })).toMatchObject({ status: 400 });
    expect(await to(session, { ...message, insert_index: 0 })).toMatchObject({ status: 400 });
    const key = await api.post<{ secret: string }>("/api/api-keys", { name: "talker", scopes: ["chat"] });
    expect(await to(session, message, api.as(key.secret))).toMatchObject({ status: 403 });
    await api.post("/api/channels/desk/toggle", { enabled: false });
    expect(await to(session, message)).toMatchObject({ status: 409 });
    await api.post("/api/channels/desk/toggle", { enabled: true });
    expect(await history()).toHaveLength(2);
    expect((await parley.host.get(Sessions).get(session)).message_count).toBe(2);
  });
});
