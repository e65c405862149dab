import { ANONYMOUS, AppError, LiveEvents, Sessions } from "@parley/core";
import { createGate, type ModelServer, startModelServer } from "@parley/simulators";
import OpenAI, { APIError } from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { askConversation } from "../../plugins/openai-api/src/answer/ask-conversation.ts";
import { completionBody } from "../../plugins/openai-api/src/request/body.ts";
import { eventually } from "../harness/eventually.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

type Completion = OpenAI.ChatCompletion;
type Params = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, "stream">;
interface Named {
  readonly id: string;
}

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

let models: ModelServer;
let parley: Parley;
let api: Client;
let keyCount = 0;
let ada: Named;
let large: Named;

beforeAll(async () => {
  models = await startModelServer();
  parley = await startParley();
  api = await parley.signIn();
  large = await api.post<Named>("/api/ai-models", {
    name: "Large",
    model: "large-1",
    base_url: models.baseUrl,
    max_tokens: 500,
    temperature: 0.7,
  });
  await api.post(`/api/ai-models/${large.id}/apply`, {});
  ada = await api.post<Named>("/api/characters", { name: "Ada", description: "{{char}} counts stars with {{user}}." });
}, 60_000);
afterAll(async () => {
  await parley?.[Symbol.asyncDispose]();
  await models?.[Symbol.asyncDispose]();
});
beforeEach(() => {
  models.script.length = 0;
});

async function createKey(more: object = {}): Promise<{ readonly id: string; readonly secret: string }> {
  keyCount += 1;
  return api.post("/api/api-keys", { name: `key ${keyCount}`, scopes: ["chat"], ...more });
}

