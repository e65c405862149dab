import {
  Databases,
  DeliveryError,
  definePlugin,
  fixedStatement,
  Gateway,
  type LocalizedError,
  TaskKinds,
} from "@parley/core";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

interface Letter {
  readonly item_id: string;
  readonly cause: string;
  readonly error: string;
  readonly error_detail?: LocalizedError["detail"];
  readonly suggested_action: string;
  readonly preview: string;
}

const ran: { readonly taskId: string; readonly runId: string; readonly trigger: string }[] = [];
const chores = definePlugin({
  id: "chores",
  register({ contribute }) {
    contribute(TaskKinds, () => ({
      kind: "custom" as const,
      has: async (taskId) => taskId !== "unknown",
      async run(taskId, { runId, trigger, once }) {
        const times = await once("count", async () => ran.filter((one) => one.taskId === taskId).length + 1);
        ran.push({ taskId, runId, trigger });
        if (taskId === "broken") throw new Error(`broke at the ${times}. time`);
      },
    }));
  },
});
const fake = createFakeChannel();
const plain = createFakeChannel("plain", "none");
let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley({
    plugins: [fake.plugin, plain.plugin, chores],
    // The test's own task kind replaces those of the automation plugin.
    config: "[plugins]\nautomation = off\n",
  });
  api = await parley.signIn();
  for (const { id } of [fake, plain]) await api.post("/api/channels", { id, name: id, type: id, transport: "bridge" });
});
afterAll(() => parley[Symbol.asyncDispose]());
afterEach(() => {
  fake.failures.length = 0;
});

const waitUntilIdle = () => parley.host.get(Gateway).idle();
const letters = async () => (await api.get<{ items: readonly Letter[] }>("/api/gateway/dead-letters")).items;
const listSentTo = (group: string) =>
  [...fake.sent, ...plain.sent].filter(({ conversation }) => conversation.id === group);
const metric = async (name: string) => {
  const { text } = await api.send("GET", "/metrics");
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
};

test("a message costs three commits (receipt, end, delivery) and a share of the event log", async () => {
  const countAsked = async () => {
    // The event log is written in batches; a query waits until it is flushed.
    await api.get("/api/gateway/events?limit=1");
    return (await metric("parley_storage_messages_total")) ?? 0;
  };
  const say = async (text: string) => {
    await fake.say("cost", text);
    await waitUntilIdle();
  };
  // The first message creates the conversation.
  await say("hello");
  const from = await countAsked();
  const looking = (await countAsked()) - from;
  const before = await countAsked();
  for (let n = 0; n < 10; n += 1) await say(`message ${n}`);
  expect(((await countAsked()) - before - looking) / 10).toBeLessThanOrEqual(4);
});

describe("the worker", () => {
  test("stopped: messages are accepted and stored, and the console works; started: they are answered in order", async () => {
    expect(await api.post("/api/gateway/worker/stop", {})).toEqual({
      state: "stopped",
      stopped: true,
      graceful: true,
      remaining: 0,
    });
    for (const text of ["one", "two"]) expect(await fake.say("w", text)).toMatchObject({ queued: true });
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    expect(await api.post(`/api/sessions/${id}/chat`, { content: "still there?" })).toMatchObject({ stopped: false });
    expect(listSentTo("w")).toEqual([]);
    expect(await api.get("/api/gateway/queue/status")).toMatchObject({ worker_state: "stopped", queue_size: 2 });
    expect(await api.get("/api/gateway/health")).toMatchObject({
      status: "degraded",
      components: { worker: { status: "degraded", detail: "stopped by hand" } },
    });

    expect(await api.post("/api/gateway/worker/start", {})).toEqual({ state: "running", started: true });
    await waitUntilIdle();
    expect(listSentTo("w").map(({ text }) => text)).toEqual([
      expect.stringContaining("one"),
      expect.stringContaining("two"),
    ]);
    expect(await api.post("/api/gateway/worker/start", {})).toMatchObject({ started: false });
  });
});

