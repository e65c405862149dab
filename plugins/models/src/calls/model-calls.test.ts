import Joi from "@hapi/joi";
import { type ModelAnswer, ModelCalls, type ModelPart, type ModelQuestion, TokenUsage } from "@parley/core";
import { type RecordedAnswer, type ReplayServer, startModelServer, startReplayServer } from "@parley/simulators";
import { describe, expect, it } from "vitest";
import type { ModelView } from "../records/schema.ts";
import { type StartedModels, startModels } from "../test-setup.ts";

const never = new AbortController().signal;
const question: ModelQuestion = {
  purpose: "chat",
  messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
  isStreamed: true,
  signal: never,
};

async function add(app: StartedModels, baseUrl: string, more: object = {}): Promise<string> {
  const body = { name: "Scripted", model: "scripted", base_url: baseUrl, retry_count: 0, ...more };
  return (await app.call<ModelView>("POST /api/ai-models", { body })).id;
}

async function askStreaming(
  app: StartedModels,
  more: Partial<ModelQuestion> = {},
): Promise<[ModelPart[], ModelAnswer]> {
  const { parts, answer } = app.get(ModelCalls).ask({ ...question, ...more });
  const streamed = await Array.fromAsync(parts);
  return [streamed, await answer];
}

/** Collects the text that counts: a new attempt replaces the text before it. */
const textThatCounts = (parts: readonly ModelPart[]) =>
  parts.reduce((text, part) => (part.type === "text" ? text + part.text : part.type === "attempt" ? "" : text), "");

