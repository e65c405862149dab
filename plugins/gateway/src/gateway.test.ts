import Joi from "@hapi/joi";
import {
  AppError,
  type ChannelAdapter,
  ChannelAdapters,
  type ChannelConfig,
  type ChannelLink,
  Channels,
  Clock,
  ConfigSections,
  Databases,
  DeliveryError,
  definePlugin,
  Environment,
  fixedStatement,
  Gateway,
  HostControl,
  type IdempotencyMode,
  type InboundMessage,
  type JobContext,
  JobKinds,
  LiveEvents,
  type OutboundMessage,
  Paths,
  RecordLifecycle,
  Redaction,
  recordParts,
  Schedules,
  type Session,
  Sessions,
  Settings,
  systemClock,
  TaskKinds,
  type Turn,
  type TurnContext,
  type TurnStage,
  TurnStages,
  type Write,
  withEffects,
} from "@parley/core";
import {
  memoryDatabases,
  type RecordedEvents,
  recordedEvents,
  type StartedPlugins,
  startPlugins,
  testSettings,
} from "@parley/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import gateway from "./index.ts";

let databases: Databases;
let events: RecordedEvents;
let answered: string[];
let sent: OutboundMessage[];
let running: StartedPlugins;
/** The implementation of the reply stage; tests replace it. */
let answer: (turn: Turn, signal: AbortSignal, context: TurnContext) => Promise<string>;

const stages = definePlugin({
  id: "stages",
  register({ contribute }) {
    contribute(
      TurnStages,
      (): TurnStage => ({
        id: "test.answer",
        phase: "answer",
        async run(turn, context) {
          const id = `msg_${turn.traceId}`;
          context.emit({ type: "start", messageId: id, sender: "Mia" });
          const text = await answer(turn, context.signal, context);
          for (const word of text.split(/(?<= )/)) context.emit({ type: "delta", messageId: id, text: word });
          answered.push(turn.text);
          return { ...turn, replies: [{ id, kind: "normal", text, attachments: [] }] };
        },
      }),
    );
  },
});

/** Counts the requested changes: those stored with the reply, and independent ones. */
const counting = definePlugin({
  id: "counting",
  register({ contribute }) {
    contribute(
      TurnStages,
      (): TurnStage => ({
        id: "counting.effects",
        phase: "context",
        async run(turn, { record }) {
          const count = (name: string) => ({ query: fixedStatement(COUNT, [name]) });
          record(count("spent"));
          const answer = {
            writes: [count("answered"), count("answered")],
            applied: () => void applied.push("answered"),
          };
          return withEffects(turn, { isEarly: true, writes: [count("said")] }, answer);
        },
      }),
    );
  },
});
const COUNT = `insert into counts (name, count) values (?, 1) on conflict (name) do update set count = counts.count + 1`;
let applied: string[];
const counts = async () => {
  const rows = await databases.main
    .tables<{ counts: { name: string; count: number } }>()
    .selectFrom("counts")
    .selectAll()
    .execute();
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
};

/** Sends a message in a session of its own and waits for the reply, as a heartbeat does. */
const asking = definePlugin({
  id: "asking",
  register({ contribute }) {
    contribute(TaskKinds, (from) => ({
      kind: "custom" as const,
      has: async () => true,
      async run(taskId, { signal }) {
        const gateway = from.get(Gateway);
        const { traceId } = await gateway.accept(createMessage(`from ${taskId}`, { sessionId: `test:${taskId}` }));
        await gateway.outcome(traceId, signal);
      },
    }));
  },
});

/** Send timeout of the adapter. */
let sendTimeoutMs = 30_000;
const adapters = definePlugin({
  id: "adapters",
  register({ contribute }) {
    contribute(
      ChannelAdapters,
      (): ChannelAdapter => ({
        type: "test",
        transports: ["webhook"],
        capabilities: {},
        settings: Joi.object(),
        idempotency: "none",
        get sendTimeoutMs() {
          return sendTimeoutMs;
        },
        open: async () => receiving,
      }),
    );
  },
});

/** Removes a word from every reply while it is on. */
let isScreening = false;
const screen = definePlugin({
  id: "screen",
  register({ contribute }) {
    contribute(
      TurnStages,
      (): TurnStage => ({
        id: "test.screen",
        phase: "screen-reply",
        guardsStream: () => isScreening,
        run: async (turn) => ({
          ...turn,
          replies: turn.replies.map((reply) =>
            isScreening ? { ...reply, text: reply.text.replace("secret ", "") } : reply,
          ),
        }),
      }),
    );
  },
});

