import { gzipSync } from "node:zlib";
import { Databases, type Memory } from "@parley/core";
import type { List } from "@parley/core/http";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface Document {
  readonly id: string;
  readonly title: string;
  readonly revision: number;
  readonly preview: string;
  readonly size: number;
  readonly source: string;
  readonly created_at: string;
}
interface Batch {
  readonly imported: number;
  readonly deleted: number;
  readonly failed: number;
  readonly skipped: number;
  readonly ids: readonly string[];
  readonly errors: readonly { readonly index: number; readonly id: string }[];
}
interface Found {
  readonly items: readonly { readonly doc_id: string; readonly score: number }[];
}

let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
});
afterAll(() => parley[Symbol.asyncDispose]());

const add = (title: string, content: string, more: object = {}) =>
  api.post<Document>("/api/knowledge", { title, content, ...more });
const search = async (query: string, more: object = {}) =>
  (await api.post<Found>("/api/knowledge/search", { query, ...more })).items;
const repeatItem = (count: number, item: (at: number) => object) => Array.from({ length: count }, (_, at) => item(at));
const remember = (draft: object) => api.post<Memory>("/api/memory", { title: "note", content: "something", ...draft });
const memories = async (query: string) => (await api.get<List<Memory>>(`/api/memory?${query}`)).items;

describe("a rejected request changes nothing:", () => {
  test.each<[string, string, string, object]>([
    ["a document without content", "POST", "/api/knowledge", { title: "a", content: " \n " }],
    ["a document without a title", "POST", "/api/knowledge", { title: " ", content: "a" }],
    ["a collection that is no label", "POST", "/api/knowledge", { title: "a", content: "a", base_id: "a b" }],
    ["an empty batch", "POST", "/api/knowledge/batch", { documents: [] }],
    [
      "a batch of 501",
      "POST",
      "/api/knowledge/batch",
      { documents: repeatItem(501, () => ({ title: "a", content: "a" })) },
    ],
    ["nothing to delete", "POST", "/api/knowledge/batch-delete", { doc_ids: [] }],
    ["a search for nothing", "POST", "/api/knowledge/search", { query: "  " }],
    ["a search for 51", "POST", "/api/knowledge/search", { query: "a", top_k: 51 }],
    ["a score above 1", "POST", "/api/knowledge/search", { query: "a", min_score: 1.1 }],
    ["a blank memory", "POST", "/api/memory", { title: "a", content: " " }],
    ["a memory of nobody's character", "POST", "/api/memory", { title: "a", content: "a", character_id: "char_none" }],
    ["days for what is kept for ever", "POST", "/api/memory", { title: "a", content: "a", expire_days: 3 }],
    ["a type that is none", "GET", "/api/memory?type=middle", {}],
    ["clearing a type that is none", "DELETE", "/api/memory", { type: "middle" }],
    ["no ids of memories", "POST", "/api/memory/batch-delete", { ids: [] }],
    ["an import with nothing in it", "POST", "/api/memory/import", { memories: [] }],
    ["an import of 10,001", "POST", "/api/memory/import", { memories: repeatItem(10_001, () => ({})) }],
  ])("%s", async (_, method, path, body) => {
    const answer = await api.send(method, path, method === "GET" ? {} : { body });
    expect([answer.status, answer.json?.code]).toEqual([400, "bad_request"]);
    expect((await api.get<List<object>>("/api/knowledge")).total).toBe(0);
    expect((await api.get<List<object>>("/api/memory")).total).toBe(0);
  });

  test("changes without a difference, and unknown records", async () => {
    const { id } = await add("one", "text");
    const memory = await remember({});
    for (const path of [`/api/knowledge/${id}`, `/api/memory/${memory.id}`]) {
      expect((await api.send("PUT", path, { body: {} })).status).toBe(400);
      expect((await api.send("DELETE", path)).status).toBe(200);
      expect((await api.send("DELETE", path)).status).toBe(404);
    }
    expect((await api.send("POST", `/api/knowledge/${id}/index`)).status).toBe(404);
    expect((await api.send("PUT", `/api/knowledge/${id}`, { body: { title: "b" } })).status).toBe(404);
  });
});