describe("an answer", () => {
  it("comes from the next model when the first one fails, and its reader is informed", async () => {
    await using broken = await startReplayServer([{ status: 503, body: {} }]);
    await using server = await startModelServer();
    await using app = await startModels();
    const first = await add(app, broken.address, { name: "Broken" });
    const second = await add(app, server.baseUrl);
    const [parts, answer] = await askStreaming(app);
    expect(
      parts.map((part) => (part.type === "text" ? part.text : part.type === "attempt" ? part.model.modelId : "")),
    ).toEqual([first, second, "You", " said:", " hello"]);
    expect(parts[1]).toMatchObject({ after: { category: "server_error", statusCode: 503 } });
    expect(answer).toMatchObject({ text: "You said: hello", ending: "done", model: { modelId: second } });
    const rows = await app.get(TokenUsage).rows("2026", "2027", { limit: 9, offset: 0 });
    expect(rows.map(({ model_id, ok }) => [model_id, ok])).toEqual([
      [first, false],
      [second, true],
    ]);
    const failovers = app.events.published.filter(({ type }) => type === "model_failover");
    expect(failovers).toMatchObject([
      { payload: { from_model_id: first, to_model_id: second, category: "server_error" } },
    ]);
  });

  it("comes from the requested model only, or from none", async () => {
    await using broken = await startReplayServer([{ status: 503, body: {} }]);
    await using server = await startModelServer();
    await using app = await startModels();
    const away = await add(app, broken.address, { name: "Broken" });
    await add(app, server.baseUrl);
    const last = await add(app, server.baseUrl, { name: "Last" });
    const [, failed] = await askStreaming(app, { onlyModelId: away });
    expect(failed).toMatchObject({ ending: "failed", failure: { category: "server_error" }, model: { modelId: away } });
    const [, answer] = await askStreaming(app, { onlyModelId: last, sessionModelId: away });
    expect(answer).toMatchObject({ ending: "done", model: { modelId: last } });
    await app.call(`POST /api/ai-models/${last}/toggle`);
    await expect(askStreaming(app, { onlyModelId: last })).rejects.toThrow("the model is switched off");
    await expect(askStreaming(app, { onlyModelId: "mdl_none" })).rejects.toThrow("'mdl_none' does not exist");
  });

  it.each([true, false])("is separated from the thinking inside it; in pieces: %s", async (isStreamed) => {
    await using server = await startModelServer();
    server.script.push({ kind: "text", text: "<think>They ask for a sum.</think>\n\nFour." });
    await using app = await startModels();
    await add(app, server.baseUrl);
    const [parts, answer] = await askStreaming(app, { isStreamed });
    expect(answer).toMatchObject({ text: "Four.", thinking: "They ask for a sum." });
    const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    expect(text).toBe("Four.");
  });

  it("is not restarted by another model after its first words were shown", async () => {
    await using broken = await startModelServer();
    broken.script.push({ kind: "cut", text: "so far" });
    await using app = await startModels();
    await add(app, broken.baseUrl, { retry_count: 3 });
    await add(app, broken.baseUrl);
    const [, answer] = await askStreaming(app);
    expect(answer).toMatchObject({ text: "so far", ending: "failed", failure: { category: "network" } });
    expect(broken.requests).toHaveLength(1);
  });

  it("is restarted by the next model if nobody saw the first words", async () => {
    await using broken = await startModelServer();
    broken.script.push({ kind: "cut", text: "so far" });
    await using server = await startModelServer();
    await using app = await startModels();
    await add(app, broken.baseUrl);
    await add(app, server.baseUrl);
    const [parts, answer] = await askStreaming(app, { isShown: false });
    expect(answer).toMatchObject({ text: "You said: hello", ending: "done" });
    expect(textThatCounts(parts)).toBe("You said: hello");
  });

  it.each([true, false])("contains no thinking that has only a closing tag; in pieces: %s", async (isStreamed) => {
    await using server = await startModelServer();
    server.script.push(
      { kind: "text", text: "I should greet </think>\n\nHi" },
      { kind: "text", text: "Hm </think> Hey" },
    );
    await using app = await startModels();
    await add(app, server.baseUrl);
    const [parts, answer] = await askStreaming(app, { isStreamed });
    expect(answer).toMatchObject({ text: "Hi", thinking: "I should greet " });
    expect(textThatCounts(parts)).toBe("Hi");
    // From now on the model is known for it: nothing has to be taken back.
    const [later] = await askStreaming(app, { isStreamed });
    expect(later.filter(({ type }) => type === "attempt")).toHaveLength(1);
    expect(textThatCounts(later)).toBe("Hey");
  });

  it.each(["it is stopped", "nobody listens to it any more"])("ends within 100 ms when %s", async (why) => {
    await using server = await startModelServer({ answer: () => ({ kind: "hang", text: "so far" }) });
    await using app = await startModels();
    await add(app, server.baseUrl);
    const took: number[] = [];
    // The fastest of three counts: the machine may have other things to do.
    for (let round = 0; round < 3; round += 1) {
      const stop = new AbortController();
      const { parts, answer } = app.get(ModelCalls).ask({ ...question, signal: stop.signal });
      let begun = 0;
      for await (const part of parts) {
        if (part.type !== "text" || part.text !== " far") continue;
        begun = performance.now();
        if (why === "it is stopped") stop.abort();
        else break;
      }
      expect(await answer).toMatchObject({ text: "so far", ending: "aborted" });
      took.push(performance.now() - begun);
    }
    expect(Math.min(...took)).toBeLessThan(100);
  });

  it("is rejected when every model has used up its tokens, and the limit survives a restart", async () => {
    await using server = await startModelServer();
    await using app = await startModels();
    await add(app, server.baseUrl, { token_limit_daily: 13 });
    expect((await askStreaming(app))[1].ending).toBe("done");
    expect((await askStreaming(app))[1]).toMatchObject({ ending: "failed", failure: { category: "exhausted" } });
    app.clock.advance(86_400_000);
    expect((await askStreaming(app))[1].ending).toBe("done");
    expect(server.requests).toHaveLength(2);
  });

  it("never contains the API key, wherever the stream splits it: in words, thoughts, calls or failures", async () => {
    const key = "sk-kept-1a2b3c4d5e";
    let createReply = (): Parameters<typeof server.script.push>[0] => ({ kind: "text", text: "" });
    await using server = await startModelServer({ answer: () => createReply() });
    await using app = await startModels();
    await add(app, server.baseUrl, { api_key: key });
    const gate = { next() {}, passed: async () => {} };
    for (let at = 0; at <= key.length; at += 1) {
      const pieces = ["Your key is ", key.slice(0, at), `${key.slice(at)}.`].filter(Boolean);
      createReply = () => ({ kind: "held", pieces, gate });
      const [parts, { text }] = await askStreaming(app);
      expect(text).toBe("Your key is ***.");
      expect(parts.map((part) => (part.type === "text" ? part.text : "")).join("")).toBe(text);
    }
    createReply = () => ({ kind: "text", text: `So ${key}`, thinking: `Hm ${key}` });
    for (const isStreamed of [true, false]) {
      const [parts, answer] = await askStreaming(app, { isStreamed });
      expect(answer).toMatchObject({ text: "So ***", thinking: "Hm ***" });
      expect(JSON.stringify(parts)).not.toContain(key);
    }
    createReply = () => ({ kind: "tool", name: "note", args: { key } });
    const tools = [{ type: "function", name: "note", inputSchema: { type: "object" } }] as const;
    const [, { toolCalls }] = await askStreaming(app, { tools });
    expect(toolCalls).toMatchObject([{ input: '{"key":"***"}' }]);
    createReply = () => ({ kind: "status", status: 400, message: `${"x".repeat(490)}${key} is wrong` });
    const [, { failure }] = await askStreaming(app);
    expect(failure?.detail).toContain("xxx");
    expect(failure?.detail).not.toContain("sk-");
  });

  it("is not available for a purpose without a model", async () => {
    await using app = await startModels();
    const { parts, answer } = app.get(ModelCalls).ask({ ...question, purpose: "vision" });
    expect(await Array.fromAsync(parts)).toEqual([]);
    await expect(answer).rejects.toMatchObject({ code: "unavailable" });
  });

  it("is requested without pictures when the model rejects them", async () => {
    await using server = await startModelServer();
    server.script.push({ kind: "status", status: 400, message: "image input is not supported" });
    await using app = await startModels();
    await add(app, server.baseUrl);
    const picture = { type: "file", mediaType: "image/png", data: { type: "data", data: new Uint8Array(8) } } as const;
    const text = { type: "text", text: "look" } as const;
    const messages: ModelQuestion["messages"] = ({ isSeeing }) => [
      { role: "user", content: isSeeing ? [text, picture] : [text] },
    ];
    expect((await askStreaming(app, { messages }))[1]).toMatchObject({ ending: "done", text: "You said: look" });
    await askStreaming(app, { messages });
    expect(server.requests).toHaveLength(3);
  });
});

