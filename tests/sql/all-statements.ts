import Joi from "@hapi/joi";
import {
  AppError,
  Databases,
  DeliveryError,
  definePlugin,
  Files,
  Gateway,
  type InboundMessage,
  JobKinds,
  Jobs,
  jobKind,
  ModelCalls,
  newId,
  newTraceId,
  Schedules,
  Sessions,
  systemClock,
  type TurnOutcome,
} from "@parley/core";
import { expect } from "vitest";
import { createGatewayStore } from "../../plugins/gateway/src/store/gateway-store.ts";
import type { Draft } from "../../plugins/gateway/src/store/turns.ts";
import type { JobEndEffects } from "../../plugins/jobs/src/run/job-end-effects.ts";
import { createJobStore } from "../../plugins/jobs/src/store/job-store.ts";
import type { NewJob } from "../../plugins/jobs/src/store/new-job.ts";
import { createScheduleStore } from "../../plugins/jobs/src/store/schedule-store.ts";
import { OUR_CALLS } from "../endpoints/calls/additional.ts";
import { CALLS } from "../endpoints/calls.ts";
import { fillPath, startWorld, toRequest, type World, type WorldOptions } from "../endpoints/world.ts";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { startEmbeddingServer } from "../harness/servers/embedding-server.ts";

/** Slow calls that change no row. */
const WITHOUT_ROWS = /reload-core|imC-ws/;
const YEAR_MS = 366 * 86_400_000;
const tasks = definePlugin({
  id: "tasks",
  register({ contribute }) {
    contribute(JobKinds, () =>
      jobKind<{ readonly fails: boolean }>({
        kind: "sql.work",
        titles: { en: "Work", zh: "工作" },
        schema: Joi.object({ fails: Joi.boolean().default(false) }),
        retry: { attempts: 2, firstDelayMs: 1, maxDelayMs: 1 },
        async run({ fails }, { once, log, progress }) {
          log("begun");
          progress(0.5, "half");
          await once("step", async () => ({ done: true }));
          const failing = () => Promise.reject(new AppError("unavailable", "not now"));
          if (fails) await once("failing", failing);
        },
      }),
    );
  },
});

/** Runs everything that the service does with rows, in the folder `root`; resolves when the service has stopped. */
export async function runEverything({
  root,
  plugins = [],
  server,
}: WorldOptions & { readonly root: string }): Promise<void> {
  await using world = await startWorld({ plugins: [...plugins, tasks], root, server });
  const { api } = world.seed;
  await runRoutes(world);
  await runConversation(api);
  await runWorldBooks(api);
  await runSearches(api);
  await runPlatform(world);
  await runOperation(world);
  await runVectors(world);
  await runInterruption(world);
  await runDurableJobs(world);
  await runAbandonedJobs(world);
  await runPruning(world);
}

/** Stores vectors, finds them again and prunes them; and checks a token limit. */
async function runVectors({ parley: { host }, seed: { api } }: World): Promise<void> {
  await using server = await startEmbeddingServer((text) => [text.length, 1]);
  const draft = {
    name: "vectors",
    model: "m",
    purpose: "embedding",
    base_url: server.baseUrl,
    token_limit_weekly: 1000,
  };
  const memory = { title: "one", content: "Something that is remembered.", target_id: "imA:user:42" };
  const { id } = await api.post<{ id: string }>("/api/memory", memory);
  await api.post("/api/ai-models", draft);
  await eventually(async () => {
    const { items } = await api.get<{ items: readonly { status: string }[] }>("/api/jobs?kind=memory.vectors");
    expect(items.map(({ status }) => status)).toContain("done");
  });
  await api.send("DELETE", `/api/memory/${id}`);
  const { signal } = new AbortController();
  for (let round = 0; round < 2; round += 1) await host.get(ModelCalls).embed(["one", "two"], { signal });
}

async function runRoutes({ seed }: World): Promise<void> {
  for (const [row, call] of Object.entries({ ...CALLS, ...OUR_CALLS })) {
    if (WITHOUT_ROWS.test(row)) continue;
    const [method = "", path = ""] = row.split(" ");
    const made = (await call.params?.(seed)) ?? {};
    const caller = (await call.caller?.(seed)) ?? seed.api;
    const { status, text } = await caller.send(method, fillPath(path, made), toRequest(call, made));
    if (status >= 500) throw new Error(`${row}: ${status} ${text}`);
    await call.after?.(seed);
  }
}

