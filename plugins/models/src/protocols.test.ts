import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ModelAnswer, ModelCalls, type ModelQuestion, TokenUsage } from "@parley/core";
import { type ModelScript, startModelServer, startReplayServer } from "@parley/simulators";
import { describe, expect, it } from "vitest";
import type { ModelView } from "./records/schema.ts";
import { type StartedModels, startModels } from "./test-setup.ts";

async function connected(app: StartedModels, baseUrl: string, extra: object = {}): Promise<ModelView> {
  const body = { name: "Scripted", model: "scripted", base_url: baseUrl, ...extra };
  return app.call<ModelView>("POST /api/ai-models", { body });
}

/** Makes one streamed attempt. */
async function askStreaming(app: StartedModels, more: Partial<ModelQuestion> = {}): Promise<ModelAnswer> {
  const { answer } = app.get(ModelCalls).ask({
    purpose: "chat",
    messages: [{ role: "user", content: [{ type: "text", text: "hello there" }] }],
    isStreamed: true,
    isOnce: true,
    signal: new AbortController().signal,
    ...more,
  });
  return answer;
}

describe("openai_chat over HTTP", () => {
  it("streams a text and reports its tokens", async () => {
    await using server = await startModelServer();
    await using app = await startModels();
    await connected(app, server.baseUrl);
    expect(await askStreaming(app)).toMatchObject({
      text: "You said: hello there",
      ending: "done",
      usage: { input_tokens: 10 },
      model: { label: "Scripted", model: "scripted", source: "first_enabled" },
    });
  });

  it.each([
    [
      "ends as one that gives a reason",
      [{ choices: [{ index: 0, delta: { content: "all of it" } }] }, "[DONE]"],
      "done",
    ],
    [
      "broke off where its end is missing, too",
      [{ choices: [{ index: 0, delta: { content: "all of it" } }] }],
      "failed",
    ],
  ] as const)("a stream without a reason for its end %s", async (_what, reason, ending) => {
    const events = reason.map((one) => ({ data: one }));
    await using server = await startReplayServer([{ events }]);
    await using app = await startModels();
    await connected(app, server.address);
    expect(await askStreaming(app)).toMatchObject({ text: "all of it", ending });
  });

  it("sends the key, the extra headers and the extra fields", async () => {
    await using server = await startModelServer();
    await using app = await startModels();
    app.variables.set("TENANT", "acme");
    const extra = { extra_headers_env: { "x-tenant": "TENANT" }, extra_body: { seed: 7 } };
    await connected(app, server.baseUrl, { api_key: "sk-abcdefgh1234", ...extra });
    await askStreaming(app);
    const [request] = server.requests;
    expect(request?.headers).toMatchObject({ authorization: "Bearer sk-abcdefgh1234", "x-tenant": "acme" });
    expect(request?.body).toMatchObject({ seed: 7, model: "scripted", stream: true });
  });

  it("sends no credential when there is no key", async () => {
    await using server = await startModelServer();
    await using app = await startModels();
    await connected(app, server.baseUrl);
    await askStreaming(app);
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it("uses a whole address as it is", async () => {
    await using server = await startModelServer();
    await using app = await startModels();
    await connected(app, `${server.baseUrl}/custom`, { append_base_url_path: false });
    await askStreaming(app);
    expect(server.requests[0]?.path).toBe("/v1/custom");
  });

  it("returns complete tool calls", async () => {
    await using server = await startModelServer();
    server.script.push({ kind: "tool", name: "roll_dice", args: { dice: 2 } });
    await using app = await startModels();
    await connected(app, server.baseUrl);
    const inputSchema = { type: "object", properties: {} } as const;
    const { toolCalls } = await askStreaming(app, { tools: [{ type: "function", name: "roll_dice", inputSchema }] });
    expect(toolCalls).toEqual([{ id: "call_roll_dice", name: "roll_dice", input: '{"dice":2}' }]);
  });

  it.each<[string, ModelScript, string]>([
    ["500", { kind: "status", status: 500 }, "server_error"],
    ["429", { kind: "status", status: 429, retryAfterS: 3 }, "rate_limited"],
    ["a used-up quota", { kind: "status", status: 429, message: "You exceeded your current quota" }, "quota"],
    ["402", { kind: "status", status: 402 }, "quota"],
    ["401", { kind: "status", status: 401 }, "auth"],
    ["404", { kind: "status", status: 404 }, "model_missing"],
    ["a too long prompt", { kind: "status", status: 400, message: "maximum context length" }, "context_length"],
    ["a refusal", { kind: "status", status: 400, message: "blocked by content policy" }, "content_refused"],
    ["another 400", { kind: "status", status: 400 }, "bad_request"],
    ["a malformed chunk", { kind: "malformed", text: "so " }, "invalid_response"],
    ["a dropped connection", { kind: "cut", text: "so far" }, "network"],
  ])("reads %s as its category", async (_, step, category) => {
    await using server = await startModelServer();
    server.script.push(step);
    await using app = await startModels();
    await connected(app, server.baseUrl);
    expect(await askStreaming(app)).toMatchObject({ ending: "failed", failure: { category } });
  });

  it("suggests what a base address may lack when it is not found", async () => {
    await using server = await startReplayServer([
      { status: 404, body: { error: { message: "Not Found" } } },
      { status: 404, body: { error: { message: "no such model" } } },
    ]);
    await using app = await startModels();
    const { id } = await connected(app, server.address);
    expect((await askStreaming(app)).failure).toMatchObject({
      category: "model_missing",
      detail: "Not Found (the address may be missing /v1)",
    });
    await app.call(`PUT /api/ai-models/${id}`, { body: { base_url: `${server.address}/v1` } });
    expect((await askStreaming(app)).failure).toMatchObject({ category: "model_missing", detail: "no such model" });
  });

  it("names the setting for a server that does not stream", async () => {
    const body = {
      id: "c",
      created: 0,
      model: "m",
      choices: [{ index: 0, message: { content: "Hi" }, finish_reason: "stop" }],
    };
    await using server = await startReplayServer([{ body }]);
    await using app = await startModels();
    await connected(app, server.address);
    expect((await askStreaming(app)).failure).toMatchObject({
      category: "invalid_response",
      detail: expect.stringContaining("supports_stream"),
    });
  });

  it("reads Retry-After", async () => {
    await using server = await startModelServer();
    server.script.push({ kind: "status", status: 429, retryAfterS: 3 });
    await using app = await startModels();
    await connected(app, server.baseUrl);
    expect((await askStreaming(app)).failure).toMatchObject({ statusCode: 429, retryAfterMs: 3000 });
  });

  it("masks a key that the provider repeats", async () => {
    await using server = await startModelServer();
    server.script.push({ kind: "status", status: 401, message: "bad key sk-abcdefgh1234" });
    await using app = await startModels();
    await connected(app, server.baseUrl, { api_key: "sk-abcdefgh1234" });
    expect((await askStreaming(app)).failure?.detail).toBe("bad key ***");
  });

  it("disconnects from a hanging model when it is aborted", async () => {
    await using server = await startModelServer();
    server.script.push({ kind: "hang" });
    await using app = await startModels();
    await connected(app, server.baseUrl);
    const stop = new AbortController();
    const arrived = server.nextRequest();
    const answer = askStreaming(app, { signal: stop.signal });
    await arrived;
    const begun = performance.now();
    stop.abort();
    expect((await answer).ending).toBe("aborted");
    expect(performance.now() - begun).toBeLessThan(100);
  });
});

describe("without a key for a public provider", () => {
  it.each(["openai_chat", "openai_responses", "anthropic_messages", "gemini_generate"])(
    "%s says so",
    async (protocol) => {
      await using app = await startModels();
      const body = { name: "Public", model: "m", protocol };
      const { id } = await app.call<ModelView>("POST /api/ai-models", { body });
      const result = await app.call(`POST /api/ai-models/${id}/test`);
      expect(result).toMatchObject({ ok: false, category: "no_key", status_code: null });
    },
  );
});

describe("the other protocols", () => {
  it.each([
    ["openai_responses", "/v1/responses", "authorization", "Bearer sk-abcdefgh1234"],
    ["anthropic_messages", "/v1/messages", "x-api-key", "sk-abcdefgh1234"],
    ["gemini_generate", "/v1beta/models/m:streamGenerateContent?alt=sse", "x-goog-api-key", "sk-abcdefgh1234"],
  ])("%s asks at its path with its header", async (protocol, path, header, key) => {
    await using server = await startModelServer();
    server.script.push({ kind: "status", status: 401, message: "no" });
    await using app = await startModels();
    const base_url = new URL(server.baseUrl).origin + (protocol === "openai_responses" ? "/v1" : "");
    const body = { name: "Other", model: "m", protocol, base_url, api_key: "sk-abcdefgh1234" };
    const { id } = await app.call<ModelView>("POST /api/ai-models", { body });
    expect(await app.call(`POST /api/ai-models/${id}/test`)).toMatchObject({ category: "auth", status_code: 401 });
    expect(server.requests[0]).toMatchObject({ path, headers: { [header]: key } });
  });
});

describe("testing a model", () => {
  it("answers a sample and counts it in the token usage", async () => {
    await using server = await startModelServer();
    server.script.push({ kind: "text", text: "Hello!" });
    await using app = await startModels();
    const { id } = await connected(app, server.baseUrl, { enabled: false });
    const result = await app.call(`POST /api/ai-models/${id}/test`, { body: { prompt: "hi" } });
    expect(result).toMatchObject({ ok: true, sample: "Hello!", usage: { input_tokens: 10, total_tokens: 11 } });
    expect(result).toMatchObject({ stream: { first_ms: expect.any(Number), parts: 1 } });
    const rows = await app.get(TokenUsage).rows("2026", "2027", { limit: 5, offset: 0 });
    expect(rows).toMatchObject([{ model_id: id, ok: true, user: "admin" }]);
  });

  it("is a result, not an error, when it fails", async () => {
    await using server = await startModelServer();
    server.script.push({ kind: "status", status: 500, message: "on fire" });
    await using app = await startModels();
    const { id } = await connected(app, server.baseUrl);
    const result = await app.call(`POST /api/ai-models/${id}/test`);
    expect(result).toMatchObject({ ok: false, status_code: 500, category: "server_error", detail: "on fire" });
  });

  it("tries a connection that is not stored, without the stored key", async () => {
    await using server = await startModelServer();
    await using app = await startModels();
    await app.call("PUT /api/ai-config", { body: { model: "stored", api_key: "sk-stored-12345678" } });
    const body = { base_url: server.baseUrl, model: "scripted" };
    expect(await app.call("POST /api/ai-config/test", { body })).toMatchObject({ ok: true, model: "scripted" });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it("tests the configured model by default", async () => {
    await using app = await startModels();
    expect(await app.call("POST /api/ai-config/test")).toMatchObject({ ok: true, model: "offline" });
  });

  it.each([
    ["an unknown protocol", { protocol: "smoke", model: "m" }],
    ["a bad address", { base_url: "ftp://x", model: "m" }],
    ["a wrong type", { timeout_s: "soon" }],
  ])("rejects %s", async (_, body) => {
    await using app = await startModels();
    await expect(app.call("POST /api/ai-config/test", { body })).rejects.toMatchObject({ code: "bad_request" });
  });
});

describe("the models of a server", () => {
  const offered = (app: StartedModels, body: object) => app.call("POST /api/ai-models/available", { body });

  it("are listed by its list, each once and in order, with the key that is typed", async () => {
    await using server = await startModelServer({ models: ["zeta", "alpha", "alpha"] });
    await using app = await startModels();
    expect(await offered(app, { base_url: server.baseUrl, api_key: "sk-typed-12345678" })).toEqual({
      ok: true,
      status_code: 200,
      category: null,
      detail: "",
      said: null,
      items: [
        { id: "alpha", name: "alpha" },
        { id: "zeta", name: "zeta" },
      ],
    });
    const whole = `${server.baseUrl}/chat/completions`;
    expect(await offered(app, { base_url: whole })).toMatchObject({ ok: true });
  });

  it.each([
    ["anthropic_messages", "/v1/models?limit=1000", "x-api-key", { data: [{ id: "claude", display_name: "Claude" }] }],
    ["gemini_generate", "/v1beta/models?pageSize=1000", "x-goog-api-key", { models: [{ name: "models/gem" }] }],
  ])("are asked for as %s has it", async (protocol, path, header, answer) => {
    const requests: { url?: string | undefined; key?: unknown }[] = [];
    await using server = await startAnswering((request, response) => {
      requests.push({ url: request.url, key: request.headers[header] });
      response.end(JSON.stringify(answer));
    });
    await using app = await startModels();
    const body = { protocol, base_url: server.address, api_key: "key-of-12345678" };
    expect(await offered(app, body)).toMatchObject({
      ok: true,
      items: [{ id: expect.stringMatching(/^(claude|gem)$/) }],
    });
    expect(requests).toEqual([{ url: path, key: "key-of-12345678" }]);
  });

  it("are asked for with the stored key of a record at its own server only", async () => {
    const keys: unknown[] = [];
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      keys.push(request.headers.authorization);
      response.end('{"data": []}');
    };
    await using server = await startAnswering(answer);
    await using other = await startAnswering(answer);
    await using app = await startModels();
    const { id } = await connected(app, server.address, { api_key: "sk-stored-12345678" });
    await offered(app, { model_id: id });
    await offered(app, { model_id: id, base_url: `${server.address}/v2` });
    await offered(app, { model_id: id, base_url: other.address });
    expect(keys).toEqual(["Bearer sk-stored-12345678", "Bearer sk-stored-12345678", undefined]);
  });

  it.each([
    ["refuses", 401, '{"error": {"message": "no such key"}}', { category: "auth", detail: "no such key" }],
    ["has no list", 404, "<html>", { status_code: 404 }],
    ["answers nonsense", 200, "<html>", { category: "invalid_response" }],
    ["answers something else", 200, '{"data": 7}', { category: "invalid_response" }],
  ])("cannot be listed when the server %s, and the reason is shown", async (_what, status, text, failure) => {
    await using server = await startAnswering((_request, response) => response.writeHead(status).end(text));
    await using app = await startModels();
    expect(await offered(app, { base_url: server.address })).toMatchObject({ ok: false, items: [], ...failure });
  });

  it("cannot be listed when a protocol has no list, or is unknown", async () => {
    await using app = await startModels();
    expect(await offered(app, { protocol: "offline" })).toMatchObject({ ok: false, items: [] });
    await expect(offered(app, { protocol: "smoke" })).rejects.toMatchObject({ code: "bad_request" });
  });
});

/** Starts a server on 127.0.0.1 that responds with `answer`. */
async function startAnswering(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