describe("whatever a provider sends, a call ends within its limits", () => {
  const chunk = (content: string) => ({
    data: {
      id: "c",
      object: "chat.completion.chunk",
      created: 0,
      model: "m",
      choices: [{ index: 0, delta: { content } }],
    },
  });
  it.each<[string, RecordedAnswer, string]>([
    ["nothing", { events: [], ends: "hang" }, "timeout"],
    ["comments for ever", { events: [": ping\n\n"], ends: "flood" }, "timeout|invalid_response|network"],
    ["empty pieces for ever", { events: [chunk("")], ends: "flood" }, "timeout|invalid_response|network"],
    ["words for ever", { events: [chunk("word ")], ends: "flood" }, "invalid_response|network"],
    [
      "a line that does not end",
      { events: [`data: ${"x".repeat(1000)}`, "x".repeat(1000)], ends: "flood" },
      "invalid_response|network",
    ],
    [
      "garbage",
      { headers: { "content-type": "text/event-stream" }, body: "\u0000\u0001 not a stream" },
      "invalid_response",
    ],
    ["a page", { headers: { "content-type": "text/html" }, body: "<html>sign in</html>" }, "invalid_response"],
    [
      "an answer without choices",
      { events: [{ data: { id: "c", choices: [] } }, { data: "[DONE]" }] },
      "invalid_response",
    ],
  ])("%s", { timeout: 15_000 }, async (_, answer, category) => {
    await using server = await startReplayServer([answer, answer]);
    await using app = await startModels({ maxBytes: 2_000_000 });
    await add(app, server.address, { timeout_s: 1 });
    const [, ended] = await askStreaming(app, { isOnce: true });
    expect(ended.failure?.category).toMatch(new RegExp(`^(${category})$`));
    expect(ended.text.length).toBeLessThan(4_000_001);
  });
});

