import { LiveEvents, type Memory } from "@parley/core";
import type { List } from "@parley/core/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface Titled {
  readonly id: string;
  readonly title: string;
}

let parley: Parley;
let api: Client;
let character: string;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
  character = (await api.post<{ id: string }>("/api/characters", { name: "Mira" })).id;
  for (const [title, more] of [
    ["Anchors", { base_id: "harbour", tags: ["Iron"] }],
    ["Buoys", { base_id: "harbour" }],
    ["Crows", { tags: ["bird"] }],
  ] as const) {
    await api.post("/api/knowledge", { title, content: `${title} of the coast`, ...more });
  }
  for (const [title, more] of [
    ["tea", { target_id: "imA:user:1", priority: "high", tags: ["drink"] }],
    ["coffee", { target_id: "imA:user:2", priority: "low" }],
    ["boat", { character_id: character, type: "short", expire_days: 2 }],
  ] as const) {
    await api.post("/api/memory", { title, content: `Likes ${title}. ${"x".repeat(120)}`, ...more });
  }
});
afterAll(() => parley[Symbol.asyncDispose]());

const titles = async (path: string) => (await api.get<List<Titled>>(path)).items.map(({ title }) => title);

describe("a list is filtered", () => {
  test.each([
    ["", ["Crows", "Buoys", "Anchors"]],
    ["?q=buo", ["Buoys"]],
    ["?base_id=harbour", ["Buoys", "Anchors"]],
    ["?tag=bird", ["Crows"]],
    ["?index_status=indexed&limit=1", ["Crows"]],
    ["?index_status=failed", []],
    ["?limit=1&offset=2", ["Anchors"]],
  ])("of documents by '%s', newest first", async (query, expected) => {
    expect(await titles(`/api/knowledge${query}`)).toEqual(expected);
  });

  test.each([
    ["", ["boat", "coffee", "tea"]],
    ["?type=short", ["boat"]],
    ["?type=long", ["coffee", "tea"]],
    ["?target_id=imA:user:1", ["tea"]],
    ["?priority=low", ["coffee"]],
    ["?tag=drink", ["tea"]],
    ["?q=likes%20boat", ["boat"]],
    ["?character_name=Mira", ["boat"]],
    ["?limit=1&offset=1", ["coffee"]],
  ])("of memories by '%s', newest first", async (query, expected) => {
    expect(await titles(`/api/memory${query}`)).toEqual(expected);
  });

  test("to the memories of a character, including subfolders", async () => {
    for (const path of [`/api/memory?character_id=${character}`, `/api/characters/${character}/memories`]) {
      expect(await titles(path)).toContain("boat");
      expect(await titles(path)).not.toContain("tea");
    }
  });
});

test("a memory gets defaults: a summary of 100 characters, an importance, an expiry if it is short-term", async () => {
  const long = (await api.get<List<Memory>>("/api/memory?q=tea")).items[0];
  expect(long).toMatchObject({ type: "long", priority: "high", importance: 5, expires_at: null, recall_count: 0 });
  expect(long?.summary).toBe(long?.content.slice(0, 100));
  const { id, created_at, expires_at } = await api.post<Memory>("/api/memory", {
    title: "a",
    content: "b",
    type: "short",
  });
  expect(Date.parse(String(expires_at)) - Date.parse(created_at)).toBe(7 * 86_400_000);
  await api.send("DELETE", `/api/memory/${id}`);
});

test("every field of a memory except its origin can be changed, but not on an outdated revision", async () => {
  const { id } = await api.post<Memory>("/api/memory", { title: "a", content: "b" });
  for (const fixed of [{ source: "ai" }, { id: "mem_other" }, { source_turn_id: "x" }]) {
    expect((await api.send("PUT", `/api/memory/${id}`, { body: fixed })).status, JSON.stringify(fixed)).toBe(400);
  }
  const changes = { importance: 9, priority: "high", tags: ["z"], emotion_impact: { joy: 1 } };
  expect(await api.put(`/api/memory/${id}`, changes)).toMatchObject({ ...changes, revision: 2 });
  const late = await api.send("PUT", `/api/memory/${id}`, { body: { title: "c" }, headers: { "if-match": '"1"' } });
  expect([late.status, late.json?.code]).toEqual([409, "conflict"]);
  await api.send("DELETE", `/api/memory/${id}`);
});

test("several memories are deleted at once: an unknown one is reported by itself, one that is listed twice counts once", async () => {
  const { id } = await api.post<Memory>("/api/memory", { title: "a", content: "b" });
  const gone = await api.post<object>("/api/memory/batch-delete", { ids: [id, "mem_none", id] });
  expect(gone).toMatchObject({ deleted: 1, failed: 1, ids: [id], errors: [{ index: 1, id: "mem_none" }] });
});

test("an import accepts a file of a form too, and an export contains only the requested part", async () => {
  const taken = await api.get<{ memories: readonly Memory[] }>("/api/memory/export?type=short");
  expect(taken).toMatchObject({ version: 1, type: "memory_export", total: 1, memories: [{ title: "boat" }] });
  const form = new FormData();
  form.set("file", new Blob([JSON.stringify(taken)], { type: "application/json" }), "memories.json");
  const answer = await fetch(new URL("/api/memory/import", api.address), {
    method: "POST",
    headers: { authorization: `Bearer ${api.token}` },
    body: form,
  });
  expect(await answer.json()).toMatchObject({ success: true, data: { imported: 0, skipped: 1 } });
});

test("documents of a batch may use `name` for the title, and get the batch's collection unless they have their own", async () => {
  const documents = [
    { name: "First", content: "one" },
    { title: "Second", content: "two", base_id: "own" },
  ];
  const done = await api.post<{ items: readonly Titled[] }>("/api/knowledge/batch", { documents, base_id: "batch" });
  expect(done).toMatchObject({ imported: 2, failed: 0, items: [{ index: 0, title: "First" }, { index: 1 }] });
  expect([await titles("/api/knowledge?base_id=batch"), await titles("/api/knowledge?base_id=own")]).toEqual([
    ["First"],
    ["Second"],
  ]);
  const { bases } = await api.get<{ bases: object }>("/api/knowledge/stats");
  expect(bases).toMatchObject({ batch: 1, own: 1, harbour: 2 });
  const taken = await api.get<object>("/api/knowledge/export?base_id=own");
  expect(taken).toMatchObject({ version: 1, type: "knowledge_export", total: 1, documents: [{ title: "Second" }] });
  await api.post("/api/knowledge/batch-delete", { doc_ids: done.items.map(({ id }) => id) });
});

test("subscribers receive created and deleted documents and memories, and the clearing of all memories", async () => {
  const events: string[] = [];
  const stop = parley.host.get(LiveEvents).subscribe((event) => {
    if (event.type === "resource_changed") events.push(`${event.payload.kind} ${event.payload.action}`);
  });
  const document = await api.post<Titled>("/api/knowledge", { title: "a", content: "b" });
  await api.send("DELETE", `/api/knowledge/${document.id}`);
  const memory = await api.post<Titled>("/api/memory", { title: "a", content: "b" });
  await api.send("DELETE", `/api/memory/${memory.id}`);
  await api.send("DELETE", "/api/memory");
  stop();
  const wanted = ["document created", "document deleted", "memory created", "memory deleted", "memory cleared"];
  expect(events.filter((one) => wanted.includes(one))).toEqual(wanted);
});
