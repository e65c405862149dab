import { LLMock } from "@copilotkit/aimock";
import Joi from "@hapi/joi";
import { ModelCalls } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

// A third-party model server on this machine.

const never = new AbortController().signal;
const PROTOCOLS = [
  ["openai_chat", "/v1"],
  ["openai_responses", "/v1"],
  ["anthropic_messages", ""],
  ["gemini_generate", ""],
] as const;

let server: LLMock;
let parley: Parley;
let api: Client;

beforeAll(async () => {
  server = new LLMock({ port: 0, host: "127.0.0.1" });
  server.onTurn(0, /dice/, { toolCalls: [{ name: "roll_dice", arguments: '{"dice":2,"sides":6}' }] });
  server.onTurn(1, /dice/, { content: "They are rolled." });
  server.onMessage(/think/, { content: "Forty-two.", reasoning: "Six times seven." });
  server.onMessage("hello", { content: "Hello from elsewhere." });
  server.onJsonOutput(/mood/, { mood: "glad" });
  server.onEmbedding(/cat/, { embedding: [0.6, 0.8] });
  server.onImage(/circle/, { image: { b64Json: Buffer.from([0x89, 0x50, 0x4e, 0x47]).toString("base64") } });
  server.onSpeech(/hello/, { audio: Buffer.from([1, 2, 3]).toString("base64"), format: "mp3" });
  server.onTranscription({ transcription: { text: "a long tone", language: "english", duration: 1 } });
  await server.start();
  parley = await startParley();
  api = await parley.signIn();
}, 60_000);
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await server.stop();
});

const add = async (more: object): Promise<string> => {
  const body = { name: "Elsewhere", model: "m", api_key: "mock", retry_count: 0, ...more };
  return (await api.post<{ id: string }>("/api/ai-models", body)).id;
};
const askInNewSession = async (content: string) => {
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: "Elsewhere" });
  return api.post<{ replies: { content: string }[]; trace_id: string }>(`/api/sessions/${id}/chat`, { content });
};

describe.each(PROTOCOLS)("over %s", (protocol, path) => {
  beforeAll(async () => {
    const model = protocol === "gemini_generate" ? "gemini-2.5-flash" : "m";
    const id = await add({ protocol, model, base_url: server.url + path });
    await api.post(`/api/ai-models/${id}/apply`, {});
  });

  test("a person is answered", async () => {
    expect((await askInNewSession("hello")).replies).toMatchObject([{ content: "Hello from elsewhere." }]);
  });

  test("a tool is called before the answer", async () => {
    const { replies, trace_id } = await askInNewSession("throw two dice");
    expect(replies).toMatchObject([{ content: "They are rolled." }]);
    await eventually(async () => {
      const { items } = await api.get<{ items: { message: string }[] }>(`/api/gateway/events/${trace_id}`);
      expect(JSON.stringify(items)).toContain("roll_dice");
    });
  });

  test("a structured answer matches its schema", async () => {
    const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: "what is the mood?" }] }];
    const schema = Joi.object<{ mood: string }>({ mood: Joi.string().required() });
    const { answer } = parley.host.get(ModelCalls).ask({ purpose: "chat", messages, schema, signal: never });
    expect((await answer).value).toEqual({ mood: "glad" });
  });

  test("the next model answers when the first one is overloaded", async () => {
    const model = protocol === "gemini_generate" ? "gemini-2.5-flash" : "m";
    const id = await add({ protocol, model, base_url: server.url + path });
    await api.post(`/api/ai-models/${id}/apply`, {});
    server.nextRequestError(503, { message: "overloaded" });
    expect((await askInNewSession("hello")).replies).toMatchObject([{ content: "Hello from elsewhere." }]);
    const { health } = await api.get<{ health: Record<string, object> }>("/api/ai-models/failover-status?purpose=chat");
    expect(health[id]).toMatchObject({ state: "cooling", last_error: { category: "server_error", status_code: 503 } });
    await api.post(`/api/ai-models/${id}/toggle`, { enabled: false });
  });
});

test.each([
  ["embedding", "cat", "a vector of 2 numbers"],
  ["image_generation", "a circle", "a picture: 4 bytes of image/png"],
  ["tts", "hello", "speech: 3 bytes of audio/mpeg"],
  ["stt", "listen", "a long tone"],
])("a model with the purpose %s works", async (purpose, prompt, sample) => {
  const id = await add({ purpose, base_url: `${server.url}/v1` });
  expect(await api.post(`/api/ai-models/${id}/test`, { prompt })).toMatchObject({ ok: true, sample });
});
