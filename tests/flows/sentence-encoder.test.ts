import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface Found {
  readonly items: readonly { readonly title: string; readonly similarity: number }[];
}

const DOCUMENTS = {
  Pets: "Ann got two puppies from the shelter last spring.",
  Trains: "The express to Oxford leaves at nine every morning.",
  Bread: "Mix flour and water, let the dough rest, and bake it until it is brown.",
  图书馆: "图书馆的开放时间是上午九点到晚上八点，周一闭馆。",
};
let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley({ config: "[plugins]\nsentence-encoder = @parley/plugin-sentence-encoder\n" });
  api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/ai-models", {
    name: "Meaning",
    model: "universal-sentence-encoder-lite",
    protocol: "sentence-encoder",
    purpose: "embedding",
    dimensions: 512,
  });
  await api.post(`/api/ai-models/${id}/apply`, {});
  for (const [title, content] of Object.entries(DOCUMENTS)) await api.post("/api/knowledge", { title, content });
  await eventually(async () => {
    const { items } = await api.get<{ items: readonly { index_status: string }[] }>("/api/knowledge");
    expect(items.map(({ index_status }) => index_status)).toEqual(Object.keys(DOCUMENTS).map(() => "indexed"));
  });
}, 60_000);
afterAll(() => parley?.[Symbol.asyncDispose]());

const search = async (query: string, mode: string) =>
  (await api.post<Found>("/api/knowledge/search", { query, mode, top_k: 4 })).items;

test("a question finds the passage that means the same, without a common word", async () => {
  expect((await search("Which animals does she own?", "vector"))[0]?.title).toBe("Pets");
  expect((await search("How do I make a loaf?", "hybrid"))[0]?.title).toBe("Bread");
});

test("a Chinese question is found by its words", async () => {
  const [best] = await search("图书馆几点开放", "hybrid");
  expect(best).toMatchObject({ title: "图书馆", similarity: 0 });
});

test("the model can be chosen from the protocol's list, and tested", async () => {
  const { items } = await api.post<{ items: readonly { id: string }[] }>("/api/ai-models/available", {
    protocol: "sentence-encoder",
  });
  expect(items.map(({ id }) => id)).toEqual(["universal-sentence-encoder-lite"]);
});
