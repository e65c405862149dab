import { ModelCalls } from "@parley/core";
import { type RecordedAnswer, type ReplayServer, startReplayServer } from "@parley/simulators";
import { describe, expect, it } from "vitest";
import type { ModelView } from "../records/schema.ts";
import { type StartedModels, startModels } from "../test-setup.ts";

const never = new AbortController().signal;

async function add(app: StartedModels, baseUrl: string, more: object = {}): Promise<string> {
  const body = { name: "Scripted", model: "scripted", base_url: baseUrl, retry_count: 0, ...more };
  return (await app.call<ModelView>("POST /api/ai-models", { body })).id;
}

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
