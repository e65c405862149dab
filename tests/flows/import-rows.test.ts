import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let api: Client;
let bookId = "";

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
  bookId = (await api.post<{ id: string }>("/api/world-books", { name: "The book" })).id;
});
afterAll(() => parley[Symbol.asyncDispose]());

interface ImportRow {
  /** The list of what it creates; its total shows whether anything was created. */
  readonly list: string;
  readonly wrap: (items: readonly unknown[]) => unknown;
  readonly good: unknown;
  readonly bad: readonly unknown[];
}

const message = (content: unknown) => ({ role: "user", content });
const card = (fields: object) => ({ spec: "chara_card_v2", spec_version: "2.0", data: fields });

/** Every endpoint that imports several items of a file. */
const ROWS: Readonly<Record<string, ImportRow>> = {
  "/api/sessions/import": {
    list: "/api/sessions",
    wrap: (sessions) => ({ sessions }),
    good: { name: "good", messages: [message("Hello")] },
    bad: [
      {},
      null,
      "text",
      7,
      [],
      { name: "nothing" },
      { name: "nothing", messages: [] },
      { messages: [{}] },
      { messages: [message("")] },
      { messages: [message(" \n\t")] },
      { messages: [message("\u200b\u2060")] },
      { messages: [message(null)] },
      { messages: [message(["Hello"])] },
      { messages: [message("Hello"), null] },
      { messages: [message(""), message(" ")], custom_prompt: "Be brief." },
      { messages: [{ role: "user", content: "", attachments: [] }] },
      { messages: [{ role: "assistant", kind: "notice", content: "" }] },
      { messages: "Hello" },
      { messages: { 0: message("Hello") } },
      { messages: [], archived_messages: [message("")] },
    ],
  },
  "/api/memory/import": {
    list: "/api/memory",
    wrap: (memories) => ({ memories }),
    good: { title: "Tea", content: "Likes tea" },
    bad: [{}, null, "text", 7, [], { title: "" }, { title: "x" }, { title: "x", content: "" }, { content: " " }],
  },
  "/api/knowledge/batch": {
    list: "/api/knowledge",
    wrap: (documents) => ({ documents }),
    good: { title: "Piers", content: "They stand in water." },
    bad: [{}, null, "text", 7, [], { title: "x" }, { title: "x", content: "" }, { title: "x", content: 7 }],
  },
  "/api/world-books/import-all": {
    list: "/api/world-books",
    wrap: (world_books) => ({ world_books }),
    good: { name: "Good", entries: [{ keywords: ["tower"], content: "Built in 1822." }] },
    bad: [{}, null, "text", 7, [], { name: "x", entries: 7 }, { name: "x", entries: [{}] }, { entries: [{ a: 1 }] }],
  },
  "/api/world-books/{book_id}/entries/batch": {
    list: "/api/world-books/{book_id}/entries",
    wrap: (entries) => ({ entries }),
    good: { keywords: ["tower"], content: "Built in 1822." },
    bad: [{}, null, "text", 7, [], { content: "" }, { content: 7 }, { keywords: ["("], use_regex: true, content: "x" }],
  },
  "/api/personality/import-all": {
    list: "/api/personality/custom-presets",
    wrap: (cards) => cards,
    good: card({ name: "Mira", description: "tall" }),
    bad: [
      {},
      null,
      "text",
      7,
      [],
      card({}),
      card({ name: "" }),
      { name: "x", blob: { a: 1 } },
      { spec: "chara_card_v2" },
    ],
  },
};

/** Endpoints that import one item, or several completely or not at all. */
const WHOLE: Readonly<Record<string, readonly unknown[]>> = {
  "/api/world-books/import": [{}, { name: "x", entries: [{}] }, { entries: 7 }, { entries: { 0: {} } }],
  "/api/personality/import": [{}, card({}), { name: "" }, { a: 1 }],
  "/api/message-filter/import": [{}, { keywords: [] }, { keywords: [""] }, { keywords: [" ", "\u200b"] }],
};
/** Endpoints that import an archive; each has its own tests. */
const ARCHIVES = ["/api/config-transfer/import", "/api/skills/upload-folder"];