/** Offset of the wall clock, in milliseconds. */
let turnTimeoutS = 60;
let jumpMs = 0;
const start = () =>
  startPlugins([stages, screen, counting, asking, adapters, gateway], {
    services: [
      [Databases, databases],
      [
        Sessions,
        {
          openFor: async ({ sessionId }: InboundMessage) => ({ id: sessionId }) as Session,
          messagesById: async () => [],
          find: async () => undefined,
          prepareDeliveryError: async () => undefined,
        },
      ],
      [
        Settings,
        testSettings({ "gateway.concurrency": 4, "chat.turn_timeout_s": turnTimeoutS, "automation.run_timeout_s": 60 }),
      ],
      [LiveEvents, events],
      [Redaction, { mask: (value: unknown) => value, remember() {} }],
      [Clock, { now: () => systemClock.now() + jumpMs, monotonic: () => systemClock.monotonic() }],
      [Environment, { get: () => undefined, secret: () => undefined }],
      [ConfigSections, { section: () => ({}) }],
      [Paths, { root: "/nowhere", data: "/nowhere" }],
      [HostControl, { version: "1.2.3" }],
      [Schedules, { put: async () => ({}) }],
      [Channels, { get: () => channel, list: () => [channel], link: () => undefined }],
    ],
  });

beforeEach(async () => {
  databases = memoryDatabases();
  await databases.main.write([
    { query: fixedStatement("create table counts (name text primary key, count integer not null)", []) },
  ]);
  applied = [];
  events = recordedEvents();
  answered = [];
  sent = [];
  isScreening = false;
  sendTimeoutMs = 30_000;
  turnTimeoutS = 60;
  jumpMs = 0;
  config = {};
  answer = async ({ text }) => `re: ${text}`;
  running = await start();
});
afterEach(() => running[Symbol.asyncDispose]());

let count = 0;
const createMessage = (text: string, more: Partial<InboundMessage> = {}): InboundMessage => ({
  channelId: "test",
  sessionId: "test:1",
  conversation: { id: "1", isGroup: false },
  kind: "message",
  sender: { id: "u1", name: "Ada", isAdmin: false },
  text,
  attachments: [],
  dedupeKey: `key-${++count}`,
  addressed: true,
  source: "test",
  ...more,
});
const untilStopped = (_turn: Turn, signal: AbortSignal) =>
  new Promise<string>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
const accept = (text: string, more?: Partial<InboundMessage>) => running.get(Gateway).accept(createMessage(text, more));
const outcome = (traceId: string) => running.get(Gateway).outcome(traceId, AbortSignal.timeout(5000));
let config: ChannelConfig["config"] = {};
const DAY_MS = 86_400_000;
let isStreaming = false;
const channel: ChannelConfig = {
  id: "test",
  name: "test",
  type: "test",
  transport: "webhook",
  enabled: true,
  get config() {
    return config;
  },
  capabilities: {
    get supports_stream() {
      return isStreaming;
    },
    supports_progress_updates: false,
    supports_file_send: false,
    supports_stop: false,
  },
};
const linkThat = (send: ChannelLink["send"], more: Partial<ChannelLink> = {}): ChannelLink => ({
  send,
  ...more,
  async [Symbol.asyncDispose]() {},
});
const receiving = linkThat(async (message) => {
  sent.push(message);
  return { quality: "confirmed" };
});
const connect = (link = receiving, mode: IdempotencyMode = "none") => running.get(Gateway).connect(channel, link, mode);
const idle = () => running.get(Gateway).idle();

