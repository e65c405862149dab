import type { Message, Session } from "@parley/core";
import type { List } from "@parley/core/http";
import { createGate, type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let models: ModelServer;
let api: Client;

const isSummaryRequest = (body: object) => JSON.stringify(body).includes("Summarize the conversation");
/** Pauses summaries until it lets one pass. */
const gate = createGate();

beforeAll(async () => {
  models = await startModelServer({
    answer: ({ body }) =>
      isSummaryRequest(body)
        ? { kind: "held", pieces: ["They talked of the sea."], gate }
        : { kind: "text", text: "long ".repeat(100) },
  });
  parley = await startParley();
  api = await parley.signIn();
  const fields = { name: "Small", model: "m", base_url: models.baseUrl, supports_tools: false };
  const { id } = await api.post<{ id: string }>("/api/ai-models", {
    ...fields,
    max_context_length: 4_000,
    max_tokens: 500,
  });
  await api.post(`/api/ai-models/${id}/apply`, {});
}, 120_000);
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});

const say = (session: string, content: string) =>
  api.post<{ replies: readonly Message[] }>(`/api/sessions/${session}/chat`, { content });
const list = (session: string, query: string) =>
  api.get<List<Message>>(`/api/sessions/${session}/messages?limit=100&${query}`);

test("before the context is full a job folds the older half, no answer waits for it, and the messages can be read and brought back", async () => {
  const { id } = await api.post<Session>("/api/sessions", {});
  for (let turn = 0; turn < 14; turn += 1) await say(id, `turn ${turn} ${"word ".repeat(100)}`);
  // The summary is being written, and still an answer comes.
  await eventually(() => expect(models.requests.some(({ body }) => isSummaryRequest(body))).toBe(true));
  expect((await say(id, "still there?")).replies).toHaveLength(1);
  expect((await list(id, "archived=true")).total).toBe(0);
  for (let at = 0; at < 10; at += 1) gate.next();
  await eventually(async () => expect((await list(id, "archived=true")).total).toBeGreaterThan(0));
  await eventually(async () => {
    for (const status of ["waiting", "running"])
      expect((await api.get<List<unknown>>(`/api/jobs?kind=sessions.compact&status=${status}`)).total).toBe(0);
  });

  const live = await list(id, "include_system=true");
  const archived = await list(id, "archived=true");
  const summary = live.items.find(({ kind }) => kind === "summary");
  expect(summary?.content).toBe("They talked of the sea.");
  expect(summary?.metadata.replaces).toEqual({
    from_seq: archived.items[0]?.seq,
    to_seq: archived.items.at(-1)?.seq,
    count: archived.total,
  });
  expect(archived.items[0]?.content).toContain("turn 0 ");
  expect(live.items[1]?.role).toBe("user");
  await say(id, "go on");
  expect(JSON.stringify(models.requests.at(-1)?.body.messages)).toContain("They talked of the sea.");

  const restored = await api.post<{ messages_restored: number }>(`/api/sessions/${id}/restore-from-archive`, {
    turns: 2,
  });
  const after = await list(id, "include_system=true");
  expect(after.items.find(({ kind }) => kind === "summary")?.metadata.replaces).toMatchObject({
    count: archived.total - restored.messages_restored,
  });
}, 120_000);

test("nothing is folded when that is switched off, and the oldest messages are left out of the prompt", async () => {
  await api.put("/api/settings", { context: { compaction: false } });
  const { id } = await api.post<Session>("/api/sessions", {});
  for (let turn = 0; turn < 14; turn += 1) await say(id, `turn ${turn} ${"word ".repeat(100)}`);
  expect(JSON.stringify(models.requests.at(-1)?.body.messages)).not.toContain("turn 0 ");
  expect((await list(id, "archived=true")).total).toBe(0);
}, 120_000);