/** Runs a long conversation of the console: edited, forked, archived, restored, exported and imported. */
/** Runs world book entries that pause: they are counted, counted again, copied and removed. */
async function runWorldBooks(api: Client): Promise<void> {
  const entries = [{ keywords: ["lamp"], content: "A lamp.", cooldown_turns: 3, max_injections_per_session: 5 }];
  const book = await api.post<{ id: string }>("/api/world-books", { name: "Lore", entries });
  const { id } = await api.post<{ id: string }>("/api/sessions", {});
  for (const content of ["the lamp", "the lamp"]) await api.post(`/api/sessions/${id}/chat`, { content });
  await api.post(`/api/sessions/${id}/regenerate`, {});
  const fork = await api.post<{ id: string }>(`/api/sessions/${id}/fork`, {});
  await api.post(`/api/sessions/${fork.id}/chat`, { content: "the lamp" });
  const { items } = await api.get<{ items: readonly { id: string }[] }>(`/api/world-books/${book.id}/entries?q=LAMP`);
  expect(items).toHaveLength(1);
  await api.send("DELETE", `/api/world-books/${book.id}/entries/${items[0]?.id}`);
  await api.send("DELETE", `/api/sessions/${fork.id}`);
  await api.send("DELETE", `/api/world-books/${book.id}`);
}

async function runConversation(api: Client): Promise<void> {
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: "Größe 100%", tags: ['a "tag" \\ 1_2'] });
  const at = `/api/sessions/${id}`;
  const add = async (content: string, more: object = {}) =>
    (await api.post<{ message: { id: string } }>(`${at}/messages`, { content, ...more })).message.id;
  const ids = [await add("First ÄÖÜ"), await add("second 100% \\ done_1", { role: "assistant" })];
  for (let count = 0; count < 6; count += 1) ids.push(await add(`between ${count}`, { insert_index: 1 }));
  ids.push(await add("😀".repeat(120)));
  await api.put(`${at}/messages/${ids[0]}`, { content: "First, again" });
  for (const role of ["system", "user"]) await add(`as ${role}`, { role });
  const [favorite] = await Promise.all([
    api.put<{ id: string }>(`${at}/message-favorites`, { message_ids: ids.slice(0, 2) }),
    api.post(`${at}/chat`, { content: "and now?" }),
  ]);
  await api.put(`${at}/message-favorites`, { message_ids: ids.slice(2, 3), collection_id: favorite.id });
  await api.put(`${at}/message-favorites`, { message_ids: [], collection_id: favorite.id });
  await api.post(`${at}/fork`, { message_id: ids[1] });
  await api.post(`${at}/compress`, { keep_last: 2 });
  await api.post(`${at}/restore-from-archive`, { turns: 1 });
  const { items: live } = await api.get<{ items: readonly { id: string }[] }>(`${at}/messages`);
  await api.put(`${at}/messages/${live[0]?.id}`, { content: "the end", truncate_after: true });
  const exported = await api.send("GET", `${at}/export`);
  await api.post("/api/sessions/import", JSON.parse(exported.text));
  await api.send("GET", "/api/sessions/export");
  const { id: long } = await api.post<{ id: string }>("/api/sessions", { favorite: true, pinned: true });
  const messages = Array.from({ length: 60 }, (_, index) => ({
    role: index % 2 ? "assistant" : "user",
    content: `${index}`,
  }));
  await api.post("/api/sessions/import", { sessions: [{ name: "long", messages, custom_prompt: "be brief" }] });
  const { items } = await api.get<{ items: readonly { id: string }[] }>("/api/sessions?q=LONG");
  for (const one of items) await api.post(`/api/sessions/${one.id}/chat`, { content: "and then?" });
  await api.send("DELETE", `/api/sessions/${long}`);
}