describe("an answer with a schema", () => {
  const schema = Joi.object<{ mood: string; level: number }>({
    mood: Joi.string().required(),
    level: Joi.number().min(0).max(10).required(),
  });
  const ask = (app: StartedModels) => app.get(ModelCalls).ask({ ...question, schema }).answer;

  it.each([
    ["alone", '{"mood":"glad","level":3}'],
    ["in a fence", '```json\n{"mood":"glad","level":3}\n```'],
    ["among words", 'Here it is: {"mood":"glad","level":3}. Anything else?'],
  ])("is returned as a value: %s", async (_, text) => {
    await using server = await startModelServer({ answer: () => ({ kind: "text", text }) });
    await using app = await startModels();
    await add(app, server.baseUrl);
    expect((await ask(app)).value).toEqual({ mood: "glad", level: 3 });
    expect(server.requests[0]?.body.response_format).toMatchObject({ type: expect.stringContaining("json") });
    expect(server.requests).toHaveLength(1);
  });

  it("is requested once more with the errors, and not again", async () => {
    await using server = await startModelServer();
    await using app = await startModels();
    await add(app, server.baseUrl);
    server.script.push(
      { kind: "text", text: '{"mood":"glad","level":30}' },
      { kind: "text", text: '{"mood":"glad","level":3}' },
    );
    const good = await ask(app);
    expect([good.value, good.usage.input_tokens]).toEqual([{ mood: "glad", level: 3 }, 20]);
    expect(JSON.stringify(server.requests[1]?.body.messages)).toContain("must be less than or equal to 10");
    server.script.push({ kind: "text", text: "no" }, { kind: "text", text: "never" });
    expect(await ask(app)).toMatchObject({ ending: "failed", failure: { category: "invalid_response" } });
    expect(server.requests).toHaveLength(4);
  });

  it("is requested in words when the server does not support a format", async () => {
    await using server = await startModelServer();
    server.script.push({ kind: "status", status: 400, message: "response_format is not supported" });
    server.script.push({ kind: "text", text: '{"mood":"glad","level":3}' });
    await using app = await startModels();
    await add(app, server.baseUrl);
    expect((await ask(app)).value).toEqual({ mood: "glad", level: 3 });
    expect(server.requests[1]?.body.response_format).toBeUndefined();
  });
});

describe("vectors", () => {
  const embedding = (vectors: readonly (readonly number[])[]): RecordedAnswer => ({
    body: {
      object: "list",
      model: "small",
      data: vectors.map((vector, index) => ({ object: "embedding", index, embedding: vector })),
      usage: { prompt_tokens: 3 * vectors.length, total_tokens: 3 * vectors.length },
    },
  });
  const use = (app: StartedModels, server: ReplayServer, more: object = {}) =>
    add(app, server.address, { purpose: "embedding", dimensions: 2, ...more });
  const embed = (app: StartedModels, texts: readonly string[]) => app.get(ModelCalls).embed(texts, { signal: never });
  const bodyOf = (server: ReplayServer, at: number) => JSON.parse(server.calls[at]?.raw.toString() ?? "{}");

  it("are computed locally without a model: similar for similar texts, also without spaces between words", async () => {
    await using app = await startModels();
    const { vectors, ...about } = await embed(app, [
      "the cat sat",
      "a cat sat down",
      "tax return",
      "我喜欢猫",
      "他喜欢猫咪",
      "",
    ]);
    expect(about).toMatchObject({ space: "local", isLocal: true, dimensions: 256 });
    const alike = (a: number, b: number) =>
      [...(vectors[a] ?? [])].reduce((sum, value, at) => sum + value * (vectors[b]?.[at] ?? 0), 0);
    expect(alike(0, 0)).toBeCloseTo(1);
    expect(alike(0, 1)).toBeGreaterThan(alike(0, 2) + 0.2);
    expect(alike(3, 4)).toBeGreaterThan(alike(3, 2) + 0.2);
    expect(alike(5, 5)).toBe(0);
  });

  it("of each text are paid for once, also after a restart", async () => {
    await using server = await startReplayServer([
      embedding([
        [1, 0],
        [0, 1],
      ]),
      embedding([[0.5, 0.5]]),
    ]);
    await using app = await startModels();
    const id = await use(app, server);
    const first = await embed(app, ["one", "two", "one"]);
    expect(first.vectors.map((vector) => [...vector])).toEqual([
      [1, 0],
      [0, 1],
      [1, 0],
    ]);
    expect(first).toMatchObject({ modelId: id, model: "scripted", isLocal: false, usage: { input_tokens: 6 } });
    const second = await embed(app, ["two", "three"]);
    expect(second.vectors.map((vector) => [...vector])).toEqual([
      [0, 1],
      [0.5, 0.5],
    ]);
    expect([bodyOf(server, 0).input, bodyOf(server, 1).input]).toEqual([["one", "two"], ["three"]]);
    expect(bodyOf(server, 0).dimensions).toBe(2);
  });

  it("of many texts are requested in batches", async () => {
    const texts = Array.from({ length: 200 }, (_, index) => `text ${index}`);
    const batch = (count: number) => embedding(Array.from({ length: count }, () => [1, 0]));
    await using server = await startReplayServer([batch(96), batch(96), batch(8)]);
    await using app = await startModels();
    await use(app, server);
    expect((await embed(app, texts)).vectors).toHaveLength(200);
    expect(server.calls).toHaveLength(3);
  });

  it("are requested in the length of the model when it accepts no other", async () => {
    const rejection = {
      status: 400,
      body: { error: { message: "this model does not support specifying dimensions" } },
    };
    await using server = await startReplayServer([rejection, embedding([[1, 2, 3]])]);
    await using app = await startModels();
    await use(app, server);
    expect((await embed(app, ["one"])).dimensions).toBe(3);
    expect(bodyOf(server, 1).dimensions).toBeUndefined();
  });

  it("come only from models that produce the same vectors", async () => {
    await using broken = await startReplayServer();
    await using server = await startReplayServer([embedding([[1, 0]])]);
    await using app = await startModels();
    await use(app, broken, { model: "small" });
    await use(app, server, { model: "other" });
    await expect(embed(app, ["one"])).rejects.toMatchObject({ code: "upstream_failed" });
    expect(server.calls).toHaveLength(0);
    await use(app, server, { model: "small" });
    expect((await embed(app, ["one"])).vectors).toHaveLength(1);
  });

  it.each([
    ["too few", embedding([])],
    ["of different lengths", embedding([[1, 0], [1]])],
    ["with nothing in them", embedding([[], []])],
  ])("that are %s are rejected", async (_, answer) => {
    await using server = await startReplayServer([answer, answer]);
    await using app = await startModels();
    await use(app, server);
    await expect(embed(app, ["one", "two"])).rejects.toMatchObject({ detail: { key: "models.invalid_response" } });
  });
});

