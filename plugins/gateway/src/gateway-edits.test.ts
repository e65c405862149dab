import { Gateway, type InboundMessage } from "@parley/core";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { accept, connect, idle, outcome, start, state, untilStopped, useGateway } from "./test-setup.ts";

useGateway();

describe("an edit or a deletion of a message", () => {
  const of = (platformMessageId: string, more: Partial<InboundMessage> = {}) => ({ platformMessageId, ...more });
  beforeEach(() => void connect());
  /** Keeps the session busy until the returned function is called. */
  const busySession = async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    state.answer = async ({ text }) => {
      begun.resolve();
      if (text === "long") await promise;
      return `re: ${text}`;
    };
    await accept("long", of("p0"));
    await begun.promise;
    return resolve;
  };

  test.each([
    ["edited once", [["edit", "new"]], ["long", "new", "last"]],
    [
      "edited twice",
      [
        ["edit", "newer"],
        ["edit", "newest"],
      ],
      ["long", "newest", "last"],
    ],
    ["recalled", [["recall", ""]], ["long", "last"]],
    [
      "edited and recalled",
      [
        ["edit", "newer"],
        ["recall", ""],
      ],
      ["long", "last"],
    ],
  ] as const)("that waits reaches its turn: %s", async (_how, changes, answers) => {
    const letGo = await busySession();
    await accept("old", of("p1"));
    await accept("last", of("p2"));
    for (const [kind, text] of changes) await accept(text, of("p1", { kind, addressed: true }));
    letGo();
    await idle();
    expect(state.answered).toEqual(answers);
    expect(state.sent.map(({ text }) => text)).toEqual(answers.map((text) => `re: ${text}`));
  });

  test("that waits after a restart reaches its turn", async () => {
    const letGo = await busySession();
    await accept("old", of("p1"));
    await accept("gone", of("p2"));
    await accept("new", of("p1", { kind: "edit" }));
    await accept("", of("p2", { kind: "recall", sender: { id: "", name: "", isAdmin: false } }));
    await vi.waitFor(async () => expect(state.running.get(Gateway).waiting("test:1")).toBe(3));
    const stopping = state.running[Symbol.asyncDispose]();
    letGo();
    await stopping;
    state.answered = [];
    state.running = await start();
    await idle();
    expect(state.answered).toContain("new");
    expect(state.answered.filter((text) => text === "old" || text === "gone")).toEqual([]);
  });

  test("runs before other waiting messages, so that no later turn reads deleted text", async () => {
    const seen: string[] = [];
    const letGo = await busySession();
    const waiting = await accept("last", of("p2"));
    const recalled = await accept("", of("p0", { kind: "recall" }));
    letGo();
    await Promise.all([
      outcome(recalled.traceId).then(() => seen.push("recall")),
      outcome(waiting.traceId).then(() => seen.push("last")),
    ]);
    expect(seen).toEqual(["recall", "last"]);
  });

  test("that is being answered stops its turn without a reply", async () => {
    const begun = Promise.withResolvers<void>();
    state.answer = (turn, signal) => {
      begun.resolve();
      return untilStopped(turn, signal);
    };
    const { traceId } = await accept("never mind", of("p1"));
    await begun.promise;
    await accept("", of("p1", { kind: "recall" }));
    expect(await outcome(traceId)).toMatchObject({ state: "stopped" });
    await idle();
    expect(state.sent).toEqual([]);
  });

  test("that is being answered stops its turn even when the model ignores the abort", async () => {
    const letGo = await busySession();
    await accept("", of("p0", { kind: "recall" }));
    letGo();
    await idle();
    expect(state.sent).toEqual([]);
  });

  test("of another message stops nothing", async () => {
    const letGo = await busySession();
    await accept("", of("p9", { kind: "recall" }));
    letGo();
    await idle();
    expect(state.sent.map(({ text }) => text)).toEqual(["re: long"]);
  });
});
