import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Databases, Jobs, type Memory, RecordStore } from "@parley/core";
import type { List } from "@parley/core/http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { MODELS } from "../../plugins/models/src/failover/model-priorities.ts";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import {
  type EmbeddingServer,
  startEmbeddingServer,
  toEmbeddingResponse,
} from "../harness/servers/embedding-server.ts";

interface Document {
  readonly id: string;
  readonly index_status: string;
  readonly index_error: string | null;
  readonly index_model: string | null;
}
interface Found {
  readonly items: readonly { readonly doc_id: string }[];
}

const MINUTE = 60_000;
/** Embeds texts about cats in one direction, all others in another. */
const embedText = (text: string) => (/purr|kitten|cat/i.test(text) ? [1, 0.1, 0] : [0, 0.1, 1]);
let parley: Parley;
let api: Client;
let vectors: EmbeddingServer;
let otherServer: EmbeddingServer;
let modelId: string;

beforeAll(async () => {
  // Only the wall clock is faked; timers run normally.
  vi.useFakeTimers({ toFake: ["Date"] });
  vectors = await startEmbeddingServer(embedText);
  // Another model with the same name, whose vectors are unrelated to those of the first.
  otherServer = await startEmbeddingServer((text) => embedText(text).toReversed());
  parley = await startParley();
  api = await parley.signIn();
  const how = { purpose: "embedding", base_url: vectors.baseUrl, dimensions: 3, retry_count: 0 };
  modelId = (await api.post<{ id: string }>("/api/ai-models", { name: "vectors", model: "tiny", ...how })).id;
  await api.post(`/api/ai-models/${modelId}/apply`, {});
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await vectors[Symbol.asyncDispose]();
  await otherServer[Symbol.asyncDispose]();
  vi.useRealTimers();
});

const add = (title: string, content: string) => api.post<Document>("/api/knowledge", { title, content });
const document = (id: string) => api.get<Document>(`/api/knowledge/${id}`);
const searchByMeaning = async (query: string) =>
  (await api.post<Found>("/api/knowledge/search", { query, mode: "vector", top_k: 1 })).items.map(
    ({ doc_id }) => doc_id,
  );
const waitUntilIndexed = (id: string) =>
  eventually(async () => expect(await document(id)).toMatchObject({ index_status: "indexed", index_error: null }));
const countAsked = (word: string) => vectors.asked.filter((text) => text.includes(word)).length;
const createFailure = () => ({ status: 500, body: { error: { message: "out of order" } } });
/** Returns in how many minutes the planned attempts are due. */
const listAttempts = async () => {
  const { items } = await api.get<List<{ run_at: string }>>("/api/jobs?kind=knowledge.index&status=waiting");
  return items.map(({ run_at }) => Math.round((Date.parse(run_at) - Date.now()) / MINUTE));
};
/** Advances the clock and triggers the check for due jobs, which happens at least once a minute and when one is added. */
const advanceMinutes = async (minutes: number) => {
  vi.setSystemTime(Date.now() + minutes * MINUTE);
  await parley.host.get(Jobs).add("memory.vectors", {});
};

test("a document whose vectors failed is retried after 1, 5 and 25 minutes, and then no more", async () => {
  vectors.answers(createFailure);
  const { id } = await add("Heron", "A heron stands in the reeds.");
  for (const [at, minutes] of [1, 5, 25].entries()) {
    await eventually(async () => expect(await listAttempts()).toEqual([minutes]));
    expect(countAsked("heron")).toBe(at + 1);
    expect(await document(id)).toMatchObject({ index_status: "failed", index_model: null });
    await advanceMinutes(minutes);
  }
  await eventually(() => expect(countAsked("heron")).toBe(4));
  await eventually(async () => expect(await document(id)).toMatchObject({ index_status: "failed" }));
  expect(await listAttempts()).toEqual([]);
  // A manual request reports the failure at once, and starts the same series of attempts again.
  expect((await api.send("POST", `/api/knowledge/${id}/index`)).json).toMatchObject({ code: "upstream_failed" });
  await eventually(async () => expect(await listAttempts()).toEqual([1]));
  expect(countAsked("heron")).toBe(5);
  vectors.answers(undefined);
});

test("a document that failed permanently is indexed when the model is configured again", async () => {
  const { items } = await api.get<List<Document>>("/api/knowledge?index_status=failed");
  expect(items).toHaveLength(1);
  await api.put(`/api/ai-models/${modelId}`, { base_url: vectors.baseUrl, name: "vectors again" });
  await waitUntilIndexed(String(items[0]?.id));
  // A rebuild that is still running would also index documents of the next tests.
  const listRebuilds = () => api.get<List<object>>("/api/jobs?kind=knowledge.rebuild&status=running");
  await eventually(async () => expect(await listRebuilds()).toMatchObject({ total: 0 }));
});