describe("cached vectors", () => {
  const embedding = (vectors: readonly unknown[]): RecordedAnswer => ({
    body: {
      object: "list",
      model: "small",
      data: vectors.map((vector, index) => ({ object: "embedding", index, embedding: vector })),
    },
  });
  const started = async (server: ReplayServer) => {
    const app = await startModels();
    await add(app, server.address, { purpose: "embedding", dimensions: 2 });
    return app;
  };
  const embed = (app: StartedModels, texts: readonly string[], dimensions?: number) =>
    app
      .get(ModelCalls)
      .embed(texts, { signal: never, ...(dimensions !== undefined && { dimensions }) })
      .then(({ vectors }) => vectors.map((vector) => [...vector]));
  const reset = (app: StartedModels) => app.call("POST /api/ai-models/failover-reset", { body: {} });

  it.each([
    ["too long", embedding([[1, 2, 3]])],
    ["of no numbers", embedding([[null, 1]])],
    ["half of a batch", embedding([])],
  ])("are ignored when they came %s: the text is embedded again", async (_, wrong) => {
    await using server = await startReplayServer([wrong, wrong, embedding([[1, 0]])]);
    await using app = await started(server);
    await expect(embed(app, ["one"], 2)).rejects.toMatchObject({ code: "upstream_failed" });
    await reset(app);
    expect(await embed(app, ["one"], 2)).toEqual([[1, 0]]);
    expect(await embed(app, ["one"], 2)).toEqual([[1, 0]]);
    expect(server.calls).toHaveLength(3);
  });

  it("are replaced when the model changes its length", async () => {
    await using server = await startReplayServer([embedding([[1, 0]]), embedding([[1, 2, 3]]), embedding([[3, 2, 1]])]);
    await using app = await started(server);
    expect(await embed(app, ["one"])).toEqual([[1, 0]]);
    const both = [
      [3, 2, 1],
      [1, 2, 3],
    ];
    expect(await embed(app, ["one", "two"])).toEqual(both);
    expect(await embed(app, ["one", "two"], 3)).toEqual(both);
    expect(server.calls).toHaveLength(3);
  });

  it("are not used for another length", async () => {
    await using server = await startReplayServer([embedding([[1, 0]]), embedding([[1, 2, 3]])]);
    await using app = await started(server);
    await embed(app, ["one"]);
    expect(await embed(app, ["one"], 3)).toEqual([[1, 2, 3]]);
    expect(await embed(app, ["one"], 3)).toEqual([[1, 2, 3]]);
    expect(server.calls).toHaveLength(2);
  });
});

