import type { LiveEvent, ModelErrorCategory, ModelFailure, TraceEntry, UsageEntry } from "@parley/core";
import { createTestClock, testContext } from "@parley/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createHealth } from "../failover/health.ts";
import { createModelQueue } from "../failover/model-queue.ts";
import { createUnsupportedFeatures } from "../failover/unsupported-features.ts";
import type { ConfiguredModel } from "../records/configured-model.ts";
import type { Attempt, AttemptOutcome, AttemptRequest } from "./attempt.ts";
import { createAttempts } from "./attempts.ts";

interface Fields {
  readonly retry_count?: number;
  readonly max_context_length?: number;
  readonly token_limit_daily?: number;
  readonly token_limit_weekly?: number;
  readonly failover_timeout_s?: number;
}

const model = (modelId: string, fields: Fields = {}): ConfiguredModel =>
  ({
    modelId,
    source: "first_enabled",
    keyOwner: modelId,
    key: null,
    fields: {
      name: modelId.toUpperCase(),
      model: modelId,
      enabled: true,
      retry_count: 0,
      timeout_s: 60,
      failover_timeout_s: 0,
      max_context_length: 1000,
      token_limit_daily: 0,
      token_limit_weekly: 0,
      ...fields,
    },
  }) as ConfiguredModel;

class Failed extends Error {
  readonly failure: ModelFailure;
  constructor(failure: ModelFailure) {
    super(failure.category);
    this.failure = failure;
  }
}
const failing = (category: ModelErrorCategory, retryAfterMs: number | null = null) =>
  new Failed({ category, statusCode: null, detail: `is ${category}`, retryAfterMs });

/** Creates attempts on models that answer by `act`, with in-memory dependencies. */
function setUp(act: (attempt: Attempt, count: number) => AttemptOutcome<string> | Promise<AttemptOutcome<string>>) {
  const clock = createTestClock();
  const pauses: number[] = [];
  const events: LiveEvent[] = [];
  const traces: TraceEntry[] = [];
  const usage: UsageEntry[] = [];
  const asked: string[] = [];
  const warned: object[] = [];
  const used = new Map<string, { daily: number; weekly: number }>();
  const budget = {
    add() {},
    getUsed: async (id: string) => used.get(id) ?? { daily: 0, weekly: 0 },
    getPeriodEnds: () => ({ day: clock.now() + 1000, week: clock.now() + 2000 }),
  };
  const rejections = createUnsupportedFeatures();
  const line = createModelQueue({ health: createHealth(clock), budget, features: rejections, clock });
  const attempts = createAttempts({
    features: rejections,
    catalog: {
      open: async ({ modelId }) => ({ modelId }) as never,
      requireEnabled: async (_purpose, modelId) => model(modelId),
      toFailure: (error) => {
        if (error instanceof Failed) return error.failure;
        const category = (error as Error).name === "TimeoutError" ? "timeout" : "server_error";
        return { category, statusCode: null, detail: String(error), retryAfterMs: null };
      },
    },
    modelQueue: line,
    usage: {
      async record(entry) {
        usage.push(entry);
        return null;
      },
    },
    clock,
    events: { publish: (event) => void events.push(event) },
    gatewayLog: () => undefined,
    log: { warn: (message, context) => void warned.push({ message, ...context }) },
    sleep: async (ms) => pauses.push(ms),
    random: () => 1,
  });
  const stop = new AbortController();
  const ask = (queue: readonly ConfiguredModel[], more: Partial<AttemptRequest<string>> = {}) =>
    attempts({
      purpose: "chat",
      options: { signal: stop.signal, traceId: "t", turn: testContext({ trace: (entry) => void traces.push(entry) }) },
      queue,
      emptyResult: "",
      run: async (attempt) => {
        asked.push(attempt.model.modelId);
        return act(attempt, asked.length);
      },
      ...more,
    });
  return { ask, asked, pauses, events, traces, usage, used, clock, line, stop, warned };
}

const good: AttemptOutcome<string> = { result: "well", tokens: { input_tokens: 2, output_tokens: 1 } };
/** Creates an `act` in which the models of `ids` fail and all others answer. */
const broken = (ids: readonly string[], error: Failed) => (attempt: Attempt) => {
  if (ids.includes(attempt.model.modelId)) throw error;
  return good;
};

