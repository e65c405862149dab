import { mkdtempSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Memory } from "@parley/core";
import { writeArchive } from "@parley/core/archive";
import type { List } from "@parley/core/http";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";
import {
  type EmbeddingServer,
  startEmbeddingServer,
  toEmbeddingResponse,
} from "../harness/servers/embedding-server.ts";

interface Document {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly chunk_count: number;
  readonly index_status: string;
}
interface Passages {
  readonly items: readonly { readonly chunk_id: string; readonly chunk: string }[];
}

const PASSWORD = "correct horse";

let root: string;
let vectors: EmbeddingServer;
const started: ParleyProcess[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-knowledge-"));
  writeFileSync(join(root, "config.ini"), "[log]\nlevel = warn\n");
});
afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill("SIGKILL");
    await ended;
  }
  rmSync(root, { recursive: true, force: true });
});
beforeAll(async () => {
  vectors = await startEmbeddingServer((text) => [text.length % 7, text.length % 11, 1]);
});
afterAll(() => vectors[Symbol.asyncDispose]());

async function start(): Promise<{ readonly running: ParleyProcess; readonly api: Client }> {
  const running = await startProcess({ root, env: { SVC_ADMIN_PASSWORD: PASSWORD } });
  started.push(running);
  const open = createClient(running.address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
  return { running, api: open.as(token) };
}

async function kill(running: ParleyProcess): Promise<void> {
  running.child.kill("SIGKILL");
  expect(await running.ended).toBe("SIGKILL");
}

/** Resolves when the log of the database has been written to so often: somewhere in the middle of a large write. */
async function waitForWrites(times: number): Promise<void> {
  const stop = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  let left = times;
  watch(join(root, "data", "parley.db-wal"), { signal: stop.signal }, () => {
    left -= 1;
    if (left <= 0) resolve();
  });
  await promise;
  stop.abort();
}

const all = async (api: Client, base: string) => {
  const { items } = await api.get<List<Document>>(`/api/knowledge?base_id=${base}&limit=500`);
  return items;
};

/** Reads a stored document: its status, and its vectors. */
function readDocument(id: string): { readonly status: unknown; readonly vectors: unknown } {
  const database = new DatabaseSync(join(root, "data", "parley.db"));
  try {
    const document = database.prepare("select index_status from knowledge_documents where id = ?").get(id);
    const vectors = database
      .prepare(
        "select count(*) as n from text_knowledge_vectors v join text_knowledge e on e.id = v.id where e.grp = ?",
      )
      .get(id);
    return { status: document?.index_status, vectors: vectors?.n };
  } finally {
    database.close();
  }
}

/** Expects that every document is found by all of its passages, each stored once. */
async function isWhole(api: Client, documents: readonly Document[]): Promise<void> {
  for (const { id, chunk_count } of documents) {
    const { items } = await api.get<Passages>(`/api/knowledge/${id}/passages`);
    expect(items).toHaveLength(chunk_count);
    expect(new Set(items.map(({ chunk_id }) => chunk_id)).size).toBe(chunk_count);
  }
}

test("a folder in a ZIP that is imported during a kill is imported once and completely", async () => {
  const names = Array.from({ length: 40 }, (_, at) => `notes/${at}.md`);
  const bytes = await writeArchive(
    names.map((name, at) => ({ name, bytes: new TextEncoder().encode(`# Note ${at}\nIt tells of harbour ${at}.`) })),
  );
  const first = await start();
  const form = new FormData();
  form.set("base_id", "folder");
  form.set("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), "notes.zip");
  const authorization = `Bearer ${first.api.token}`;
  const taken = await fetch(new URL("/api/knowledge/files", first.api.address), {
    method: "POST",
    headers: { authorization },
    body: form,
  });
  expect(taken.status).toBe(200);
  await eventually(async () => expect((await all(first.api, "folder")).length).toBeGreaterThan(0));
  await kill(first.running);
  const { running, api } = await start();
  await eventually(async () => {
    const sources = (await all(api, "folder")).map(({ source }) => source).toSorted();
    expect(sources).toEqual(names.map((name) => `notes.zip/${name}`).toSorted());
  });
  await eventually(async () => expect((await api.get<List<object>>("/api/jobs?status=running")).total).toBe(0));
  const documents = await all(api, "folder");
  expect(documents).toHaveLength(names.length);
  await isWhole(api, documents);
  expect(await running.stop()).toBe(0);
}, 180_000);

test("vectors being computed during a kill are completed, and none is paid for twice", async () => {
  const first = await start();
  const model = { name: "vectors", model: "tiny", purpose: "embedding", base_url: vectors.baseUrl, dimensions: 3 };
  const { id: modelId } = await first.api.post<{ id: string }>("/api/ai-models", model);
  await first.api.post(`/api/ai-models/${modelId}/apply`, {});
  const before = vectors.asked.length;
  const dying = Promise.withResolvers<void>();
  const answered = new Set<string>();
  let batches = 0;
  vectors.answers((texts) => {
    batches += 1;
    if (batches < 3) {
      for (const text of texts) answered.add(text);
      return { body: bodyOf(texts) };
    }
    dying.resolve();
    return "hang";
  });
  const paragraphs = Array.from({ length: 200 }, (_, at) => `Berth ${at} ${"is long and deep. ".repeat(20)}`);
  const { id } = await first.api.post<Document>("/api/knowledge", {
    title: "Berths",
    content: paragraphs.join("\n\n"),
    base_id: "berths",
  });
  await dying.promise;
  await kill(first.running);
  const interrupted = vectors.asked.slice(before);
  vectors.answers(undefined);
  const { running, api } = await start();
  await eventually(async () =>
    expect(await api.get<Document>(`/api/knowledge/${id}`)).toMatchObject({ index_status: "indexed" }),
  );
  await isWhole(api, await all(api, "berths"));
  // Only the unanswered batch is requested again; the other vectors are stored.
  expect(answered.size).toBeGreaterThan(0);
  expect(vectors.asked.slice(before + interrupted.length).filter((text) => answered.has(text))).toEqual([]);
  expect(await running.stop()).toBe(0);
}, 180_000);

test("a document being reindexed during a kill is never reported as indexed without its vectors", async () => {
  const first = await start();
  const model = { name: "vectors", model: "tiny", purpose: "embedding", base_url: vectors.baseUrl, dimensions: 3 };
  const { id: modelId } = await first.api.post<{ id: string }>("/api/ai-models", model);
  await first.api.post(`/api/ai-models/${modelId}/apply`, {});
  const paragraphs = Array.from({ length: 300 }, (_, at) => `Quay ${at} ${"is long and deep. ".repeat(20)}`);
  const draft = { title: "Quays", content: paragraphs.join("\n\n") };
  const { id, chunk_count } = await first.api.post<Document>("/api/knowledge", draft);
  const isIndexed = async ({ api }: typeof first) =>
    expect(await api.get(`/api/knowledge/${id}`)).toMatchObject({ index_status: "indexed" });
  await eventually(() => isIndexed(first));
  let service = first;
  for (const writes of process.env.PARLEY_LONG === undefined ? [1, 4] : [1, 2, 4]) {
    const middle = waitForWrites(writes);
    service.api.post(`/api/knowledge/${id}/index`, {}).catch(() => {});
    await middle;
    await kill(service.running);
    const { status, vectors } = readDocument(id);
    if (status === "indexed") expect(vectors).toBe(chunk_count);
    service = await start();
    await eventually(() => isIndexed(service));
    expect(readDocument(id)).toEqual({ status: "indexed", vectors: chunk_count });
  }
  expect(await service.running.stop()).toBe(0);
}, 180_000);

test("batch imports are complete, and replaced memories are all old or all new, after a kill in between", async () => {
  const named = (what: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ title: `${what} ${at}`, content: `${what} number ${at}` }));
  const first = await start();
  await first.api.post("/api/memory/import", { memories: named("old", 100) });
  const documents = Array.from({ length: 200 }, (_, at) => ({
    title: `Pier ${at}`,
    content: `Pier ${at}. `.repeat(90),
  }));
  const middle = waitForWrites(2);
  first.api.post("/api/knowledge/batch", { documents, base_id: "piers" }).catch(() => {});
  first.api.post("/api/memory/import", { memories: named("new", 500), mode: "replace" }).catch(() => {});
  await middle;
  await kill(first.running);
  const { running, api } = await start();
  await isWhole(api, await all(api, "piers"));
  const { total, items } = await api.get<List<Memory>>("/api/memory?limit=500");
  const [what = ""] = items[0]?.title.split(" ") ?? [];
  expect([what, total]).toEqual(what === "old" ? ["old", 100] : ["new", 500]);
  expect(items.every(({ title }) => title.startsWith(what))).toBe(true);
  // Importing again stores each only once.
  await api.post("/api/memory/import", { memories: named("new", 500) });
  expect((await api.get<List<Memory>>("/api/memory?q=new&limit=1")).total).toBe(500);
  expect(await running.stop()).toBe(0);
}, 180_000);

function bodyOf(texts: readonly string[]): object {
  return toEmbeddingResponse(texts.map((_, index) => [1, index % 5, 1]));
}
