import {
  AppError,
  Clock,
  Databases,
  definePlugin,
  Gateway,
  type InboundMessage,
  LiveEvents,
  type Message,
  MessageFilter,
  orderStages,
  RecordLifecycle,
  runTurn,
  type Session,
  Sessions,
  Settings,
  Summaries,
  type Turn,
  TurnStages,
} from "@parley/core";
import {
  applyEffects,
  createTestClock,
  memoryDatabases,
  type RecordedEvents,
  recordedEvents,
  type StartedPlugins,
  startPlugins,
  testContext,
  testSettings,
} from "@parley/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFolders } from "./conversations/folders.ts";
import sessions from "./index.ts";

const clock = createTestClock();
let events: RecordedEvents;
let accepted: InboundMessage[];
let isRunning: boolean;
let summary: () => Promise<string>;
let running: StartedPlugins;
let id: string;
let databases: Databases;
let undoneIds: string[];

/** Records the messages of which other plugins undo the effects. */
const undoing = definePlugin({
  id: "undoing",
  register({ contribute }) {
    contribute(RecordLifecycle, () => ({
      id: "undoing",
      of: "session" as const,
      async withoutMessages(_id, messageIds) {
        undoneIds.push(...messageIds);
        return [];
      },
    }));
  },
});

beforeEach(async () => {
  events = recordedEvents();
  accepted = [];
  isRunning = false;
  summary = async () => "they talked";
  databases = memoryDatabases();
  undoneIds = [];
  running = await startPlugins([sessions, undoing], {
    services: [
      [Databases, databases],
      [LiveEvents, events],
      [Clock, clock],
      [Settings, testSettings()],
      [Summaries, { summarize: () => summary() }],
      // Removes every "bad", and blocks texts that contain "worse".
      [
        MessageFilter,
        {
          apply: async ({ text }: { text: string }) => ({
            text: text.replaceAll("bad", ""),
            filtered: text.includes("bad"),
            blocked: text.includes("worse"),
            rules: /bad|worse/.test(text) ? ["rule_1"] : [],
          }),
        },
      ],
      [
        Gateway,
        {
          accept: async (message: InboundMessage) => {
            accepted.push(message);
            return { traceId: `gw_${accepted.length}`, itemId: "qi_1", duplicated: false, queued: true, queueSize: 1 };
          },
          running: () => (isRunning ? { traceId: "gw_1", startedAt: "", stage: "answer" } : undefined),
          waiting: (sessionId: string) => (sessionId.includes("busy") ? 8 : 0),
          stop: async () => ({ stopped: false, trace_ids: [] }),
          abandon: async () => {},
        },
      ],
    ],
  });
  id = (await running.call<Session>("POST /api/sessions", { body: { name: "A talk" } })).id;
});
afterEach(() => running[Symbol.asyncDispose]());

const add = (content: string, more: object = {}) =>
  running.call<{ message: Message | null; blocked: boolean }>(`POST /api/sessions/${id}/messages`, {
    body: { content, ...more },
  });
const talk = async (turns: number) => {
  for (let turn = 1; turn <= turns; turn += 1) {
    await add(`question ${turn}`);
    await add(`answer ${turn}`, { role: "assistant" });
  }
};
const page = (query: object = {}) =>
  running.call<{ items: readonly Message[]; total: number }>(`GET /api/sessions/${id}/messages`, { query });
const texts = async (query: object = {}) => (await page(query)).items.map(({ content }) => content);
const session = () => running.call<Session>(`GET /api/sessions/${id}`);

test("a platform's message is put at its time, also after hidden messages", async () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
  await add("one", { timestamp: at(1) });
  await add("hidden", { timestamp: at(2), hidden: true });
  await add("four", { timestamp: at(4) });
  const entry = {
    role: "user",
    content: "three",
    attachments: [],
    sender: "Ann",
    senderId: "1",
    source: "imA",
  } as const;
  await running.get(Sessions).record(id, { ...entry, timestamp: at(3) });
  expect(await texts({ include_hidden: true })).toEqual(["one", "hidden", "three", "four"]);
});

test("a platform's clearing of a conversation undoes the effects of its messages", async () => {
  const { message } = await add("one");
  expect(await running.get(Sessions).clear(id, { withSession: false })).toEqual({ deleted: 1 });
  expect(undoneIds).toEqual([message?.id]);
});