describe("documents", () => {
  test("may be equal, accept `name` as title, and show 200 characters in lists", async () => {
    const [first, second] = [await add("twin", "same"), await add("twin", "same")];
    expect(first.id).not.toBe(second.id);
    const named = await api.post<Document>("/api/knowledge", { name: "By name", content: "x".repeat(300) });
    expect(named).toMatchObject({ title: "By name", size: 300, source: "manual", preview: "x".repeat(200) });
    const [listed] = (await api.get<List<object>>("/api/knowledge?q=By%20name")).items;
    expect(listed).not.toHaveProperty("content");
    const gone = await api.post<Batch>("/api/knowledge/batch-delete", {
      doc_ids: [first.id, first.id, "doc_none", second.id, named.id],
    });
    expect(gone).toMatchObject({ deleted: 3, failed: 1, errors: [{ index: 2, id: "doc_none" }] });
    expect(gone.ids.toSorted()).toEqual([first.id, second.id, named.id].toSorted());
  });

  test("return every matching passage, adjacent ones joined, newer first at equal scores, with scores of four decimals", async () => {
    const long = Array.from({ length: 8 }, (_, at) => `The pelican number ${at} flies. ${"It flies on. ".repeat(30)}`);
    const { id } = await add("Pelicans", long.join("\n\n"));
    const hits = await search("pelican", { top_k: 20 });
    expect(new Set(hits.map(({ doc_id }) => doc_id))).toEqual(new Set([id]));
    expect(hits.length).toBeLessThan(long.length);
    const found = hits.map((hit) => JSON.stringify(hit)).join();
    for (const at of long.keys()) expect(found).toContain(`pelican number ${at} flies`);
    for (const { score } of hits) expect(score).toBe(Math.round(score * 10_000) / 10_000);
    const older = await add("Sandpiper", "A sandpiper runs.");
    // Two memories of the same millisecond have no order.
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(older.created_at));
    const newer = await add("Sandpiper", "A sandpiper hops.");
    const [first, second] = await search("sandpiper");
    expect(first?.score).toBe(second?.score);
    expect([first?.doc_id, second?.doc_id]).toEqual([newer.id, older.id]);
    expect(await search("quetzalcoatlus")).toEqual([]);
    expect((await search("sandpiper", { min_score: 1 })).every(({ score }) => score === 1)).toBe(true);
  });

  test("are split into passages that overlap by 50 characters", async () => {
    const words = Array.from({ length: 150 }, (_, at) => String(1_000 + at)).join("");
    const sentences = Array.from({ length: 20 }, (_, at) => `This is the sentence number ${at + 10} of it.`).join(" ");
    for (const [text, wanted] of [
      [words, [words.slice(0, 500), words.slice(450)]],
      // Cut after the last sentence that fits; the space after it is not part of the passage.
      [sentences, [/of it\.$/, /^.{49,50}/]],
    ] as const) {
      const { id } = await add("Cut", text);
      const { items } = await api.get<{ items: readonly { chunk: string }[] }>(`/api/knowledge/${id}/passages`);
      const chunks = items.map(({ chunk }) => chunk);
      expect(chunks).toHaveLength(2);
      for (const [at, expected] of wanted.entries()) expect(chunks[at]).toMatch(expected);
      const [first = "", second = ""] = chunks;
      expect(second.startsWith(first.slice(-50).trim())).toBe(true);
    }
  });

  test("are rebuilt one at a time, and the caller may wait for the rebuild or not", async () => {
    await api.post("/api/knowledge/batch", {
      documents: repeatItem(300, (at) => ({ title: `t${at}`, content: `c${at}` })),
    });
    const begun = await api.send("POST", "/api/knowledge/rebuild", { body: { wait: false } });
    expect([begun.status, begun.json?.data]).toMatchObject([202, { state: "running" }]);
    const again = await api.send("POST", "/api/knowledge/rebuild", { body: {} });
    expect([again.status, again.json?.code]).toEqual([409, "conflict"]);
    await expect
      .poll(async () => (await api.get<{ rebuild: { running: boolean } }>("/api/knowledge/stats")).rebuild.running, {
        timeout: 50_000,
      })
      .toBe(false);
    expect((await search("c7", { mode: "text" })).length).toBeGreaterThan(0);
  });
});

