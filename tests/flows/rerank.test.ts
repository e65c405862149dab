import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { type JsonAnswer, type JsonServer, startJsonServer } from "../harness/servers/json-server.ts";

interface Asked {
  readonly query: string;
  readonly documents: readonly string[];
}
interface Hit {
  readonly title: string;
  readonly score: number;
  readonly why: { readonly rerank?: object };
}

let parley: Parley;
let api: Client;
let server: JsonServer;
let modelId: string;
const asked: Asked[] = [];
let answers: (body: Asked) => JsonAnswer;

/** A reranker that scores texts by alphabet, later ones higher. */
const alphabetical = ({ documents }: Asked): JsonAnswer => ({
  body: {
    results: documents.map((text, index) => ({ index, relevance_score: (text.codePointAt(0) ?? 0) / 200 })),
  },
});

beforeAll(async () => {
  server = await startJsonServer((body) => {
    asked.push(body as Asked);
    return answers(body as Asked);
  });
  parley = await startParley();
  api = await parley.signIn();
  for (const title of ["Alder", "Birch", "Zelkova"]) {
    const rain = title === "Zelkova" ? "" : "It likes rain, and rain again.";
    await api.post("/api/knowledge", { title, content: `The tree of the park that stands in the rain. ${rain}` });
  }
  const draft = { name: "judge", model: "judge-1", purpose: "rerank", base_url: server.baseUrl, timeout_s: 1 };
  modelId = (await api.post<{ id: string }>("/api/ai-models", draft)).id;
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const search = async (more: object = {}) =>
  (await api.post<{ items: readonly Hit[] }>("/api/knowledge/search", { query: "trees in the rain", ...more })).items;
const enable = (enabled: boolean) => api.post(`/api/ai-models/${modelId}/toggle`, { enabled });

describe("with a rerank model", () => {
  test("its order applies, and every hit shows its former score", async () => {
    answers = alphabetical;
    const [first, ...others] = await search();
    expect([first, ...others].map((hit) => hit?.title)).toEqual(["Zelkova", "Birch", "Alder"]);
    expect(first).toMatchObject({ score: 0.45, why: { rerank: { model: "judge-1", before: 3 } } });
    expect(asked.at(-1)).toMatchObject({ query: "trees in the rain", top_n: 3 });
    expect((await search({ min_score: 0.4 })).map(({ title }) => title)).toEqual(["Zelkova"]);
    expect((await search({ top_k: 1 })).map(({ title }) => title)).toEqual(["Zelkova"]);
    const { items } = await api.get<{ items: readonly object[] }>("/api/ai-models/failover-queue/rerank");
    expect(items).toMatchObject([{ model_id: modelId, health: { state: "healthy" } }]);
  });

  test("a search by words alone keeps the order of words", async () => {
    const before = asked.length;
    expect((await search({ mode: "text" })).at(-1)?.title).toBe("Zelkova");
    expect(asked).toHaveLength(before);
  });

  test("the prompt has the passages in the model's order", async () => {
    const { text } = await api.post<{ text: string }>("/api/knowledge/preview", {
      query: "which tree likes the rain?",
    });
    expect(text).toMatch(/^\[1\] Zelkova/);
  });

  test("memories are recalled in the model's order", async () => {
    const { id } = await api.post<{ id: string }>("/api/characters", { name: "Mira" });
    const remember = (content: string) =>
      api.post<{ id: string }>("/api/memory", { title: "rain", content, character_id: id, importance: 2 });
    const ann = await remember("Rain makes Ann glad, rain above all.");
    const zoe = await remember("Zoe was out in the rain.");
    const session = await api.post<{ id: string }>("/api/sessions", { character_id: id });
    await api.post(`/api/sessions/${session.id}/chat`, { content: "Who was out in the rain for so long?" });
    expect(asked.at(-1)?.documents).toHaveLength(2);
    const { turn } = await api.get<{ turn: object }>(`/api/characters/${id}/debug/latest-turn`);
    expect(turn).toMatchObject({ memory_ids: [zoe.id, ann.id] });
  });
});

describe("without an answer of the rerank model", () => {
  test.each<[string, JsonAnswer]>([
    ["at all", "hang"],
    ["but fails", { status: 500, body: {} }],
    ["with half of it", { body: { results: [{ index: 0, relevance_score: 1 }] } }],
  ])("%s, the order of words and embeddings remains, and each hit shows why", async (_, answer) => {
    await api.post("/api/ai-models/failover-reset", {});
    answers = () => answer;
    const since = performance.now();
    const items = await search();
    expect(items.at(-1)).toMatchObject({ title: "Zelkova", why: { rerank: { problem: expect.any(String) } } });
    const count = asked.length;
    // A paused model delays no search.
    expect((await search())[0]?.why.rerank).toMatchObject({ problem: expect.stringContaining("paused") });
    expect(asked).toHaveLength(count);
    expect(performance.now() - since).toBeLessThan(10_000);
  });

  test("nothing is reported where none is configured", async () => {
    await enable(false);
    expect((await search()).map(({ why }) => why.rerank)).toEqual([undefined, undefined, undefined]);
  });
});