test("a conversation that enters a folder during a rename is moved along and announced", async () => {
  const into = (session: string) => running.call(`PUT /api/sessions/${session}`, { body: { folder: "Travel" } });
  await into(id);
  const late = (await running.call<Session>("POST /api/sessions", { body: { name: "Late" } })).id;
  const { main } = databases;
  const write: typeof main.write = async (writes) => {
    await into(late);
    return main.write(writes);
  };
  const folders = createFolders({ database: () => ({ ...main, write }), events, clock });
  expect(await folders.rename({ folder: "Travel", name: "Journeys" })).toEqual({ changed: 2 });
  const { revision } = await running.call<Session>(`GET /api/sessions/${late}`);
  expect(events.published.map(({ payload }) => payload)).toContainEqual(
    expect.objectContaining({ kind: "session", id: late, revision }),
  );
});

describe("the list of sessions", () => {
  type Listed = { items: readonly Session[]; total: number; next_cursor: string | null };
  const list = (query: object) => running.call<Listed>("GET /api/sessions", { query });
  const create = async (name: string, more: object = {}) =>
    (await running.call<Session>("POST /api/sessions", { body: { name, ...more } })).id;
  const walked = async (query: object, between: () => Promise<unknown> = async () => {}) => {
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Listed = await list({ ...query, ...(cursor !== undefined && { cursor }) });
      seen.push(...page.items.map(({ name }) => name));
      cursor = page.next_cursor;
      await between();
    }
    return seen;
  };

  test("can be read to its end by a cursor, whatever is added meanwhile", async () => {
    for (let index = 1; index <= 9; index += 1) await create(`s${index}`, { pinned: index % 4 === 0 });
    const all = (await list({})).items.map(({ name }) => name);
    expect(all.slice(0, 2)).toEqual(["s8", "s4"]);
    for (const limit of [1, 2, 3, 10, 11]) expect(await walked({ limit })).toEqual(all);
    expect(await walked({ limit: 3 }, () => create("one more"))).toEqual(all);
    expect(await walked({ limit: 2, pinned: false, q: "S" })).toEqual(["s9", "s7", "s6", "s5", "s3", "s2", "s1"]);
  });

  test("marks the end of the list, and rejects an invalid cursor or one with an offset", async () => {
    await create("another");
    const { next_cursor, total } = await list({ limit: 1 });
    expect(total).toBe(2);
    expect((await list({ limit: 2 })).next_cursor).toBeNull();
    await expect(list({ cursor: next_cursor, offset: 1 })).rejects.toThrow("offset: cannot be used with a cursor");
    for (const cursor of ["e30", "bm8", Buffer.from('{"pinned":2,"at":"x","id":"y"}').toString("base64url")]) {
      await expect(list({ cursor })).rejects.toThrow("cursor: is not a cursor of this list");
    }
  });
});