describe("pictures and sound over openai_chat", () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]);

  it("a picture is drawn", async () => {
    await using server = await startReplayServer([
      { body: { created: 1, data: [{ b64_json: png.toString("base64") }] } },
    ]);
    await using app = await startModels();
    const id = await add(app, server.address, { purpose: "image_generation" });
    const made = await app.get(ModelCalls).image("a cat", { size: "512x512", signal: never });
    expect(made).toMatchObject({
      images: [{ bytes: new Uint8Array(png), mimeType: "image/png" }],
      model: { modelId: id },
    });
    expect(server.calls[0]?.path).toBe("/images/generations");
    expect(JSON.parse(server.calls[0]?.raw.toString() ?? "")).toMatchObject({ prompt: "a cat", size: "512x512", n: 1 });
  });

  it("a text is spoken in the record's voice, or the one that is asked for", async () => {
    const spoken = { headers: { "content-type": "audio/mpeg" }, body: new Uint8Array([1, 2, 3]) };
    await using server = await startReplayServer([spoken, spoken]);
    await using app = await startModels();
    await add(app, server.address, { purpose: "tts", voice: "nova", speed: 1.5 });
    const made = await app.get(ModelCalls).speech("hello", { signal: never });
    expect(made).toMatchObject({ bytes: new Uint8Array([1, 2, 3]), mimeType: "audio/mpeg" });
    await app.get(ModelCalls).speech("hello", { voice: "onyx", format: "wav", signal: never });
    const [first, second] = server.calls.map(({ raw }) => JSON.parse(raw.toString()));
    expect(server.calls[0]?.path).toBe("/audio/speech");
    expect(first).toMatchObject({ input: "hello", voice: "nova", speed: 1.5, response_format: "mp3" });
    expect(second).toMatchObject({ voice: "onyx", response_format: "wav" });
  });

  it("speech is transcribed", async () => {
    await using server = await startReplayServer([
      { body: { text: "hello there", language: "english", duration: 1.5 } },
    ]);
    await using app = await startModels();
    await add(app, server.address, { purpose: "stt", language: "en" });
    const recording = { bytes: new Uint8Array([1, 2, 3]), mimeType: "audio/wav" };
    expect(await app.get(ModelCalls).transcribe(recording, { signal: never })).toMatchObject({
      text: "hello there",
      durationS: 1.5,
    });
    expect(server.calls[0]?.path).toBe("/audio/transcriptions");
    const form = server.calls[0]?.raw.toString("latin1") ?? "";
    expect(form).toMatch(/name="model"\r\n\r\nscripted/);
    expect(form).toMatch(/name="language"\r\n\r\nen/);
    expect(form).toContain('filename="audio.wav"');
  });

  it.each([
    ["a size that is none", (calls: ModelCalls) => calls.image("x", { size: "big", signal: never })],
    ["no text", (calls: ModelCalls) => calls.speech(" ", { signal: never })],
  ])("%s is a bad request", async (_, run) => {
    await using app = await startModels();
    await expect(run(app.get(ModelCalls))).rejects.toMatchObject({ code: "bad_request" });
  });

  it.each([
    [
      "image_generation",
      { body: { created: 1, data: [{ b64_json: png.toString("base64") }] } },
      "a picture: 7 bytes of image/png",
    ],
    [
      "tts",
      { headers: { "content-type": "audio/mpeg" }, body: new Uint8Array([1, 2]) },
      "speech: 2 bytes of audio/mpeg",
    ],
    ["stt", { body: { text: "" } }, "nothing was heard in a second of a tone"],
    [
      "embedding",
      { body: { object: "list", model: "m", data: [{ index: 0, embedding: [1, 2] }] } },
      "a vector of 2 numbers",
    ],
    [
      "vision",
      {
        body: {
          id: "c",
          created: 0,
          model: "m",
          choices: [{ index: 0, message: { role: "assistant", content: "A red square." }, finish_reason: "stop" }],
        },
      },
      "A red square.",
    ],
  ])("a model of purpose %s is tested as it is used", async (purpose, answer: RecordedAnswer, sample) => {
    await using server = await startReplayServer([answer]);
    await using app = await startModels();
    const id = await add(app, server.address, { purpose, enabled: false });
    expect(await app.call(`POST /api/ai-models/${id}/test`)).toMatchObject({ ok: true, status_code: 200, sample });
    const failed = await app.call(`POST /api/ai-models/${id}/test`);
    expect(failed).toMatchObject({ ok: false, status_code: 500, category: "server_error", sample: "" });
    const { health } = await app.call<{ health: Record<string, object> }>("GET /api/ai-models/failover-status");
    expect(health[id]).toMatchObject({ state: "disabled", consecutive_failures: 0, last_error: null });
  });
});
