import { Gateway } from "@parley/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  accept,
  channel,
  connect,
  linkThat,
  outcome,
  receiving,
  start,
  state,
  untilStopped,
  useGateway,
} from "./test-setup.ts";

useGateway();

describe("live events of a reply", () => {
  const pieces = () => state.events.published.filter(({ type }) => type.startsWith("ai_stream"));

  test("are its words as they are generated, numbered without a gap, and the end", async () => {
    state.answer = async () => "one two three";
    await outcome((await accept("hello")).traceId);
    const [first, ...rest] = pieces();
    expect(first).toMatchObject({ type: "ai_stream_start", session_id: "test:1" });
    const chunks = rest.filter(({ type }) => type === "ai_stream_chunk");
    expect(chunks.map(({ payload }) => payload.index)).toEqual(chunks.map((_, index) => index));
    expect(chunks.map(({ payload }) => payload.chunk).join("")).toBe("one two three");
    expect(pieces().at(-1)).toMatchObject({ type: "ai_stream_end", payload: { finish_reason: "stop" } });
  });

  test("contain nothing that a rule may still change; then the rest at once", async () => {
    state.isScreening = true;
    state.answer = async () => "the secret word";
    await outcome((await accept("hello")).traceId);
    const chunks = pieces().filter(({ type }) => type === "ai_stream_chunk");
    expect(chunks.map(({ payload }) => payload.chunk)).toEqual(["the word"]);
    expect(JSON.stringify(state.events.published)).not.toContain("secret");
  });

  test("contain a failure once, without internal details", async () => {
    state.answer = async () => {
      throw new Error("SELECT secret FROM somewhere");
    };
    const { traceId } = await accept("hello", { source: "web", channelId: "web", sessionId: "sess_1" });
    expect(await outcome(traceId)).toMatchObject({
      state: "failed",
      error: { code: "internal", error: "the message could not be answered" },
    });
    const turnErrors = state.events.published.filter(({ type }) => type === "turn_error");
    expect(turnErrors).toHaveLength(1);
    expect(JSON.stringify(turnErrors)).not.toContain("SELECT");
  });
});

describe("a clock that jumps", () => {
  test("back and forward an hour loses and duplicates nothing and preserves the order", async () => {
    connect();
    const traces: string[] = [];
    for (const [n, jump] of [0, -3_600_000, 3_600_000, -7_200_000, 0].entries()) {
      state.jumpMs = jump;
      traces.push((await accept(`message ${n}`)).traceId);
    }
    expect(new Set(traces).size).toBe(5);
    for (const traceId of traces) expect(await outcome(traceId)).toMatchObject({ state: "answered" });
    await state.running.get(Gateway).idle();
    expect(state.sent.map(({ text }) => text)).toEqual([0, 1, 2, 3, 4].map((n) => `re: message ${n}`));
  });
});

describe("a task that waits for a turn", () => {
  const order = (taskId: string) =>
    state.running.get(Gateway).submit({ kind: "custom", taskId, trigger: "schedule", metadata: {} });

  test("occupies no worker slot, so that more tasks than slots all end", async () => {
    const tasks = Array.from({ length: 8 }, (_, n) => `task-${n}`);
    const orders = await Promise.all(tasks.map(order));
    const outcomes = orders.map(({ traceId }) =>
      state.running.get(Gateway).outcome(traceId, AbortSignal.timeout(5_000)),
    );
    expect((await Promise.all(outcomes)).map(({ state }) => state)).toEqual(tasks.map(() => "answered"));
    expect(state.answered.toSorted()).toEqual(tasks.map((task) => `from ${task}`));
  });

  test("lets messages of people run first", async () => {
    const hold = Promise.withResolvers<void>();
    state.answer = async ({ text }) => {
      if (text.startsWith("from")) await hold.promise;
      return text;
    };
    const { traceId: asked } = await order("one");
    const { traceId } = await accept("hello");
    expect(await state.running.get(Gateway).outcome(traceId, AbortSignal.timeout(5_000))).toMatchObject({
      state: "answered",
    });
    hold.resolve();
    expect(await state.running.get(Gateway).outcome(asked, AbortSignal.timeout(5_000))).toMatchObject({
      state: "answered",
    });
  });
});

describe("a reload during an answer", () => {
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);
  const connect = () => state.running.get(Gateway).connect(channel, linkThat(receiving.send), "none");
  const answers = () => state.sent.map(({ text }) => text).filter((text) => text === "Because.");
  let release: (text: string) => void;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { promise, resolve } = Promise.withResolvers<string>();
    release = resolve;
    state.answer = (turn, signal) => Promise.race([untilStopped(turn, signal), promise]);
  });
  afterEach(() => vi.useRealTimers());
  /** Starts a reload; `isOver` is true once it continues. */
  const reload = () => {
    const seen = { isOver: false };
    void state.running
      .get(Gateway)
      .settle?.()
      .then(() => {
        seen.isOver = true;
      });
    return seen;
  };

  test("continues once the answer is there, also after half a minute", async () => {
    connect();
    await accept("Why?");
    const seen = reload();
    await pass(9);
    expect(seen.isOver).toBe(false);
    await pass(21);
    expect(seen.isOver).toBe(false);
    release("Because.");
    await vi.waitFor(async () => {
      await pass(0);
      expect(seen.isOver).toBe(true);
    });
    vi.useRealTimers();
    await state.running.get(Gateway).idle();
    expect(answers()).toEqual(["Because."]);
  });

  test("waits for a minute at most; then the answer starts again, and nothing is lost", async () => {
    state.turnTimeoutS = 600;
    await state.running[Symbol.asyncDispose]();
    state.running = await start();
    connect();
    await accept("Why?");
    const seen = reload();
    await pass(59);
    expect(seen.isOver).toBe(false);
    await pass(1);
    expect(seen.isOver).toBe(true);
    vi.useRealTimers();
    await state.running[Symbol.asyncDispose]();
    state.answer = async () => "Because.";
    state.running = await start();
    connect();
    await state.running.get(Gateway).idle();
    expect(answers()).toEqual(["Because."]);
  });
});
