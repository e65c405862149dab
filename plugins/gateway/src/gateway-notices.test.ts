import { AppError, type ChannelLink, Gateway } from "@parley/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { accept, channel, linkThat, outcome, receiving, start, state, untilStopped, useGateway } from "./test-setup.ts";

useGateway();

describe("the notice of a slow answer", () => {
  const SLOW = "This is taking longer than usual. One moment, please.";
  const texts = () => state.sent.map(({ text }) => text);
  const progress = () => state.events.published.filter(({ type }) => type === "progress_message");
  /** Advances time by this many seconds. */
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);
  const connected = (more: Partial<ChannelLink> = {}) =>
    state.running.get(Gateway).connect(channel, linkThat(receiving.send, more), "none");
  const failing = (error: AppError) => {
    const times: number[] = [];
    state.answer = async () => {
      times.push(Date.now());
      throw error;
    };
    return times;
  };
  let release: (text: string) => void;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    const { promise, resolve } = Promise.withResolvers<string>();
    release = resolve;
    state.answer = (turn, signal) => Promise.race([untilStopped(turn, signal), promise]);
  });
  afterEach(async () => {
    vi.useRealTimers();
    release("Because.");
    await state.running.get(Gateway).idle();
  });

  test.each([
    ["Why?", {}, SLOW],
    ["为什么？", {}, "这次需要的时间较长，请稍候。"],
    ["Why?", { sender: { id: "u", name: "Li", isAdmin: false, language: "zh-CN" } }, "这次需要的时间较长，请稍候。"],
  ])("is sent once within 10 seconds, in the language of %s", async (text, more, notice) => {
    connected();
    const { traceId } = await accept(text, more);
    await pass(7);
    expect(texts()).toEqual([]);
    await pass(3);
    expect(texts()).toEqual([notice]);
    await pass(40);
    expect(texts()).toEqual([notice]);
    await state.running.get(Gateway).stop("test:1", undefined);
    expect((await outcome(traceId)).replies).toEqual([]);
  });

  test("is followed by the answer and nothing else", async () => {
    connected();
    const { traceId } = await accept("Why?");
    await pass(30);
    release("Because.");
    await outcome(traceId);
    await state.running.get(Gateway).idle();
    expect(texts()).toEqual([SLOW, "Because."]);
  });

  test("is not sent when the answer is there by the time the notice would be stored", async () => {
    connected();
    const write = state.databases.main.write.bind(state.databases.main);
    using _write = vi.spyOn(state.databases.main, "write").mockImplementation(async (writes) => {
      const parameters = writes.flatMap(({ query }) => query.compile().parameters);
      if (parameters.some((one) => String(one).includes(SLOW))) {
        release("Because.");
        await outcome(traceId);
      }
      return write(writes);
    });
    const { traceId } = await accept("Why?");
    await pass(10);
    await outcome(traceId);
    await state.running.get(Gateway).idle();
    expect(texts()).toEqual(["Because."]);
  });

  test("is not sent when the answer is in time, nor where people see it being streamed", async () => {
    connected({ draft: (_place, _id, keep) => ({ update: () => keep("42"), end: async () => "42" }) });
    state.isStreaming = true;
    const { promise: stopped, resolve } = Promise.withResolvers<string>();
    state.answer = async (turn, signal, context) => {
      context.emit({ type: "delta", messageId: "msg_1", text: "It is" });
      return Promise.race([untilStopped(turn, signal), stopped]);
    };
    await accept("Why?");
    await accept("Quick?", { sessionId: "test:2", conversation: { id: "2", isGroup: false } });
    await pass(20);
    state.isStreaming = false;
    resolve("It is so.");
    expect(texts()).toEqual([]);
  });

  test("is sent to those who wait because all worker slots are taken", async () => {
    connected();
    for (let one = 1; one <= 6; one += 1)
      await accept("Why?", { sessionId: `test:${one}`, conversation: { id: `${one}`, isGroup: false } });
    await pass(10);
    expect(state.sent.map(({ conversation }) => conversation.id).sort()).toEqual(["1", "2", "3", "4", "5", "6"]);
  });

  test("is shown in the console by live events, not by a message", async () => {
    await accept("Why?", { channelId: "web", source: "web", sessionId: "sess_1" });
    await pass(10);
    expect(progress()).toMatchObject([
      { session_id: "sess_1", durable: false, payload: { text: SLOW, level: "info" } },
    ]);
    expect(state.sent).toEqual([]);
  });

  test("is sent once over all attempts of a turn, before the failure message", async () => {
    connected();
    const times = failing(new AppError("upstream_failed", "the model did not answer"));
    const { traceId } = await accept("Why?");
    await pass(10);
    expect(texts()).toEqual([SLOW]);
    await pass(30);
    expect(await outcome(traceId)).toMatchObject({ state: "failed" });
    await state.running.get(Gateway).idle();
    expect(texts()).toEqual([SLOW, "Sorry, this could not be answered. Please try again later."]);
    expect(times).toHaveLength(3);
  });

  test("is never sent when a retry would be useless, because the failure is reported at once", async () => {
    connected();
    const times = failing(new AppError("upstream_failed", "the provider rejected the API key", { isLasting: true }));
    const { traceId } = await accept("Why?");
    expect(await outcome(traceId)).toMatchObject({ state: "failed" });
    await state.running.get(Gateway).idle();
    await pass(60);
    expect(texts()).toEqual(["Sorry, this could not be answered. Please try again later."]);
    expect(times).toHaveLength(1);
  });

  test("is not sent a second time after a restart", async () => {
    connected();
    await accept("Why?");
    await pass(10);
    // The first service ended without a shutdown; the second one opens its database.
    const again = await start();
    again.get(Gateway).connect(channel, linkThat(receiving.send), "none");
    await pass(20);
    expect(texts()).toEqual([SLOW]);
    vi.useRealTimers();
    release("Because.");
    await again.get(Gateway).idle();
    await again[Symbol.asyncDispose]();
  });
});
