import type { ModelFailure } from "@parley/core";
import { createTestClock } from "@parley/core/testing";
import { describe, expect, it } from "vitest";
import { createModelCall } from "./model-call.ts";

type Category = ModelFailure["category"];

/** The pauses before each repeat, for a model that always fails like this. */
async function pausesOf(category: Category, retryCount: number, retryAfterMs: number | null = null, isOnce = false) {
  const pauses: number[] = [];
  const call = createModelCall({
    models: { failure: () => ({ category, statusCode: null, detail: "scripted", retryAfterMs }) },
    usage: { record: async () => null },
    clock: createTestClock(),
    sleep: async (ms) => pauses.push(ms),
    random: () => 1,
  });
  const parameters = { retryCount, timeoutMs: 1000, supportsStream: true, maxTokens: 10 };
  const language = { doStream: () => Promise.reject(new Error("scripted")) };
  const answer = await call({
    model: { parameters, language, label: "m", model: "m", modelId: "" } as never,
    prompt: () => [],
    sessionId: null,
    user: null,
    traceId: null,
    signal: new AbortController().signal,
    onText: () => {},
    isOnce,
  });
  expect(answer).toMatchObject({ ending: "failed", text: "" });
  return pauses;
}

describe("a model that failed before its first word", () => {
  it.each<[Category, number, number | null, number[]]>([
    ["server_error", 3, null, [500, 1000, 2000]],
    ["network", 6, null, [500, 1000, 2000, 4000, 8000, 8000]],
    ["timeout", 0, null, []],
    ["rate_limited", 3, 2000, [2000]],
    ["rate_limited", 3, 6000, []],
    ["rate_limited", 3, null, []],
    ["invalid_response", 0, null, [0]],
    ["context_length", 0, null, [0]],
    ["auth", 3, null, []],
    ["quota", 3, null, []],
    ["bad_request", 3, null, []],
  ])(
    "with %s, retry_count %i and Retry-After %s is asked again after %j ms",
    async (category, count, after, pauses) => {
      expect(await pausesOf(category, count, after)).toEqual(pauses);
    },
  );

  it("is not asked again when the call is not worth it", async () => {
    expect(await pausesOf("server_error", 3, null, true)).toEqual([]);
  });
});