const toPath = (path: string) => path.replace("{book_id}", bookId);
const getTotal = async (list: string) => (await api.get<{ total: number }>(toPath(list))).total;
const send = (path: string, body: unknown) => api.send("POST", toPath(path), { body: body as object });

test("every import route has a test", async () => {
  const { json } = await api.send("GET", "/api/openapi.json");
  const paths = Object.entries((json as unknown as { paths: Record<string, object> }).paths)
    .filter(([path, methods]) => "post" in methods && /\/(import|import-all|batch|upload-folder)$/.test(path))
    .map(([path]) => path);
  expect(paths.toSorted()).toEqual([...Object.keys(ROWS), ...Object.keys(WHOLE), ...ARCHIVES].toSorted());
});

describe.each(Object.entries(ROWS))("%s", (path, { list, wrap, good, bad }) => {
  test.each(bad.map((one) => [JSON.stringify(one), one] as const))(
    "rejects %s alone, and creates nothing",
    async (_, one) => {
      const before = await getTotal(list);
      const { status, json } = await send(path, wrap([one]));
      expect([status, json]).toMatchObject([400, { success: false, error: expect.stringMatching(/^[^\n]{5,300}$/) }]);
      expect(await getTotal(list)).toBe(before);
    },
  );

  test("rejects a file without readable items, with the reasons", async () => {
    const before = await getTotal(list);
    const { status, json } = await send(path, wrap(bad));
    expect([status, json]).toMatchObject([
      400,
      { error: expect.stringMatching(/none of the \d+ could be imported: 0: |looks like/) },
    ]);
    expect(await getTotal(list)).toBe(before);
  });

  test("imports valid items and names each invalid one", async () => {
    const before = await getTotal(list);
    const { status, json } = await send(path, wrap([...bad, good]));
    expect([status, json?.data]).toMatchObject([200, { failed: bad.length, items: [{}] }]);
    const { errors } = Object(json?.data) as { readonly errors: readonly { index: number; error: string }[] };
    expect(errors.map(({ index }) => index)).toEqual(bad.map((_, index) => index));
    expect(errors.filter(({ error }) => error.length < 5)).toEqual([]);
    expect(await getTotal(list)).toBe(before + 1);
  });
});

describe.each(Object.entries(WHOLE))("%s", (path, bad) => {
  test.each(bad.map((one) => [JSON.stringify(one), one] as const))("rejects %s", async (_, one) => {
    const before = await Promise.all(["/api/world-books", "/api/personality/custom-presets"].map(getTotal));
    expect(await send(path, one)).toMatchObject({ status: 400, json: { success: false } });
    expect(await Promise.all(["/api/world-books", "/api/personality/custom-presets"].map(getTotal))).toEqual(before);
  });
});

test("a file that replaces all memories but is empty removes none", async () => {
  await api.post("/api/memory", { title: "Kept", content: "Likes cake" });
  const before = await getTotal("/api/memory");
  expect(await send("/api/memory/import?mode=replace", { memories: [{ title: "" }, 7] })).toMatchObject({
    status: 400,
  });
  expect(await getTotal("/api/memory")).toBe(before);
});

test("a conversation with one readable message is imported completely", async () => {
  const messages = [message("Hello"), { role: "assistant", content: "", thinking: "Hm" }, message("Still there?")];
  const { items } = await api.post<{ items: readonly { id: string }[] }>("/api/sessions/import", {
    sessions: [{ name: "whole", messages }],
  });
  expect(await api.get(`/api/sessions/${items[0]?.id}`)).toMatchObject({ message_count: 3 });
});

test("a conversation of our own export is imported even when it is empty", async () => {
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: "still empty" });
  const exported = await api.get<object>(`/api/sessions/${id}/export`);
  expect(await api.post("/api/sessions/import", exported)).toMatchObject({ imported: 1, failed: 0 });
  expect(await send("/api/sessions/import", { ...exported, sessions: [{}] })).toMatchObject({ status: 400 });
});
