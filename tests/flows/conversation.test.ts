import { fillDetail, type Localized, type Message } from "@parley/core";
import { createGate, type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { assembleReply, type Frame, openSocket, type Socket } from "../harness/http/socket.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface TurnResult {
  readonly trace_id: string;
  readonly user_message: Message;
  readonly replies: readonly Message[];
  readonly stopped: boolean;
}

interface Row {
  readonly status: string;
  readonly metadata: { readonly what?: string; readonly why?: Localized };
}

let models: ModelServer;
let parley: Parley;
let api: Client;
let model: string;
let session: string;
let socket: Socket;

beforeAll(async () => {
  models = await startModelServer();
  parley = await startParley();
  api = await parley.signIn();
  const made = await api.post<{ id: string }>("/api/ai-models", {
    name: "scripted",
    model: "scripted",
    base_url: models.baseUrl,
    api_key: "sk-scripted-secret",
    retry_count: 1,
    timeout_s: 2,
  });
  model = made.id;
  await api.post(`/api/ai-models/${model}/apply`, {});
});

afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});

beforeEach(async () => {
  session = (await api.post<{ id: string }>("/api/sessions", {})).id;
  socket = await openSocket(api);
  await socket.ask({ type: "join_session", session_id: session });
});

afterEach(() => {
  socket[Symbol.dispose]();
  models.script.length = 0;
});

/** Returns the trace row with the turn's outcome. */
async function getEnd({ trace_id }: Message): Promise<Row | undefined> {
  const { events } = await api.get<{ events: readonly Row[] }>(`/api/gateway/logs/trace/${trace_id}`);
  return events.find(({ metadata }) => metadata.what === "times");
}

let count = 0;
const say = (content: string, temp_id = `t-${++count}`) =>
  socket.ask({ type: "send_message", session_id: session, content, temp_id });
const chat = (content: string) => api.post<TurnResult>(`/api/sessions/${session}/chat`, { content });
/** Sends a message without waiting for the answer. */
const post = (content: string) => api.send("POST", `/api/sessions/${session}/chat`, { body: { content, wait: false } });
const history = async () => (await api.get<{ items: readonly Message[] }>(`/api/sessions/${session}/messages`)).items;
const is =
  (type: string) =>
  (frame: Frame): boolean =>
    frame.type === type;
const isReply = (frame: Frame) => frame.type === "new_message" && (frame.message as Message).role === "assistant";
const reply = async (from = 0) => (await socket.next(isReply, from)).message as Message;