describe("a dead letter", () => {
  test("is listed with its cause, retried once, and removed from the list", async () => {
    fake.failures.push(new DeliveryError("permanent", "bot was kicked"));
    await fake.say("d1", "hello");
    await waitUntilIdle();
    const [letter] = await letters();
    expect(letter).toMatchObject({ cause: "permanent", error: "bot was kicked", suggested_action: "none" });

    const path = `/api/gateway/dead-letters/${letter?.item_id}/retry`;
    expect(await api.post(path, {})).toEqual({ item_id: letter?.item_id, status: "pending" });
    expect(await api.send("POST", path, { body: {} })).toMatchObject({ status: 409 });
    await waitUntilIdle();
    expect(listSentTo("d1")).toHaveLength(1);
    expect(await letters()).toEqual([]);
  });

  test("shows its reason in both languages, and a reason that another node stored without a detail as it is", async () => {
    const detail = { key: "fake.asleep", params: { until: "8:00" }, chinese: "平台休眠至 {until}" };
    fake.failures.push(new DeliveryError("permanent", "asleep until 8:00", { detail }));
    await fake.say("d5", "hello");
    await waitUntilIdle();
    const [letter] = await letters();
    expect(letter).toMatchObject({ error: "asleep until 8:00", error_detail: detail });
    const main = parley.host.get(Databases).main;
    const stores = (error: string) =>
      main.write([{ query: fixedStatement("update outbox set error = ? where id = ?", [error, letter?.item_id]) }]);
    await stores("the channel is closed");
    expect(await letters()).toMatchObject([{ error: "the channel is closed" }]);
    expect(await letters()).toEqual([expect.not.objectContaining({ error_detail: expect.anything() })]);
    await api.post("/api/gateway/dead-letters/discard", { channel_id: "fake", reason: "test" });
  });

  test("is retried only with a confirmation if it may have arrived", async () => {
    plain.failures.push(new DeliveryError("ambiguous", "connection reset"));
    await plain.say("d2", "hello");
    await waitUntilIdle();
    const [letter] = await letters();
    expect(letter).toMatchObject({ cause: "outcome_unknown", suggested_action: "review_duplicate" });
    const path = `/api/gateway/dead-letters/${letter?.item_id}/retry`;
    expect(await api.send("POST", path, { body: {} })).toMatchObject({
      status: 400,
      json: { code: "confirmation_required" },
    });
    await api.post(path, { confirm: true });
    await waitUntilIdle();
    expect(listSentTo("d2")).toHaveLength(1);
  });

  test("is retried in bulk: each result is reported, none stops the others, and repeats are harmless", async () => {
    fake.failures.push(new DeliveryError("permanent", "kicked"), new DeliveryError("permanent", "kicked"));
    plain.failures.push(new DeliveryError("ambiguous", "connection reset"));
    for (const text of ["first", "second"]) await fake.say("b1", text);
    await waitUntilIdle();
    await plain.say("b2", "hello");
    await waitUntilIdle();
    const given = await letters();
    const getId = (text: string) => given.find(({ preview }) => preview.includes(text))?.item_id ?? "";
    const [first, second, maybe] = ["first", "second", "hello"].map(getId) as [string, string, string];
    const path = "/api/gateway/dead-letters/retry";
    const item_ids = ["dlv_unknown", maybe, second, first];
    expect(await api.post(path, { item_ids })).toMatchObject({
      items: [
        { item_id: first, result: "retried" },
        { item_id: second, result: "retried" },
        { item_id: maybe, result: "needs_confirmation", detail: { key: "gateway.may_repeat" } },
        { item_id: "dlv_unknown", result: "gone", detail: { key: "not_found" } },
      ],
      retried: 2,
      needs_confirmation: 1,
      gone: 1,
      failed: 0,
    });
    await waitUntilIdle();
    expect(listSentTo("b1").map(({ text }) => text)).toEqual([
      expect.stringContaining("first"),
      expect.stringContaining("second"),
    ]);
    expect(await api.post(path, { item_ids, confirm: true })).toMatchObject({ retried: 1, gone: 3 });
    await waitUntilIdle();
    expect(listSentTo("b1")).toHaveLength(2);
    expect(listSentTo("b2")).toHaveLength(1);
    const ids = Array.from({ length: 501 }, (_, n) => `dlv_${n}`);
    expect(await api.send("POST", path, { body: { item_ids: ids } })).toMatchObject({ status: 400 });
    expect(await api.post(path, { item_ids: ids.slice(1) })).toMatchObject({ gone: 500 });
  });

  test("is discarded in bulk, and missing ones are skipped", async () => {
    fake.failures.push(...Array.from({ length: 3 }, () => new DeliveryError("permanent", "kicked")));
    for (const text of ["first", "second", "third"]) await fake.say("b3", text);
    await waitUntilIdle();
    const given = await letters();
    // Those of one millisecond are listed in any order.
    const getId = (text: string) => given.find(({ preview }) => preview.includes(text))?.item_id;
    const item_ids = [getId("third"), "dlv_unknown", getId("first")];
    expect(await api.post("/api/gateway/dead-letters/discard", { item_ids, reason: "seen" })).toEqual({ discarded: 2 });
    expect(await letters()).toMatchObject([{ preview: expect.stringContaining("second") }]);
    const both = { item_ids, item_id: "dlv_unknown", reason: "seen" };
    expect((await api.send("POST", "/api/gateway/dead-letters/discard", { body: both })).status).toBe(400);
    await api.post("/api/gateway/dead-letters/discard", { channel_id: "fake", reason: "seen" });
  });

  test("can be discarded with a reason, which its trace shows", async () => {
    fake.failures.push(new DeliveryError("payload", "too long"));
    const { traceId } = await fake.say("d3", "hello");
    await waitUntilIdle();
    expect(await api.post("/api/gateway/dead-letters/discard", { channel_id: "fake", reason: "seen" })).toEqual({
      discarded: 1,
    });
    expect(await letters()).toEqual([]);
    const { events } = await api.get<{ events: readonly { status: string; metadata: { message: string } }[] }>(
      `/api/gateway/logs/trace/${traceId}`,
    );
    expect(events.at(-1)).toMatchObject({ status: "discarded", metadata: { message: "dismissed by admin: seen" } });
  });

  test("is counted by its reason", async () => {
    fake.failures.push(new DeliveryError("permanent", "blocked"));
    const before = (await metric('parley_dropped_total{reason="permanent"}')) ?? 0;
    await fake.say("d4", "hello");
    await waitUntilIdle();
    expect(await metric('parley_dropped_total{reason="permanent"}')).toBe(before + 1);
    await api.post("/api/gateway/dead-letters/discard", { cause: "permanent", reason: "test" });
  });
});

