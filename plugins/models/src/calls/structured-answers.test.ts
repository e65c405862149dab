import Joi from "@hapi/joi";
import { ModelCalls, type ModelQuestion } from "@parley/core";
import { startModelServer } from "@parley/simulators";
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

  it("is not emitted as text when it does not fit", async () => {
    await using server = await startModelServer({ answer: () => ({ kind: "text", text: "no" }) });
    await using app = await startModels();
    await add(app, server.baseUrl);
    const { parts, answer } = app.get(ModelCalls).ask({ ...question, schema });
    const types = (await Array.fromAsync(parts)).map(({ type }) => type);
    expect([(await answer).ending, types.includes("attempt"), types.includes("text")]).toEqual(["failed", true, false]);
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