async function runSearches(api: Client): Promise<void> {
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: "Größe 100%", tags: ['a "tag" \\ 1_2'] });
  const at = `/api/sessions/${id}/messages`;
  for (const content of ["Größe 100%", "done_1", "doneX1", "C:\\temp", "gröSSE"]) await api.post(at, { content });
  await api.post("/api/logs", { message: "This is NOT% a test_1" });
  const { items } = await api.get<{ items: readonly { id: string }[] }>(at);
  const [first, last] = [items[0]?.id, items.at(-1)?.id];
  const logs = [
    "level=warning",
    "min_level=info",
    "source=operations",
    "q=NOT%25",
    "trace_id=gw_1",
    "since=2020-01-01T00:00:00Z&until=2100-01-01T00:00:00Z",
  ];
  const gatewayLogs = [
    "source=gateway",
    "type=message",
    "level=info",
    "status=queued",
    "tool_name=x",
    "q=A_B%25%5C",
    "channel_id=web",
  ];
  const events = [
    "channel_id=web",
    "status=queued",
    "event_type=message",
    "trace_id=gw_1",
    "level=info",
    "since=2020-01-01T00:00:00Z",
  ];
  const deliveries = ["channel_id=fake", "status=delivered", "trace_id=gw_1"];
  const given = {
    "/api/sessions": [
      "archived=all",
      "archived=true",
      "type=web",
      "channel_id=web",
      "character_id=c",
      "tag=a%20%22tag%22%20%5C%201_2",
      "favorite=true",
      "pinned=false",
      "q=100%25",
      "limit=2&offset=1",
    ],
    [at]: [
      "order=desc",
      `before=${last}`,
      `after=${first}`,
      "role=user",
      "include_system=true",
      "include_hidden=true",
      "q=100%25",
      "q=%5C",
      "q=DONE_1",
    ],
    "/api/logs": logs,
    "/api/gateway/logs": gatewayLogs,
    "/api/gateway/events": events,
    "/api/gateway/deliveries": deliveries,
    "/api/gateway/dead-letters": ["cause=permanent", "channel_id=fake"],
    "/api/tokens": ["range=day", "range=week"],
    "/api/tokens/export": ["format=csv", "format=json"],
    "/api/stats/messages": ["period=day"],
  };
  for (const [path, queries] of Object.entries(given)) {
    for (const query of ["", ...queries]) {
      const { status, text } = await api.send("GET", `${path}?${query}`);
      if (status !== 200) throw new Error(`${path}?${query}: ${status} ${text}`);
    }
  }
}

/** Runs a broadcast: it starts, pauses, resumes and is deleted. */
async function runBroadcast({ api, fake }: Pick<World["seed"], "api" | "fake">): Promise<void> {
  const at = "/api/broadcasts";
  const narrow = { kind: "group", tag: 'a "tag"', folder: "F", active_days: 3 };
  await api.post(`${at}/preview`, { audience: { channel_ids: [fake.id], session_ids: ["none"], ...narrow } });
  const audience = { channel_ids: [fake.id] };
  const { total } = await api.post<{ total: number }>(`${at}/preview`, { audience });
  const { id } = await api.post<{ id: string }>(at, { text: "news", audience, expected: total, per_minute: 1 });
  await api.post(`${at}/${id}/stop`, {});
  await api.get(at);
  await api.get(`${at}/${id}/recipients?state=waiting`);
  await api.get(`${at}/${id}/recipients`);
  await api.send("POST", `${at}/${id}/continue`, { body: { failed: true } });
  await api.send("POST", `${at}/${id}/stop`, {});
  await api.send("DELETE", `${at}/${id}`);
}

/** Runs events of people and a platform: duplicates, edits, albums, deletions, failures, moved conversations. */
async function runPlatform({ parley, seed: { api, fake, idle } }: World): Promise<void> {
  const say = async (...what: Parameters<typeof fake.say>) => {
    const accepted = await fake.say(...what);
    await idle();
    return accepted;
  };
  for (let copy = 0; copy < 2; copy += 1) await say("g", "hello", { dedupeKey: "k-1", platformMessageId: "p-1" });
  await say("g", "hello, corrected", { kind: "edit", platformMessageId: "p-1", dedupeKey: "k-2" });
  await say("g", "", { kind: "recall", platformMessageId: "p-1", dedupeKey: "k-3" });
  await Promise.all(["one", "two"].map((text) => fake.say("g", text, { album: "a-1" })));
  await idle();
  await api.post("/api/message-filter", { pattern: "forbidden", action: "recall" });
  await say("g", "forbidden");
  fake.failures.push(new DeliveryError("migrated", "upgraded", { conversationId: "h" }));
  await say("g", "to the new place");
  await fake.move("h", "i");
  for (const failure of ["throttled", "not_sent"] as const) {
    fake.failures.push(new DeliveryError(failure, "not now"));
    await say("i", failure);
  }
  await runBroadcast({ api, fake });
  const letters = async () =>
    (await api.get<{ items: readonly { item_id: string }[] }>("/api/gateway/dead-letters")).items;
  for (const end of ["retry", "discard"]) {
    fake.failures.push(new DeliveryError("permanent", "blocked"));
    await say("d", "hello");
    const item_ids = (await letters()).map(({ item_id }) => item_id);
    if (end === "retry") await api.post("/api/gateway/dead-letters/retry", { item_ids, confirm: true });
    else await api.post("/api/gateway/dead-letters/discard", { item_ids, reason: "seen" });
    await idle();
  }
  await api.post("/api/gateway/dead-letters/discard", { channel_id: "fake", reason: "all" });
  const sessions = parley.host.get(Sessions);
  const entry = {
    role: "user",
    content: "earlier",
    attachments: [],
    sender: "Eve",
    senderId: "7",
    source: "fake",
  } as const;
  await sessions.record("fake:group:g", { ...entry, platformMessageId: "p-0", timestamp: "2020-01-01T00:00:00.000Z" });
  const { items } = await sessions.messages("fake:group:g", { order: "asc", limit: 50, offset: 0 });
  await sessions.messagesById(items.map(({ id }) => id));
  await sessions.clear("fake:group:d", { withSession: true });
}

