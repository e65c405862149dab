import { AppError, Gateway, RecordLifecycle, Upkeeps, type Write } from "@parley/core";
import { recordParts } from "@parley/core/storage";
import { describe, expect, test, vi } from "vitest";
import { accept, connect, createMessage, idle, outcome, start, state, untilStopped, useGateway } from "./test-setup.ts";

useGateway();

const counts = async () => {
  const rows = await state.databases.main
    .tables<{ counts: { name: string; count: number } }>()
    .selectFrom("counts")
    .selectAll()
    .execute();
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
};
const DAY_MS = 86_400_000;

describe("inbound messages", () => {
  test("that arrive a thousand times are one turn, and all copies get the first one's ids", async () => {
    const message = createMessage("hello");
    const accepted = await Promise.all(Array.from({ length: 1000 }, () => state.running.get(Gateway).accept(message)));
    await idle();
    expect(new Set(accepted.map(({ traceId }) => traceId)).size).toBe(1);
    expect(accepted.filter(({ duplicated }) => !duplicated)).toHaveLength(1);
    expect(state.answered).toEqual(["hello"]);
  });

  test.each([
    ["for as long as the channel is configured to", 604_800, 6 * DAY_MS, 8 * DAY_MS],
    ["as long as config.ini says where it says nothing", undefined, 2 * DAY_MS, 4 * DAY_MS],
    ["for a day at least", 3_600, DAY_MS / 2, 1.5 * DAY_MS],
  ])("are recognised as copies %s, whatever cleanup runs meanwhile", async (_how, dedupe_ttl_s, early, late) => {
    state.config = { dedupe_ttl_s };
    const message = createMessage("hello");
    const again = async (afterMs: number) => {
      state.jumpMs = afterMs;
      const prune = state.running.all(Upkeeps).find(({ name }) => name === "gateway.prune");
      await prune?.run({ log: () => {}, signal: new AbortController().signal });
      return (await state.running.get(Gateway).accept(message)).duplicated;
    };
    expect([await again(0), await again(early), await again(late)]).toEqual([false, true, false]);
    await idle();
    expect(state.answered).toEqual(["hello", "hello"]);
  });

  test("are no copies after their time, even before a cleanup", async () => {
    const message = createMessage("hello");
    await state.running.get(Gateway).accept(message);
    state.jumpMs = 4 * DAY_MS;
    expect(await state.running.get(Gateway).accept(message)).toMatchObject({ duplicated: false });
    await idle();
  });

  test("that arrive together are stored and run in order, all or none, and are copies all or none", async () => {
    const gateway = state.running.get(Gateway);
    const [first, second] = [createMessage("first"), createMessage("second")];
    const { dedupeKey = "" } = first;
    await expect(
      gateway.acceptTogether([createMessage("before"), { ...second, sender: undefined as never }]),
    ).rejects.toThrow();
    const stored = await gateway.acceptTogether([first, second]);
    // The dedupe key of the second message is in use, so neither is stored.
    const torn = gateway.acceptTogether([createMessage("torn"), createMessage("apart", { dedupeKey: dedupeKey })]);
    await expect(torn).rejects.toMatchObject({ code: "conflict" });
    const again = await gateway.acceptTogether([first, second, createMessage("too many")]);
    expect(again.map(({ duplicated }) => duplicated)).toEqual([true, true]);
    expect(again.map(({ traceId }) => traceId)).toEqual(stored.map(({ traceId }) => traceId));
    await idle();
    expect(state.answered).toEqual(["first", "second"]);
  });

  test("that cannot be stored are rejected", async () => {
    const open = state.databases.main;
    const { write } = open;
    Object.assign(open, { write: () => Promise.reject(new AppError("unavailable", "the disk is full")) });
    await expect(accept("hello")).rejects.toMatchObject({ code: "unavailable" });
    Object.assign(open, { write });
    expect((await accept("hello")).queued).toBe(true);
    await idle();
    expect(state.answered).toEqual(["hello"]);
  });

  test("that are not addressed to the bot are stored and not answered", async () => {
    const { traceId, queued } = await accept("among ourselves", { addressed: false });
    expect(queued).toBe(false);
    expect(await outcome(traceId)).toMatchObject({ state: "ignored" });
    expect(state.answered).toEqual([]);
  });
});