const toClient = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${parley.address}/v1`, maxRetries: 0 });
const createOpenAi = async (more: object = {}) => toClient((await createKey(more)).secret);

const ask = (content: string, more: Partial<Params> = {}): Params => ({
  model: "default",
  messages: [{ role: "user", content }],
  ...more,
});

const textOf = ({ choices }: Completion) => choices[0]?.message.content;
const lastRequest = () => models.requests.at(-1)?.body;

/** Returns the error of a request that must fail. */
async function fail(request: Promise<unknown>): Promise<APIError> {
  const error: unknown = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof APIError)) throw new Error(`no error of the API: ${error}`);
  return error;
}

describe("the list of models", () => {
  test("has the default, models and characters by name, and each can be read", async () => {
    const client = await createOpenAi();
    const ids = (await Array.fromAsync(client.models.list())).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["default", "model:Large", "character:Ada"]));
    for (const id of ids) expect(await client.models.retrieve(id)).toMatchObject({ id, object: "model" });
  });

  test("resolves ids, exact names, then names in any case, and rejects ambiguous ones", async () => {
    const client = await createOpenAi();
    const [one] = await Promise.all(["Twin", "Twin"].map((name) => api.post<Named>("/api/characters", { name })));
    for (const model of [`character:${one?.id}`, "character:ada", "model:large", `model:${large.id}`])
      expect((await client.chat.completions.create(ask("hi", { model }))).model).toBe(model);
    const ids = (await Array.fromAsync(client.models.list())).map(({ id }) => id);
    expect(ids).toContain(`character:${one?.id}`);
    for (const model of ["character:Twin", "character:nobody", "gpt-4o", "model:"]) {
      const error = await fail(client.chat.completions.create(ask("hi", { model })));
      expect([error.status, error.code, error.param, error.type]).toEqual([
        404,
        "model_not_found",
        "model",
        "invalid_request_error",
      ]);
      expect((await fail(client.models.retrieve(model))).status).toBe(404);
    }
  });
});

describe("without user", () => {
  test("answers by one call of the model, and stores nothing but its usage", async () => {
    const client = await createOpenAi();
    const before = await api.get<{ total: number }>("/api/sessions");
    const completion = await client.chat.completions.create({
      model: "model:Large",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "One?" },
        { role: "assistant", content: "1" },
        { role: "user", content: [{ type: "text", text: "Two?" }] },
      ],
      temperature: 0.1,
      top_p: 0.5,
      max_tokens: 20,
      logit_bias: { "50256": -100 },
      presence_penalty: 1,
    });
    expect(completion).toMatchObject({
      object: "chat.completion",
      model: "model:Large",
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "You said: Two?" } }],
      usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13, prompt_tokens_details: { cached_tokens: 0 } },
    });
    expect(lastRequest()).toMatchObject({ model: "large-1", temperature: 0.1, top_p: 0.5, max_tokens: 20 });
    expect(lastRequest()?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect((await api.get<{ total: number }>("/api/sessions")).total).toBe(before.total);
    await eventually(async () => {
      const { recent_records } = await api.get<{ recent_records: readonly object[] }>("/api/tokens");
      expect(recent_records[0]).toMatchObject({ model: "large-1", input_tokens: 10, output_tokens: 3 });
    });
  });

  test("gives a character its profile before the client's instructions", async () => {
    const client = await createOpenAi();
    const messages = [
      { role: "developer", content: "Rhyme." },
      { role: "user", content: "Hello" },
    ] as const;
    await client.chat.completions.create({ model: "character:Ada", messages: [...messages] });
    expect(String(lastRequest()?.messages[0]?.content)).toMatch(/Ada counts stars with the user\..*\n\nRhyme\.$/s);
  });

  test("streams pieces as they come, with usage when asked for", async () => {
    const client = await createOpenAi();
    const gate = createGate();
    models.script.push({ kind: "held", pieces: ["One, ", "two"], gate });
    const request = { ...ask("Count"), stream: true, stream_options: { include_usage: true } } as const;
    const starting = client.chat.completions.create(request);
    gate.next();
    const stream = await starting;
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) {
      chunks.push(chunk);
      if (chunk.choices[0]?.delta.content === "One, ") gate.next();
    }
    expect(chunks.map(({ choices }) => choices[0]?.delta.content)).toEqual(["", "One, ", "two", undefined, undefined]);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 2 } });
    expect(new Set(chunks.map(({ id, object }) => `${id} ${object}`)).size).toBe(1);
  });

  test("ends at a stop text, also within a piece, and names the length limit", async () => {
    const client = await createOpenAi();
    const stop = ["END", "\n\n"];
    models.script.push({ kind: "text", text: "One two EN three END four" });
    expect(textOf(await client.chat.completions.create(ask("a", { stop })))).toBe("One two EN three ");
    models.script.push({ kind: "text", text: "One two EN three END four" });
    const stream = client.chat.completions.stream(ask("a", { stop: "END" }));
    expect(await stream.finalContent()).toBe("One two EN three ");
    models.script.push({ kind: "text", text: "Cut", finish: "length" });
    const completion = await client.chat.completions.create(ask("a"));
    expect(completion.choices[0]?.finish_reason).toBe("length");
  });

  test("passes tools of the client on and returns their calls", async () => {
    const client = await createOpenAi();
    const parameters = { type: "object", properties: { city: { type: "string" } } };
    const tools = [{ type: "function", function: { name: "weather", parameters } }] as const;
    models.script.push({ kind: "tool", name: "weather", args: { city: "Rome" } });
    const first = await client.chat.completions.create(ask("Weather?", { tools: [...tools], tool_choice: "required" }));
    expect(lastRequest()).toMatchObject({ tool_choice: "required", tools: [{ function: { name: "weather" } }] });
    const message = first.choices[0]?.message;
    expect(first.choices[0]?.finish_reason).toBe("tool_calls");
    const [call] = message?.tool_calls ?? [];
    expect(call).toMatchObject({ type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } });
    if (!message || !call) throw new Error("no call");
    models.script.push({ kind: "text", text: "Sunny." });
    const result = { role: "tool", tool_call_id: call.id, content: "sun" } as const;
    const messages = [{ role: "user", content: "Weather?" } as const, message, result];
    expect(textOf(await client.chat.completions.create({ model: "model:Large", messages, tools: [...tools] }))).toBe(
      "Sunny.",
    );
    expect(lastRequest()?.messages.slice(-2)).toMatchObject([{ tool_calls: [{ id: call.id }] }, { role: "tool" }]);
    models.script.push({ kind: "tool", name: "weather", args: {}, text: "Let me see." });
    const stream = client.chat.completions.stream(ask("Weather?", { tools: [...tools] }));
    expect((await stream.finalChatCompletion()).choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { content: "Let me see.", tool_calls: [{ function: { name: "weather", arguments: "{}" } }] },
    });
  });

  test("shows pictures to the model", async () => {
    const client = await createOpenAi();
    const image_url = { url: `data:image/png;base64,${PNG}` };
    const content = [{ type: "text", text: "What is it?" } as const, { type: "image_url", image_url } as const];
    await client.chat.completions.create({ model: "default", messages: [{ role: "user", content }] });
    expect(JSON.stringify(lastRequest())).toContain(PNG);
  });

  test("ends the model's call when the client leaves", async () => {
    const client = await createOpenAi();
    for (const stream of [true, false]) {
      const before = models.aborted();
      const abort = new AbortController();
      const asked = models.nextRequest();
      models.script.push({ kind: "hang", text: "One" });
      const answer = client.chat.completions.create({ ...ask("a"), stream }, { signal: abort.signal });
      answer.catch(() => {});
      await asked;
      if (stream) await answer;
      abort.abort();
      await eventually(() => expect(models.aborted()).toBe(before + 1));
    }
  });
});

describe("with user", () => {
  test("keeps a conversation of its own for each key, user and model", async () => {
    const [one, two] = [await createOpenAi(), await createOpenAi()];
    const say = (client: OpenAI, content: string, more: Partial<Params>) =>
      client.chat.completions.create(ask(content, { user: "ann", ...more })).withResponse();
    const first = await say(one, "I am Ann.", { model: "character:Ada" });
    const id = first.response.headers.get("x-parley-session") ?? "";
    const again = await say(one, "Who am I?", { model: `character:${ada.id}` });
    expect(again.response.headers.get("x-parley-session")).toBe(id);
    const request = JSON.stringify(lastRequest());
    expect(request).toContain("I am Ann.");
    expect(request).toContain("counts stars");
    for (const [client, more] of [
      [two, { model: "character:Ada" }],
      [one, { model: "character:Ada", user: "bob" }],
      [one, { model: "default" }],
      [one, { model: "model:Large" }],
    ] as const) {
      const other = await say(client, "Who am I?", more);
      expect(other.response.headers.get("x-parley-session")).not.toBe(id);
      expect(JSON.stringify(lastRequest())).not.toContain("I am Ann.");
    }
    expect(await api.get(`/api/sessions/${id}`)).toMatchObject({ name: "ann", character_id: ada.id, message_count: 4 });
  });

  test("takes only what follows the last answer as new, and instructions for this answer alone", async () => {
    const client = await createOpenAi();
    const { response } = await client.chat.completions
      .create({
        model: "character:Ada",
        user: "cem",
        max_tokens: 30,
        messages: [
          { role: "system", content: "Speak like a pirate." },
          { role: "user", content: "Invented question" },
          { role: "assistant", content: "Invented answer" },
          { role: "user", content: "First" },
          { role: "user", content: "Second" },
        ],
      })
      .withResponse();
    const sent = JSON.stringify(lastRequest());
    expect(sent).toContain("Speak like a pirate.");
    expect(sent).not.toContain("Invented");
    expect(lastRequest()).toMatchObject({ max_tokens: 30 });
    const id = response.headers.get("x-parley-session");
    const { items } = await api.get<{ items: readonly object[] }>(`/api/sessions/${id}/messages`);
    expect(items).toMatchObject([{ content: "First\n\nSecond", source: "api" }, { role: "assistant" }]);
    await client.chat.completions.create(ask("Third", { model: "character:Ada", user: "cem" }));
    expect(JSON.stringify(lastRequest())).not.toContain("pirate");
  });

  test("streams an answer, and names the conversation in a header", async () => {
    const client = await createOpenAi();
    const gate = createGate();
    models.script.push({ kind: "held", pieces: ["One, ", "two"], gate });
    const starting = client.chat.completions.create({ ...ask("Count", { user: "dan" }), stream: true }).withResponse();
    gate.next();
    const { data, response } = await starting;
    const texts: string[] = [];
    for await (const { choices } of data) {
      texts.push(choices[0]?.delta.content ?? "");
      if (texts.length === 2) gate.next();
    }
    expect(texts.join("|")).toBe("|One, |two|");
    expect(response.headers.get("x-parley-session")).toMatch(/^sess_/);
  });

  test("continues the conversation that a header names, only for the key that began it", async () => {
    const [one, two] = [await createOpenAi(), await createOpenAi()];
    const { response } = await one.chat.completions.create(ask("Remember me", { user: "eve" })).withResponse();
    const id = response.headers.get("x-parley-session") ?? "";
    const headers = { "X-Parley-Session": id };
    await one.chat.completions.create(ask("And now?"), { headers });
    expect(JSON.stringify(lastRequest())).toContain("Remember me");
    const { id: own } = await api.post<Named>("/api/sessions", {});
    for (const [client, other] of [
      [two, id],
      [one, own],
      [one, "sess_none"],
    ] as const) {
      const error = await fail(client.chat.completions.create(ask("x"), { headers: { "X-Parley-Session": other } }));
      expect([error.status, error.param]).toEqual([404, "X-Parley-Session"]);
    }
    const wrong = await fail(one.chat.completions.create(ask("x", { model: "character:Ada" }), { headers }));
    expect([wrong.status, wrong.param]).toEqual([400, "model"]);
  });

  test("restores an archived conversation, found by its user or by its id", async () => {
    const client = await createOpenAi();
    const { response } = await client.chat.completions.create(ask("Remember me", { user: "gus" })).withResponse();
    const id = response.headers.get("x-parley-session") ?? "";
    for (const [body, headers] of [
      [ask("By user", { user: "gus" }), {}],
      [ask("By id"), { "X-Parley-Session": id }],
    ] as const) {
      await api.post(`/api/sessions/${id}/archive`, { archived: true });
      await client.chat.completions.create(body, { headers });
      expect(JSON.stringify(lastRequest())).toContain("Remember me");
      expect(await api.get(`/api/sessions/${id}`)).toMatchObject({ archived: false });
    }
  });

  test("answers another request with the same key too", async () => {
    const client = await createOpenAi();
    const headers = { "Idempotency-Key": "k2" };
    const say = (content: string) => client.chat.completions.create(ask(content, { user: "hal" }), { headers });
    expect([textOf(await say("One")), textOf(await say("Two"))]).toEqual(["You said: One", "You said: Two"]);
  });

  test("answers a request that is repeated with its key once", async () => {
    const client = await createOpenAi();
    const send = () =>
      client.chat.completions.create(ask("Once", { user: "fay" }), { headers: { "Idempotency-Key": "k1" } });
    const before = models.requests.length;
    const answers = await Promise.all([send(), send()]);
    expect(answers.map(textOf)).toEqual(["You said: Once", "You said: Once"]);
    expect(textOf(await send())).toBe("You said: Once");
    expect(models.requests.length).toBe(before + 1);
  });

  test("stops the turn when the client leaves, and keeps what was written", async () => {
    const client = await createOpenAi();
    const before = models.aborted();
    models.script.push({ kind: "hang", text: "Once upon" });
    const { data, response } = await client.chat.completions
      .create({ ...ask("Tell", { user: "gus" }), stream: true })
      .withResponse();
    data.controller.abort();
    await eventually(() => expect(models.aborted()).toBe(before + 1));
    const id = response.headers.get("x-parley-session");
    await eventually(async () => {
      const { items } = await api.get<{ items: readonly object[] }>(`/api/sessions/${id}/messages`);
      expect(items[1]).toMatchObject({ content: "Once upon", stopped: true });
    });
  });

  test("an answer that fails when its client is gone is no unhandled rejection", async () => {
    const rejections: unknown[] = [];
    const note = (error: unknown) => void rejections.push(error);
    process.on("unhandledRejection", note);
    const fail = async () => {
      throw new AppError("timed_out", "the client is gone");
    };
    const deps = {
      sessions: () => parley.host.get(Sessions),
      gateway: () => ({ outcome: fail, stop: fail }),
      events: () => parley.host.get(LiveEvents),
      files: () => undefined,
      pictures: { load: async () => new Map() },
    };
    const { value: body } = completionBody.validate(ask("Tell", { user: "ivy" }));
    if (!body) throw new Error("the request is wrong");
    const request = { body, target: { id: "default" }, caller: ANONYMOUS, user: "ivy", signal: AbortSignal.abort() };
    const answer = await askConversation(deps, request);
    await new Promise(setImmediate);
    await expect(answer.end).rejects.toThrow("the client is gone");
    process.off("unhandledRejection", note);
    expect(rejections).toEqual([]);
  });

  test("stores pictures with the message, and rejects tools of the client", async () => {
    const client = await createOpenAi();
    const image_url = { url: `data:image/png;base64,${PNG}` };
    const messages = [{ role: "user", content: [{ type: "image_url", image_url }] }] as const;
    const { response } = await client.chat.completions
      .create({ model: "default", user: "hal", messages: [...messages] as never })
      .withResponse();
    const id = response.headers.get("x-parley-session");
    const { items } = await api.get<{ items: readonly object[] }>(`/api/sessions/${id}/messages`);
    expect(items[0]).toMatchObject({ attachments: [{ type: "image", mime_type: "image/png" }] });
    expect(JSON.stringify(lastRequest())).toContain(PNG);
    const tools = [{ type: "function", function: { name: "weather" } }] as const;
    const error = await fail(client.chat.completions.create(ask("x", { user: "hal", tools: [...tools] })));
    expect([error.status, error.param]).toEqual([400, "tools"]);
  });

  test("answers a command", async () => {
    const client = await createOpenAi();
    await client.chat.completions.create(ask("Hello", { user: "ida" }));
    const before = models.requests.length;
    expect(textOf(await client.chat.completions.create(ask("/new", { user: "ida" })))).not.toBe("");
    expect(models.requests.length).toBe(before);
  });
});

describe("errors have OpenAI's form", () => {
  const send = async (method: string, path: string, options: object) => {
    const { status, json, headers } = await createClient(parley.address, "").send(method, path, options);
    const { error, ...rest } = json as unknown as { error: Record<string, unknown> };
    expect(rest).toEqual({});
    expect(Object.keys(error).sort()).toEqual(["code", "message", "param", "type"]);
    return { status, headers, ...error };
  };

  test("for credentials and scopes", async () => {
    const wrong = await fail(toClient("pky_wrong").models.list());
    expect([wrong.status, wrong.code, wrong.type]).toEqual([401, "invalid_api_key", "invalid_request_error"]);
    expect(await send("GET", "/v1/models", {})).toMatchObject({ status: 401 });
    expect(await send("GET", "/v1/nothing", {})).toMatchObject({ status: 401 });
    const reader = await createOpenAi({ scopes: ["read"] });
    expect([(await fail(reader.models.list())).status]).toEqual([403]);
    expect(await fail(reader.chat.completions.create(ask("x")))).toMatchObject({
      status: 403,
      type: "permission_error",
    });
  });

  test("for rates and budgets", async () => {
    const { secret, id } = await createKey({ rate_limit_per_minute: 1 });
    await toClient(secret).models.list();
    const limited = await fail(toClient(secret).models.list());
    expect([limited.status, limited.code, limited.type]).toEqual([429, "rate_limit_exceeded", "rate_limit_error"]);
    expect(Number(limited.headers?.get("retry-after"))).toBeGreaterThan(0);
    await api.put(`/api/api-keys/${id}`, { rate_limit_per_minute: 0 });
    const budget = { name: "None", applies_to: "api_key", target_id: id, period: "day", limit_tokens: 0 };
    await api.post("/api/budgets", budget);
    for (const more of [{}, { user: "jon" }, { model: "character:Ada" }]) {
      const over = await fail(toClient(secret).chat.completions.create(ask("x", more)));
      expect([over.status, over.code]).toEqual([429, "insufficient_quota"]);
      expect(over.headers?.get("x-should-retry")).toBe("false");
    }
  });

  test("for wrong requests", async () => {
    const { secret } = await createKey();
    const post = (body: unknown, headers: object = {}) =>
      send("POST", "/v1/chat/completions", { token: secret, body, headers });
    const messages = [{ role: "user", content: "x" }];
    const valid = { model: "default", messages };
    const part = (one: object) => ({ ...valid, messages: [{ role: "user", content: [one] }] });
    const wrong: readonly (readonly [body: object, param: string])[] = [
      [{ model: "default" }, "messages"],
      [{ messages }, "model"],
      [{ ...valid, messages: [] }, "messages"],
      [{ ...valid, temperature: 3 }, "temperature"],
      [{ ...valid, temperature: "0.5" }, "temperature"],
      [{ ...valid, n: 2 }, "n"],
      [{ ...valid, stop: ["1", "2", "3", "4", "5"] }, "stop"],
      [{ ...valid, user: "x".repeat(101) }, "user"],
      [part({ type: "input_audio", input_audio: { data: "", format: "wav" } }), "messages"],
      [part({ type: "file", file: { file_id: "f" } }), "messages"],
      [part({ type: "image_url", image_url: { url: "http://example.org/a.png" } }), "messages.image_url"],
      [part({ type: "image_url", image_url: { url: "https://127.0.0.1/a.png" } }), "messages.image_url"],
      [part({ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }), "messages.image_url"],
      [{ ...valid, messages: [{ role: "tool", tool_call_id: "none", content: "" }] }, "messages.tool_call_id"],
      [{ ...valid, user: "u", messages: [{ role: "assistant", content: "x" }] }, "messages"],
    ];
    for (const [body, param] of wrong)
      expect(await post(body), JSON.stringify(body)).toMatchObject({ status: 400, param });
    expect(await post("{")).toMatchObject({ status: 400, type: "invalid_request_error" });
    expect(await post("x", { "content-type": "text/plain" })).toMatchObject({ status: 400 });
    expect(await post({ ...valid, padding: "x".repeat(49 * 1024 * 1024) })).toMatchObject({ status: 413 });
    expect(await send("GET", "/v1/embeddings", { token: secret })).toMatchObject({ status: 404 });
    for (const [method, path] of [
      ["GET", "/v1/chat/completions"],
      ["PATCH", "/v1/chat/completions"],
      ["DELETE", "/v1/models"],
    ] as const)
      expect(await send(method, path, { token: secret })).toMatchObject({ status: 405, code: "method_not_supported" });
    expect(await post({ ...valid, user: "", stop: null, tools: null, unknown: 1 }).catch(() => "answered")).toBe(
      "answered",
    );
  });

  test("for a model that fails, before and within a stream", async () => {
    const client = await createOpenAi();
    for (const user of [undefined, "kim"]) {
      models.script.push({ kind: "status", status: 401 });
      const failed = await fail(client.chat.completions.create({ ...ask("x"), stream: true, ...(user && { user }) }));
      expect([failed.status, failed.type]).toEqual([502, "server_error"]);
      await api.post("/api/ai-models/failover-reset", {});
      models.script.push({ kind: "cut", text: "Half" });
      const stream = await client.chat.completions.create({ ...ask("x"), stream: true, ...(user && { user }) });
      const read = Array.fromAsync(stream);
      expect((await fail(read)).type).toBe("server_error");
      await api.post("/api/ai-models/failover-reset", {});
    }
  });
});

describe("the filter", () => {
  test("blocks messages, and changes answers before they are shown", async () => {
    const client = await createOpenAi();
    const rule = (more: object) => api.post<Named>("/api/message-filter", more);
    await rule({ pattern: "forbidden", filter_target: "user", action: "recall" });
    await rule({ pattern: "secret", filter_target: "ai" });
    for (const more of [{}, { user: "lea" }]) {
      const before = models.requests.length;
      const blocked = await client.chat.completions.create(ask("a forbidden word", more));
      expect(blocked.choices[0]?.finish_reason).toBe("content_filter");
      expect(models.requests.length).toBe(before);
      models.script.push({ kind: "text", text: "It is secret now" });
      const stream = client.chat.completions.stream(ask("Tell", more));
      expect(await stream.finalContent()).not.toContain("secret");
    }
  });
});