describe("a model that fails before its first word", () => {
  it.each<[ModelErrorCategory, number, number | null, number[]]>([
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
    ["no_key", 3, null, []],
    ["model_missing", 3, null, []],
    ["bad_request", 3, null, []],
    ["content_refused", 3, null, []],
  ])("with %s, retry_count %i and Retry-After %s is retried after %j ms", async (category, count, after, pauses) => {
    const app = setUp(broken(["a"], failing(category, after)));
    expect((await app.ask([model("a", { retry_count: count })])).failure?.category).toBe(category);
    expect(app.pauses).toEqual(pauses);
  });

  it("is logged once, however often it was retried, with the message it was called for", async () => {
    const app = setUp(broken(["a"], failing("server_error")));
    await app.ask([model("a", { retry_count: 3 }), model("b")]);
    expect(app.warned).toEqual([
      expect.objectContaining({
        message: "a model gave no answer",
        purpose: "chat",
        category: "server_error",
        detail: expect.any(String),
        traceId: "t",
      }),
    ]);
  });

  it("is not retried when the call is not worth it", async () => {
    const app = setUp(broken(["a"], failing("server_error")));
    await app.ask([model("a", { retry_count: 3 }), model("b")], { isOnce: true });
    expect(app.asked).toEqual(["a"]);
  });
});

describe("the next model", () => {
  it.each<[ModelErrorCategory, boolean, number]>([
    ["network", true, 30],
    ["timeout", true, 30],
    ["server_error", true, 30],
    ["rate_limited", true, 60],
    ["quota", true, 600],
    ["auth", true, 600],
    ["no_key", true, 600],
    ["invalid_response", true, 30],
    ["model_missing", true, 600],
    ["context_length", false, 0],
    ["bad_request", false, 0],
    ["content_refused", false, 0],
  ])("after %s is called: %s; the failed one pauses for %i s", async (category, isAsked, seconds) => {
    const app = setUp(broken(["a"], failing(category)));
    const done = await app.ask([model("a"), model("b")]);
    expect([done.failure?.category, done.model.modelId]).toEqual(isAsked ? [undefined, "b"] : [category, "a"]);
    const { cooldown_until } = await app.line.view(model("a"));
    const rest = cooldown_until === null ? 0 : Date.parse(cooldown_until) - app.clock.now();
    expect(rest).toBe(seconds * 1000);
  });

  it("is shown on the trace, in the usage and in the console", async () => {
    const app = setUp(broken(["a"], failing("auth")));
    await app.ask([model("a"), model("b")]);
    expect(app.traces.map(({ status, metadata }) => [status, metadata?.model_id, metadata?.category])).toEqual([
      ["model_selected", "a", undefined],
      ["model_failover", "a", "auth"],
      ["model_selected", "b", undefined],
    ]);
    expect(app.usage.map(({ model_id, ok, input_tokens }) => [model_id, ok, input_tokens])).toEqual([
      ["a", false, 0],
      ["b", true, 2],
    ]);
    const payload = { purpose: "chat", from_model_id: "a", to_model_id: "b", category: "auth", trace_id: "t" };
    expect(app.events).toEqual([{ type: "model_failover", durable: true, payload }]);
  });

  it("is not called once people saw a part of the answer", async () => {
    const failure = failing("network").failure;
    const app = setUp(() => ({ result: "so far", tokens: good.tokens, isShown: true, failure }));
    expect(await app.ask([model("a", { retry_count: 3 }), model("b")])).toMatchObject({ result: "so far", failure });
    expect(app.asked).toEqual(["a"]);
  });

  it("after a prompt that was too long accepts a longer one", async () => {
    const app = setUp(broken(["a", "b"], failing("context_length")));
    const bigger = model("c", { max_context_length: 2000 });
    const { model: by } = await app.ask([model("a"), model("b"), bigger]);
    expect([by.modelId, app.asked]).toEqual(["c", ["a", "a", "c"]]);
  });

  it("is called when the first one does not answer in time, and only while another one is available", async () => {
    const hang = ({ model: { modelId }, signal }: Attempt) =>
      modelId === "b" ? good : new Promise<never>((_, no) => signal.addEventListener("abort", () => no(signal.reason)));
    const app = setUp(hang);
    const impatient = { failover_timeout_s: 0.02, retry_count: 3 };
    const done = await app.ask([model("a", impatient), model("b")]);
    expect([done.model.modelId, app.asked, app.traces[1]?.metadata?.category]).toEqual(["b", ["a", "b"], "timeout"]);
  });

  it("is not called while a model is streaming its answer", async () => {
    const slow = async ({ onFirstToken, signal }: Attempt) => {
      onFirstToken();
      vi.advanceTimersByTime(60_000);
      signal.throwIfAborted();
      return good;
    };
    const app = setUp(slow);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    expect((await app.ask([model("a", { failover_timeout_s: 0.02 }), model("b")])).model.modelId).toBe("a");
  });
});