describe("messages", () => {
  test("are paged from either end and around a cursor, and counted", async () => {
    for (const word of ["a", "b", "c", "d", "e"]) await add(word);
    expect(await texts({ limit: 2 })).toEqual(["a", "b"]);
    expect(await texts({ limit: 2, order: "desc" })).toEqual(["e", "d"]);
    const { items, total } = await page({ limit: 500 });
    expect(total).toBe(5);
    const [, second, third] = items;
    expect(await texts({ before: third?.id, limit: 1 })).toEqual(["b"]);
    expect(await texts({ after: second?.id, limit: 2 })).toEqual(["c", "d"]);
    await expect(page({ before: third?.id, after: second?.id })).rejects.toMatchObject({ code: "bad_request" });
    await expect(page({ before: "msg_none" })).rejects.toMatchObject({ code: "not_found" });
  });

  test("are inserted at their position, again and again", async () => {
    await add("first");
    await add("last");
    for (let count = 0; count < 12; count += 1) await add(`between ${count}`, { insert_index: 1 });
    const all = await texts();
    expect(all[0]).toBe("first");
    expect(all[1]).toBe("between 11");
    expect(all.at(-1)).toBe("last");
    expect(all).toHaveLength(14);
  });

  test("that are hidden or from the system are shown on request only", async () => {
    await add("shown");
    await add("hidden", { hidden: true });
    await add("rule", { role: "system" });
    expect(await texts()).toEqual(["shown"]);
    expect(await texts({ include_hidden: true, include_system: true })).toEqual(["shown", "hidden", "rule"]);
    expect((await session()).message_count).toBe(3);
  });

  test("are filtered on every path, and blocked ones are not stored", async () => {
    expect((await add("a bad word")).message).toMatchObject({ content: "a  word", filtered: true });
    expect(await add("worse")).toMatchObject({ message: null, blocked: true });
    expect(await texts()).toEqual(["a  word"]);
    expect(events.published.filter(({ type }) => type === "message_filtered")).toHaveLength(1);
  });

  test("are edited and truncated in one step, and a stale edit changes nothing", async () => {
    await talk(2);
    const [first] = (await page()).items;
    const path = `PUT /api/sessions/${id}/messages/${first?.id}`;
    await expect(running.call(path, { body: { content: "x" }, ifMatch: 9 })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await running.call(path, { body: { content: "new", truncate_after: true } })).toMatchObject({
      removed_count: 3,
    });
    expect(await texts()).toEqual(["new"]);
    expect(await session()).toMatchObject({ message_count: 1, last_message: { preview: "new" } });
  });

  test("with answers are deleted without dangling references", async () => {
    const { message } = await add("question");
    await add("answer", { role: "assistant", reply_to: message?.id });
    await running.call(`DELETE /api/sessions/${id}/messages/${message?.id}`);
    expect((await page()).items).toMatchObject([{ content: "answer", reply_to: null }]);
  });

  test("saved in a collection outlive the originals", async () => {
    const { message } = await add("dear");
    const body = { message_ids: [message?.id], title: "Dear ones" };
    const saved = await running.call<{ id: string }>(`PUT /api/sessions/${id}/message-favorites`, { body });
    await running.call(`DELETE /api/sessions/${id}/messages`);
    const list = await running.call<{ items: readonly { messages: readonly Message[] }[] }>(
      `GET /api/sessions/${id}/message-favorites`,
    );
    expect(list.items[0]?.messages[0]?.content).toBe("dear");
    const gone = { message_ids: [], collection_id: saved.id };
    expect(await running.call(`PUT /api/sessions/${id}/message-favorites`, { body: gone })).toEqual({
      id: saved.id,
      deleted: true,
    });
  });
});

describe("a long conversation", () => {
  test("is compressed to a summary and its newest messages, which the model sees", async () => {
    await talk(6);
    expect(await running.call(`POST /api/sessions/${id}/compress`, { body: {} })).toMatchObject({
      compressed_count: 7,
      summary: "they talked",
      archived_message_count: 7,
    });
    expect(await texts({ include_system: true })).toEqual([
      "they talked",
      "answer 4",
      "question 5",
      "answer 5",
      "question 6",
      "answer 6",
    ]);
    const history = await running.get(Sessions).history(id, 3);
    expect(history.map(({ content }) => content)).toEqual(["they talked", "answer 5", "question 6", "answer 6"]);
  });

  test("is unchanged when no summary could be generated", async () => {
    await talk(6);
    summary = async () => {
      throw new AppError("upstream_failed", "no model");
    };
    await expect(running.call(`POST /api/sessions/${id}/compress`, { body: {} })).rejects.toMatchObject({
      code: "upstream_failed",
    });
    expect((await page()).total).toBe(12);
  });

  test("is restored turn by turn, in order, behind the summary", async () => {
    await talk(6);
    await running.call(`POST /api/sessions/${id}/compress`, { body: {} });
    expect(await running.call(`POST /api/sessions/${id}/restore-from-archive`, { body: { turns: 1 } })).toMatchObject({
      turns_restored: 1,
      messages_restored: 1,
      archive_messages_remaining: 6,
    });
    expect((await texts({ include_system: true })).slice(0, 4)).toEqual(["they talked", "", "question 4", "answer 4"]);
    await running.call(`POST /api/sessions/${id}/restore-from-archive`, { body: { turns: 100 } });
    const all = (await texts()).filter((text) => text !== "");
    expect(all).toEqual(
      Array.from({ length: 6 }, (_, index) => [`question ${index + 1}`, `answer ${index + 1}`]).flat(),
    );
    await expect(running.call(`POST /api/sessions/${id}/restore-from-archive`, { body: {} })).rejects.toMatchObject({
      code: "conflict",
    });
  });
});

