import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Databases, fixedStatement } from "@parley/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { openSocket } from "../harness/http/socket.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let root: string;
let parley: Parley;
let api: Client;
let session: string;

const start = async () => {
  parley = await startParley({ root });
  api = await parley.signIn();
};
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-order-"));
  await start();
  session = (await api.post<{ id: string }>("/api/sessions", {})).id;
});
afterEach(async () => {
  await parley[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

const path = (rest = "") => `/api/sessions/${session}/messages${rest}`;
const add = (content: string, more: object = {}) => api.post(path(), { content, ...more });
const seqs = async () => {
  const query = "select seq from messages where session_id = ? order by seq";
  const rows = await parley.host.get(Databases).main.lookup<{ seq: number }>(fixedStatement(query, [session]));
  return rows.map(({ seq }) => seq);
};
const contents = async () => {
  const { items } = await api.get<{ items: readonly { content: string }[] }>(path("?order=asc&limit=200"));
  return items.map(({ content }) => content);
};

test("200 messages that are added at once have 200 positions", async () => {
  await Promise.all(Array.from({ length: 200 }, (_, count) => add(`${count}`)));
  const found = await seqs();
  expect(found).toHaveLength(200);
  expect(new Set(found).size).toBe(200);
});

test("messages inserted at one position at once all get their own, also if there was no gap", async () => {
  for (const content of ["first", "last"]) await add(content);
  // There are ten free positions between two messages.
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(Array.from({ length: 4 }, (_, count) => add(`${round} ${count}`, { insert_index: 1 })));
  }
  expect(new Set(await seqs()).size).toBe(22);
  const shown = await contents();
  expect([shown[0], shown.at(-1)]).toEqual(["first", "last"]);
  expect(new Set(shown).size).toBe(22);
});

describe("a message that is sent again with the same temp_id", () => {
  interface Answer {
    readonly message: { readonly id: string; readonly content: string };
    readonly filtered: boolean;
    readonly rule_ids: readonly string[];
  }
  const sendSame = (content: string, more: object = {}) =>
    api.post<Answer>(path(), { content, temp_id: "t-1", ...more }) as Promise<Answer>;

  test("is the stored one, with its current content", async () => {
    const rule = await api.post<{ id: string }>("/api/message-filter", { pattern: "darn", action: "strip" });
    const first = await sendSame("darn it");
    expect(first).toMatchObject({ message: { content: "it" }, filtered: true, rule_ids: [rule.id] });
    expect(await sendSame("darn it")).toEqual(first);
    await api.put(path(`/${first.message.id}`), { content: "corrected" });
    await api.post(`/api/sessions/${session}/archive`, {});
    expect((await sendSame("darn it")).message).toMatchObject({ id: first.message.id, content: "corrected" });
    await api.post(`/api/sessions/${session}/restore`, {});
    expect(await contents()).toEqual(["corrected"]);
  });

  test.each([
    ["at the end", {}],
    ["in between", { insert_index: 0 }],
  ])("is one message when eight arrive at once, announced once: %s", async (_where, more) => {
    await add("before");
    using socket = await openSocket(api);
    await socket.ask({ type: "join_session", session_id: session });
    const all = await Promise.all(Array.from({ length: 8 }, () => sendSame("hello", more)));
    expect(new Set(all.map(({ message }) => message.id)).size).toBe(1);
    await add("after");
    expect((await contents()).toSorted()).toEqual(["after", "before", "hello"]);
    const listMessages = () => socket.frames.filter(({ type }) => type === "new_message");
    await eventually(() => expect(listMessages().at(-1)).toMatchObject({ message: { content: "after" } }));
    expect(listMessages()).toHaveLength(2);
  });

  test.each([
    ["asked first and stored then", ["chat", "messages"]],
    ["stored first and asked then", ["messages", "chat"]],
  ])("is one message with one answer, over either transport: %s", async (_order, ways) => {
    const ask = (way: string) => api.post(`/api/sessions/${session}/${way}`, { content: "hello", temp_id: "t-1" });
    const answers = [];
    for (const way of [...ways, ...ways]) answers.push(await ask(way));
    expect(await contents()).toEqual(["hello", expect.any(String)]);
    const stored = await sendSame("hello");
    const reply = await api.post<{ user_message: { id: string }; replies: readonly object[] }>(
      `/api/sessions/${session}/chat`,
      { content: "hello", temp_id: "t-1" },
    );
    expect(reply.user_message.id).toBe(stored.message.id);
    expect(reply.replies).toHaveLength(1);
    expect(answers.map((one) => JSON.stringify(one)).every((one) => one.includes(stored.message.id))).toBe(true);
  });

  test("is one message when both transports are used at once", async () => {
    const ways = ["chat", "messages", "chat", "messages"];
    const body = { content: "hello", temp_id: "t-1" };
    await Promise.all(ways.map((way) => api.post(`/api/sessions/${session}/${way}`, body)));
    expect(await contents()).toEqual(["hello", expect.any(String)]);
  });

  test("is a separate one in another conversation, and is stored again after its deletion", async () => {
    const { message } = await sendSame("hello");
    const other = (await api.post<{ id: string }>("/api/sessions", {})).id;
    const there = await api.post<Answer>(`/api/sessions/${other}/messages`, { content: "hello", temp_id: "t-1" });
    expect(there.message.id).not.toBe(message.id);
    await api.send("DELETE", path(`/${message.id}`));
    expect(await contents()).toEqual([]);
    await sendSame("hello again");
    expect(await contents()).toEqual(["hello again"]);
  });
});

test("the database rejects a second message at one position", async () => {
  await add("one");
  const { main } = parley.host.get(Databases);
  const columns = `session_id, seq, place, role, kind, hidden, content, timestamp, trace_id, platform_message_id, fields,
    revision`;
  const copy = `insert into messages (id, ${columns}) select 'msg_other', ${columns} from messages where session_id = ?`;
  await expect(main.write([{ query: fixedStatement(copy, [session]) }])).rejects.toMatchObject({ code: "conflict" });
});