describe("memories", () => {
  test("are created by `key` and `value`, may be equal if created manually, and are cleared by the requested filter", async () => {
    const made = await api.post<Memory>("/api/memory", { key: "tea", value: "Likes tea", target_id: "imA:user:1" });
    expect(made).toMatchObject({ title: "tea", content: "Likes tea", summary: "Likes tea", source: "manual" });
    await remember({ title: "tea", content: "Likes tea", target_id: "imA:user:1" });
    await remember({ target_id: "imA:user:2", type: "short" });
    expect(await memories("target_id=imA:user:1")).toHaveLength(2);
    const clearAll = async (path: string, options = {}) => (await api.send("DELETE", path, options)).json?.data;
    expect(await clearAll("/api/memory?target_id=imA:user:1")).toEqual({ deleted: 2 });
    expect(await clearAll("/api/memory?target_id=imA:user:1")).toEqual({ deleted: 0 });
    expect(await clearAll("/api/memory", { body: { type: "short" } })).toEqual({ deleted: 1 });
    await remember({});
    expect(await clearAll("/api/memory")).toEqual({ deleted: 1 });
  });

  test("are imported up to 50 MiB unpacked", async () => {
    const packed = await fetch(new URL("/api/memory/import", parley.address), {
      method: "POST",
      headers: {
        authorization: `Bearer ${api.token}`,
        "content-type": "application/json",
        "content-encoding": "gzip",
      },
      body: gzipSync(Buffer.alloc(50 * 1024 * 1024 + 1, " "), { level: 1 }),
    });
    expect([packed.status, await packed.json()]).toMatchObject([413, { code: "too_large" }]);
  });

  test("are imported without duplicates and expired ones, detached from an unknown character, or replace all", async () => {
    await remember({ title: "tea", content: "Likes tea" });
    const draft = { title: "tea", content: "Likes tea" };
    const taken = [
      draft,
      { ...draft, type: "short", expires_at: "2020-01-01T00:00:00.000Z", content: "Is over" },
      { ...draft, content: "Of another", character_id: "char_elsewhere" },
    ];
    const merged = await api.post<Batch>("/api/memory/import", { memories: taken });
    expect(merged).toMatchObject({ imported: 1, skipped: 2, failed: 0 });
    expect((await memories("q=Of%20another"))[0]).toMatchObject({ character_id: null, source: "import" });
    const all = await api.post<Batch>("/api/memory/import?mode=replace", [draft]);
    expect(all).toMatchObject({ imported: 1, skipped: 0 });
    expect(await memories("")).toMatchObject([{ content: "Likes tea" }]);
  });
});

test("expired short-term memories are deleted by a job each hour, the others remain", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    await using service = await startParley();
    const client = await service.signIn();
    const keep = (title: string, more: object) =>
      client.post<Memory>("/api/memory", { title, content: title, ...more });
    await keep("short", { type: "short", expire_days: 1 });
    await keep("longer", { type: "short", expire_days: 2 });
    await keep("long", {});
    const readTable = async (table: "memories" | "text_memories") => {
      const { main } = service.host.get(Databases);
      const rows = main.tables<Record<typeof table, { title: string }>>().selectFrom(table).select("title");
      return (await rows.execute()).map(({ title }) => title).toSorted();
    };
    vi.setSystemTime(Date.now() + 86_400_000 + 1);
    expect(await readTable("memories")).toEqual(["long", "longer", "short"]);
    const { items } = await client.get<{ items: readonly { id: string; every_ms: number }[] }>(
      "/api/schedules?limit=100",
    );
    expect(items.find(({ id }) => id === "memory.prune")?.every_ms).toBe(3_600_000);
    await client.post("/api/schedules/memory.prune/run", {});
    await eventually(async () => {
      for (const table of ["memories", "text_memories"] as const)
        expect(await readTable(table)).toEqual(["long", "longer"]);
    });
  } finally {
    vi.useRealTimers();
  }
});
