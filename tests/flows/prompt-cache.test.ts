import { estimateTokens, type Message } from "@parley/core";
import { describe, expect, test } from "vitest";
import {
  CACHING_PROTOCOLS,
  type CachingProtocol,
  type CachingServer,
  REPORTED,
  startCachingServer,
} from "../harness/caching-server.ts";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { startParley } from "../harness/parley.ts";

type Body = CachingServer["bodies"][number];
type Chat = { readonly replies: readonly Message[] };

const TURNS = 20;
const TIMEOUT_MS = 240_000;
const PRICES = { input_price: 10, output_price: 100 };
const TOPICS = ["the harbour", "the lighthouse", "the ferry", "my sister", "the storm"];
const PROFILE = `Mira keeps the lighthouse of Selm and talks with everyone who passes. ${Array.from(
  { length: 60 },
  (_, at) => `Her story number ${at} tells how she crossed the bay in winter and what she carried back from it.`,
).join(" ")}`;

/** Creates a character with memories, lore and knowledge, and a session with it; returns the session's id. */
async function createCompanion(api: Client): Promise<string> {
  const character = await api.post<{ id: string }>("/api/characters", { name: "Mira", description: PROFILE });
  for (const content of ["Ann's sister lives at the harbour.", "Ann is afraid of the ferry in a storm."])
    await api.post("/api/memory", { title: content, content, character_id: character.id });
  const book = await api.post<{ id: string }>("/api/world-books", { name: "Selm", character_ids: [character.id] });
  await api.post(`/api/world-books/${book.id}/entries`, {
    name: "Island",
    content: "Selm is an island.",
    always_on: true,
  });
  for (const [name, content] of [
    ["ferry", "The ferry leaves at six."],
    ["lighthouse", "The lighthouse has ninety steps."],
  ])
    await api.post(`/api/world-books/${book.id}/entries`, { name, content, keywords: [name] });
  for (const [title, content] of [
    ["Tides", "The storm tide of the harbour reaches four metres in November."],
    ["Timetable", "The ferry sails on weekdays. The lighthouse is open in summer."],
  ])
    await api.post("/api/knowledge", { title, content });
  return (await api.post<{ id: string }>("/api/sessions", { character_id: character.id })).id;
}

async function useModel(api: Client, protocol: CachingProtocol, url: string): Promise<string> {
  const base_url = protocol.startsWith("openai") ? `${url}/v1` : url;
  const model = protocol === "gemini_generate" ? "gemini-2.5-flash" : "m";
  const fields = { protocol, base_url, model, provider: "openai", api_key: "key", supports_stream: false, ...PRICES };
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "Caching", ...fields });
  await api.post(`/api/ai-models/${id}/apply`, {});
  return id;
}

const isTurn = (body: Body) => JSON.stringify(body).includes("You are part of a chat service");

/** Writes a request in the order in which providers read it, without the marks of the cache. */
function toText(body: Body): string {
  const parts = ["tools", "system", "systemInstruction", "instructions", "messages", "input", "contents"];
  return parts
    .flatMap((name) => (body[name] === undefined ? [] : [JSON.stringify(body[name])]))
    .join("\n")
    .replaceAll(',"cache_control":{"type":"ephemeral"}', "");
}

/** Returns the share of the shorter request's tokens that both requests begin with. */
function toSharedShare(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let same = 0;
  while (same < length && a[same] === b[same]) same += 1;
  return estimateTokens(a.slice(0, same)) / Math.min(estimateTokens(a), estimateTokens(b));
}

describe.each(CACHING_PROTOCOLS)("over %s", (protocol) => {
  test(
    "twenty turns with memory, lore and knowledge share nearly all of their prompts, and cached tokens are counted",
    async () => {
      await using server = await startCachingServer(
        protocol,
        () => "That is a long story, and the wind was cold that night.",
      );
      await using parley = await startParley();
      const api = await parley.signIn();
      const modelId = await useModel(api, protocol, server.url);
      const session = await createCompanion(api);
      const replies: Message[] = [];
      for (let turn = 0; turn < TURNS; turn += 1) {
        const content = `Tell me about ${TOPICS[turn % TOPICS.length]}, please; I was there on day ${turn}.`;
        replies.push(...(await api.post<Chat>(`/api/sessions/${session}/chat`, { content })).replies);
      }
      const bodies = server.bodies.filter(isTurn);
      expect(bodies).toHaveLength(TURNS);
      const prompts = bodies.map(toText);
      for (const recalled of ["sister lives at the harbour", "an island", "ninety steps", "storm tide"])
        expect(prompts.join()).toContain(recalled);
      const shares = prompts.slice(1).map((prompt, at) => toSharedShare(prompts[at] ?? "", prompt));
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.9);
      expectCacheMarks(protocol, bodies.at(-1) ?? {}, session);
      await expectCounted(api, protocol, { modelId, reply: replies.at(-1) });
    },
    TIMEOUT_MS,
  );
});

/** Expects what each protocol asks for: breakpoints, a key, or nothing. */
function expectCacheMarks(protocol: CachingProtocol, body: Body, session: string): void {
  const text = JSON.stringify(body);
  const hasKey = protocol.startsWith("openai");
  expect(body.prompt_cache_key).toBe(hasKey ? session : undefined);
  expect(text.split('"cache_control"')).toHaveLength(protocol === "anthropic_messages" ? 3 : 1);
  if (protocol !== "anthropic_messages") return;
  const messages = body.messages as readonly { readonly role: string; readonly content: readonly object[] }[];
  expect(JSON.stringify(body.system)).toContain("cache_control");
  expect(messages.at(-2)?.role).toBe("assistant");
  expect(messages.at(-2)?.content.at(-1)).toHaveProperty("cache_control");
}

async function expectCounted(
  api: Client,
  protocol: CachingProtocol,
  { modelId, reply }: { readonly modelId: string; readonly reply: Message | undefined },
): Promise<void> {
  const written = protocol === "anthropic_messages" ? REPORTED.written : 0;
  const counted = { input_tokens: REPORTED.input, cache_read_tokens: REPORTED.read, cache_write_tokens: written };
  const uncached = REPORTED.input - REPORTED.read - written;
  const cost = (uncached * 10 + REPORTED.read * 1 + written * 12.5 + REPORTED.output * 100) / 1_000_000;
  expect(reply?.usage).toMatchObject({ ...counted, cost: expect.closeTo(cost, 9) });
  await eventually(async () => {
    const { recent_records } = await api.get<{ recent_records: readonly object[] }>("/api/tokens");
    expect(recent_records[0]).toMatchObject(counted);
  });
  await api.put(`/api/ai-models/${modelId}`, { cache_read_price: 0, cache_write_price: 0 });
  const { id } = await api.post<{ id: string }>("/api/sessions", {});
  const { replies } = await api.post<Chat>(`/api/sessions/${id}/chat`, { content: "hello" });
  expect(replies[0]?.usage?.cost).toBeCloseTo((uncached * 10 + REPORTED.output * 100) / 1_000_000, 9);
}
