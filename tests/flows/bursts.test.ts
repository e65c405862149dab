import type { InboundMessage, Message, Session } from "@parley/core";
import { createGate, type ModelRequest, type ModelServer, startModelServer } from "@parley/simulators";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel, type FakeChannel } from "../harness/plugins/fake-channel.ts";

let models: ModelServer;
let fake: FakeChannel;
let parley: Parley;
let api: Client;

beforeEach(async () => {
  models = await startModelServer();
  fake = createFakeChannel();
  parley = await startParley({ plugins: [fake.plugin] });
  api = await parley.signIn();
  const model = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${model.id}/apply`, {});
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
});
afterEach(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});

const PRIVATE = { sessionId: "fake:private:7", conversation: { id: "7", isGroup: false } };
const write = (text: string, more: Partial<InboundMessage> = {}) => fake.say("7", text, { ...PRIVATE, ...more });
const setBurst = (burst: string, burst_ms = 0) => api.put("/api/channels/fake", { config: { burst, burst_ms } });
const sessionPath = (id: string) => `/api/sessions/${encodeURIComponent(id)}`;
const listMessages = async (id = PRIVATE.sessionId) =>
  (await api.get<{ items: readonly Message[] }>(`${sessionPath(id)}/messages?limit=50`)).items;
const listUserTexts = ({ body }: ModelRequest) =>
  body.messages.filter(({ role }) => role === "user").map(({ content }) => String(content));
const waitForAnswers = (count: number) => eventually(() => expect(fake.sent).toHaveLength(count));
/** Returns the stored question with its answer's trace and its reason. */
const describeQuestion = ({ content, metadata }: Message) => [
  content,
  metadata.unanswered_reason,
  metadata.answered_with,
];

describe("with 'interrupt'", () => {
  beforeEach(() => setBurst("interrupt"));

  test("a second message stops the model and is answered together with the first", async () => {
    models.script.push({ kind: "hang" });
    const first = await write("what is the");
    await models.nextRequest();
    const second = await write("weather like?");
    await waitForAnswers(1);
    expect(models.requests).toHaveLength(2);
    expect(listUserTexts(models.requests[1] as ModelRequest).join(" ")).toMatch(/what is the.*weather like\?/s);
    await eventually(async () => {
      const questions = (await listMessages()).filter(({ role }) => role === "user");
      expect(questions.map(describeQuestion)).toEqual([
        ["what is the", "superseded", second.traceId],
        ["weather like?", undefined, undefined],
      ]);
    });
    const answers = (await listMessages()).filter(({ role }) => role === "assistant");
    expect(answers).toHaveLength(1);
    expect(answers[0]?.trace_id).toBe(second.traceId);
    const { messages } = await api.get<{ messages: readonly { text: string }[] }>(
      `/api/gateway/events/${second.traceId}`,
    );
    expect(messages.map(({ text }) => text)).toEqual(["what is the", "weather like?"]);
    expect(first.duplicated).toBe(false);
  });

  test("what the first of them says is remembered too", async () => {
    models.script.push({ kind: "hang" });
    await write("My sister is called Ada.");
    await models.nextRequest();
    await write("I live in Lisbon.");
    await waitForAnswers(1);
    await eventually(() => expect(models.memoryRequests).toHaveLength(2));
  });

  test("five quick messages get one answer", async () => {
    models.script.push({ kind: "hang" });
    const texts = ["one", "two", "three", "four", "five"];
    await write("one");
    await models.nextRequest();
    await Promise.all(texts.slice(1).map((text) => write(text)));
    await waitForAnswers(1);
    const questions = (await listMessages()).filter(({ role }) => role === "user");
    expect(questions.map(({ content }) => content)).toEqual(texts);
    expect(listUserTexts(models.requests.at(-1) as ModelRequest).join(" ")).toContain("one");
  });

  test("an answer that people see already is finished, and the next message gets its own", async () => {
    await api.put("/api/channels/fake", { capabilities: { supports_stream: true, supports_stop: true } });
    const gate = createGate();
    models.script.push({ kind: "held", pieces: ["It is ", "sunny."], gate });
    await write("what is the weather?");
    gate.next();
    await eventually(() => expect(fake.shown.length).toBeGreaterThan(0));
    await write("and tomorrow?");
    gate.next();
    await waitForAnswers(2);
    expect(fake.sent[0]?.text).toBe("It is sunny.");
  });

  test("another person's message does not interrupt a private conversation", async () => {
    await api.put("/api/channels/fake", { capabilities: { supports_stop: true } });
    models.script.push({ kind: "hang" });
    await write("mine");
    await models.nextRequest();
    await write("not mine", { sender: { id: "8", name: "Bob", isAdmin: false } });
    await api.post("/api/stop", { session_id: PRIVATE.sessionId });
    await waitForAnswers(1);
    expect(models.requests).toHaveLength(2);
  });
});

describe("with 'wait'", () => {
  test("messages within the quiet time are answered together, and the model is asked once", async () => {
    await setBurst("wait", 1_000);
    await write("one");
    await write("two");
    const last = await write("three");
    await waitForAnswers(1);
    expect(models.requests).toHaveLength(1);
    expect(listUserTexts(models.requests[0] as ModelRequest).join(" ")).toMatch(/one.*two.*three/s);
    await eventually(async () => {
      const questions = (await listMessages()).filter(({ role }) => role === "user");
      expect(questions.map(describeQuestion)).toEqual([
        ["one", "merged", last.traceId],
        ["two", "merged", last.traceId],
        ["three", undefined, undefined],
      ]);
    });
  });

  test("messages of several people who address the bot in a group are answered together", async () => {
    await setBurst("wait", 1_000);
    await fake.say("team-1", "who is in?");
    await fake.say("team-1", "me too", { sender: { id: "8", name: "Bob", isAdmin: false } });
    await waitForAnswers(1);
    expect(models.requests).toHaveLength(1);
  });

  test("a command ends the waiting, and both are answered", async () => {
    await setBurst("wait", 10_000);
    await write("hello");
    await eventually(async () => expect(await listMessages()).toHaveLength(1));
    await write("/help");
    await waitForAnswers(2);
    expect(models.requests).toHaveLength(1);
  });

  test("the first message is answered when the later one is withdrawn", async () => {
    await setBurst("wait", 2_000);
    await write("one");
    const later = await write("two", { platformMessageId: "p2", dedupeKey: "p2" });
    expect(later.queued).toBe(true);
    await eventually(async () => expect(await listMessages()).toHaveLength(2));
    await write("", { kind: "recall", platformMessageId: "p2", dedupeKey: "p2-recall" });
    await waitForAnswers(1);
    expect((await listMessages()).map(({ content }) => content)).toEqual(["one", expect.anything()]);
  });

  test("a conversation's own setting holds before the channel's", async () => {
    await setBurst("wait", 10_000);
    await fake.say("team-2", "hello", { addressed: false });
    await eventually(async () => api.get<Session>(sessionPath("fake:group:team-2")));
    await api.put(sessionPath("fake:group:team-2"), { burst: "off" });
    await fake.say("team-2", "one");
    await fake.say("team-2", "two");
    await waitForAnswers(2);
  });
});

test("with 'off' each message is answered", async () => {
  await setBurst("off");
  await write("one");
  await write("two");
  await waitForAnswers(2);
  expect(models.requests).toHaveLength(2);
});
