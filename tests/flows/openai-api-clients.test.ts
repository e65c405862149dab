import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ChatOpenAI } from "@langchain/openai";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Parley, startParley } from "../harness/parley.ts";

// The client libraries of chat frontends: that of Vercel's AI SDK, and LangChain's.

const WEATHER = {
  name: "weather",
  description: "the weather of a town",
  parameters: { type: "object" as const, properties: { town: { type: "string" as const } }, required: ["town"] },
};

let models: ModelServer;
let parley: Parley;
let apiKey: string;

beforeAll(async () => {
  models = await startModelServer();
  parley = await startParley({ config: "[web]\ncors_origins = https://frontend.example\n" });
  const api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/ai-models", {
    name: "Large",
    model: "large-1",
    base_url: models.baseUrl,
  });
  await api.post(`/api/ai-models/${id}/apply`, {});
  await api.post("/api/characters", { name: "Ada", description: "{{char}} counts stars." });
  ({ secret: apiKey } = await api.post<{ secret: string }>("/api/api-keys", { name: "frontend", scopes: ["chat"] }));
}, 60_000);
afterAll(async () => {
  await parley?.[Symbol.asyncDispose]();
  await models?.[Symbol.asyncDispose]();
});
beforeEach(() => {
  models.script.length = 0;
});

const callWeather = () => models.script.push({ kind: "tool", name: "weather", args: { town: "Rome" } });

const createSdkModel = (model: string) =>
  createOpenAICompatible({ name: "parley", baseURL: `${parley.address}/v1`, apiKey, includeUsage: true })(model);
const createLangChainModel = (model: string, more: object = {}) =>
  new ChatOpenAI({ model, apiKey, maxRetries: 0, configuration: { baseURL: `${parley.address}/v1` }, ...more });

const sdkPrompt = (text: string) => [{ role: "user" as const, content: [{ type: "text" as const, text }] }];

test("the AI SDK's client gets an answer, its usage, and its tool calls", async () => {
  const answer = await createSdkModel("character:Ada").doGenerate({ prompt: sdkPrompt("Hello") });
  expect(answer.content).toMatchObject([{ type: "text", text: "You said: Hello" }]);
  expect(answer.finishReason).toMatchObject({ unified: "stop" });
  expect(answer.usage.inputTokens.total).toBeGreaterThan(0);
  callWeather();
  const { name, description, parameters } = WEATHER;
  const tools = [{ type: "function" as const, name, description, inputSchema: parameters }];
  const called = await createSdkModel("default").doGenerate({ prompt: sdkPrompt("How is Rome?"), tools });
  expect(called.finishReason).toMatchObject({ unified: "tool-calls" });
  expect(called.content).toMatchObject([{ type: "tool-call", toolName: "weather", input: '{"town":"Rome"}' }]);
});

test("the AI SDK's client reads a stream to its end, with usage", async () => {
  const { stream } = await createSdkModel("default").doStream({ prompt: sdkPrompt("Hello") });
  const parts = await Array.fromAsync(stream);
  const text = parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");
  expect(text).toBe("You said: Hello");
  expect(parts.at(-1)).toMatchObject({ type: "finish", finishReason: { unified: "stop" } });
});

test("the AI SDK's client understands an error", async () => {
  const asking = createSdkModel("character:Nobody").doGenerate({ prompt: sdkPrompt("Hello") });
  await expect(asking).rejects.toMatchObject({ statusCode: 404, message: expect.stringContaining("Nobody") });
});

test("LangChain's client keeps a conversation of a user, streams, and gets its tool calls", async () => {
  const ann = createLangChainModel("character:Ada", { user: "ann" });
  await ann.invoke([["human", "I am Ann."]]);
  const chunks = await Array.fromAsync(await ann.stream([["human", "Who am I?"]]));
  expect(chunks.map(({ text }) => text).join("")).toBe("You said: Who am I?");
  expect(JSON.stringify(models.requests.at(-1)?.body)).toContain("I am Ann.");
  callWeather();
  const tools = [{ type: "function", function: WEATHER }];
  const called = await createLangChainModel("default").bindTools(tools).invoke("How is Rome?");
  expect(called.tool_calls).toMatchObject([{ name: "weather", args: { town: "Rome" } }]);
});

test("LangChain's client understands an error", async () => {
  const asking = createLangChainModel("character:Nobody").invoke("Hello");
  await expect(asking).rejects.toMatchObject({ status: 404, message: expect.stringContaining("Nobody") });
});

test("a page of an allowed origin may ask, and no other", async () => {
  const preflight = (origin: string) =>
    fetch(`${parley.address}/v1/chat/completions`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,x-stainless-lang",
      },
    });
  const allowed = await preflight("https://frontend.example");
  expect(allowed.headers.get("access-control-allow-origin")).toBe("https://frontend.example");
  expect(allowed.headers.get("access-control-allow-headers")?.toLowerCase()).toContain("authorization");
  const denied = await preflight("https://other.example");
  expect(denied.headers.get("access-control-allow-origin")).toBeNull();
});
