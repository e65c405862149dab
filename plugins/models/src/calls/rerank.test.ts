import { ModelCalls, TokenUsage } from "@parley/core";
import { type RecordedAnswer, startReplayServer } from "@parley/simulators";
import { describe, expect, it } from "vitest";
import type { ModelView } from "../records/schema.ts";
import { type StartedModels, startModels } from "../test-setup.ts";

const never = new AbortController().signal;
const TEXTS = ["the tram is red", "the museum opens at ten", "a cat"];

const ranked = (scores: readonly (readonly [number, number])[], more: object = {}): RecordedAnswer => ({
  body: { results: scores.map(([index, relevance_score]) => ({ index, relevance_score })), ...more },
});

async function add(app: StartedModels, base_url: string, more: object = {}): Promise<string> {
  const body = { name: "Judge", model: "judge", purpose: "rerank", base_url, retry_count: 0, ...more };
  return (await app.call<ModelView>("POST /api/ai-models", { body })).id;
}

const rerank = (app: StartedModels, patienceMs?: number) =>
  app
    .get(ModelCalls)
    .rerank("when does it open?", TEXTS, { signal: never, ...(patienceMs !== undefined && { patienceMs }) });

describe("reranking scores", () => {
  it("are not available without a model of that purpose", async () => {
    await using app = await startModels();
    expect(await rerank(app)).toBeUndefined();
  });

  it("are requested in the common format of such servers, and counted", async () => {
    const answer = ranked(
      [
        [1, 0.9],
        [2, 0.2],
        [0, 0.1],
      ],
      { usage: { total_tokens: 42 } },
    );
    await using server = await startReplayServer([answer]);
    await using app = await startModels();
    const id = await add(app, server.address, { api_key: "sk-abcdefgh1234" });
    expect(await rerank(app)).toMatchObject({ scores: [0.1, 0.9, 0.2], model: { modelId: id, model: "judge" } });
    const [call] = server.calls;
    expect(call?.path).toBe("/rerank");
    expect(call?.headers.authorization).toBe("Bearer sk-abcdefgh1234");
    const asked = { model: "judge", query: "when does it open?", documents: TEXTS, top_n: 3 };
    expect(JSON.parse(call?.raw.toString() ?? "")).toEqual(asked);
    const rows = await app.get(TokenUsage).rows("2026", "2027", { limit: 9, offset: 0 });
    expect(rows).toMatchObject([{ model_id: id, purpose: "rerank", input_tokens: 42, ok: true }]);
  });

  it("are normalized to 0 to 1", async () => {
    await using server = await startReplayServer([
      ranked([
        [0, -4],
        [1, 6],
        [2, 0],
      ]),
    ]);
    await using app = await startModels();
    await add(app, server.address);
    const { scores = [] } = (await rerank(app)) ?? {};
    expect(scores.map((score) => Math.round(score * 100) / 100)).toEqual([0.02, 1, 0.5]);
  });

  it.each<[string, RecordedAnswer]>([
    ["of some texts only", ranked([[1, 0.9]])],
    [
      "of texts that were not asked for",
      ranked([
        [1, 0.9],
        [2, 0.2],
        [7, 0.1],
      ]),
    ],
    [
      "of one text twice",
      ranked([
        [1, 0.9],
        [1, 0.2],
        [0, 0.1],
      ]),
    ],
    ["that is no number", { body: '{"results":[{"index":0,"relevance_score":"NaN"}]}' }],
    ["in no JSON", { body: "<html>sign in</html>" }],
  ])("are rejected in an answer %s", async (_, answer) => {
    await using server = await startReplayServer([answer, answer]);
    await using app = await startModels();
    await add(app, server.address);
    await expect(rerank(app)).rejects.toMatchObject({ detail: { key: "models.invalid_response" } });
  });

  it("fail with the provider's message when it refuses", async () => {
    const rejection = { status: 400, body: { error: { message: "too many documents" } } };
    await using server = await startReplayServer([rejection]);
    await using app = await startModels();
    await add(app, server.address);
    await expect(rerank(app)).rejects.toMatchObject({ message: expect.stringContaining("too many documents") });
  });

  it("are not waited for beyond the caller's timeout, nor requested while the model is paused", async () => {
    await using server = await startReplayServer([{ events: [], ends: "hang" }, ranked([])]);
    await using app = await startModels();
    await add(app, server.address, { retry_count: 3 });
    await expect(rerank(app, 200)).rejects.toMatchObject({ code: "timed_out" });
    await expect(rerank(app, 200)).rejects.toMatchObject({ message: expect.stringContaining("paused") });
    expect(server.calls.length).toBeLessThan(2);
  });

  it("are shown by the test of a model", async () => {
    await using server = await startReplayServer([
      ranked([
        [0, 0.1],
        [1, 0.9],
      ]),
    ]);
    await using app = await startModels();
    const id = await add(app, server.address, { enabled: false });
    const sample = "the order 2, 1 of: The tram is red. | The museum opens at ten.";
    expect(await app.call(`POST /api/ai-models/${id}/test`)).toMatchObject({ ok: true, sample });
  });
});