describe("a conversation", () => {
  test("is streamed, and the stored message equals the stream", async () => {
    models.script.push({ kind: "text", text: "Good morning to you, dear friend." });
    const ack = await say("good morning");
    const stored = await reply();
    expect(stored.content).toBe("Good morning to you, dear friend.");
    expect(assembleReply(socket.frames, stored.id)).toBe(stored.content);
    expect((await history()).map(({ role, content }) => [role, content])).toEqual([
      ["user", "good morning"],
      ["assistant", "Good morning to you, dear friend."],
    ]);
    expect((await history())[0]?.id).toBe(ack.message_id);
  });

  test("includes earlier messages with a later question", async () => {
    await chat("my name is Ada");
    await chat("what is my name?");
    const asked = models.requests.at(-1)?.body.messages.map(({ role }) => role) ?? [];
    expect(asked.filter((role) => role !== "system")).toEqual(["user", "assistant", "user"]);
  });

  test("a message sent twice is one message and one turn", async () => {
    const before = models.requests.length;
    const [first, copy] = await Promise.all([say("once", "same"), say("once", "same")]);
    await reply();
    expect(copy).toMatchObject({ trace_id: first.trace_id, message_id: first.message_id, duplicated: true });
    expect(models.requests.length - before).toBe(1);
    expect(await history()).toHaveLength(2);
  });

  test("messages of one session are answered one after another, in the order they came", async () => {
    const texts = ["one", "two", "three", "four"];
    const results = await Promise.all(texts.map((text) => chat(text)));
    expect(results.map(({ replies }) => replies[0]?.content)).toEqual(texts.map((text) => `You said: ${text}`));
    expect((await history()).map(({ role }) => role)).toEqual(Array(4).fill(["user", "assistant"]).flat());
  });

  test("a client that does not wait for the answer gets the ids of its message", async () => {
    await chat("first");
    const from = socket.frames.length;
    const { status, json } = await post("later");
    expect(status).toBe(202);
    await reply(from);
    const id = (await history())[2]?.id;
    expect(json?.data).toMatchObject({ blocked: false, user_message: { id, role: "user", content: "later" } });
  });

  test("eight messages wait behind the running one, and more are rejected with a delay", async () => {
    const gate = createGate();
    models.script.push({ kind: "held", pieces: ["At last."], gate });
    await post("first");
    await expect.poll(() => models.requests.at(-1)?.body.messages.at(-1)?.content).toBe("first");
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => post(`next ${index}`)));
    const rejected = answers.filter(({ status }) => status !== 202);
    expect(rejected.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual(
      Array(32).fill([429, "5"]),
    );
    for (const { json } of answers.filter(({ status }) => status === 202))
      expect(json?.data).toMatchObject({ user_message: null });
    gate.next();
    await expect.poll(async () => (await history()).length, { timeout: 60_000 }).toBe(18);
  }, 90_000);

  test("a client that joins during a reply misses nothing and gets nothing twice", async () => {
    const gate = createGate();
    models.script.push({ kind: "held", pieces: ["Once ", "upon ", "a ", "time."], gate });
    await say("tell me a story");
    gate.next();
    await socket.next(is("ai_stream_chunk"));
    using late = await openSocket(api);
    await late.ask({ type: "join_session", session_id: session });
    for (let piece = 0; piece < 4; piece += 1) gate.next();
    const stored = (await late.next(isReply)).message as Message;
    expect(stored.content).toBe("Once upon a time.");
    expect(assembleReply(late.frames, stored.id)).toBe(stored.content);
    expect(assembleReply(socket.frames, stored.id)).toBe(stored.content);
  });

  test("stop ends the reply at once, and preserves the partial reply", async () => {
    const gate = createGate();
    models.script.push({ kind: "held", pieces: ["I will ", "go on ", "for ever"], gate });
    await say("talk");
    gate.next();
    await socket.next(is("ai_stream_chunk"));
    expect(await socket.ask({ type: "stop", session_id: session })).toMatchObject({ ok: true, stopped: true });
    const stored = await reply();
    expect(stored).toMatchObject({ content: "I will ", stopped: true, stop_reason: "user" });
    expect(await getEnd(stored)).toMatchObject({ metadata: { message: "the turn is over: stopped" } });
  });

  test("regenerate answers the same question anew", async () => {
    models.script.push({ kind: "text", text: "first" }, { kind: "text", text: "second" });
    const { replies } = await chat("hello");
    const again = await api.post<TurnResult & { removed_ids: string[] }>(`/api/sessions/${session}/regenerate`, {});
    expect(again.removed_ids).toEqual([replies[0]?.id]);
    expect((await history()).map(({ content }) => content)).toEqual(["hello", "second"]);
  });

  test("a failed regeneration restores the old reply", async () => {
    models.script.push({ kind: "text", text: "first" }, { kind: "status", status: 400, message: "no" });
    const { replies } = await chat("hello");
    const again = await api.send("POST", `/api/sessions/${session}/regenerate`, { body: {} });
    expect(again.status).toBe(502);
    expect((await history()).map(({ id }) => id)).toContain(replies[0]?.id);
  });

  test("a command is answered without the model", async () => {
    const before = models.requests.length;
    const { replies } = await chat("/help");
    expect(replies[0]).toMatchObject({ kind: "command", content: expect.stringContaining("/help") });
    expect(models.requests.length).toBe(before);
  });

  test("an unknown command is an ordinary question", async () => {
    expect((await chat("/dance now")).replies[0]?.content).toBe("You said: /dance now");
  });

  test("a tool requested by the model runs once, and the model continues with its result", async () => {
    models.script.push(
      { kind: "tool", name: "roll_dice", args: { dice: 2, sides: 6 } },
      { kind: "text", text: "Eight!" },
    );
    const { replies } = await chat("roll two dice");
    expect(replies[0]).toMatchObject({ content: "Eight!", tool_calls: [{ name: "roll_dice", status: "ok" }] });
    expect(models.requests.at(-1)?.body.messages.map(({ role }) => role)).toContain("tool");
  });

  test("a tool call with invalid arguments is returned to the model and not run", async () => {
    models.script.push({ kind: "tool", name: "roll_dice", args: { dice: -1 } }, { kind: "text", text: "Sorry." });
    const { replies } = await chat("roll");
    expect(replies[0]?.tool_calls[0]).toMatchObject({ name: "roll_dice", status: "error" });
    expect(replies[0]?.content).toBe("Sorry.");
  });
});

