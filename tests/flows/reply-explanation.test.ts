import type { Character, Session } from "@parley/core";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

type Facts = Readonly<Record<string, unknown>>;

const SECRET = "sk-of-the-memory-test";
let parley: Parley;
let api: Client;
let models: ModelServer;

beforeAll(async () => {
  [parley, models] = await Promise.all([startParley(), startModelServer()]);
  api = await parley.signIn();
  const broken = { name: "Broken", model: "m", base_url: "http://127.0.0.1:9/v1", api_key: SECRET, retry_count: 0 };
  const { id } = await api.post<{ id: string }>("/api/ai-models", broken);
  await api.post("/api/ai-models", { name: "Whole", model: "m", base_url: models.baseUrl, api_key: "sk-scripted" });
  await api.post(`/api/ai-models/${id}/apply`, {});
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});

test("a reply can be explained from its trace: prompt, passages, tools, and the duration of each step", async () => {
  const { id: character_id } = await api.post<Character>("/api/characters", { name: "Mira" });
  const { id } = await api.post<Session>("/api/sessions", { character_id });
  const content = `Ann keeps a telescope on the balcony; its key is ${SECRET}`;
  await api.post("/api/memory", { title: "Ann", content, character_id, importance: 9 });
  const text = "A telescope is cleaned with a soft brush, never with water.";
  const { id: documentId } = await api.post<{ id: string }>("/api/knowledge", { title: "Telescopes", content: text });

  const question = { content: "How do I clean the telescope on the balcony?" };
  const { trace_id } = await api.post<{ trace_id: string }>(`/api/sessions/${id}/chat`, question);
  const { events } = await api.get<{ events: readonly { status: string; metadata: Facts }[] }>(
    `/api/gateway/logs/trace/${trace_id}`,
  );
  const findEvent = (what: string) => events.find(({ metadata }) => metadata.what === what)?.metadata;

  const parts = (findEvent("prompt")?.parts ?? []) as readonly Facts[];
  expect(parts.map(({ key }) => key)).toEqual(expect.arrayContaining(["global.safety", "character.memories"]));
  for (const { length, tokens } of parts) {
    expect(tokens).toBeGreaterThan(0);
    expect(tokens).toBeLessThanOrEqual(Number(length));
  }
  expect(findEvent("memory")?.memories).toEqual([
    { id: expect.any(String), score: expect.any(Number), text: "Ann keeps a telescope on the balcony; its key is ***" },
  ]);
  expect(findEvent("knowledge")?.passages).toEqual([
    { number: 1, doc_id: documentId, title: "Telescopes", score: expect.any(Number), text },
  ]);
  const asked = events.filter(({ status }) => status.startsWith("model_")).map(({ metadata }) => metadata.model_name);
  // Afterwards a model may be asked for a title of the conversation.
  expect(asked.slice(0, 3)).toEqual(["Broken", "Broken", "Whole"]);
  expect(findEvent("model")).toMatchObject({ history: 1, history_left_out: 0, tools_offered: expect.any(Number) });
  const { phases } = findEvent("times") as { readonly phases: Readonly<Record<string, number>> };
  expect(phases.answer).toBeGreaterThan(0);
});
