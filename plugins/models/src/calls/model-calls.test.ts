import { type ModelAnswer, ModelCalls, type ModelPart, type ModelQuestion, TokenUsage } from "@parley/core";
import { type RecordedAnswer, startModelServer, startReplayServer } from "@parley/simulators";
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

/** Returns the final text: a new attempt replaces the text of the previous one. */
const toFinalText = (parts: readonly ModelPart[]) =>
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
    expect(toFinalText(parts)).toBe("You said: hello");
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
    expect(toFinalText(parts)).toBe("Hi");
    // From now on the model is known to omit the opening tag, so nothing has to be withdrawn.
    const [later] = await askStreaming(app, { isStreamed });
    expect(later.filter(({ type }) => type === "attempt")).toHaveLength(1);
    expect(toFinalText(later)).toBe("Hey");
  });

  it.each(["it is stopped", "nobody listens to it any more"])("ends within 100 ms when %s", async (why) => {
    await using server = await startModelServer({ answer: () => ({ kind: "hang", text: "so far" }) });
    await using app = await startModels();
    await add(app, server.baseUrl);
    const took: number[] = [];
    // The fastest of three rounds counts, because other processes use the machine too.
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