test("a blank message is rejected on every path that stores messages", async () => {
  const path = `/api/sessions/${session}/messages`;
  const nothing = { status: 400, json: { error: "content: is empty, and nothing is attached" } };
  for (const content of ["", " \n "])
    expect(await api.send("POST", path, { body: { content } })).toMatchObject(nothing);
  const { message } = await api.post<{ message: Message }>(path, { content: "words" });
  for (const content of ["", " \n "]) {
    expect(await api.send("PUT", `${path}/${message.id}`, { body: { content } })).toMatchObject(nothing);
  }
});

test("a session accepts an existing chat model, and preserves the name of a deleted one", async () => {
  const unknown = { status: 400, json: { error: expect.stringMatching(/^model_id: there is no chat model/) } };
  const add = (purpose: string) => api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", purpose });
  const [chatModel, drawing] = [await add("chat"), await add("image_generation")];
  for (const model_id of ["model_nope", drawing.id]) {
    expect(await api.send("POST", "/api/sessions", { body: { model_id } })).toMatchObject(unknown);
    expect(await api.send("PUT", `/api/sessions/${session}`, { body: { model_id } })).toMatchObject(unknown);
  }
  await api.post(`/api/ai-models/${chatModel.id}/toggle`, { enabled: false });
  await api.put(`/api/sessions/${session}`, { model_id: chatModel.id });
  for (const { id } of [chatModel, drawing]) await api.send("DELETE", `/api/ai-models/${id}`);
  expect(await api.put(`/api/sessions/${session}`, await api.get(`/api/sessions/${session}`))).toMatchObject({
    model_id: chatModel.id,
  });
});