describe("a channel that rejects the credentials", () => {
  test("is retried once at once, then not before it is opened again", async () => {
    fake.failures.push(...Array.from({ length: 2 }, () => new DeliveryError("auth", "token expired")));
    await fake.say("a1", "hello");
    await vi.waitFor(() => expect(fake.failures).toHaveLength(0));
    await fake.say("a2", "hello too");
    await waitUntilIdle();
    expect([...listSentTo("a1"), ...listSentTo("a2")]).toEqual([]);
    await api.post("/api/channels/fake/toggle", { enabled: false });
    await api.post("/api/channels/fake/toggle", { enabled: true });
    await vi.waitFor(() => expect([...listSentTo("a1"), ...listSentTo("a2")]).toHaveLength(2));
    await waitUntilIdle();
  });
});

describe("a conversation whose id changes", () => {
  test("remains the same session, and waiting messages are sent to the new id", async () => {
    const { traceId } = await fake.say("old", "before");
    await waitUntilIdle();
    fake.failures.push(new DeliveryError("migrated", "upgraded", { conversationId: "new" }));
    await fake.say("old", "during");
    await waitUntilIdle();
    expect(listSentTo("new").map(({ text }) => text)).toEqual([expect.stringContaining("during")]);
    await fake.say("new", "after");
    await waitUntilIdle();
    expect(listSentTo("new")).toHaveLength(2);
    const { items } = await api.get<{ items: readonly { content: string; role: string }[] }>(
      "/api/sessions/fake%3Agroup%3Aold/messages",
    );
    expect(items.filter(({ role }) => role === "user").map(({ content }) => content)).toEqual([
      "before",
      "during",
      "after",
    ]);
    expect(traceId).toMatch(/^gw_/);
  });

  test("may be announced by the platform, also twice", async () => {
    await fake.say("first", "one");
    await waitUntilIdle();
    await fake.move("first", "second");
    await fake.move("first", "second");
    await fake.move("second", "third");
    await fake.say("third", "two");
    await waitUntilIdle();
    const { items } = await api.get<{ items: readonly { content: string; role: string }[] }>(
      "/api/sessions/fake%3Agroup%3Afirst/messages",
    );
    expect(items.filter(({ role }) => role === "user").map(({ content }) => content)).toEqual(["one", "two"]);
  });
});

