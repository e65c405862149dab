import { type ModelAnswer, ModelCalls, type ModelQuestion } from "@parley/core";
import { type RecordedAnswer, type ReplayServer, startReplayServer } from "@parley/simulators";
import { describe, expect, it } from "vitest";
import type { ModelView } from "../records/schema.ts";
import { type StartedModels, startModels } from "../test-setup.ts";

type Tools = NonNullable<ModelQuestion["tools"]>;
const ANSWER: RecordedAnswer = {
  events: [{ data: { choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }] } }, { data: "[DONE]" }],
};
const rejection = (message: string, more: object = {}, status = 400): RecordedAnswer => ({
  status,
  body: { error: { message, ...more } },
});

async function add(app: StartedModels, server: ReplayServer, more: object = {}): Promise<ModelView> {
  const body = { name: "Strict", model: "gpt-5", base_url: server.address, ...more };
  return app.call<ModelView>("POST /api/ai-models", { body });
}

async function ask(app: StartedModels, more: Partial<ModelQuestion> = {}): Promise<ModelAnswer> {
  return app.get(ModelCalls).ask({
    purpose: "chat",
    messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
    isStreamed: true,
    signal: new AbortController().signal,
    ...more,
  }).answer;
}

const bodies = (server: ReplayServer) => server.calls.map(({ raw }) => JSON.parse(raw.toString()));
const tool = (name: string, properties: object = {}): Tools[number] => ({
  type: "function",
  name,
  inputSchema: { type: "object", properties } as Tools[number]["inputSchema"],
});

describe("a model that rejects a field of the request", () => {
  it("is called without the field that the error names, then and later", async () => {
    await using server = await startReplayServer([
      rejection(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        { param: "max_tokens", code: "unsupported_parameter" },
      ),
      rejection("Unsupported value: 'temperature' does not support 0.7 with this model.", { param: "temperature" }),
      rejection("Unsupported parameter: 'top_p' is not supported with this model.", { param: "top_p" }),
      ANSWER,
      ANSWER,
    ]);
    await using app = await startModels();
    const { id } = await add(app, server);
    expect(await ask(app)).toMatchObject({ text: "Hi", ending: "done" });
    expect(await ask(app)).toMatchObject({ text: "Hi", ending: "done" });
    const sent = bodies(server).map(({ max_tokens, max_completion_tokens, temperature, top_p }) => [
      ...[max_tokens, max_completion_tokens, temperature, top_p],
    ]);
    expect(sent).toEqual([
      [2000, undefined, 0.7, 0.9],
      [undefined, 2000, 0.7, 0.9],
      [undefined, 2000, undefined, 0.9],
      [undefined, 2000, undefined, undefined],
      [undefined, 2000, undefined, undefined],
    ]);
    const { health } = await app.call<{ health: Record<string, unknown> }>("GET /api/ai-models/failover-status");
    expect(health[id]).toMatchObject({
      state: "healthy",
      left_out: [
        { kind: "field", name: "max_tokens" },
        { kind: "field", name: "temperature" },
        { kind: "field", name: "top_p" },
      ],
    });
  });

  it.each([
    [
      "anthropic_messages",
      "`temperature` and `top_p` cannot both be specified for this model.",
      "top_p",
      "temperature",
    ],
    [
      "openai_responses",
      "Unsupported parameter: 'temperature' is not supported with this model.",
      "temperature",
      "top_p",
    ],
    ["gemini_generate", 'Unknown name "topP" at generation_config', "topP", "temperature"],
    ["openai_chat", "Temperature must be 1 for this model", "temperature", "top_p"],
    ["openai_chat", "Top P is not supported by this model", "top_p", "temperature"],
    ["openai_chat", "`Top-P` cannot be changed", "top_p", "temperature"],
    ["openai_chat", "TopP should be in [0.1, 0.9]", "top_p", "temperature"],
    ["openai_chat", "Extra inputs are not permitted: [('body', 'temperature')]", "temperature", "top_p"],
    ["openai_chat", "参数 temperature 不支持", "temperature", "top_p"],
    ["anthropic_messages", "top_p: Extra inputs are not permitted", "top_p", "temperature"],
    ["gemini_generate", "Temperature is fixed for this model", "temperature", "topP"],
  ])("is called again with %s", async (protocol, message, left, stays) => {
    await using server = await startReplayServer([
      rejection(message),
      { status: 401, body: { error: { message: "no" } } },
    ]);
    await using app = await startModels();
    await add(app, server, { protocol, model: "own-name", api_key: "sk-1234567890" });
    await ask(app);
    const [first, second] = bodies(server).map((body) => body.generationConfig ?? body);
    expect(first).toHaveProperty(left);
    expect(second).not.toHaveProperty(left);
    expect(second).toHaveProperty(stays);
  });

  it("fails with the reason when it is still rejected, and nothing is remembered", async () => {
    await using server = await startReplayServer([
      rejection("temperature is wrong"),
      rejection("temperature is wrong"),
      rejection("the picture is wrong"),
    ]);
    await using app = await startModels();
    const { id } = await add(app, server);
    expect((await ask(app)).failure).toMatchObject({ category: "bad_request", detail: "temperature is wrong" });
    const { health } = await app.call<{ health: Record<string, unknown> }>("GET /api/ai-models/failover-status");
    expect(health[id]).toMatchObject({ left_out: [] });
  });
});