describe("a session", () => {
  test("forks up to a message, with its own copies", async () => {
    await talk(2);
    const [, second] = (await page()).items;
    const fork = await running.call<Session>(`POST /api/sessions/${id}/fork`, { body: { message_id: second?.id } });
    expect(fork).toMatchObject({
      name: "A talk - Fork",
      message_count: 2,
      forked_from: { session_id: id, message_id: second?.id },
    });
    await running.call(`DELETE /api/sessions/${id}`);
    const copies = await running.call<{ items: readonly Message[] }>(`GET /api/sessions/${fork.id}/messages`);
    expect(copies.items.map(({ content }) => content)).toEqual(["question 1", "answer 1"]);
  });

  test("is exported and imported completely, under new ids", async () => {
    await talk(6);
    await running.call(`POST /api/sessions/${id}/compress`, { body: {} });
    await running.call(`PUT /api/sessions/${id}/custom-prompt`, { body: { content: "Be brief." } });
    const sent = await running.call<{ body: AsyncIterable<Buffer> }>(`GET /api/sessions/${id}/export`);
    const taken = await running.call<{ items: readonly { id: string }[] }>("POST /api/sessions/import", {
      body: JSON.parse(Buffer.concat(await Array.fromAsync(sent.body)).toString()).data,
    });
    const copy = taken.items[0]?.id ?? "";
    expect(copy).not.toBe(id);
    expect(await running.call(`GET /api/sessions/${copy}`)).toMatchObject({
      name: "A talk",
      message_count: 6,
      archived_message_count: 7,
      imported_from: id,
    });
    expect(await running.call(`GET /api/sessions/${copy}/custom-prompt`)).toMatchObject({ content: "Be brief." });
  });

  test("is exported message by message and in order, however long it is", async () => {
    const messages = Array.from({ length: 450 }, (_, at) => ({ role: "user", content: `message ${at}` }));
    const body = {
      sessions: [{ name: "long", messages, archived_messages: messages.slice(0, 201) }],
    };
    const { items } = await running.call<{ items: readonly { id: string }[] }>("POST /api/sessions/import", { body });
    const made = await running.call<Session>("POST /api/sessions", { body: { name: "empty" } });
    const ids = [...items.map((item) => item.id), made.id, "sess_gone"].join(",");
    const sent = await running.call<{ body: AsyncIterable<Buffer> }>(
      `GET /api/sessions/export?download=true&ids=${ids}`,
    );
    const chunks = await Array.fromAsync(sent.body);
    expect(chunks.length).toBeGreaterThan(3);
    const whole = JSON.parse(Buffer.concat(chunks).toString());
    expect(whole).toMatchObject({ version: 1, type: "svc_session_export", total: 2, missing: ["sess_gone"] });
    const [long, empty] = whole.sessions;
    expect(long.messages.map(({ content }: Message) => content)).toEqual(messages.map(({ content }) => content));
    expect(long.archived_messages).toHaveLength(201);
    expect(empty).toMatchObject({ name: "empty", messages: [], archived_messages: [], custom_prompt: "", state: null });
  });

  test("of a broken import is named, and the others are imported", async () => {
    const body = {
      sessions: [
        { name: "good", messages: [{ content: "fine" }] },
        { name: 5 },
        { messages: [{ content: "worse" }, { content: "fine" }] },
      ],
    };
    expect(await running.call("POST /api/sessions/import", { body })).toMatchObject({
      imported: 2,
      failed: 1,
      errors: [{ index: 1, detail: { key: "string.base", field: "name" } }],
      filtered_messages: 1,
    });
  });

  test("stores two independent concurrent changes, and rejects a stale one", async () => {
    const put = (body: object, ifMatch?: number) =>
      running.call<Session>(`PUT /api/sessions/${id}`, { body, ...(ifMatch && { ifMatch }) });
    await Promise.all([put({ favorite: true }), put({ tags: ["x"] })]);
    expect(await session()).toMatchObject({ favorite: true, tags: ["x"], revision: 3 });
    await expect(put({ name: "late" }, 1)).rejects.toMatchObject({ code: "conflict" });
    await expect(put({ archived: true } as object)).rejects.toMatchObject({ code: "bad_request" });
  });

  test("gets a generated title until a person sets one", async () => {
    const { id: fresh } = await running.call<Session>("POST /api/sessions", { body: {} });
    await running.get(Sessions).nameAutomatically(fresh, "About cats");
    expect(await running.call(`GET /api/sessions/${fresh}`)).toMatchObject({ name: "About cats" });
    await running.get(Sessions).nameAutomatically(id, "Not this");
    expect((await session()).name).toBe("A talk");
  });

  test("that is archived accepts no messages, and a busy one queues them", async () => {
    await running.call(`POST /api/sessions/${id}/archive`);
    const chat = running.call(`POST /api/sessions/${id}/chat`, { body: { content: "hi", wait: false } });
    await expect(chat).rejects.toMatchObject({ code: "conflict" });
    isRunning = true;
    await running.call(`POST /api/sessions/${id}/restore`);
    await expect(running.call(`POST /api/sessions/${id}/regenerate`, { body: {} })).rejects.toMatchObject({
      code: "conflict",
    });
  });
});