describe("inbound messages", () => {
  test("that arrive a thousand times are one turn, and all copies get the first one's ids", async () => {
    const message = createMessage("hello");
    const accepted = await Promise.all(Array.from({ length: 1000 }, () => running.get(Gateway).accept(message)));
    await idle();
    expect(new Set(accepted.map(({ traceId }) => traceId)).size).toBe(1);
    expect(accepted.filter(({ duplicated }) => !duplicated)).toHaveLength(1);
    expect(answered).toEqual(["hello"]);
  });

  test.each([
    ["as long as its channel says", 604_800, 6 * DAY_MS, 8 * DAY_MS],
    ["as long as config.ini says where it says nothing", undefined, 2 * DAY_MS, 4 * DAY_MS],
    ["for a day at least", 3_600, DAY_MS / 2, 1.5 * DAY_MS],
  ])("are recognised as copies %s, whatever cleanup runs meanwhile", async (_how, dedupe_ttl_s, early, late) => {
    config = { dedupe_ttl_s };
    const message = createMessage("hello");
    const again = async (afterMs: number) => {
      jumpMs = afterMs;
      const prune = running.all(JobKinds).find(({ kind }) => kind === "gateway.prune");
      await prune?.run({}, { log: () => {} } as unknown as JobContext);
      return (await running.get(Gateway).accept(message)).duplicated;
    };
    expect([await again(0), await again(early), await again(late)]).toEqual([false, true, false]);
    await idle();
    expect(answered).toEqual(["hello", "hello"]);
  });

  test("are no copies after their time, even before a cleanup", async () => {
    const message = createMessage("hello");
    await running.get(Gateway).accept(message);
    jumpMs = 4 * DAY_MS;
    expect(await running.get(Gateway).accept(message)).toMatchObject({ duplicated: false });
    await idle();
  });

  test("that arrive together are stored and run in order, all or none, and are copies all or none", async () => {
    const gateway = running.get(Gateway);
    const [first, second] = [createMessage("first"), createMessage("second")];
    const { dedupeKey = "" } = first;
    await expect(
      gateway.acceptTogether([createMessage("before"), { ...second, sender: undefined as never }]),
    ).rejects.toThrow();
    const stored = await gateway.acceptTogether([first, second]);
    // The key of the one that follows is another message's: neither is stored.
    const torn = gateway.acceptTogether([createMessage("torn"), createMessage("apart", { dedupeKey: dedupeKey })]);
    await expect(torn).rejects.toMatchObject({ code: "conflict" });
    const again = await gateway.acceptTogether([first, second, createMessage("too many")]);
    expect(again.map(({ duplicated }) => duplicated)).toEqual([true, true]);
    expect(again.map(({ traceId }) => traceId)).toEqual(stored.map(({ traceId }) => traceId));
    await idle();
    expect(answered).toEqual(["first", "second"]);
  });

  test("that cannot be stored are rejected", async () => {
    const open = databases.main;
    const { write } = open;
    Object.assign(open, { write: () => Promise.reject(new AppError("unavailable", "the disk is full")) });
    await expect(accept("hello")).rejects.toMatchObject({ code: "unavailable" });
    Object.assign(open, { write });
    expect((await accept("hello")).queued).toBe(true);
    await idle();
    expect(answered).toEqual(["hello"]);
  });

  test("that are not addressed to the bot are stored and not answered", async () => {
    const { traceId, queued } = await accept("among ourselves", { addressed: false });
    expect(queued).toBe(false);
    expect(await outcome(traceId)).toMatchObject({ state: "ignored" });
    expect(answered).toEqual([]);
  });
});

