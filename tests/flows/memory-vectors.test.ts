import { Databases, type Memory } from "@parley/core";
import type { List } from "@parley/core/http";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { type EmbeddingServer, startEmbeddingServer } from "../harness/servers/embedding-server.ts";

let parley: Parley;
let api: Client;
let models: ModelServer;
let vectors: EmbeddingServer;
let mira: string;
let first: string;

beforeAll(async () => {
  models = await startModelServer({ answer: () => ({ kind: "text", text: "fine" }) });
  // Texts about cats point in one direction, all others in another.
  vectors = await startEmbeddingServer((text) => (/purr|kitten|cat/i.test(text) ? [1, 0.1, 0] : [0, 0.1, 1]));
  parley = await startParley();
  api = await parley.signIn();
  const model = { name: "m", model: "m", base_url: models.baseUrl };
  await api.post("/api/ai-models", model);
  await api.put("/api/settings", { memory: { finding: "local" } });
  mira = (await api.post<{ id: string }>("/api/characters", { name: "Mira" })).id;
  await remember("Whiskers purrs on the sofa.");
  await remember("Keeps the boat in Ostend.");
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await vectors[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});

const remember = async (content: string) =>
  (await api.post<Memory>("/api/memory", { title: "note", content, character_id: mira, importance: 1 })).id;
const use = async (model: string) => {
  const how = { base_url: vectors.baseUrl, dimensions: 3, retry_count: 0, timeout_s: 1 };
  const draft = { name: model, model, purpose: "embedding", ...how };
  const { id } = await api.post<{ id: string }>("/api/ai-models", draft);
  await api.post(`/api/ai-models/${id}/apply`, {});
  return id;
};
/** Returns the memories recalled for a question that shares no word with them. */
const fetchRecalled = async (content = "How is my kitten doing these days?") => {
  const { id } = await api.post<{ id: string }>("/api/sessions", { character_id: mira });
  await api.post(`/api/sessions/${id}/chat`, { content });
  return JSON.stringify(models.requests.at(-1)?.body.messages ?? []);
};
const rows = () =>
  parley.host
    .get(Databases)
    .main.tables<{ text_memories_vectors: { id: string; space: string } }>()
    .selectFrom("text_memories_vectors")
    .select(["id", "space"])
    .execute();
const spaces = async () => (await rows()).map(({ space }) => space.split(" ")[1]);

test("without an embedding model a memory is found by its words alone", async () => {
  expect(await fetchRecalled()).not.toContain("Whiskers");
  expect(await rows()).toEqual([]);
});

test("a configured model embeds all memories, each text once, and a search by meaning finds them", async () => {
  first = await use("tiny");
  await eventually(async () => expect(await spaces()).toEqual(["tiny", "tiny"]));
  const results = await fetchRecalled();
  expect(results).toContain("Whiskers purrs");
  expect(results).not.toContain("Ostend");
  expect(vectors.asked.filter((text) => text.includes("Whiskers"))).toHaveLength(1);
});

test("memories stored or corrected later are embedded too, and deleted ones leave no embedding", async () => {
  const id = await remember("The harbour is loud.");
  await eventually(async () => expect(await rows()).toHaveLength(3));
  await api.put(`/api/memory/${id}`, { content: "A second cat came." });
  await eventually(async () => {
    expect(vectors.asked.some((text) => text.includes("second cat"))).toBe(true);
    expect(await rows()).toHaveLength(3);
  });
  await eventually(async () => expect(await fetchRecalled()).toContain("A second cat came."));
  await api.send("DELETE", `/api/memory/${id}`);
  expect(await rows()).toHaveLength(2);
  expect((await api.get<List<Memory>>(`/api/memory?character_id=${mira}`)).total).toBe(2);
});

test("another model embeds all again", async () => {
  await use("other");
  await eventually(async () => expect(await spaces()).toEqual(["other", "other"]));
  expect(await fetchRecalled()).toContain("Whiskers purrs");
});

test("an unavailable model delays nothing: full-text search still works", async () => {
  vectors.answers(() => "hang");
  const since = performance.now();
  expect(await fetchRecalled("What does Whiskers do at noon?")).toContain("Whiskers purrs");
  // The provider is paused now and is not called again.
  expect(await fetchRecalled("Whiskers again, where is he?")).toContain("Whiskers purrs");
  expect(performance.now() - since).toBeLessThan(15_000);
  vectors.answers(undefined);
});

test("memories of one person are not found for another one, however similar", async () => {
  await api.post("/api/ai-models/failover-reset", {});
  await api.post(`/api/ai-models/${first}/apply`, {});
  const target_id = "imA:user:somebody";
  await api.post("/api/memory", { title: "cat", content: "Tom purrs too.", character_id: mira, target_id });
  await eventually(async () => expect(await spaces()).toEqual(["tiny", "tiny", "tiny"]));
  const results = await fetchRecalled();
  expect(results).toContain("Whiskers purrs");
  expect(results).not.toContain("Tom purrs");
});