describe("a paused model", () => {
  it("is skipped until its pause ends, and pauses twice as long each time, at most ten minutes", async () => {
    const app = setUp(broken(["a"], failing("network")));
    const queue = [model("a"), model("b")];
    const rests: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      await app.ask(queue);
      await app.ask(queue);
      const { cooldown_until } = await app.line.view(model("a"));
      rests.push((Date.parse(cooldown_until ?? "") - app.clock.now()) / 1000);
      app.clock.advance((rests.at(-1) ?? 0) * 1000);
    }
    expect(rests).toEqual([30, 60, 120, 240, 480, 600]);
    expect(app.asked).toEqual(Array.from({ length: 6 }, () => ["a", "b", "b"]).flat());
  });

  it("is tried by one call alone when its pause ends", async () => {
    const gate = Promise.withResolvers<AttemptOutcome<string>>();
    let isWell = false;
    const app = setUp(({ model: { modelId } }) => {
      if (modelId === "b") return good;
      if (isWell) return gate.promise;
      throw failing("network");
    });
    const queue = [model("a"), model("b")];
    await app.ask(queue);
    app.clock.advance(30_000);
    isWell = true;
    const probe = app.ask(queue);
    const others = await Promise.all([app.ask(queue), app.ask(queue)]);
    expect(others.map(({ model: by }) => by.modelId)).toEqual(["b", "b"]);
    gate.resolve(good);
    expect((await probe).model.modelId).toBe("a");
    expect((await app.ask(queue)).model.modelId).toBe("a");
    expect(await app.line.view(model("a"))).toMatchObject({ state: "healthy", consecutive_failures: 0 });
  });

  it("is tried once when all are paused: the one whose pause ends first", async () => {
    const app = setUp(({ model: { modelId } }) => {
      throw failing(modelId === "a" ? "auth" : "network");
    });
    const queue = [model("a", { retry_count: 2 }), model("b", { retry_count: 2 })];
    await app.ask(queue);
    app.asked.length = 0;
    expect((await app.ask(queue)).failure?.category).toBe("network");
    expect(app.asked).toEqual(["b"]);
  });

  it("that failed for many calls at once has failed once", async () => {
    const app = setUp(broken(["a"], failing("network")));
    await Promise.all([1, 2, 3].map(() => app.ask([model("a"), model("b")])));
    expect((await app.line.view(model("a"))).consecutive_failures).toBe(1);
  });

  it("is available again when its key or address changes", async () => {
    const app = setUp(broken(["a"], failing("auth")));
    const old = model("a");
    await app.ask([old]);
    const repaired = { ...old, fields: { ...old.fields, base_url: "https://elsewhere.example/v1" } };
    expect(await app.line.view(repaired)).toMatchObject({ state: "healthy", last_error: null });
  });
});

describe("a model without remaining tokens", () => {
  it.each([
    ["day", { token_limit_daily: 100 }, { daily: 100, weekly: 100 }],
    ["week", { token_limit_weekly: 100 }, { daily: 0, weekly: 100 }],
  ])("for the %s is skipped, and another one is called", async (period, fields, used) => {
    const app = setUp(() => good);
    app.used.set("a", used);
    expect((await app.ask([model("a", fields), model("b")])).model.modelId).toBe("b");
    const view = await app.line.view(model("a", fields));
    const end = new Date(app.clock.now() + (period === "day" ? 1000 : 2000)).toISOString();
    expect(view).toMatchObject({ state: "exhausted", cooldown_until: end, token_usage: used });
  });

  it("is skipped even when there is no other", async () => {
    const app = setUp(() => good);
    app.used.set("a", { daily: 7, weekly: 7 });
    const done = await app.ask([model("a", { token_limit_daily: 7 })]);
    expect([done.failure?.category, app.asked, app.usage]).toEqual(["exhausted", [], []]);
  });
});

it("a feature that a model rejects is omitted, and not sent to it again", async () => {
  const app = setUp(({ disabled: without }) => {
    if (without.has("format")) return good;
    return { result: "", tokens: good.tokens, failure: failing("bad_request").failure, optionalFeatures: ["format"] };
  });
  await app.ask([model("a")]);
  await app.ask([model("a")]);
  expect(app.asked).toHaveLength(3);
});

it("an answer that does not match the schema is requested once more with the errors, and does not count as a failure", async () => {
  const unfit = { text: "{}", problem: "name is required" };
  const seen: unknown[] = [];
  const app = setUp((attempt) => {
    seen.push(attempt.invalidAnswer);
    return { result: "", tokens: good.tokens, failure: failing("invalid_response").failure, invalidAnswer: unfit };
  });
  expect((await app.ask([model("a")])).failure?.category).toBe("invalid_response");
  expect(seen).toEqual([undefined, unfit]);
  expect((await app.line.view(model("a"))).state).toBe("healthy");
});

it("an aborted call does not count as a failure, and no other model is called", async () => {
  const app = setUp(() => {
    app.stop.abort();
    throw failing("server_error");
  });
  await app.ask([model("a"), model("b")]);
  expect(app.asked).toEqual(["a"]);
  expect((await app.line.view(model("a"))).state).toBe("healthy");
});