describe("a turn", () => {
  const inbound = (text: string, more: Partial<InboundMessage> = {}): InboundMessage => ({
    channelId: "web",
    sessionId: id,
    conversation: { id, isGroup: false },
    kind: "message",
    sender: { id: "u1", name: "Ada", isAdmin: false },
    text,
    attachments: [],
    addressed: true,
    source: "web",
    ...more,
  });
  const run = async (message: InboundMessage, answer?: string, traceId = "gw_1", isRepeated = false) => {
    const turn: Turn = {
      traceId,
      inbound: message,
      session: await running.get(Sessions).openFor(message),
      capabilities: {
        supports_stream: true,
        supports_progress_updates: true,
        supports_file_send: true,
        supports_stop: true,
      },
      text: message.text,
      attachments: [],
      history: [],
      prompt: [],
      replies: [],
      filter: { rules: [], filtered: false, blocked: false },
      effects: [],
      data: {},
    };
    const answering = {
      id: "test.answer",
      phase: "answer" as const,
      run: async (now: Turn) => ({
        ...now,
        replies:
          answer === undefined
            ? []
            : [{ id: `msg_${traceId}`, kind: "normal" as const, text: answer, attachments: [] }],
      }),
    };
    const stages = orderStages([...running.all(TurnStages), answering]);
    const ended = await runTurn(turn, { stages, context: testContext({ isRepeated }) });
    await applyEffects(ended, databases);
    return ended;
  };

  test("that runs twice writes the same rows", async () => {
    await run(inbound("hello"), "hi");
    await run(inbound("hello"), "hi", "gw_1", true);
    expect(await texts()).toEqual(["hello", "hi"]);
    expect((await session()).message_count).toBe(2);
  });

  test("creates the conversation of a platform at its first message, and restores an archived one", async () => {
    const message = inbound("hello", {
      channelId: "imB",
      sessionId: "imB:42",
      conversation: { id: "42", isGroup: false, title: "Bob" },
    });
    await run(message, "hi");
    expect(await running.call("GET /api/sessions/imB%3A42")).toMatchObject({
      name: "Bob",
      type: "channel",
      user_id: "u1",
    });
    await running.call("POST /api/sessions/imB%3A42/archive");
    await run({ ...message, text: "again" }, "hi again", "gw_2");
    expect(await running.call("GET /api/sessions/imB%3A42")).toMatchObject({ archived: false, message_count: 4 });
  });

  test("that regenerates an answer removes the old one, and restores it when there is no new one", async () => {
    await run(inbound("hello"), "first");
    const [question] = (await page()).items;
    const again = inbound("hello", { kind: "regenerate", ...(question && { messageId: question.id }) });
    await run(again, "second", "gw_2");
    expect(await texts()).toEqual(["hello", "second"]);
    await run(again, undefined, "gw_3");
    expect(await texts()).toEqual(["hello", "second"]);
  });

  test("for an edited or deleted platform message changes the stored one", async () => {
    const of = (text: string, more: Partial<InboundMessage>) =>
      inbound(text, {
        channelId: "imB",
        sessionId: "imB:7",
        conversation: { id: "7", isGroup: false },
        platformMessageId: "p1",
        ...more,
      });
    await run(of("helo", {}), undefined, "gw_1");
    await run(of("hello", { kind: "edit" }), undefined, "gw_2");
    const stored = () => running.call<{ items: readonly Message[] }>("GET /api/sessions/imB%3A7/messages");
    expect((await stored()).items).toMatchObject([{ content: "hello" }]);
    await run(of("", { kind: "recall" }), undefined, "gw_3");
    expect((await stored()).items).toEqual([]);
  });

  test("does not store what the filter removes from a reply", async () => {
    await run(inbound("hello"), "a bad answer");
    expect(await texts()).toEqual(["hello", "a  answer"]);
  });
});
