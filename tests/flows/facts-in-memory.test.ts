import { startModelServer } from "@parley/simulators";
import { expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { startParley } from "../harness/parley.ts";

/** Things that a service may have none of, so that it need not look for them in each turn, and how each is added. */
const FACTS: readonly (readonly [name: string, add: (api: Client) => Promise<unknown>])[] = [
  [
    "a document",
    async (api) => {
      await api.post("/api/knowledge", { title: "Harbour", content: "The MARKER harbour opens at nine." });
      const count = async () => (await api.get<{ total: number }>("/api/knowledge?index_status=indexed")).total;
      await expect.poll(count, { timeout: 10_000 }).toBe(1);
    },
  ],
  ["a memory", (api) => api.post("/api/memory", { title: "harbour", content: "Works at the MARKER harbour." })],
  [
    "a memory of a package",
    (api) =>
      api.post("/api/memory/import", { memories: [{ title: "harbour", content: "Works at the MARKER harbour." }] }),
  ],
  [
    "a world book",
    async (api) => {
      const { id } = await api.post<{ id: string }>("/api/world-books", { name: "Town", enabled: true });
      await api.post(`/api/world-books/${id}/entries`, {
        keywords: ["harbour"],
        content: "The MARKER harbour is old.",
      });
    },
  ],
];

test.each(FACTS)("%s added between two turns is in the prompt of the second", async (_name, add) => {
  await using models = await startModelServer({ answer: () => ({ kind: "text", text: "ok" }) });
  await using parley = await startParley();
  const api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${id}/apply`, {});
  const character = await api.post<{ id: string }>("/api/characters", { name: "Mira" });
  const session = await api.post<{ id: string }>("/api/sessions", { character_id: character.id });
  const findMarker = async () => {
    const before = models.requests.length;
    await api.post(`/api/sessions/${session.id}/chat`, { content: "When does the harbour open?" });
    return JSON.stringify(models.requests[before]?.body.messages).includes("MARKER");
  };
  expect(await findMarker()).toBe(false);
  await add(api);
  expect(await findMarker()).toBe(true);
});