describe("the order of messages", () => {
  test("is preserved within a session while other sessions continue", async () => {
    const gate = Promise.withResolvers<void>();
    state.answer = async ({ text }) => {
      if (text === "slow") await gate.promise;
      return text;
    };
    await accept("slow");
    await accept("after slow");
    const other = await accept("other", { sessionId: "test:2" });
    await outcome(other.traceId);
    expect(state.answered).toEqual(["other"]);
    gate.resolve();
    await idle();
    expect(state.answered).toEqual(["other", "slow", "after slow"]);
  });

  test("is preserved when a message is still being stored while a place becomes free", async () => {
    const busy = Promise.withResolvers<void>();
    const disk = Promise.withResolvers<void>();
    const open = state.databases.main;
    const { write } = open;
    state.answer = async ({ text }) => {
      if (text.startsWith("busy")) await busy.promise;
      return text;
    };
    for (const session of ["a", "b", "c", "d"]) await accept(`busy ${session}`, { sessionId: `test:${session}` });
    const isSlow = (writes: readonly Write[]) =>
      writes.some(({ query }) =>
        /"text":"(first|second)"/.test(JSON.stringify(query.compile().parameters).replaceAll("\\", "")),
      );
    Object.assign(open, {
      write: async (writes: readonly Write[]) => {
        if (isSlow(writes)) await disk.promise;
        return write(writes);
      },
    });
    const first = accept("first");
    busy.resolve();
    await vi.waitFor(() => expect(state.answered).toHaveLength(4));
    const second = accept("second");
    disk.resolve();
    await Promise.all([first, second]);
    await idle();
    Object.assign(open, { write });
    expect(state.answered.slice(4)).toEqual(["first", "second"]);
  });

  test("is preserved by stop, which ends the running turn only, unless a message is named", async () => {
    state.answer = (turn, signal) =>
      turn.text === "talk"
        ? new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
        : Promise.resolve("answered");
    const first = await accept("talk");
    const second = await accept("and then");
    const third = await accept("taken back");
    while (state.running.get(Gateway).running("test:1") === undefined)
      await new Promise((resolve) => setImmediate(resolve));
    const gateway = state.running.get(Gateway);
    expect(await gateway.stop("test:1", third.traceId)).toEqual({ stopped: true, trace_ids: [third.traceId] });
    expect(await gateway.stop("test:1")).toEqual({ stopped: true, trace_ids: [first.traceId] });
    expect(await outcome(first.traceId)).toMatchObject({ state: "stopped" });
    expect(await outcome(second.traceId)).toMatchObject({ state: "answered" });
    expect(await outcome(third.traceId)).toMatchObject({ state: "stopped" });
  });

  test("ends with a deleted session, whose running and waiting turns are removed", async () => {
    state.answer = (_turn, signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const traces = [(await accept("talk")).traceId, (await accept("and then")).traceId];
    while (state.running.get(Gateway).running("test:1") === undefined)
      await new Promise((resolve) => setImmediate(resolve));
    await recordParts(() => state.running.all(RecordLifecycle), "session").leaving("test:1");
    for (const traceId of traces) expect(await outcome(traceId)).toMatchObject({ state: "stopped" });
  });
});

describe("a crash", () => {
  test("between acknowledgement and answer leaves the message to the next start", async () => {
    state.answer = untilStopped;
    const { traceId } = await accept("hello");
    while (state.running.get(Gateway).running("test:1") === undefined)
      await new Promise((resolve) => setImmediate(resolve));
    // The first service ended without a shutdown; the second one opens its database.
    state.answer = async () => "here I am";
    const again = await start();
    expect(await again.get(Gateway).outcome(traceId, AbortSignal.timeout(5000))).toMatchObject({ state: "answered" });
    await again[Symbol.asyncDispose]();
  });

  test("between answer and delivery sends the stored answer, without asking the model again", async () => {
    await accept("hello");
    await idle();
    expect(state.answered).toEqual(["hello"]);
    await state.running[Symbol.asyncDispose]();
    state.running = await start();
    connect();
    await idle();
    expect(state.sent.map(({ text }) => text)).toEqual(["re: hello"]);
    expect(state.answered).toEqual(["hello"]);
  });

  test("caused repeatedly by the same message ends its retries", async () => {
    const { itemId, traceId } = await accept("poison", { sessionId: "test:9" });
    await outcome(traceId);
    const tables = state.databases.main.tables<{
      inbox: { id: string; state: string; runs: number };
    }>();
    await tables.updateTable("inbox").set({ state: "running", runs: 3 }).where("id", "=", itemId).execute();
    const again = await start();
    await again.get(Gateway).idle();
    expect((await tables.selectFrom("inbox").select("state").where("id", "=", itemId).executeTakeFirst())?.state).toBe(
      "dead",
    );
    await again[Symbol.asyncDispose]();
  });
});

describe("an effect of a turn", () => {
  const untilAsked = async () => {
    while (state.running.get(Gateway).running("test:1")?.stage !== "context")
      await new Promise((resolve) => setImmediate(resolve));
  };

  test("is stored with its answer, and announced once that is on disk", async () => {
    const { traceId } = await accept("hello");
    expect(await outcome(traceId)).toMatchObject({ state: "answered" });
    expect(await counts()).toEqual({ said: 1, answered: 2, spent: 1 });
    expect(state.applied).toEqual(["answered"]);
  });

  test("is not stored when the turn failed, unless it is independent of the reply", async () => {
    state.answer = () => Promise.reject(new AppError("permission_denied", "no"));
    const { traceId } = await accept("hello");
    expect(await outcome(traceId)).toMatchObject({ state: "failed" });
    expect(await counts()).toEqual({ said: 1, spent: 1 });
    expect(state.applied).toEqual([]);
  });

  test("is not stored when the turn was stopped before its first word, unless it is independent of the reply", async () => {
    state.answer = untilStopped;
    const { traceId } = await accept("hello");
    await untilAsked();
    await state.running.get(Gateway).stop("test:1");
    expect(await outcome(traceId)).toMatchObject({ state: "stopped" });
    expect(await counts()).toEqual({ said: 1, spent: 1 });
    expect(state.applied).toEqual([]);
  });

  test("is not stored when another worker took over the message meanwhile", async () => {
    const gate = Promise.withResolvers<string>();
    state.answer = () => gate.promise;
    const { itemId } = await accept("hello");
    await untilAsked();
    const inbox = state.databases.main.tables<{ inbox: { id: string; runs: number; lease_owner: string } }>();
    await inbox
      .updateTable("inbox")
      .set({ runs: 7, lease_owner: "another process" })
      .where("id", "=", itemId)
      .execute();
    gate.resolve("too late");
    await state.running.get(Gateway).idle();
    expect((await counts()).answered).toBeUndefined();
  });

  test("is retained with an expensive answer, so that a repeated turn does not ask for it twice", async () => {
    state.answer = async (_turn, _signal, context) => {
      await context.once("buy", async () => "bought");
      return "it is bought";
    };
    const failing = state.databases.main.write;
    let rejected = 0;
    state.databases.main.write = async (writes) => {
      const isEnd = writes.some(({ query }) => query.compile().sql.includes("insert into outbox"));
      // Neither the end of the turn nor its release can be stored.
      if (rejected > 1 || (rejected === 0 && !isEnd)) return failing(writes);
      rejected += 1;
      throw new AppError("unavailable", "the disk is full");
    };
    const { traceId } = await accept("buy");
    expect(await outcome(traceId)).toMatchObject({ state: "answered" });
    expect(state.answered).toEqual(["buy"]);
    expect(await counts()).toMatchObject({ said: 1, answered: 2 });
  });
});