describe("an empty field", () => {
  it("is not sent", async () => {
    await using server = await startReplayServer([ANSWER]);
    await using app = await startModels();
    const { id } = await add(app, server, { frequency_penalty: 1 });
    const body = { temperature: null, top_p: null, max_tokens: null, frequency_penalty: null, presence_penalty: null };
    expect(await app.call(`PUT /api/ai-models/${id}`, { body })).toMatchObject(body);
    await ask(app);
    for (const name of Object.keys(body)) expect(bodies(server)[0]).not.toHaveProperty(name);
  });

  it("is not sent by the AI configuration either", async () => {
    await using server = await startReplayServer([ANSWER]);
    await using app = await startModels();
    const body = { model: "gpt-5", base_url: server.address, temperature: null, top_p: null, max_tokens: null };
    expect(await app.call("PUT /api/ai-config", { body })).toMatchObject({ temperature: null, max_tokens: null });
    expect(await ask(app)).toMatchObject({ text: "Hi" });
    expect(Object.keys(bodies(server)[0])).not.toEqual(expect.arrayContaining(["temperature"]));
    expect(bodies(server)[0]).not.toHaveProperty("max_tokens");
  });
});

describe("a tool that a provider rejects", () => {
  const tools = [tool("first"), tool("badprop"), tool("last")];
  const names = (server: ReplayServer) =>
    bodies(server).map((body) => (body.tools ?? []).map((one: { function: { name: string } }) => one.function.name));

  const status = (app: StartedModels) =>
    app.call<{ refused_tools: readonly object[] }>("GET /api/ai-models/failover-status");

  it("is listed with its model and the reason, and offered again on request", async () => {
    const message = "Invalid schema for function 'badprop': schema must have type 'object'";
    await using server = await startReplayServer([rejection(message), ANSWER, ANSWER, ANSWER]);
    await using app = await startModels();
    const { id } = await add(app, server);
    await ask(app, { tools });
    const detail = expect.stringContaining("schema must have type 'object'");
    expect((await status(app)).refused_tools).toEqual([{ tool: "badprop", model_id: id, model: "Strict", detail }]);
    const reset = (body: object) => app.call("POST /api/ai-models/failover-reset", { body });
    expect(await reset({ tool: "other" })).toEqual({ reset: 0 });
    expect(await reset({ tool: "badprop" })).toEqual({ reset: 1 });
    expect((await status(app)).refused_tools).toEqual([]);
    await ask(app, { tools });
    expect(names(server).at(-1)).toEqual(["first", "badprop", "last"]);
  });

  it("in the AI configuration is listed too, and everything is reset with its failures", async () => {
    await using server = await startReplayServer([rejection("tools.1.custom.input_schema: bad"), ANSWER, ANSWER]);
    await using app = await startModels();
    await app.call("PUT /api/ai-config", { body: { model: "gpt-5", base_url: server.address } });
    await ask(app, { tools });
    expect((await status(app)).refused_tools).toMatchObject([{ tool: "badprop", model_id: null, model: "gpt-5" }]);
    expect(await app.call("POST /api/ai-models/failover-reset", { body: {} })).toEqual({ reset: 1 });
    await ask(app, { tools });
    expect(names(server).at(-1)).toEqual(["first", "badprop", "last"]);
  });

  it.each([
    ["by its place", "tools.1.custom.input_schema.properties: Property keys should match pattern"],
    ["by its place in brackets", "Invalid 'tools[1].function.parameters': unknown keyword"],
    ["by its place among declarations", "* GenerateContentRequest.tools[0].function_declarations[1].parameters: bad"],
    [
      "by its place in a list of keys",
      "[{'loc': ('body', 'tools', 1, 'function', 'parameters'), 'msg': 'Input should be valid'}]",
    ],
    ["by its place in a pointer", "#/tools/1/function/parameters: unknown keyword"],
    ["by its place in arrows", "body -> tools -> 1 -> function -> parameters: value is not a valid dict"],
    ["by name", "Invalid schema for function 'badprop': schema must have type 'object'"],
    ["by its name after a word", "Invalid function name: badprop"],
    ["by name in Chinese", "函数 badprop 的参数不合法"],
    ["by name in Chinese quotes", "工具「badprop」的参数不合法"],
  ])("%s is omitted, shown on the model, and the chat continues", async (_how, message) => {
    await using server = await startReplayServer([rejection(message), ANSWER, ANSWER]);
    await using app = await startModels();
    const { id } = await add(app, server);
    expect(await ask(app, { tools })).toMatchObject({ text: "Hi", ending: "done" });
    expect(await ask(app, { tools })).toMatchObject({ text: "Hi", ending: "done" });
    expect(names(server)).toEqual([
      ["first", "badprop", "last"],
      ["first", "last"],
      ["first", "last"],
    ]);
    const { health } = await app.call<{ health: Record<string, unknown> }>("GET /api/ai-models/failover-status");
    expect(health[id]).toMatchObject({ left_out: [{ kind: "tool", name: "badprop", detail: message }] });
  });

  it("is offered again when its schema changes", async () => {
    await using server = await startReplayServer([rejection("tools.1: bad"), ANSWER, ANSWER]);
    await using app = await startModels();
    await add(app, server);
    await ask(app, { tools });
    await ask(app, { tools: [tool("first"), tool("badprop", { city: { type: "string" } }), tool("last")] });
    expect(names(server).at(-1)).toEqual(["first", "badprop", "last"]);
  });

  it.each([
    ["400", 400, "registry.ollama.ai/library/tiny does not support tools"],
    ["404", 404, "No endpoints found that support tool use."],
  ])("is omitted like every other when the model supports none: %s", async (_status, status, message) => {
    await using server = await startReplayServer([rejection(message, {}, status), ANSWER]);
    await using app = await startModels();
    await add(app, server);
    expect(await ask(app, { tools })).toMatchObject({ text: "Hi" });
    expect(names(server)).toEqual([["first", "badprop", "last"], []]);
  });
});