describe("the order of messages", () => {
  test("is preserved within a session while other sessions continue", async () => {
    const gate = Promise.withResolvers<void>();
    answer = async ({ text }) => {
      if (text === "slow") await gate.promise;
      return text;
    };
    await accept("slow");
    await accept("after slow");
    const other = await accept("other", { sessionId: "test:2" });
    await outcome(other.traceId);
    expect(answered).toEqual(["other"]);
    gate.resolve();
    await idle();
    expect(answered).toEqual(["other", "slow", "after slow"]);
  });

  test("is preserved when a message is still being stored while a place becomes free", async () => {
    const busy = Promise.withResolvers<void>();
    const disk = Promise.withResolvers<void>();
    const open = databases.main;
    const { write } = open;
    answer = async ({ text }) => {
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
    await vi.waitFor(() => expect(answered).toHaveLength(4));
    const second = accept("second");
    disk.resolve();
    await Promise.all([first, second]);
    await idle();
    Object.assign(open, { write });
    expect(answered.slice(4)).toEqual(["first", "second"]);
  });

  test("is preserved by stop, which ends the running turn only, unless a message is named", async () => {
    answer = (turn, signal) =>
      turn.text === "talk"
        ? new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
        : Promise.resolve("answered");
    const first = await accept("talk");
    const second = await accept("and then");
    const third = await accept("taken back");
    while (running.get(Gateway).running("test:1") === undefined) await new Promise((resolve) => setImmediate(resolve));
    const gateway = running.get(Gateway);
    expect(await gateway.stop("test:1", third.traceId)).toEqual({ stopped: true, trace_ids: [third.traceId] });
    expect(await gateway.stop("test:1")).toEqual({ stopped: true, trace_ids: [first.traceId] });
    expect(await outcome(first.traceId)).toMatchObject({ state: "stopped" });
    expect(await outcome(second.traceId)).toMatchObject({ state: "answered" });
    expect(await outcome(third.traceId)).toMatchObject({ state: "stopped" });
  });

  test("ends with a deleted session, whose running and waiting turns are removed", async () => {
    answer = (_turn, signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const traces = [(await accept("talk")).traceId, (await accept("and then")).traceId];
    while (running.get(Gateway).running("test:1") === undefined) await new Promise((resolve) => setImmediate(resolve));
    await recordParts(() => running.all(RecordLifecycle), "session").leaving("test:1");
    for (const traceId of traces) expect(await outcome(traceId)).toMatchObject({ state: "stopped" });
  });
});

describe("a crash", () => {
  test("between acknowledgement and answer leaves the message to the next start", async () => {
    answer = untilStopped;
    const { traceId } = await accept("hello");
    while (running.get(Gateway).running("test:1") === undefined) await new Promise((resolve) => setImmediate(resolve));
    // The first service is gone without a word; the second one finds its database.
    answer = async () => "here I am";
    const again = await start();
    expect(await again.get(Gateway).outcome(traceId, AbortSignal.timeout(5000))).toMatchObject({ state: "answered" });
    await again[Symbol.asyncDispose]();
  });

  test("between answer and delivery sends the stored answer, without asking the model again", async () => {
    await accept("hello");
    await idle();
    expect(answered).toEqual(["hello"]);
    await running[Symbol.asyncDispose]();
    running = await start();
    connect();
    await idle();
    expect(sent.map(({ text }) => text)).toEqual(["re: hello"]);
    expect(answered).toEqual(["hello"]);
  });

  test("caused repeatedly by the same message ends its retries", async () => {
    const { itemId, traceId } = await accept("poison", { sessionId: "test:9" });
    await outcome(traceId);
    const tables = databases.main.tables<{
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
    while (running.get(Gateway).running("test:1")?.stage !== "context")
      await new Promise((resolve) => setImmediate(resolve));
  };

  test("is stored with its answer, and announced once that is on disk", async () => {
    const { traceId } = await accept("hello");
    expect(await outcome(traceId)).toMatchObject({ state: "answered" });
    expect(await counts()).toEqual({ said: 1, answered: 2, spent: 1 });
    expect(applied).toEqual(["answered"]);
  });

  test("is not stored when the turn failed, unless it is independent of the reply", async () => {
    answer = () => Promise.reject(new AppError("permission_denied", "no"));
    const { traceId } = await accept("hello");
    expect(await outcome(traceId)).toMatchObject({ state: "failed" });
    expect(await counts()).toEqual({ said: 1, spent: 1 });
    expect(applied).toEqual([]);
  });

  test("is not stored when the turn was stopped before its first word, unless it is independent of the reply", async () => {
    answer = untilStopped;
    const { traceId } = await accept("hello");
    await untilAsked();
    await running.get(Gateway).stop("test:1");
    expect(await outcome(traceId)).toMatchObject({ state: "stopped" });
    expect(await counts()).toEqual({ said: 1, spent: 1 });
    expect(applied).toEqual([]);
  });

  test("is not stored when another worker took over the message meanwhile", async () => {
    const gate = Promise.withResolvers<string>();
    answer = () => gate.promise;
    const { itemId } = await accept("hello");
    await untilAsked();
    const inbox = databases.main.tables<{ inbox: { id: string; runs: number; lease_owner: string } }>();
    await inbox
      .updateTable("inbox")
      .set({ runs: 7, lease_owner: "another process" })
      .where("id", "=", itemId)
      .execute();
    gate.resolve("too late");
    await running.get(Gateway).idle();
    expect((await counts()).answered).toBeUndefined();
  });

  test("is retained with an expensive answer, so that a repeated turn does not ask for it twice", async () => {
    answer = async (_turn, _signal, context) => {
      await context.once("buy", async () => "bought");
      return "it is bought";
    };
    const failing = databases.main.write;
    let rejected = 0;
    databases.main.write = async (writes) => {
      const isEnd = writes.some(({ query }) => query.compile().sql.includes("insert into outbox"));
      // The end of the turn is not stored, nor what would let go of it.
      if (rejected > 1 || (rejected === 0 && !isEnd)) return failing(writes);
      rejected += 1;
      throw new AppError("unavailable", "the disk is full");
    };
    const { traceId } = await accept("buy");
    expect(await outcome(traceId)).toMatchObject({ state: "answered" });
    expect(answered).toEqual(["buy"]);
    expect(await counts()).toMatchObject({ said: 1, answered: 2 });
  });
});

describe("outbound messages", () => {
  test("of a conversation are sent in order, in the parts that the platform accepts", async () => {
    connect(linkThat(receiving.send, { split: (text) => text.split(": ") }));
    await accept("one");
    await accept("two");
    await idle();
    expect(sent.map(({ text, part, parts }) => [text, part, parts])).toEqual([
      ["re", 1, 2],
      ["one", 2, 2],
      ["re", 1, 2],
      ["two", 2, 2],
    ]);
  });

  test("that were delivered only in part are reported as partial", async () => {
    const send: ChannelLink["send"] = async ({ text }) => {
      if (text === "two") throw new DeliveryError("permanent", "no");
      return { quality: "confirmed" };
    };
    connect(linkThat(send, { split: (text) => text.split(": ") }));
    await accept("one");
    await accept("two");
    await idle();
    const partialFailures = events.published.filter(({ payload }) => payload.status === "partial_failed");
    expect(partialFailures.map(({ payload }) => payload.message)).toEqual([
      "1 of 2 parts of the answer were delivered",
    ]);
  });

  test("that were certainly not sent are retried under the same id", async () => {
    const ids: string[] = [];
    const delivered = Promise.withResolvers<void>();
    connect(
      linkThat(async ({ deliveryId }) => {
        ids.push(deliveryId);
        if (ids.length === 1) throw new DeliveryError("throttled", "slow down", { retryAfterMs: 5 });
        delivered.resolve();
        return { quality: "accepted" };
      }),
    );
    await accept("hello");
    await delivered.promise;
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  describe("while the platform's rate limit delays it", () => {
    const states = async () => {
      const tables = databases.main.tables<{ outbox: { state: string } }>();
      return (await tables.selectFrom("outbox").select("state").execute()).map(({ state }) => state);
    };
    /** A platform that delays sends until `open`; `asked` has the signals of the waiting ones. */
    const createHold = () => {
      const asked: AbortSignal[] = [];
      const open = Promise.withResolvers<void>();
      const pace: ChannelLink["pace"] = (_message, signal) => {
        asked.push(signal);
        const { promise, reject } = Promise.withResolvers<void>();
        signal.addEventListener("abort", () => reject(signal.reason));
        return Promise.race([promise, open.promise]);
      };
      return { asked, open: open.resolve, link: linkThat(receiving.send, { pace }) };
    };

    test("an answer is not recorded as being sent, and is sent when its turn comes", async () => {
      const { asked, open, link } = createHold();
      connect(link);
      await outcome((await accept("hello")).traceId);
      await expect.poll(() => asked).toHaveLength(1);
      expect(await states()).toEqual(["pending"]);
      expect(sent).toEqual([]);
      open();
      await idle();
      expect(sent).toHaveLength(1);
      expect(await states()).toEqual(["delivered"]);
    });

    test("a removed connection is no longer waited for, and the answer is sent by the next one", async () => {
      const { asked, link } = createHold();
      const connection = connect(link);
      await outcome((await accept("hello")).traceId);
      await expect.poll(() => asked).toHaveLength(1);
      await connection[Symbol.asyncDispose]();
      expect(asked[0]?.aborted).toBe(true);
      expect(await states()).toEqual(["pending"]);
      connect();
      await expect.poll(() => sent).toHaveLength(1);
      expect(await states()).toEqual(["delivered"]);
    });

    test("a failing rate limiter leaves no unknown outcome, because nothing was sent", async () => {
      let tries = 0;
      const pace = async () => {
        tries += 1;
        if (tries === 1) throw new Error("the line is down");
      };
      connect(linkThat(receiving.send, { pace }));
      await outcome((await accept("hello")).traceId);
      await expect.poll(() => sent, { timeout: 5_000 }).toHaveLength(1);
      expect(tries).toBe(2);
    });
  });

  test("a message that may have arrived is not repeated blindly", async () => {
    let tries = 0;
    connect(
      linkThat(async () => {
        tries += 1;
        throw new Error("the connection was reset");
      }),
    );
    const { traceId } = await accept("hello");
    await outcome(traceId);
    await idle();
    expect(tries).toBe(1);
    const tables = databases.main.tables<{
      outbox: { state: string; cause: string | null };
    }>();
    expect(await tables.selectFrom("outbox").select(["state", "cause"]).execute()).toEqual([
      { state: "dead", cause: "outcome_unknown" },
    ]);
  });

  test("a delivery may take as long as its adapter declares, and then its outcome is unknown", async () => {
    sendTimeoutMs = 20;
    const { promise: over, resolve } = Promise.withResolvers<void>();
    connect(
      linkThat(
        (_, signal) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener("abort", () => {
              resolve();
              reject(signal.reason);
            }),
          ),
      ),
    );
    const began = performance.now();
    await accept("hello");
    await over;
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test("a platform that cannot report an outcome is queried now and then, never in a loop", async () => {
    let asked = 0;
    const link = linkThat(
      async () => {
        throw new Error("the connection was reset");
      },
      {
        reconcile() {
          asked += 1;
          throw new DeliveryError("not_sent", "not connected");
        },
      },
    );
    connect(link, "reconcile");
    await accept("hello");
    await idle();
    expect(asked).toBe(1);
  });

  test("a message that waits for a connection is sent once there is one, however often it was tried", async () => {
    let isUp = false;
    const { promise: delivered, resolve } = Promise.withResolvers<void>();
    connect(
      linkThat(async (message) => {
        if (!isUp) throw new DeliveryError("not_sent", "not connected");
        sent.push(message);
        if (sent.length === 6) resolve();
        return { quality: "confirmed" };
      }),
    );
    // Five tries in a row in vain: from now on there is one in half a minute.
    for (let n = 1; n <= 6; n += 1) {
      await accept("hello", { sessionId: `test:${n}`, conversation: { id: String(n), isGroup: false } });
    }
    await idle();
    isUp = true;
    const began = performance.now();
    events.publish({ type: "channel_status", durable: true, payload: { channel_id: "test", connected: true } });
    await delivered;
    expect(performance.now() - began).toBeLessThan(400);
  });

  test("an unknown outcome is queried when there is a connection again", async () => {
    let isUp = false;
    const asked = Promise.withResolvers<void>();
    const link = linkThat(
      async () => {
        throw new Error("the connection was reset");
      },
      {
        async reconcile() {
          if (!isUp) throw new DeliveryError("not_sent", "not connected");
          asked.resolve();
          return "delivered";
        },
      },
    );
    connect(link, "reconcile");
    await accept("hello");
    await idle();
    isUp = true;
    const began = performance.now();
    events.publish({ type: "channel_status", durable: true, payload: { channel_id: "test", connected: true } });
    await asked.promise;
    expect(performance.now() - began).toBeLessThan(400);
  });

  test("an idempotent delivery is repeated", async () => {
    let tries = 0;
    const delivered = Promise.withResolvers<void>();
    const link = linkThat(async () => {
      tries += 1;
      if (tries === 1) throw new Error("the connection was reset");
      delivered.resolve();
      return { quality: "confirmed" };
    });
    connect(link, "natural");
    await accept("hello");
    await delivered.promise;
    expect(tries).toBe(2);
  });
});

describe("live events of a reply", () => {
  const pieces = () => events.published.filter(({ type }) => type.startsWith("ai_stream"));

  test("are its words as they are generated, numbered without a gap, and the end", async () => {
    answer = async () => "one two three";
    await outcome((await accept("hello")).traceId);
    const [first, ...rest] = pieces();
    expect(first).toMatchObject({ type: "ai_stream_start", session_id: "test:1" });
    const chunks = rest.filter(({ type }) => type === "ai_stream_chunk");
    expect(chunks.map(({ payload }) => payload.index)).toEqual(chunks.map((_, index) => index));
    expect(chunks.map(({ payload }) => payload.chunk).join("")).toBe("one two three");
    expect(pieces().at(-1)).toMatchObject({ type: "ai_stream_end", payload: { finish_reason: "stop" } });
  });

  test("contain nothing that a rule may still change; then the rest at once", async () => {
    isScreening = true;
    answer = async () => "the secret word";
    await outcome((await accept("hello")).traceId);
    const chunks = pieces().filter(({ type }) => type === "ai_stream_chunk");
    expect(chunks.map(({ payload }) => payload.chunk)).toEqual(["the word"]);
    expect(JSON.stringify(events.published)).not.toContain("secret");
  });

  test("contain a failure once, without internal details", async () => {
    answer = async () => {
      throw new Error("SELECT secret FROM somewhere");
    };
    const { traceId } = await accept("hello", { source: "web", channelId: "web", sessionId: "sess_1" });
    expect(await outcome(traceId)).toMatchObject({
      state: "failed",
      error: { code: "internal", error: "the message could not be answered" },
    });
    const turnErrors = events.published.filter(({ type }) => type === "turn_error");
    expect(turnErrors).toHaveLength(1);
    expect(JSON.stringify(turnErrors)).not.toContain("SELECT");
  });
});

describe("a clock that jumps", () => {
  test("back and forward an hour loses and duplicates nothing and preserves the order", async () => {
    connect();
    const traces: string[] = [];
    for (const [n, jump] of [0, -3_600_000, 3_600_000, -7_200_000, 0].entries()) {
      jumpMs = jump;
      traces.push((await accept(`message ${n}`)).traceId);
    }
    expect(new Set(traces).size).toBe(5);
    for (const traceId of traces) expect(await outcome(traceId)).toMatchObject({ state: "answered" });
    await running.get(Gateway).idle();
    expect(sent.map(({ text }) => text)).toEqual([0, 1, 2, 3, 4].map((n) => `re: message ${n}`));
  });
});

describe("a task that waits for a turn", () => {
  const order = (taskId: string) =>
    running.get(Gateway).submit({ kind: "custom", taskId, trigger: "schedule", metadata: {} });

  test("occupies no worker slot, so that more tasks than slots all end", async () => {
    const tasks = Array.from({ length: 8 }, (_, n) => `task-${n}`);
    const orders = await Promise.all(tasks.map(order));
    const outcomes = orders.map(({ traceId }) => running.get(Gateway).outcome(traceId, AbortSignal.timeout(5_000)));
    expect((await Promise.all(outcomes)).map(({ state }) => state)).toEqual(tasks.map(() => "answered"));
    expect(answered.toSorted()).toEqual(tasks.map((task) => `from ${task}`));
  });

  test("lets messages of people run first", async () => {
    const hold = Promise.withResolvers<void>();
    answer = async ({ text }) => {
      if (text.startsWith("from")) await hold.promise;
      return text;
    };
    const { traceId: asked } = await order("one");
    const { traceId } = await accept("hello");
    expect(await running.get(Gateway).outcome(traceId, AbortSignal.timeout(5_000))).toMatchObject({
      state: "answered",
    });
    hold.resolve();
    expect(await running.get(Gateway).outcome(asked, AbortSignal.timeout(5_000))).toMatchObject({ state: "answered" });
  });
});

describe("an edit or a deletion of a message", () => {
  const of = (platformMessageId: string, more: Partial<InboundMessage> = {}) => ({ platformMessageId, ...more });
  beforeEach(() => void connect());
  /** Keeps the session busy until released. */
  const busySession = async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    answer = async ({ text }) => {
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
    expect(answered).toEqual(answers);
    expect(sent.map(({ text }) => text)).toEqual(answers.map((text) => `re: ${text}`));
  });

  test("that waits after a restart reaches its turn", async () => {
    const letGo = await busySession();
    await accept("old", of("p1"));
    await accept("gone", of("p2"));
    await accept("new", of("p1", { kind: "edit" }));
    await accept("", of("p2", { kind: "recall", sender: { id: "", name: "", isAdmin: false } }));
    await vi.waitFor(async () => expect(running.get(Gateway).waiting("test:1")).toBe(3));
    const stopping = running[Symbol.asyncDispose]();
    letGo();
    await stopping;
    answered = [];
    running = await start();
    await idle();
    expect(answered).toContain("new");
    expect(answered.filter((text) => text === "old" || text === "gone")).toEqual([]);
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
    answer = (turn, signal) => {
      begun.resolve();
      return untilStopped(turn, signal);
    };
    const { traceId } = await accept("never mind", of("p1"));
    await begun.promise;
    await accept("", of("p1", { kind: "recall" }));
    expect(await outcome(traceId)).toMatchObject({ state: "stopped" });
    await idle();
    expect(sent).toEqual([]);
  });

  test("that is being answered stops its turn even when the model ignores the abort", async () => {
    const letGo = await busySession();
    await accept("", of("p0", { kind: "recall" }));
    letGo();
    await idle();
    expect(sent).toEqual([]);
  });

  test("of another message stops nothing", async () => {
    const letGo = await busySession();
    await accept("", of("p9", { kind: "recall" }));
    letGo();
    await idle();
    expect(sent.map(({ text }) => text)).toEqual(["re: long"]);
  });
});

describe("a reload during an answer", () => {
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);
  const connect = () => running.get(Gateway).connect(channel, linkThat(receiving.send), "none");
  const answers = () => sent.map(({ text }) => text).filter((text) => text === "Because.");
  let release: (text: string) => void;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { promise, resolve } = Promise.withResolvers<string>();
    release = resolve;
    answer = (turn, signal) => Promise.race([untilStopped(turn, signal), promise]);
  });
  afterEach(() => vi.useRealTimers());
  /** Starts a reload; `isOver` is true once it continues. */
  const reload = () => {
    const seen = { isOver: false };
    void running
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
    await running.get(Gateway).idle();
    expect(answers()).toEqual(["Because."]);
  });

  test("waits for a minute at most; then the answer starts again, and nothing is lost", async () => {
    turnTimeoutS = 600;
    await running[Symbol.asyncDispose]();
    running = await start();
    connect();
    await accept("Why?");
    const seen = reload();
    await pass(59);
    expect(seen.isOver).toBe(false);
    await pass(1);
    expect(seen.isOver).toBe(true);
    vi.useRealTimers();
    await running[Symbol.asyncDispose]();
    answer = async () => "Because.";
    running = await start();
    connect();
    await running.get(Gateway).idle();
    expect(answers()).toEqual(["Because."]);
  });
});

describe("the notice of a slow answer", () => {
  const SLOW = "This is taking longer than usual. One moment, please.";
  const texts = () => sent.map(({ text }) => text);
  const progress = () => events.published.filter(({ type }) => type === "progress_message");
  /** Advances time by this many seconds. */
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);
  const connected = (more: Partial<ChannelLink> = {}) =>
    running.get(Gateway).connect(channel, linkThat(receiving.send, more), "none");
  const failing = (error: AppError) => {
    const times: number[] = [];
    answer = async () => {
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
    answer = (turn, signal) => Promise.race([untilStopped(turn, signal), promise]);
  });
  afterEach(async () => {
    vi.useRealTimers();
    release("Because.");
    await running.get(Gateway).idle();
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
    await running.get(Gateway).stop("test:1", undefined);
    expect((await outcome(traceId)).replies).toEqual([]);
  });

  test("is followed by the answer and nothing else", async () => {
    connected();
    const { traceId } = await accept("Why?");
    await pass(30);
    release("Because.");
    await outcome(traceId);
    await running.get(Gateway).idle();
    expect(texts()).toEqual([SLOW, "Because."]);
  });

  test("is not sent when the answer is there by the time the notice would be stored", async () => {
    connected();
    const write = databases.main.write.bind(databases.main);
    using _write = vi.spyOn(databases.main, "write").mockImplementation(async (writes) => {
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
    await running.get(Gateway).idle();
    expect(texts()).toEqual(["Because."]);
  });

  test("is not sent when the answer is in time, nor where people see it being streamed", async () => {
    connected({ draft: (_place, _id, keep) => ({ update: () => keep("42"), end: async () => "42" }) });
    isStreaming = true;
    const { promise: stopped, resolve } = Promise.withResolvers<string>();
    answer = async (turn, signal, context) => {
      context.emit({ type: "delta", messageId: "msg_1", text: "It is" });
      return Promise.race([untilStopped(turn, signal), stopped]);
    };
    await accept("Why?");
    await accept("Quick?", { sessionId: "test:2", conversation: { id: "2", isGroup: false } });
    await pass(20);
    isStreaming = false;
    resolve("It is so.");
    expect(texts()).toEqual([]);
  });

  test("is sent to those who wait because all worker slots are taken", async () => {
    connected();
    for (let one = 1; one <= 6; one += 1)
      await accept("Why?", { sessionId: `test:${one}`, conversation: { id: `${one}`, isGroup: false } });
    await pass(10);
    expect(sent.map(({ conversation }) => conversation.id).sort()).toEqual(["1", "2", "3", "4", "5", "6"]);
  });

  test("is shown in the console by live events, not by a message", async () => {
    await accept("Why?", { channelId: "web", source: "web", sessionId: "sess_1" });
    await pass(10);
    expect(progress()).toMatchObject([
      { session_id: "sess_1", durable: false, payload: { text: SLOW, level: "info" } },
    ]);
    expect(sent).toEqual([]);
  });

  test("is sent once over all attempts of a turn, before the failure message", async () => {
    connected();
    const times = failing(new AppError("upstream_failed", "the model did not answer"));
    const { traceId } = await accept("Why?");
    await pass(10);
    expect(texts()).toEqual([SLOW]);
    await pass(30);
    expect(await outcome(traceId)).toMatchObject({ state: "failed" });
    await running.get(Gateway).idle();
    expect(texts()).toEqual([SLOW, "Sorry, this could not be answered. Please try again later."]);
    expect(times).toHaveLength(3);
  });

  test("is never sent when a retry would be useless, because the failure is reported at once", async () => {
    connected();
    const times = failing(new AppError("upstream_failed", "the provider rejected the API key", { isLasting: true }));
    const { traceId } = await accept("Why?");
    expect(await outcome(traceId)).toMatchObject({ state: "failed" });
    await running.get(Gateway).idle();
    await pass(60);
    expect(texts()).toEqual(["Sorry, this could not be answered. Please try again later."]);
    expect(times).toHaveLength(1);
  });

  test("is not sent a second time after a restart", async () => {
    connected();
    await accept("Why?");
    await pass(10);
    // The first service is gone without a word; the second one finds its database.
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