test("a document that fails once is indexed by the next attempt", async () => {
  vectors.answers(createFailure);
  const { id } = await add("Otter", "An otter holds hands.");
  // The next attempt is stored with the failure; the one for the heron still waits.
  await eventually(async () => expect(await document(id)).toMatchObject({ index_status: "failed" }));
  expect(await listAttempts()).toEqual([1, 1]);
  vectors.answers(undefined);
  await advanceMinutes(1);
  await waitUntilIndexed(id);
  await eventually(async () => expect(await listAttempts()).toEqual([]));
});

test("changes of other fields than title and text leave the vectors unchanged", async () => {
  const { id } = await add("Marten", "A marten climbs.");
  await waitUntilIndexed(id);
  await api.put(`/api/knowledge/${id}`, { tags: ["wood"], base_id: "forest", source: "book", metadata: { page: 1 } });
  expect(await document(id)).toMatchObject({ index_status: "indexed", index_model: modelId });
  const hits = await api.post<Found>("/api/knowledge/search", { query: "x", mode: "vector", base_id: "forest" });
  expect(hits.items.map(({ doc_id }) => doc_id)).toEqual([id]);
  expect(countAsked("marten")).toBe(1);
});

test("requests for an index in progress wait for the same run, which is complete", async () => {
  const { id } = await add("Basket", "A kitten sleeps in it.");
  await waitUntilIndexed(id);
  const title = "Basket of wicker";
  const { promise, resolve } = Promise.withResolvers<void>();
  vectors.answers(async (texts) => {
    await promise;
    return { body: toEmbeddingResponse(texts.map(embedText)) };
  });
  await api.put(`/api/knowledge/${id}`, { title });
  await eventually(() => expect(countAsked(title)).toBe(1));
  const both = [1, 2].map(() => api.post<Document>(`/api/knowledge/${id}/index`, {}));
  // Later requests are answered, so both index requests have reached the service.
  for (let at = 0; at < 5; at += 1) expect(await document(id)).toMatchObject({ index_status: "indexing" });
  resolve();
  for (const answer of await Promise.all(both)) expect(answer).toMatchObject({ index_status: "indexed", chunks: 1 });
  expect(countAsked(title)).toBe(1);
  vectors.answers(undefined);
  expect(await searchByMeaning("cat")).toEqual([id]);
});

test("the same model at another address recomputes all vectors: of documents, memories and questions", async () => {
  await api.post<Memory>("/api/memory", { title: "note", content: "Whiskers purrs on the sofa." });
  const spaces = async () => {
    const db = parley.host
      .get(Databases)
      .main.tables<{ text_memories_vectors: { space: string }; text_knowledge_vectors: { space: string } }>();
    const memories = await db.selectFrom("text_memories_vectors").select("space").execute();
    const documents = await db.selectFrom("text_knowledge_vectors").select("space").execute();
    return { memories: memories.map(({ space }) => space), documents: new Set(documents.map(({ space }) => space)) };
  };
  await eventually(async () => expect((await spaces()).memories).toHaveLength(1));
  const before = await spaces();
  const [cat] = await searchByMeaning("cat");
  await api.put(`/api/ai-models/${modelId}`, { base_url: otherServer.baseUrl });
  await eventually(async () => {
    const after = await spaces();
    expect(after.memories).toHaveLength(1);
    expect(after.memories).not.toEqual(before.memories);
    expect(after.documents.size).toBe(1);
    expect(after.documents).not.toEqual(before.documents);
  });
  expect(otherServer.asked.some((text) => text.includes("Whiskers"))).toBe(true);
  expect(otherServer.asked.some((text) => text.includes("kitten"))).toBe(true);
  await eventually(async () => expect(await searchByMeaning("cat")).toEqual([cat]));
});

test("a document whose model moves during the computation gets vectors of the new address", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  otherServer.answers(async (texts) => {
    await promise;
    return { body: toEmbeddingResponse(texts.map((text) => embedText(text).toReversed())) };
  });
  const { id } = await add("Tabby", "A tabby naps and purrs in the library.");
  await eventually(() => expect(otherServer.asked.some((text) => text.includes("tabby"))).toBe(true));
  await api.put(`/api/ai-models/${modelId}`, { base_url: vectors.baseUrl });
  await eventually(async () => expect((await document(id)).index_status).not.toBe("indexed"));
  resolve();
  await waitUntilIndexed(id);
  await eventually(() => expect(countAsked("tabby")).toBe(1));
  await eventually(async () => {
    const { items } = await api.post<Found>("/api/knowledge/search", { query: "cat", mode: "vector", doc_ids: [id] });
    expect(items.map(({ doc_id }) => doc_id)).toEqual([id]);
  });
  otherServer.answers(undefined);
});