describe("any identifier", () => {
  test("is recognised by its type, and leads to its trace", async () => {
    const { traceId, itemId } = await fake.say("l", "find me", { platformMessageId: "pm-77", dedupeKey: "pm-77" });
    await waitUntilIdle();
    const fetchWhole = () =>
      api.get<{
        deliveries: readonly { id: string; status: string }[];
        timeline: readonly { timeline_type: string }[];
      }>(`/api/gateway/logs/trace/${traceId}`);
    const { timeline, deliveries } = await vi.waitFor(async () => {
      const trace = await fetchWhole();
      expect(trace.timeline.filter(({ timeline_type }) => timeline_type === "event").length).toBeGreaterThan(6);
      return trace;
    });
    expect(deliveries).toMatchObject([{ status: "delivered" }]);
    expect(new Set(timeline.map(({ timeline_type }) => timeline_type))).toEqual(
      new Set(["event", "delivery", "queue_item"]),
    );
    const getKind = async (value: string) =>
      (await api.get<{ best_guess: { type: string } }>(`/api/gateway/logs/lookup/${encodeURIComponent(value)}`))
        .best_guess.type;
    expect(await getKind(traceId)).toBe("trace_id");
    expect(await getKind(itemId)).toBe("queue_item_id");
    expect(await getKind(deliveries[0]?.id ?? "")).toBe("delivery_id");
    expect(await getKind("fake:group:l")).toBe("session_id");
    expect(await getKind("pm-77")).toBe("message_id");
    expect(await getKind("fake")).toBe("channel_id");
    expect(await getKind("local")).toBe("node_id");
    expect(await getKind("nothing")).toBe("unknown");
    for (const id of [itemId, deliveries[0]?.id]) {
      expect(await api.get(`/api/gateway/logs/trace/${id}`)).toMatchObject({ trace_id: traceId });
    }
    expect(await api.get("/api/gateway/logs/trace/gw_nothing")).toMatchObject({
      summary: { has_content: false },
      diagnostics: { reason: expect.any(String) },
    });
  });

  test("this process is listed as a node", async () => {
    expect(await api.get("/api/gateway/nodes")).toMatchObject({
      items: [{ node_id: "local", node_type: "gateway", status: expect.stringMatching(/online|idle/) }],
    });
  });
});

