import { fillDetail, Gateway, type ListedWarnings, type Message } from "@parley/core";
import { createGate } from "@parley/simulators";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type FilterFile, NO_RULES, openFilterFile } from "../harness/files/filter-file.ts";
import type { Client } from "../harness/http/client.ts";
import { type Frame, openSocket, type Socket } from "../harness/http/socket.ts";
import type { Parley } from "../harness/parley.ts";
import { type ParleyWithModel, startParleyWithModel } from "../harness/parley-with-model.ts";
import { createFakeChannel, type FakeChannel } from "../harness/plugins/fake-channel.ts";

interface TurnResult {
  readonly trace_id: string;
  readonly user_message: Message | null;
  readonly replies: readonly Message[];
  readonly filtered: boolean;
  readonly blocked: boolean;
}
interface Rule {
  readonly id: string;
  readonly pattern: string;
  readonly channel: string;
  readonly session_id: string;
  readonly enabled: boolean;
}
interface Listing {
  readonly enabled: boolean;
  readonly rules: { readonly global: readonly Rule[]; readonly channels: Readonly<Record<string, readonly Rule[]>> };
  readonly stats: Readonly<Record<string, { readonly hits: number; readonly last_hit_at: string }>>;
  readonly problem: string | null;
}

let talk: ParleyWithModel;
let models: ParleyWithModel["models"];
let fake: FakeChannel;
let parley: Parley;
let api: Client;
let session: string;
let socket: Socket;
let file: FilterFile;

beforeAll(async () => {
  fake = createFakeChannel();
  talk = await startParleyWithModel({ plugins: [fake.plugin] });
  ({ models, parley, api } = talk);
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
  await api.put("/api/settings", { admin_ids: ["fake:1"] });
  file = openFilterFile(parley.root);
});

afterAll(() => talk?.[Symbol.asyncDispose]());

beforeEach(async () => {
  file.edit(NO_RULES);
  session = (await api.post<{ id: string }>("/api/sessions", {})).id;
  socket = await openSocket(api);
  await socket.ask({ type: "join_session", session_id: session });
});

afterEach(() => {
  socket[Symbol.dispose]();
  models.script.length = 0;
});

let count = 0;
const chat = (content: string, more: object = {}) =>
  api.post<TurnResult>(`/api/sessions/${session}/chat`, { content, ...more });