describe("an error about the number of tools", () => {
  it("removes no single tool", async () => {
    await using server = await startReplayServer([rejection("too many tools, 1 allowed")]);
    await using app = await startModels();
    await add(app, server);
    expect(await ask(app, { tools: [tool("first"), tool("second")] })).toMatchObject({ ending: "failed" });
    expect(server.calls).toHaveLength(1);
  });
});

describe("a tool with invalid property names", () => {
  it("is called with its original names", async () => {
    const call = { name: "list", arguments: '{"_filter":"a","nested":[{"x_y":1}],"free":{"_filter":2}}' };
    await using server = await startReplayServer([
      {
        events: [
          {
            data: {
              choices: [
                {
                  index: 0,
                  delta: { tool_calls: [{ index: 0, id: "c1", function: call }] },
                  finish_reason: "tool_calls",
                },
              ],
            },
          },
          "data: [DONE]\n\n",
        ],
      },
    ]);
    await using app = await startModels();
    await add(app, server);
    const properties = {
      $filter: { type: "string" },
      nested: { type: "array", items: { type: "object", properties: { "x y": { type: "number" } } } },
      free: { type: "object" },
    };
    const { toolCalls } = await ask(app, { tools: [tool("list", properties)] });
    expect(JSON.parse(toolCalls[0]?.input ?? "")).toEqual({
      $filter: "a",
      nested: [{ "x y": 1 }],
      free: { _filter: 2 },
    });
    const [{ tools }] = bodies(server);
    expect(Object.keys(tools[0].function.parameters.properties)).toEqual(["_filter", "nested", "free"]);
    expect(tools[0].function.parameters.properties.nested.items.properties).toEqual({ x_y: { type: "number" } });
  });
});
