import { type ElementPress, Gateway, listPressable, type Message } from "@parley/core";
import type { List } from "@parley/core/http";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Frame, openSocket } from "../harness/http/socket.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createAskingPlugin } from "../harness/plugins/asking.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

const DAY_MS = 86_400_000;
const presses: ElementPress[] = [];
const fake = createFakeChannel("fake", "natural", {}, true, {}, { elements: ["buttons", "select", "card"] });
let parley: Parley;
let api: Client;
let models: ModelServer;
let session = "";

beforeAll(async () => {
  models = await startModelServer();
  parley = await startParley({ plugins: [fake.plugin, createAskingPlugin(presses)] });
  api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${id}/apply`, {});
  await api.post("/api/channels", { id: fake.id, name: fake.id, type: fake.id, transport: "bridge" });
}, 120_000);
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});
beforeEach(async () => {
  presses.length = 0;
  session = await createSession();
});

const createSession = async () => (await api.post<{ id: string }>("/api/sessions", {})).id;
const ask = async (rest = "") => {
  const path = `/api/sessions/${session}/chat`;
  const { replies } = await api.post<{ replies: readonly [Message] }>(path, { content: `/ask ${rest}` });
  return replies[0];
};
const toPress = ({ id, elements = [] }: Message, item_id: string) => ({
  message_id: id,
  element_id: listPressable(elements)[0]?.id ?? "",
  item_id,
});
const press = (message: Message, itemId: string, more: object = {}, id = session) =>
  api.send("POST", `/api/sessions/${encodeURIComponent(id)}/press`, {
    body: { ...toPress(message, itemId), ...more },
  });
const listMessages = async (id = session) =>
  (await api.get<List<Message>>(`/api/sessions/${encodeURIComponent(id)}/messages`)).items;
const countOf = async (content: string) => (await listMessages()).filter((one) => one.content === content).length;

describe("a press in the console", () => {
  test("is answered like a message with the label, and what was chosen is in the history", async () => {
    const asked = await ask();
    expect(asked.elements).toMatchObject([{ type: "buttons", items: [{ label: "Tea" }, {}, {}] }]);
    expect(Date.parse(String(asked.metadata.elements_expire_at)) - Date.now()).toBeGreaterThan(DAY_MS - 60_000);
    const answer = await press(asked, "tea");
    expect(answer).toMatchObject({ status: 200, json: { data: { replies: [{ content: "You said: Tea" }] } } });
    const { element_id } = toPress(asked, "tea");
    expect((await listMessages()).find(({ content }) => content === "Tea")).toMatchObject({
      role: "user",
      metadata: { pressed: { element_id, item_id: "tea" } },
    });
  });

  test.each(["session_id", "message_id", "element_id", "item_id"])("with U+0000 in %s is rejected", async (field) => {
    using socket = await openSocket(api);
    const frame = { type: "action", session_id: session, ...toPress(await ask(), "tea"), [field]: "a\0" };
    const error = `${field}: must not contain the character U+0000`;
    expect(await socket.ask(frame)).toMatchObject({ ok: false, code: "bad_request", error });
  });

  test("is sent over the socket, acts once, and says so after that", async () => {
    using socket = await openSocket(api);
    using other = await openSocket(api, "zh");
    for (const one of [socket, other]) await one.ask({ type: "join_session", session_id: session });
    const asked = await ask();
    const frame = { type: "action", session_id: session, ...toPress(asked, "coffee") };
    const ack = await socket.ask(frame);
    expect(ack).toMatchObject({ ok: true, duplicated: false });
    const isPressed = ({ type, message }: Frame) => type === "new_message" && isPress(message as Message);
    const isPress = ({ metadata }: Message) => metadata.pressed !== undefined;
    expect(await other.next(isPressed)).toMatchObject({ message: { id: ack.message_id, content: "Coffee" } });
    await parley.host.get(Gateway).idle();
    expect(await socket.ask(frame)).toMatchObject({
      ok: false,
      code: "conflict",
      error: "this was already answered",
    });
    expect(await other.ask(frame)).toMatchObject({ ok: false, error: "已经有人作出选择" });
    expect(await countOf("Coffee")).toBe(1);
  });

  test("of several at the same moment one counts", async () => {
    const asked = await ask();
    const answers = await Promise.all([press(asked, "tea"), press(asked, "tea"), press(asked, "coffee")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await countOf("Tea")) + (await countOf("Coffee"))).toBe(1);
  });

  test("is answered by the plugin that asked, in the language of the person", async () => {
    const asked = await ask("handled");
    const answer = await press(asked, "tea", { language: "zh-CN" });
    expect(answer).toMatchObject({ json: { data: { replies: [{ content: "一份 tea。" }] } } });
    expect(presses).toMatchObject([{ name: "drink", itemId: "tea", data: { table: "4" } }]);
    expect((await listMessages()).find(({ content }) => content === "Tea")?.metadata).toHaveProperty("pressed");
  });

  test("counts for lists and for the buttons of cards", async () => {
    expect(await press(await ask("select"), "large")).toMatchObject({ status: 200 });
    expect(await press(await ask("card"), "cancel")).toMatchObject({ status: 200 });
    expect(await countOf("Large")).toBe(1);
    expect(await countOf("Cancel the table")).toBe(1);
  });

  test("is not waited for on request", async () => {
    expect(await press(await ask(), "tea", { wait: false })).toMatchObject({
      status: 202,
      json: { data: { trace_id: expect.any(String) } },
    });
  });
});

describe("no press", () => {
  test("reaches an element of another conversation", async () => {
    const asked = await ask();
    const other = await createSession();
    expect(await press(asked, "tea", {}, other)).toMatchObject({ status: 404 });
    const own = (await api.post<{ replies: readonly [Message] }>(`/api/sessions/${other}/chat`, { content: "/ask" }))
      .replies[0];
    expect(await press(asked, "tea", { message_id: own.id }, other)).toMatchObject({ status: 404 });
    expect(await countOf("Tea")).toBe(0);
    expect((await press(asked, "tea")).status).toBe(200);
  });

  test("works without the scope, for a link or an unknown item, or in an archived conversation", async () => {
    const asked = await ask();
    const { secret } = await api.post<{ secret: string }>("/api/api-keys", { name: "reader", scopes: ["read"] });
    const path = `/api/sessions/${session}/press`;
    const reader = await api.as(secret).send("POST", path, { body: toPress(asked, "tea") });
    expect(reader.status).toBe(403);
    expect(await press(asked, "more")).toMatchObject({ status: 404 });
    expect(await press(asked, "water")).toMatchObject({ status: 404, json: { error: "this choice no longer exists" } });
    await api.post(`/api/sessions/${session}/archive`, {});
    expect(await press(asked, "tea")).toMatchObject({ status: 409 });
    expect(await countOf("Tea")).toBe(0);
  });

  test("counts after a day", async () => {
    const asked = await ask();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + DAY_MS + 1_000 });
    try {
      expect(await press(asked, "tea")).toMatchObject({ status: 409, json: { error: "this has expired" } });
    } finally {
      vi.useRealTimers();
    }
  });

  test("of the console answers what the people of a channel are asked", async () => {
    await fake.say("g1", "/ask");
    await parley.host.get(Gateway).idle();
    const id = `${fake.id}:group:g1`;
    const asked = (await listMessages(id)).find(({ elements = [] }) => elements.length > 0);
    if (!asked) throw new Error("nothing was asked");
    expect(await press(asked, "tea", {}, id)).toMatchObject({ status: 403 });
    const path = `/api/sessions/${encodeURIComponent(id)}/chat`;
    const { replies } = await api.post<{ replies: readonly [Message] }>(path, { content: "/ask" });
    const sentBefore = fake.sent.length;
    expect(await press(replies[0], "tea", {}, id)).toMatchObject({ status: 200 });
    await parley.host.get(Gateway).idle();
    expect(fake.sent).toHaveLength(sentBefore);
  });
});