test("a model that moved without a notification recomputes its vectors at the next start", async () => {
  const root = mkdtempSync(join(tmpdir(), "parley-moved-"));
  let id = "";
  {
    await using service = await startParley({ root });
    const client = await service.signIn();
    const how = { purpose: "embedding", base_url: vectors.baseUrl, dimensions: 3, retry_count: 0 };
    const made = await client.post<{ id: string }>("/api/ai-models", { name: "v", model: "tiny", ...how });
    await client.post(`/api/ai-models/${made.id}/apply`, {});
    const draft = { title: "Lynx", content: "A lynx listens.", wait_index: true };
    id = (await client.post<Document>("/api/knowledge", draft)).id;
    // Simulates a kill between storing the address and marking the vectors made at the old one.
    const models = service.host.get(RecordStore).documents(MODELS);
    const model = await models.get(made.id);
    if (model) await models.put({ ...model, base_url: otherServer.baseUrl });
  }
  expect(otherServer.asked.some((text) => text.includes("lynx"))).toBe(false);
  {
    await using service = await startParley({ root });
    const client = await service.signIn();
    await eventually(() => expect(otherServer.asked.some((text) => text.includes("lynx"))).toBe(true));
    await eventually(async () =>
      expect(await client.get(`/api/knowledge/${id}`)).toMatchObject({ index_status: "indexed" }),
    );
    const found = { query: "x", mode: "vector", top_k: 1 };
    const { items } = await client.post<Found>("/api/knowledge/search", found);
    expect(items.map(({ doc_id }) => doc_id)).toEqual([id]);
  }
  rmSync(root, { recursive: true, force: true });
});

test("a request for an index times out after two minutes, and the index completes nevertheless", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { id } = await add("Badger", "A badger digs.");
  await waitUntilIndexed(id);
  await api.put(`/api/knowledge/${id}`, { title: "Badger, old" });
  await waitUntilIndexed(id);
  const isAsked = () => vectors.asked.filter((text) => text.includes("Badger, older")).length;
  vectors.answers(async (texts) => {
    await promise;
    return { body: toEmbeddingResponse(texts.map(embedText)) };
  });
  await api.put(`/api/knowledge/${id}`, { title: "Badger, older" });
  await eventually(() => expect(isAsked()).toBe(1));
  const late = vi.spyOn(globalThis, "setTimeout");
  const waiting = api.send("POST", `/api/knowledge/${id}/index`);
  const timer = await eventually(
    () => late.mock.calls.find(([, ms]) => ms === 120_000) ?? Promise.reject(new Error("none")),
  );
  late.mockRestore();
  timer[0]();
  expect(await waiting).toMatchObject({ status: 504, json: { code: "timed_out" } });
  resolve();
  vectors.answers(undefined);
  await waitUntilIndexed(id);
});

test("documents without vectors of an earlier process are indexed by the next one", async () => {
  const root = mkdtempSync(join(tmpdir(), "parley-left-"));
  const ids: string[] = [];
  {
    await using service = await startParley({ root });
    const client = await service.signIn();
    const how = { purpose: "embedding", base_url: vectors.baseUrl, dimensions: 3, retry_count: 0 };
    const made = await client.post<{ id: string }>("/api/ai-models", { name: "v", model: "tiny", ...how });
    await client.post(`/api/ai-models/${made.id}/apply`, {});
    const left = ["pending", "indexing", "stale"];
    for (const title of left) {
      const draft = { title, content: `${title} badgers`, wait_index: true };
      ids.push((await client.post<Document>("/api/knowledge", draft)).id);
    }
    const { main } = service.host.get(Databases);
    const db = main.tables<{ knowledge_documents: { title: string; index_status: string } }>();
    await main.write(
      left.map((title) => ({
        query: db.updateTable("knowledge_documents").set({ index_status: title }).where("title", "=", title),
      })),
    );
  }
  {
    await using service = await startParley({ root });
    const client = await service.signIn();
    for (const id of ids) {
      await eventually(async () =>
        expect(await client.get(`/api/knowledge/${id}`)).toMatchObject({ index_status: "indexed" }),
      );
    }
  }
  rmSync(root, { recursive: true, force: true });
});