async function runOperation({ parley, seed: { api } }: World): Promise<void> {
  const gateway = parley.host.get(Gateway);
  const { traceId } = await gateway.submit({
    kind: "heartbeat",
    taskId: "heartbeat",
    trigger: "schedule",
    metadata: {},
  });
  await gateway.outcome(traceId, AbortSignal.timeout(10_000));
  await api.send("POST", "/api/logs", { body: { message: "once" }, headers: { "idempotency-key": "k" } });
  await api.get("/api/gateway/nodes");
  for (const tool of ["gateway_get_status", "agent_system_status"]) {
    await api.send("POST", "/api/web-agent/execute", { body: { tool } });
  }
  await api.get(`/api/gateway/logs/lookup/${traceId}`);
  const files = parley.host.get(Files);
  const { id, url } = await files.put(new TextEncoder().encode("kept"), { name: "kept.txt" });
  await files.keep([url]);
  await (await files.open(id)).bytes();
}

/** Runs the recovery of turns that a process interrupted or gave up. */
async function runInterruption({ parley, seed: { api, idle } }: World): Promise<void> {
  const { main } = parley.host.get(Databases);
  const store = createGatewayStore({ main: () => main, history: () => undefined, clock: systemClock });
  const traceId = newTraceId(Date.now());
  const id = newId("qi");
  const where = { channelId: "fake", sessionId: "fake:group:z" };
  const message: InboundMessage = {
    ...where,
    conversation: { id: "z", isGroup: true },
    kind: "message",
    sender: { id: "7", name: "Eve", isAdmin: false },
    text: "are you there?",
    attachments: [],
    addressed: true,
    source: "fake",
  };
  const given = { message, dedupeTtlMs: YEAR_MS };
  await store.insert([{ ...given, id, traceId, dedupeKey: "z-1", nonceKey: "z-n" }]);
  const other = { ...given, id: newId("qi"), traceId: newTraceId(Date.now()), dedupeKey: "z-2", nonceKey: "z-n" };
  await store.insert([other]).catch(() => {});
  await store.insert([{ ...given, id: newId("qi"), traceId: newTraceId(Date.now()), dedupeKey: "z-1" }]);
  const item = { id, traceId, ...where, sinceMs: 0, isFirst: false };
  const turn = { traceId, effects: [], data: {} } as unknown as Draft["turn"];
  const first = await store.claim(item, "one");
  await store.renewLeases([id], "one");
  await store.saveDraft(id, traceId, first.fence, { phase: "answer", turn }, []);
  await store.release(id, first.fence, []);
  await store.claim(item, "one");
  await store.releaseLease(id, "one");
  const { fence } = await store.claim(item, "two");
  const failed = { traceId, state: "failed", replies: [], ruleIds: [] } as unknown as TurnOutcome;
  await store.finish({ itemId: id, fence, state: "dead", cause: "crashed", outcome: failed, hasDraft: true });
  await api.post(`/api/gateway/dead-letters/${id}/retry`, { confirm: true });
  await idle();
}