const rule = (pattern: string, more: object = {}) => api.post<Rule>("/api/message-filter", { pattern, ...more });
const fetchListing = () => api.get<Listing>("/api/message-filter");
const history = async (id = session) =>
  (await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`)).items;
const texts = async (id = session) => (await history(id)).map(({ content }) => content);
const is = (type: string) => (frame: Frame) => frame.type === type;
const waitUntilIdle = () => parley.host.get(Gateway).idle();

describe("a message from the console", () => {
  test("loses the words of a strip rule before it is stored and sent to the model", async () => {
    await rule("bad");
    const { user_message, filtered, blocked } = await chat("a BAD day");
    expect(user_message).toMatchObject({ content: "a  day", filtered: true, filter_rule_count: 1 });
    expect({ filtered, blocked }).toEqual({ filtered: true, blocked: false });
    // Nothing was removed from the answer.
    expect((await history()).at(-1)).toMatchObject({ role: "assistant", filtered: false, filter_rule_count: 0 });
    expect(JSON.stringify(models.requests.at(-1)?.body)).not.toContain("BAD");
  });

  test("is blocked by a recall rule: nothing is stored, no model is called, and the sender is notified", async () => {
    const { id } = await rule("secret", { action: "recall", channel: "web" });
    const asked = models.requests.length;
    const ack = await socket.ask({ type: "send_message", session_id: session, content: "a Secret", temp_id: "t-1" });
    expect(ack).toMatchObject({ ok: true, blocked: true, message_id: null });
    expect(await socket.next(is("message_filtered"))).toMatchObject({
      session_id: session,
      channel: "web",
      direction: "user",
      action: "recall",
      rule_ids: [id],
      rule_count: 1,
      message: "message blocked by filter",
      temp_id: "t-1",
      trace_id: ack.trace_id,
    });
    const answer = await api.send("POST", `/api/sessions/${session}/chat`, { body: { content: "the secret" } });
    expect(answer.json).toMatchObject({
      message: "message blocked by filter",
      data: { user_message: null, replies: [], filtered: true, blocked: true },
    });
    expect(await history()).toEqual([]);
    expect(models.requests.length).toBe(asked);
    expect(JSON.stringify(socket.frames)).not.toContain("ecret");
  });

  test("gets the replacement text of a rule, until the rule changes", async () => {
    const { id } = await api.post<{ id: string }>("/api/message-filter", {
      ...{ pattern: "darn", action: "replace", replacement: "***" },
    });
    const { user_message } = await chat("darn it");
    expect(user_message).toMatchObject({ content: "*** it", filtered: true });
    await api.put(`/api/message-filter/${id}`, { action: "strip" });
    expect(Object.keys((await fetchListing()).rules.global.find((one) => one.id === id) ?? {})).toHaveLength(9);
    expect(await api.send("PUT", `/api/message-filter/${id}`, { body: { action: "replace" } })).toMatchObject({
      status: 400,
    });
  });

  test("counts for the matching rules, and the counts are shown with the rules", async () => {
    const { id } = await rule("bad");
    await chat("bad one");
    await chat("bad two");
    const { stats, rules } = await fetchListing();
    expect(stats[id]).toMatchObject({ hits: 2, last_hit_at: expect.stringMatching(/Z$/) });
    expect(Object.keys(rules.global[0] ?? {})).toHaveLength(9);
  });
});

describe("a model's answer", () => {
  test("is stripped before anybody sees it: no piece is streamed before the whole is checked", async () => {
    await rule("secret", { filter_target: "ai" });
    const gate = createGate();
    models.script.push({ kind: "held", pieces: ["The se", "cret is ", "out"], gate });
    const asked = models.nextRequest();
    await socket.ask({ type: "send_message", session_id: session, content: "tell", temp_id: `t-${++count}` });
    await asked;
    for (let piece = 0; piece < 3; piece += 1) gate.next();
    const frame = await socket.next(
      (one) => one.type === "new_message" && (one.message as Message).role === "assistant",
    );
    expect(frame.message).toMatchObject({ content: "The  is out", filtered: true });
    const chunks = socket.frames.filter(is("ai_stream_chunk")).map(({ chunk }) => chunk);
    expect(chunks).toEqual(["The  is out"]);
  });

  test("is not delivered and not stored when it is blocked, and the person is notified", async () => {
    const { id } = await rule("secret", { filter_target: "both", action: "recall" });
    models.script.push({ kind: "text", text: "It is a secret." });
    const answer = await api.send("POST", `/api/sessions/${session}/chat`, { body: { content: "tell" } });
    expect(answer.json).toMatchObject({ message: "message blocked by filter", data: { replies: [], blocked: true } });
    expect(await socket.next(is("message_filtered"))).toMatchObject({ direction: "ai", rule_ids: [id], temp_id: null });
    expect(await texts()).toEqual(["tell"]);
    expect(JSON.stringify(socket.frames)).not.toContain("a secret");
  });

  test("that is blocked on regeneration leaves the earlier reply unchanged", async () => {
    models.script.push({ kind: "text", text: "first" });
    await chat("tell");
    await rule("second", { filter_target: "ai", action: "recall" });
    models.script.push({ kind: "text", text: "second" });
    await api.post(`/api/sessions/${session}/regenerate`, {});
    expect(await texts()).toEqual(["tell", "first"]);
  });

  test("is filtered in its thinking as well", async () => {
    await rule("secret", { filter_target: "ai" });
    models.script.push({ kind: "text", text: "fine", thinking: "the secret plan" });
    const { replies } = await chat("tell");
    expect(replies[0]?.content).toBe("fine");
    expect(replies[0]?.thinking ?? "").not.toContain("secret");
  });
});

describe("a message inserted into the history", () => {
  test("is filtered according to its role", async () => {
    await rule("bad");
    await rule("mad", { filter_target: "ai" });
    const add = (role: string, content: string) =>
      api.post<{ message: Message | null }>(`/api/sessions/${session}/messages`, { role, content });
    expect((await add("user", "x bad mad")).message?.content).toBe("x  mad");
    expect((await add("assistant", "x bad mad")).message?.content).toBe("x bad");
    expect((await add("system", "x bad mad")).message?.content).toBe("x bad mad");
    await rule("gone", { action: "recall" });
    expect(await add("user", "x gone")).toEqual({
      message: null,
      filtered: true,
      blocked: true,
      rule_ids: [expect.any(String)],
    });
  });

  test("is unchanged when its edit is blocked", async () => {
    const { user_message } = await chat("a word");
    await rule("gone", { action: "recall" });
    const path = `/api/sessions/${session}/messages/${user_message?.id}`;
    expect(await api.put(path, { content: "gone", truncate_after: true })).toMatchObject({
      blocked: true,
      removed_count: 0,
    });
    expect((await texts())[0]).toBe("a word");
  });
});

describe("a group of a channel", () => {
  const group = "fake:group:42";

  test("has words removed from incoming and outgoing messages", async () => {
    await rule("bad", { channel: "fake", filter_target: "both" });
    models.script.push({ kind: "text", text: "bad reply" });
    await fake.say("42", "a bad word");
    await waitUntilIdle();
    expect(fake.sent.at(-1)).toMatchObject({ text: "reply", conversation: { id: "42" } });
    expect((await texts(group)).slice(-2)).toEqual(["a  word", "reply"]);
  });

  test("has a blocked message deleted on the platform, and nothing of it is stored or answered", async () => {
    await rule("secret", { channel: "fake", session_scope: "specific", session_id: group, action: "recall" });
    const [sent, stored] = [fake.sent.length, (await texts(group)).length];
    await fake.say("42", "the secret", { platformMessageId: "m-1", dedupeKey: "m-1" });
    await fake.say("43", "the secret", { platformMessageId: "m-2", dedupeKey: "m-2" });
    await waitUntilIdle();
    expect(fake.withdrawn).toContain("m-1");
    expect(fake.withdrawn).not.toContain("m-2");
    expect(fake.sent.length).toBe(sent + 1);
    expect(await texts(group)).toHaveLength(stored);
    expect(socket.frames.some(is("message_filtered"))).toBe(false);
  });

  test("ignores an edit that is blocked", async () => {
    await fake.say("44", "first", { platformMessageId: "e-1", dedupeKey: "e-1" });
    await waitUntilIdle();
    await rule("gone", { action: "recall" });
    await fake.say("44", "gone", { kind: "edit", platformMessageId: "e-1", dedupeKey: "e-1:1" });
    await waitUntilIdle();
    expect((await texts("fake:group:44"))[0]).toBe("first");
  });
});

describe("the filter command", () => {
  const answerTo = async (content: string) => (await chat(content)).replies[0]?.content ?? "";

  test("adds, lists, switches and deletes rules", async () => {
    expect(await answerTo('/msg_filter add "two words" both recall')).toMatch(
      /^rule rule_\w+ added for all channels: recall keyword "two words" \(both\)$/,
    );
    const [added] = (await fetchListing()).rules.global;
    expect(await answerTo("/msg_filter list")).toBe(
      `the filter is on; 1 rule\n${added?.id} keyword recall both on two words`,
    );
    expect(await answerTo("/msg_filter off")).toBe("the filter is off");
    expect((await chat("two words")).blocked).toBe(false);
    expect(await answerTo("/msg_filter on")).toBe("the filter is on");
    expect((await chat("two words")).blocked).toBe(true);
    expect(await answerTo(`/msg_filter del ${added?.id}`)).toBe(`rule ${added?.id} deleted`);
    expect(await answerTo(`/msg_filter del ${added?.id}`)).toContain("not found");
  });

  test("adds a whole-word rule, confirms that, and leaves longer words unchanged", async () => {
    expect(await answerTo("/msg_filter add ass whole_word recall")).toMatch(
      /recall keyword "ass" as a whole word \(user\)$/,
    );
    const [added] = (await fetchListing()).rules.global;
    expect(added).toMatchObject({ pattern: "ass", type: "keyword", whole_word: true });
    expect(await answerTo("/msg_filter list")).toContain(`${added?.id} keyword recall user on ass (whole word)`);
    expect((await chat("a class of its own")).blocked).toBe(false);
    expect((await chat("you ass")).blocked).toBe(true);
    await answerTo(`/msg_filter del ${added?.id}`);
  });

  test.each([
    ["/msg_filter", "/msg_filter add <keyword>"],
    ["/msg_filter what", "/msg_filter add <keyword>"],
    ["/msg_filter add", "/msg_filter add <keyword>"],
    ["/msg_filter add x sometimes", "'sometimes' is not an option"],
    ["/msg_filter add x regex whole_word", "whole_word is for keywords"],
    ["/msg_filter add ( regex", "Invalid regular expression"],
    ["/msg_filter list -g", "-g needs the ID of a group"],
  ])("%s answers %s and changes nothing", async (text, answer) => {
    expect(await answerTo(text)).toContain(answer);
    expect((await fetchListing()).rules).toEqual({ global: [], channels: {} });
  });

  test("always works for an administrator, also when a rule would block its words", async () => {
    await rule("/msg_filter", { action: "recall" });
    const [blocking] = (await fetchListing()).rules.global;
    expect(await answerTo(`/msg_filter del ${blocking?.id}`)).toContain("deleted");
  });

  test("binds a rule to its group, and requires an administrator of the channel", async () => {
    await fake.say("9", "/msg_filter add word");
    await waitUntilIdle();
    expect(fake.sent.at(-1)?.text).toContain("administrators only");
    await fake.say("9", "/msg_filter add word", { sender: { id: "1", name: "Ada", isAdmin: false } });
    await waitUntilIdle();
    expect((await fetchListing()).rules.channels.fake).toMatchObject([
      { pattern: "word", session_scope: "specific", session_id: "fake:group:9" },
    ]);
  });

  test("with -g shows and deletes the rules of one group of imA", async () => {
    const mine = await rule("mine", { channel: "imA", session_scope: "specific", session_id: "imA_group_5_user" });
    const wide = await rule("wide", { channel: "imA" });
    const other = await rule("other", { channel: "imA", session_scope: "specific", session_id: "imA:group:6" });
    const list = await answerTo("/msg_filter list -g 5");
    expect([mine, wide, other].map(({ id }) => list.includes(id))).toEqual([true, true, false]);
    expect(await answerTo(`/msg_filter del ${other.id} -g 5`)).toContain("not found in group 5");
    expect(await answerTo(`/msg_filter del ${mine.id} -g 5`)).toContain("deleted");
  });
});

describe("the rules API", () => {
  test("does not move rules by an update, but accepts their own position", async () => {
    const { id } = await rule("x", { channel: "web", session_scope: "specific", session_id: session });
    const path = `/api/message-filter/${id}`;
    expect(await api.put(path, { action: "recall", channel: "web", session_id: session })).toMatchObject({
      session_id: `web:${session}`,
    });
    for (const body of [{ channel: "imA" }, { session_scope: "all" }, { session_id: "web:other" }, {}]) {
      expect((await api.send("PUT", path, { body })).status).toBe(400);
    }
    expect((await api.send("DELETE", path, { query: { channel: "imA" } })).status).toBe(404);
    expect((await api.send("DELETE", path, { query: { channel: "web", session_id: session } })).json?.data).toEqual({
      id,
      deleted: true,
      channel: "web",
      session_id: `web:${session}`,
    });
  });

  test.each([
    [{ pattern: " " }, "pattern"],
    [{ pattern: "x".repeat(1_001) }, "pattern"],
    [{ pattern: "(", type: "regex" }, "Unterminated group"],
    [{ pattern: "x", type: "glob" }, "type"],
    [{ pattern: "x", session_scope: "specific", channel: "web" }, "session_id"],
    [{ pattern: "x", session_scope: "specific", session_id: "y" }, "session_scope"],
    [{ pattern: "x", channel: "imA:group:1" }, "channel"],
  ])("rejects %j with a reason: %s", async (body, word) => {
    const { status, json } = await api.send("POST", "/api/message-filter", { body });
    expect({ status, error: json?.error }).toEqual({ status: 400, error: expect.stringContaining(word) });
  });

  test("does not overwrite rules silently: a change with an outdated original is rejected", async () => {
    const { id } = await api.post<Rule>("/api/message-filter", { pattern: "lily" });
    const at = `/api/message-filter/${id}`;
    const { headers, json } = await api.send("GET", at);
    const tag = headers.get("etag") ?? "";
    expect(json?.data).toMatchObject({ id, channel: "global", revision: Number(tag.slice(1, -1)) });
    const seen = { headers: { "if-match": tag } };
    await api.put(at, { action: "recall" });
    const rejected = { status: 409, json: { code: "conflict" } };
    expect(await api.send("PUT", at, { ...seen, body: { pattern: "rose" } })).toMatchObject(rejected);
    expect(await api.send("DELETE", at, seen)).toMatchObject(rejected);
    expect(await api.get(at)).toMatchObject({ pattern: "lily", action: "recall" });
    const now = (await api.send("GET", at)).headers.get("etag") ?? "";
    file.edit({
      ...NO_RULES,
      global: [{ id, pattern: "lily", type: "keyword", action: "recall", filter_target: "ai" }],
    });
    expect(await api.send("DELETE", at, { headers: { "if-match": now } })).toMatchObject(rejected);
    const last = await api.send("GET", at);
    const body = { ...(last.json?.data as object), pattern: "rose" };
    const done = await api.send("PUT", at, { headers: { "if-match": last.headers.get("etag") ?? "" }, body });
    expect(done.json?.data).toMatchObject({ pattern: "rose", filter_target: "ai" });
    expect(done.headers.get("etag")).not.toBe(last.headers.get("etag"));
  });
  test("warns of a pattern with catastrophic backtracking, and still accepts it", async () => {
    const { json } = await api.send("POST", "/api/message-filter", { body: { pattern: "(a+)+$", type: "regex" } });
    expect(json).toMatchObject({ success: true, message: expect.stringContaining("for example on") });
    const { warnings = [], warning_details = [] } = (json?.data ?? {}) as Partial<ListedWarnings>;
    expect(warnings).toEqual([json?.message]);
    expect(fillDetail(warning_details[0] ?? {}, "zh")).toMatch(/^此表达式可能耗时极长，例如匹配 ".+" 时/);
  });

  test("imports a list of words at once, each word once", async () => {
    await rule("One");
    const keywords = ["one", "two", " two ", "", ...Array.from({ length: 5_000 }, (_, index) => `word${index}`)];
    expect(await api.post("/api/message-filter/import", { keywords })).toEqual({ imported: 5_001, skipped: 3 });
    expect((await chat("x word4999 y")).user_message?.content).toBe("x  y");
  });
});

describe("the rules file in use", () => {
  test("applies manual edits from the next message on, while messages arrive", async () => {
    for (let edits = 0; edits < 20; edits += 1) {
      const isOn = edits % 2 === 0;
      file.edit({ ...NO_RULES, global: isOn ? [{ id: `rule_h${edits}`, pattern: "bad" }] : [] });
      expect((await chat("x bad y")).user_message?.content).toBe(isOn ? "x  y" : "x bad y");
    }
  });

  test("that is broken leaves the last valid rules active, is reported, and is not overwritten", async () => {
    await rule("bad");
    file.edit('{"enabled": true, "global": [');
    expect((await chat("x bad y")).user_message?.content).toBe("x  y");
    const answer = await api.send("GET", "/api/message-filter");
    expect(answer.json).toMatchObject({
      message: expect.stringContaining("cannot be used"),
      data: { problem: expect.any(String) },
    });
    expect((await api.send("POST", "/api/message-filter", { body: { pattern: "y" } })).status).toBe(409);
    expect(file.read()).toBe('{"enabled": true, "global": [');
    const health = await api.get<{ components: readonly { id: string; status: string }[] }>("/api/startup-status");
    expect(JSON.stringify(health)).toContain("the last good rules are in force");
    file.edit(NO_RULES);
    expect((await fetchListing()).problem).toBeNull();
  });

  test("reports why a rule is never applied, in both languages", async () => {
    file.edit({ ...NO_RULES, global: [{ id: "rule_odd", pattern: "x", action: "drop" }] });
    const { invalid } = await api.get<{ readonly invalid: readonly unknown[] }>("/api/message-filter");
    const detail = { key: "filter.one_of", params: { name: "action" } };
    expect(invalid).toMatchObject([{ channel: "global", id: "rule_odd", detail }]);
    file.edit(NO_RULES);
  });

  test("preserves concurrent changes of two writers", async () => {
    file.edit({ ...NO_RULES, note: "by hand" });
    const added = Array.from({ length: 20 }, (_, index) => rule(`ours${index}`));
    for (let index = 0; index < 20; index += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      const now = JSON.parse(file.read());
      file.edit({ ...now, global: [...now.global, { id: `rule_hand${index}`, pattern: `hand${index}` }] });
    }
    await Promise.all(added);
    const patterns = (await fetchListing()).rules.global.map(({ pattern }) => pattern);
    expect(patterns.filter((one) => one.startsWith("ours"))).toHaveLength(20);
    expect(patterns.filter((one) => one.startsWith("hand"))).toHaveLength(20);
    expect(JSON.parse(file.read()).note).toBe("by hand");
  });
});