describe("a task", () => {
  const gateway = () => parley.host.get(Gateway);
  const submit = (taskId: string, plannedAt?: string) =>
    gateway().submit({ kind: "custom", taskId, trigger: "schedule", metadata: {}, ...(plannedAt && { plannedAt }) });
  const outcome = (traceId: string) => gateway().outcome(traceId, AbortSignal.timeout(5_000));

  test("runs through the inbox like a message, also while the worker is stopped, and has a trace", async () => {
    await api.post("/api/gateway/worker/stop", {});
    const { traceId, runId } = await submit("chore");
    expect(await outcome(traceId)).toMatchObject({ state: "answered" });
    await api.post("/api/gateway/worker/start", {});
    expect(ran).toContainEqual({ taskId: "chore", runId, trigger: "schedule" });
    const { items } = await vi.waitFor(async () => {
      const found = await api.get<{ items: readonly { status: string; event_type: string; channel_id: string }[] }>(
        `/api/gateway/events/${traceId}`,
      );
      expect(found.items).toHaveLength(4);
      return found;
    });
    expect(items.map(({ status }) => status)).toEqual(["received", "queued", "dispatched", "completed"]);
    expect(items.at(-1)).toMatchObject({ event_type: "internal_task" });
    expect(new Set(items.map(({ channel_id }) => channel_id))).toEqual(new Set(["internal"]));
  });

  test("for one scheduled time runs once, however often it is ordered", async () => {
    const at = "2026-01-01T00:00:00.000Z";
    const orders = await Promise.all(Array.from({ length: 20 }, () => submit("hourly", at)));
    await waitUntilIdle();
    expect(new Set(orders.map(({ runId }) => runId)).size).toBe(1);
    expect(ran.filter(({ taskId }) => taskId === "hourly")).toHaveLength(1);
  });

  test("that fails has a reason; an unknown one is rejected", async () => {
    const { traceId } = await submit("broken");
    expect(await outcome(traceId)).toMatchObject({ state: "failed", error: { code: "internal" } });
    await expect(submit("unknown")).rejects.toMatchObject({ code: "not_found" });
    await expect(
      gateway().submit({ kind: "cron", taskId: "x", trigger: "schedule", metadata: {} }),
    ).rejects.toMatchObject({ code: "not_found" });
  });
});

test("the last hour is shown minute by minute", async () => {
  await fake.say("m", "hello");
  await waitUntilIdle();
  const { items } = await api.get<{ items: readonly Record<string, number>[] }>("/api/gateway/minutes");
  expect(items).toHaveLength(60);
  const sum = (key: string) => items.reduce((total, minute) => total + (minute[key] ?? 0), 0);
  expect(sum("messages_in")).toBeGreaterThan(0);
  expect(sum("answers_out")).toBeGreaterThan(0);
  expect(sum("turn_p99_ms")).toBeGreaterThan(0);
});

test("/metrics has the metrics that an operator needs", async () => {
  const { id } = await api.post<{ id: string }>("/api/sessions", {});
  await api.post(`/api/sessions/${id}/chat`, { content: "hello" });
  const { text } = await api.send("GET", "/metrics");
  const readMetric = (line: string) => {
    const found = text.split("\n").find((one) => one.startsWith(`${line} `));
    return found === undefined ? undefined : Number(found.split(" ").at(-1));
  };
  for (const line of [
    "parley_inbox_waiting",
    "parley_inbox_oldest_seconds",
    'parley_ack_seconds_bucket{le="+Inf"}',
    "parley_turn_seconds_sum",
    "parley_turns_total",
    'parley_model_seconds_bucket{model="offline",le="+Inf"}',
    'parley_model_calls_total{model="offline",result="ok"}',
    'parley_deliveries{state="delivered"}',
    "parley_duplicates_total",
    "parley_filter_seconds_total",
    "parley_filter_regex_timeouts_total",
    'nodejs_eventloop_delay_seconds{quantile="0.99"}',
    "process_resident_memory_bytes",
  ]) {
    expect(readMetric(line), line).toBeGreaterThanOrEqual(0);
  }
  for (const line of ["parley_turns_total", "parley_ack_seconds_count", "parley_model_calls_total"]) {
    expect(
      text.split("\n").some((one) => one.startsWith(line) && Number(one.split(" ").at(-1)) > 0),
      line,
    ).toBe(true);
  }
});