/** Runs jobs that succeed, fail, wait, are cancelled and repeated, on request and by schedule. */
async function runDurableJobs({ parley, seed: { api } }: World): Promise<void> {
  const [jobs, schedules] = [parley.host.get(Jobs), parley.host.get(Schedules)];
  const runAt = Date.now() + YEAR_MS;
  const add = async (payload: object, options: object = {}) => (await jobs.add("sql.work", payload, options)).jobId;
  const [done, failed] = [await add({}, { key: "a", priority: 3 }), await add({ fails: true })];
  await add({}, { key: "a" });
  const later = await add({}, { runAt });
  await jobs.cancel(later);
  await eventually(async () => {
    expect((await jobs.get(done)).status).toBe("done");
    expect((await jobs.get(failed)).status).toBe("dead");
  });
  await jobs.retry(later, true);
  for (const query of ["", "status=waiting", "status=dead", "kind=sql.work", "q=NOT%20now", "limit=1&offset=1"]) {
    await api.get(`/api/jobs?${query}`);
  }
  const plan = { id: "sql.plan", kind: "sql.work", payload: {} };
  await schedules.put({ ...plan, cron: "0 8 * * *" });
  await schedules.put({ ...plan, cron: "0 8 * * *" });
  await api.put("/api/settings", { timezone: "Asia/Shanghai" });
  await eventually(async () => expect((await schedules.get(plan.id)).next_run).toMatch(/T00:00/));
  const { jobId } = await schedules.run(plan.id);
  await eventually(async () => expect((await jobs.get(jobId)).status).toBe("done"));
  await schedules.setEnabled(plan.id, false);
  await schedules.put({ ...plan, id: "sql.once", at: Date.now() + 100 });
  await eventually(async () => expect(await schedules.get("sql.once")).toMatchObject({ run_count: 1, enabled: false }));
  await api.get("/api/schedules");
  await schedules.remove("sql.once");
}

/** Runs the takeover of jobs from other processes, of a kind no plugin here handles. */
async function runAbandonedJobs({ parley }: World): Promise<void> {
  const { main } = parley.host.get(Databases);
  const isShared = () => true;
  const long = { now: () => Date.now() - YEAR_MS, monotonic: () => 0 };
  const gone = createJobStore({ database: () => main, clock: long, owner: "gone", isShared });
  const kind = "sql.foreign";
  const ends: JobEndEffects = { kinds: () => [kind], getEffects: () => [] };
  const here = createJobStore({ database: () => main, clock: systemClock, owner: "here", isShared, endEffects: ends });
  const ids = ["a", "b", "c"].map((name) => `job_${name}`);
  const job = (id: string): NewJob => ({ id, kind, key: id, priority: 0, dueMs: 1, payload: "{}", traceId: "gw_1" });
  for (const id of ids) await gone.add(job(id));
  await gone.add({ ...job("job_a"), replacesWaiting: true });
  await gone.listHeads(kind, 2);
  const [first, second, third] = await gone.claim(new Map([[kind, 3]]));
  if (!first || !second || !third) throw new Error("nothing was claimed");
  await gone.saveProgress(first, { progress: 10, text: "begun" }, [{ number: 1, atMs: 1, text: "a line", told: null }]);
  await gone.startStep(first, "step");
  await gone.renew([first, second]);
  await gone.cancel(second.id);
  await here.findNextMs();
  await here.recover(false);
  const taken = await here.claim(new Map([[kind, 2]]));
  await here.end(
    taken[0] ?? first,
    { state: "dead", progress: null, text: "", error: { code: "internal", error: "no" } },
    [],
    [],
  );
  await here.rerun(first.id, true);
  await here.promote();
  const schedules = createScheduleStore(
    () => main,
    () => [],
  );
  const row = { id: "sql.foreign", kind, payload: "{}", cron: null, every_ms: 1_000, at_ms: null, timezone: null };
  const counts = { enabled: 1, made_up_within_ms: 1, last_ms: null, last_job_id: null, run_count: 0, skipped_count: 0 };
  await schedules.put({ ...row, ...counts, next_ms: Date.now() + YEAR_MS, created_ms: 1 }, []);
  const plannedMs = (await schedules.find(row.id))?.next_ms ?? 0;
  const addition = here.toAddWrite({ ...job("job_d"), scheduleId: row.id });
  await schedules.fire({ id: row.id, plannedMs, nextMs: plannedMs + 1 }, plannedMs, "job_d", addition);
  await schedules.fire({ id: row.id, plannedMs: plannedMs + 1, nextMs: plannedMs + 2 }, plannedMs, "job_e", addition);
  await schedules.skip({ id: row.id, plannedMs: plannedMs + 2, nextMs: null });
  await gone.prune(Date.now() - YEAR_MS, Date.now() - YEAR_MS, 1);
}

/** Runs the deletion of old rows; none is old here. */
async function runPruning({ parley }: World): Promise<void> {
  const databases = parley.host.get(Databases);
  const history = await databases.open(`${parley.host.data}/gateway.db`, { isHistory: true });
  const parts = { main: () => databases.main, history: () => history, clock: systemClock };
  await createGatewayStore(parts).prune(YEAR_MS);
}