describe("a model that fails", () => {
  test("leaves a session whose title ends with a whole emoji", async () => {
    models.script.push({ kind: "status", status: 401, message: "bad key" });
    await api.send("POST", `/api/sessions/${session}/chat`, { body: { content: "👩‍👩‍👧".repeat(10) } });
    const renamed = await socket.next(is("session_renamed"));
    expect(renamed).toMatchObject({ session_id: session, name: `${"👩‍👩‍👧".repeat(4)}…` });
    models.script.length = 0;
  });

  test.each([
    ["refuses with 500", { kind: "status", status: 500, message: "broken" }, 502],
    ["sends what is no JSON", { kind: "malformed" }, 502],
    ["refuses the key", { kind: "status", status: 401, message: "bad key" }, 502],
    ["never answers", { kind: "hang" }, 504],
  ] as const)("and %s: the person sees why, and the question is stored", async (_what, script, status) => {
    models.script.push(script, script);
    const answer = await api.send("POST", `/api/sessions/${session}/chat`, { body: { content: "hello" } });
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain("sk-scripted-secret");
    const [asked] = await history();
    expect(asked).toMatchObject({ content: "hello", error: { error: expect.any(String) } });
    const { events } = await api.get<{ events: readonly Row[] }>(`/api/gateway/logs/trace/${asked?.trace_id}`);
    const why = events.find(({ status }) => status === "dispatch_failed")?.metadata.why;
    expect(why).toEqual({ en: asked?.error?.error, zh: fillDetail(asked?.error?.detail ?? {}, "zh") });
    const event = await socket.next(is("turn_error"));
    expect(event).toMatchObject({ session_id: session, ...asked?.error });
    expect(await socket.next(is("session_renamed"))).toMatchObject({ session_id: session, name: "hello" });
    expect(fillDetail(asked?.error?.detail ?? {}, "zh")).toMatch(/^模型没有应答：\p{Script=Han}/u);
    expect(fillDetail(JSON.parse(answer.headers.get("x-parley-error") ?? "{}"), "zh")).toMatch(/^模型没有应答/);
    models.script.length = 0;
    // The unanswered message is in the prompt, merged with the next one.
    expect((await chat("again")).replies[0]?.content).toBe("You said: hello\n\nagain");
  });

  test("and asks to wait a moment is asked again, and answers", async () => {
    models.script.push({ kind: "status", status: 429, retryAfterS: 1 }, { kind: "text", text: "Here I am." });
    expect((await chat("hello")).replies[0]?.content).toBe("Here I am.");
  });

  test("and breaks off in the middle leaves the partial reply, with the reason", async () => {
    models.script.push({ kind: "cut", text: "I was about to " });
    await say("hello");
    const stored = await reply();
    expect(stored).toMatchObject({ content: "I was about to ", error: { error: expect.any(String) } });
    const why = { en: stored.error?.error, zh: expect.stringContaining("断开了连接") };
    const entry = { level: "error", error: stored.error?.error, metadata: { message: "the answer broke off", why } };
    expect(await getEnd(stored)).toMatchObject({ status: "dispatch_failed", ...entry });
  });

  test("and is unreachable is named in the conversation", async () => {
    const gone = await api.post<{ id: string }>("/api/ai-models", {
      name: "gone",
      model: "gone",
      base_url: "http://127.0.0.1:9/v1",
      retry_count: 0,
    });
    await api.put(`/api/sessions/${session}`, { model_id: gone.id });
    const answer = await api.send("POST", `/api/sessions/${session}/chat`, { body: { content: "hello" } });
    expect(answer.status).toBe(502);
    expect((await history())[0]?.error).not.toBeNull();
    await api.send("DELETE", `/api/ai-models/${gone.id}`);
  });
});

describe("the offline companion", () => {
  beforeEach(async () => {
    await api.post(`/api/ai-models/${model}/toggle`, { enabled: false });
  });
  afterEach(async () => {
    await api.post(`/api/ai-models/${model}/toggle`, { enabled: true });
    await api.post(`/api/ai-models/${model}/apply`, {});
  });

  test("answers without a model, streams, and introduces itself", async () => {
    await say("who are you?");
    const stored = await reply();
    expect(stored.content.toLowerCase()).toContain("offline");
    expect(assembleReply(socket.frames, stored.id)).toBe(stored.content);
  });

  test("calls a tool when asked to", async () => {
    const { replies } = await chat('/tool roll_dice {"dice":1}');
    expect(replies[0]?.tool_calls[0]).toMatchObject({ name: "roll_dice", status: "ok" });
  });
});

test("a message may have 32,000 characters, however many bytes each takes, and not one more", async () => {
  const path = `/api/sessions/${session}/messages`;
  const most = "😀".repeat(32_000);
  expect((await api.post<{ message: Message }>(path, { content: most })).message.content).toBe(most);
  const tooMuch = { status: 400, json: { error: expect.stringContaining("content: ") } };
  expect(await api.send("POST", path, { body: { content: `${most}x` } })).toMatchObject(tooMuch);
  expect(await say(most)).toMatchObject({ ok: true });
  expect(await say(`${most}x`)).toMatchObject({ ok: false });
});