describe("limits", () => {
  test("store a message over the limit without an answer; its sender is notified once", async () => {
    await using limited = await startParley({ plugins: [fake.plugin], isLimited: true });
    const its = await limited.signIn();
    const rate_limits = { user: 3 };
    const channel = { id: "fake", name: "fake", type: "fake", transport: "bridge", config: { rate_limits } };
    await its.post("/api/channels", channel);
    const answers = [];
    for (let n = 1; n <= 5; n += 1) answers.push(await fake.say("r", `number ${n}`));
    await limited.host.get(Gateway).idle();
    expect(answers.map(({ queued }) => queued)).toEqual([true, true, true, false, false]);
    const texts = listSentTo("r").map(({ text }) => text);
    expect(texts.filter((text) => text.startsWith("That was too many"))).toHaveLength(1);
    expect(texts).toHaveLength(4);
    const { dropped, rate_limited, queue } = await its.get<{ dropped: object; rate_limited: number; queue: object }>(
      "/api/gateway/stats",
    );
    expect({ dropped, rate_limited, queue }).toEqual({
      dropped: { rate_limited: 2 },
      rate_limited: 2,
      queue: { pending: 0, processing: 0, completed: 5, failed: 0, dead: 0 },
    });
    const { items } = await vi.waitFor(async () => {
      const found = await its.get<{ items: readonly object[] }>("/api/gateway/events?status=rate_limited");
      expect(found.items).toHaveLength(2);
      return found;
    });
    expect(items[0]).toMatchObject({ level: "warning", user_id: "7" });
    // Duplicates are not counted, and other people are not affected.
    const dan = { sender: { id: "9", name: "Dan", isAdmin: false }, platformMessageId: "x", dedupeKey: "x" };
    for (let copy = 0; copy < 5; copy += 1) await fake.say("r", "again and again", dan);
    expect(await fake.say("r", "another", { sender: dan.sender })).toMatchObject({ queued: true });
    expect(await fake.say("r", "me", { sender: { id: "8", name: "Bob", isAdmin: false } })).toMatchObject({
      queued: true,
    });
    await limited.host.get(Gateway).idle();
  });

  test("of a channel reject a message with a delay, and nothing of it is stored", async () => {
    await using limited = await startParley({ plugins: [fake.plugin] });
    const its = await limited.signIn();
    const config = { rate_limits: { channel: 2 } };
    await its.post("/api/channels", { id: "fake", name: "fake", type: "fake", transport: "bridge", config });
    await fake.say("c", "one");
    await fake.say("c", "two");
    await expect(fake.say("c", "three")).rejects.toMatchObject({ code: "rate_limited" });
    await limited.host.get(Gateway).idle();
    expect(await its.get("/api/gateway/stats")).toMatchObject({ queue: { completed: 2 } });
  });
});

test("without an event log queries explain that, and messages continue", async () => {
  await using bare = await startParley({ plugins: [fake.plugin], config: "[gateway]\nstorage_enabled = false\n" });
  const its = await bare.signIn();
  await its.post("/api/channels", { id: "fake", name: "fake", type: "fake", transport: "bridge" });
  await fake.say("h", "hello");
  await bare.host.get(Gateway).idle();
  expect(listSentTo("h")).toHaveLength(1);
  for (const path of ["events", "events/gw_1", "logs", "logs/trace/gw_1", "logs/lookup/gw_1"]) {
    expect(await its.send("GET", `/api/gateway/${path}`)).toMatchObject({
      status: 503,
      json: { error: expect.stringContaining("storage_enabled") },
    });
  }
  expect(await its.get("/api/gateway/stats")).toMatchObject({
    storage: { enabled: false },
    deliveries: { by_status: { delivered: 1 } },
  });
});
