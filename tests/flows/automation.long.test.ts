import {
  fillDetail,
  Gateway,
  LiveEvents,
  type LocalizedError,
  type Message,
  Schedules,
  type Session,
  TransferSections,
} from "@parley/core";
import type { List } from "@parley/core/http";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { testCaller } from "@parley/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { createSampleTools } from "../harness/plugins/sample-tools.ts";

interface Run {
  readonly run_id: string;
  readonly status: string;
  readonly trigger: string;
  readonly result: string;
  readonly error: string | null;
  readonly error_detail: LocalizedError["detail"] | null;
  readonly session_id: string | null;
  readonly trace_id: string;
}
interface Task {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly next_run: string | null;
  readonly run_count: number;
  readonly skipped_count: number;
  readonly recent_runs: readonly Run[];
}

const fake = createFakeChannel();
const hands = createSampleTools();
let parley: Parley;
let api: Client;
let models: ModelServer;
let count = 0;

beforeAll(async () => {
  models = await startModelServer();
  parley = await startParley({ plugins: [fake.plugin, hands.plugin], config: "[mcp]\nadmin = true\n" });
  api = await parley.signIn();
  const model = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${model.id}/apply`, {});
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
  await fake.say("g1", "hello");
  await parley.host.get(Gateway).idle();
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});
beforeEach(() => {
  models.script.length = 0;
  hands.hanging.length = 0;
});

const scriptText = (text: string) => void models.script.push({ kind: "text", text });
const task = (more: object = {}) =>
  api.post<Task>("/api/task-center", { name: `task ${++count}`, prompt: "What is new?", ...more });
const runTask = (id: string) => api.post<Run>(`/api/task-center/${id}/run`, { wait: true });
const listTasks = async (query = "") => (await api.get<List<Task>>(`/api/task-center?limit=500&${query}`)).items;
const findTask = async (id: string) => (await listTasks()).find((item) => item.id === id);
const messages = async (session: string) => (await api.get<List<Message>>(`/api/sessions/${session}/messages`)).items;
const status = async (method: string, path: string, body: object) => (await api.send(method, path, { body })).status;

describe("a task", () => {
  test("is a hidden question in its own conversation, and the answer is its result", async () => {
    const { id } = await task();
    scriptText("Nothing much.");
    const done = await runTask(id);
    expect(done).toMatchObject({ status: "success", result: "Nothing much.", trigger: "manual" });
    expect(await api.get<Session>(`/api/sessions/${done.session_id}`)).toMatchObject({ type: "task" });
    const history = await messages(done.session_id ?? "");
    expect(history).toMatchObject([{ role: "assistant", source: "task_center", content: "Nothing much." }]);
    const all = await api.get<List<Message>>(`/api/sessions/${done.session_id}/messages?include_hidden=true`);
    expect(all.items).toMatchObject([{ role: "user", hidden: true, content: "What is new?" }, {}]);
  });

  test("runs in the conversation of a platform, which receives its answer", async () => {
    const { id } = await task({ target_session_id: "fake:group:g1" });
    scriptText("News!");
    expect(await runTask(id)).toMatchObject({ status: "success" });
    await eventually(() => expect(fake.sent.at(-1)?.text).toBe("News!"));
  });

  test("fails when its conversation was deleted", async () => {
    const { id: session } = await api.post<Session>("/api/sessions", {});
    const { id } = await task({ target_session_id: session });
    await api.send("DELETE", `/api/sessions/${session}`);
    expect(await runTask(id)).toMatchObject({ status: "failed", error: "conversation not found" });
  });

  test("reports the model's failure", async () => {
    const { id } = await task();
    for (let tried = 0; tried < 4; tried += 1) models.script.push({ kind: "status", status: 400, message: "no" });
    const failed = await runTask(id);
    expect(failed).toMatchObject({
      ...{ status: "failed", error: expect.stringMatching(/^the model did not answer: .*\(no\)$/) },
      error_detail: { key: "models.bad_request", params: { status: 400 } },
    });
    expect(fillDetail(failed.error_detail ?? {}, "zh")).toMatch(/\p{Script=Han}/u);
    expect(await findTask(id)).toMatchObject({ status: "failed", last_error: expect.any(String), run_count: 1 });
  });

  test("with a date runs once at its time and is disabled; a manual run does not change that", async () => {
    const { id } = await task({ trigger: "date", config: { run_at: new Date(Date.now() + 1_500).toISOString() } });
    scriptText("by hand");
    await runTask(id);
    expect((await findTask(id))?.enabled).toBe(true);
    scriptText("at its time");
    await eventually(async () => {
      const now = await findTask(id);
      expect(now).toMatchObject({ enabled: false, next_run: null, run_count: 2 });
      expect(now?.recent_runs[0]).toMatchObject({ trigger: "date", result: "at its time", status: "success" });
    });
    expect(await status("POST", `/api/task-center/${id}/toggle`, { enabled: true })).toBe(400);
  });

  test.each([
    [{ trigger: "date" }, "config.run_at", "定时一次的任务必填"],
    [{ trigger: "date", config: { run_at: "2020-01-01T00:00:00Z" } }, "config.run_at", "计划的时间已过"],
    [{ trigger: "cron", config: { cron: "nonsense" } }, "config.cron", "必须是五个字段：分 时 日 月 星期"],
    [{ target_session_id: "sess_none" }, "target_session_id", "没有会话“sess_none”"],
  ])("is rejected with %j", async (more, field, chinese) => {
    const {
      status: code,
      json,
      headers,
    } = await api.send("POST", "/api/task-center", {
      body: { name: "x", prompt: "y", ...more },
    });
    expect([code, json?.error]).toEqual([400, expect.stringMatching(`^${field}: `)]);
    const error = JSON.parse(headers.get("x-parley-error") ?? "{}");
    expect([error.field, fillDetail(error, "zh")]).toEqual([field, chinese]);
  });
});

test("the list shows the heartbeat first, then workflows by name, then tasks by their next time", async () => {
  await api.post("/api/workflows", { name: "b flow", description: "d", trigger: "interval" });
  await api.post("/api/workflows", { name: "a flow", description: "d", trigger: "cron" });
  await api.post("/api/workflows", { name: "by hand", description: "d" });
  const late = await task({ name: "late", config: { interval_minutes: 500 } });
  const soonest = await task({ name: "soonest", config: { interval_minutes: 5 } });
  const off = await task({ name: "off", enabled: false });
  const all = await listTasks("enabled=true");
  const names = all.map(({ name }) => name);
  expect(names.slice(0, 2)).toEqual(["a flow", "b flow"]);
  expect((await listTasks())[0]).toMatchObject({ id: "heartbeat", kind: "heartbeat", editable: false });
  expect(names).not.toContain("by hand");
  expect(names.indexOf("soonest")).toBeLessThan(names.indexOf("late"));
  expect(names).not.toContain("off");
  expect((await listTasks("kind=custom")).map(({ kind }) => kind)).not.toContain("workflow");
  expect(await status("DELETE", "/api/task-center/heartbeat", {})).toBe(400);
  expect(await status("PUT", `/api/task-center/${all[0]?.id}`, { name: "x" })).toBe(400);
  for (const { id } of [late, soonest, off]) await api.send("DELETE", `/api/task-center/${id}`);
});

describe("the heartbeat", () => {
  const beat = () => api.post<Run>("/api/heartbeat/run", { wait: true });
  const write = (content: string) => api.put("/api/heartbeat/content", { content });

  test("sends nothing without a text", async () => {
    await write("  \n");
    const asked = models.requests.length;
    expect(await beat()).toMatchObject({ status: "success", result: "" });
    expect(models.requests.length).toBe(asked);
  });

  test("sends once to every target, a failing one does not stop the others, and it avoids repetition", async () => {
    const { id: session } = await api.post<Session>("/api/sessions", { name: "listens" });
    const targets = ["web", `web:${session}`, "fake:group:g1"];
    expect(await api.put("/api/heartbeat", { targets })).toMatchObject({ targets: ["web", session, "fake:group:g1"] });
    await write("Look at the garden.");
    const events: unknown[] = [];
    const stop = parley.host
      .get(LiveEvents)
      .subscribe(({ type, payload }) => type === "heartbeat" && events.push(payload));
    scriptText("The roses need water.");
    const first = await beat();
    expect(first).toMatchObject({ status: "success", result: "The roses need water." });
    expect(JSON.stringify(models.requests.at(-1)?.body.messages)).toContain("HEARTBEAT_OK");
    await eventually(() => expect(fake.sent.at(-1)?.text).toBe("The roses need water."));
    expect((await messages(session)).map(({ content }) => content)).toEqual(["The roses need water."]);
    expect(events).toMatchObject([{ run_id: first.run_id, content: "The roses need water." }]);
    const sent = fake.sent.length;
    scriptText("The roses  need water.");
    expect(await beat()).toMatchObject({ status: "success", result: "" });
    scriptText("**HEARTBEAT_OK**");
    expect(await beat()).toMatchObject({ status: "success", result: "" });
    expect([fake.sent.length, (await messages(session)).length]).toEqual([sent, 1]);
    // The end of a run is announced even without a message.
    expect(events.slice(1)).toMatchObject([
      { content: "", targets: [] },
      { content: "", targets: [] },
    ]);
    stop();

    await api.send("DELETE", `/api/sessions/${session}`);
    scriptText("A cat came by.");
    const unsent = await beat();
    expect(unsent).toMatchObject({
      status: "failed",
      result: "A cat came by.",
      error: expect.stringContaining(`not sent to 1 of 2: ${session}`),
    });
    expect(fillDetail(unsent.error_detail ?? {}, "zh")).toBe(`2 个目标中有 1 个未送达：${session}：找不到“${session}”`);
    await eventually(() => expect(fake.sent.at(-1)?.text).toBe("A cat came by."));
    await api.put("/api/heartbeat", { targets: [] });
  });

  test("in a conversation of a platform may stay silent, too", async () => {
    await api.put("/api/heartbeat", { target_session_id: "fake:group:g1" });
    const sent = fake.sent.length;
    scriptText("HEARTBEAT_OK");
    expect(await beat()).toMatchObject({ status: "success", result: "" });
    scriptText("It rains.");
    await beat();
    await eventually(() => expect(fake.sent.slice(sent).map(({ text }) => text)).toEqual(["It rains."]));
    await api.put("/api/heartbeat", { target_session_id: null });
  });

  test("stores its texts in files, each replaced as a whole on the current revision", async () => {
    await write("one");
    const { etag } = await api.get<{ etag: string }>("/api/heartbeat/content");
    const put = (ifMatch: string) =>
      api.send("PUT", "/api/heartbeat/content", { body: { content: "two" }, headers: { "if-match": `"${ifMatch}"` } });
    expect((await put(etag)).status).toBe(200);
    expect((await put(etag)).status).toBe(409);
    expect(await api.get("/api/heartbeat/content?file=none.md")).toMatchObject({ content: "", exists: false });
    for (const file of ["../x.md", "a/b.md", ".x.md", "x.txt", `${"x".repeat(80)}.md`]) {
      expect(await status("PUT", "/api/heartbeat/content", { content: "x", file }), file).toBe(400);
    }
    await write("");
  });

  test("is rejected with a target that is no conversation", async () => {
    for (const targets of [["nobody"], ["sess_none"], ["web", "web"]]) {
      expect(await status("PUT", "/api/heartbeat", { targets }), String(targets)).toBe(400);
    }
    expect(await status("PUT", "/api/heartbeat", { content_file: "../../etc/passwd.md" })).toBe(400);
    expect(await status("PUT", "/api/heartbeat", {})).toBe(400);
  });
});

describe("a due run", () => {
  const runDue = async (id: string) => {
    await parley.host.get(Schedules).run(`automation.${id}`);
    await eventually(async () =>
      expect((await parley.host.get(Schedules).get(`automation.${id}`)).last_job?.status).toBe("done"),
    );
  };

  test("is skipped and counted while another run is active", async () => {
    const steps = [{ id: "hang", action: "tool", input: { name: "hand_hang" } }];
    const draft = { name: "hangs", description: "d", steps, trigger: "interval" };
    const { id } = await api.post<{ id: string }>("/api/workflows", draft);
    const { run_id } = await api.post<Run>(`/api/workflows/${id}/execute`, {});
    await eventually(() => expect(hands.hanging).toHaveLength(1));
    await runDue(id);
    expect(await api.get<Task>(`/api/workflows/${id}`)).toMatchObject({
      skipped_count: 1,
      run_count: 0,
      status: "running",
    });
    await api.post(`/api/runs/${run_id}/cancel`, {});
  });

  test("is skipped while automation is off, and caught up afterwards", async () => {
    await api.put("/api/settings", { features: { workflow: false } });
    const { id } = await task();
    await runDue(id);
    expect(await findTask(id)).toMatchObject({ run_count: 0, skipped_count: 1 });
    scriptText("by hand it works");
    expect(await runTask(id)).toMatchObject({ status: "success" });
    await runDue(id);
    scriptText("made up");
    await api.put("/api/settings", { features: { workflow: true } });
    await eventually(async () =>
      expect((await findTask(id))?.recent_runs[0]).toMatchObject({ result: "made up", trigger: "interval" }),
    );
    expect(await findTask(id)).toMatchObject({ run_count: 2, skipped_count: 2 });
  });
});

test("another program runs a stored task by its id, once, and its trace shows the result", async () => {
  const { id } = await task();
  scriptText("for the program");
  const order = { kind: "custom", taskId: id, trigger: "mcp", metadata: {} } as const;
  const { runId, traceId } = await parley.host.get(Gateway).submit(order);
  await eventually(async () =>
    expect((await api.get<{ run: Run }>(`/api/runs/${runId}`)).run).toMatchObject({
      status: "success",
      trigger: "mcp",
    }),
  );
  await eventually(async () => {
    const { items } = await api.get<{ items: readonly { status: string; type: string }[] }>(
      `/api/gateway/logs?trace_id=${traceId}`,
    );
    expect(items.map((row) => row.status)).toEqual(expect.arrayContaining(["received", "completed"]));
  });
  await expect(parley.host.get(Gateway).submit({ ...order, taskId: "task_none" })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("schedules are named after what they start, in both languages", async () => {
  const { id } = await task();
  const { items } = await api.get<List<{ id: string; titles: object }>>("/api/schedules?limit=500");
  const titles = new Map(items.map((item) => [item.id, item.titles]));
  expect(titles.get("automation.heartbeat")).toEqual({ en: "Start the scheduled heartbeat", zh: "按时启动心跳" });
  expect(titles.get(`automation.${id}`)).toEqual({
    en: "Start a scheduled workflow or task",
    zh: "按时启动工作流或任务",
  });
});

test("the calendar shows future runs with their times", async () => {
  const { id } = await task({ trigger: "cron", config: { cron: "30 6 * * *", timezone: "Asia/Tokyo" } });
  const { items } = await api.get<{ items: readonly { id: string; times: readonly string[] }[] }>(
    "/api/automation/calendar?days=3",
  );
  const times = items.find((item) => item.id === id)?.times ?? [];
  expect(times.length).toBe(3);
  expect(times.every((time) => time.endsWith("T21:30:00.000Z"))).toBe(true);
});

interface Planned {
  readonly id: string;
  readonly times: readonly string[];
  readonly spans: readonly {
    readonly from: string;
    readonly to: string;
    readonly count: number;
    readonly every_ms: number;
  }[];
  readonly more: boolean;
}

test.each([
  ["an interval of five minutes", { trigger: "interval", config: { interval_minutes: 5 } }, 5, 2016],
  ["a cron line for every five minutes", { trigger: "cron", config: { cron: "*/5 * * * *" } }, 5, 2016],
  ["a cron line for every minute", { trigger: "cron", config: { cron: "* * * * *" } }, 1, 10_080],
])("the calendar contains all runs of a week: %s is one span", async (_what, draft, minutes, count) => {
  const { id } = await task(draft);
  const { items } = await api.get<{ items: readonly Planned[] }>("/api/automation/calendar?days=7");
  const planned = items.find((item) => item.id === id);
  expect(planned).toMatchObject({ more: false, spans: [{ every_ms: minutes * 60_000 }] });
  expect(planned?.times).toHaveLength(50);
  const [span] = planned?.spans ?? [];
  // Plus or minus one, depending on the start of the week.
  expect(Math.abs((span?.count ?? 0) - count)).toBeLessThanOrEqual(1);
  expect(Date.parse(span?.to ?? "") - Date.parse(span?.from ?? "")).toBe(((span?.count ?? 0) - 1) * minutes * 60_000);
});

test("the calendar has a span for each day of an office-hours schedule, however many others there are", async () => {
  const { id } = await task({ trigger: "cron", config: { cron: "*/5 9-17 * * *", timezone: "UTC" } });
  const { items } = await api.get<{ items: readonly Planned[] }>("/api/automation/calendar?days=7");
  const planned = items.find((item) => item.id === id);
  expect(planned?.spans.reduce((sum, { count }) => sum + count, 0)).toBe(7 * 9 * 12);
  expect(planned?.spans.filter(({ count }) => count === 108).length).toBeGreaterThanOrEqual(6);
  expect(planned?.more).toBe(false);
});

test("an export contains workflows, tasks and the heartbeat; they are imported disabled", async () => {
  const steps = [{ id: "wait", action: "delay", input: { seconds: 5 } }];
  await api.post("/api/workflows", { name: "travels", description: "d", steps, trigger: "interval" });
  await task({ name: "travels too" });
  await api.put("/api/heartbeat", { enabled: true, interval_minutes: 77 });
  await api.put("/api/heartbeat/content", { content: "Look around." });
  const section = (host: Parley["host"], id: string) => {
    const found = host.all(TransferSections).find((one) => one.id === id);
    if (!found) throw new Error(`there is no section '${id}'`);
    return found;
  };
  await using other = await startParley();
  for (const id of ["workflows", "tasks", "heartbeat"]) {
    const incoming = section(other.host, id);
    const written = JSON.parse(JSON.stringify(await section(parley.host, id).export(testCaller)));
    const { value: part, error } = incoming.schema.validate(written);
    expect(error).toBeUndefined();
    const context = { caller: testCaller, mode: "overwrite" } as const;
    const plan = await incoming.plan(part, context);
    const applied = await incoming.apply(part, plan, context);
    // Conversations of one installation do not exist in the other: a record that refers to them is rejected with a reason.
    const failed = await applied.run();
    expect(
      failed.every((one) => /conversation|tool/.test(one.error)),
      JSON.stringify(failed),
    ).toBe(true);
  }
  const there = await other.signIn();
  const { items } = await there.get<List<Task>>("/api/task-center?limit=500");
  const findImported = (name: string) => items.find((item) => item.name === name);
  expect(findImported("travels")).toMatchObject({ kind: "workflow", enabled: false, next_run: null });
  expect(findImported("travels too")).toMatchObject({ kind: "custom", enabled: false, next_run: null });
  expect(await there.get("/api/heartbeat")).toMatchObject({ enabled: false, interval_minutes: 77, targets: [] });
  expect(await there.get("/api/heartbeat/content")).toMatchObject({ content: "Look around." });
  await api.put("/api/heartbeat", { enabled: false });
});
