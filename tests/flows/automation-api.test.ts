import { Databases, fixedStatement, LiveEvents, type Session } from "@parley/core";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { openSocket } from "../harness/http/socket.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createSampleTools } from "../harness/plugins/sample-tools.ts";

// The API of workflows, tasks and the heartbeat as programs rely on it: statuses, events, rejections.

const hands = createSampleTools();
let parley: Parley;
let api: Client;
let models: ModelServer;
let count = 0;

interface Run {
  readonly run_id: string;
  readonly status: string;
  readonly result: string;
  readonly error: string | null;
  readonly session_id: string | null;
}
interface Seen {
  readonly type: string;
  readonly session_id?: string;
  readonly durable: boolean;
  readonly payload: Readonly<Record<string, unknown>>;
}

let seen: Seen[] = [];
let stop = () => {};

beforeAll(async () => {
  [models, parley] = await Promise.all([startModelServer(), startParley({ plugins: [hands.plugin] })]);
  api = await parley.signIn();
  const model = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${model.id}/apply`, {});
});
afterAll(async () => {
  await parley?.[Symbol.asyncDispose]();
  await models?.[Symbol.asyncDispose]();
});
beforeEach(() => {
  seen = [];
  hands.hanging.length = 0;
  stop = parley.host.get(LiveEvents).subscribe((event) => void seen.push(event as Seen));
});
afterEach(() => stop());

const scriptText = (text: string) => void models.script.push({ kind: "text", text });
const hang = { id: "hang", action: "tool", input: { name: "hand_hang" } };
const write = (text: string) => ({ id: "a", action: "tool", input: { name: "hand_write", arguments: { text } } });
const workflow = async (steps: readonly object[], more: object = {}) =>
  (await api.post<{ id: string }>("/api/workflows", { name: `r${++count}`, description: "d", steps, ...more })).id;
const task = async (more: object = {}) =>
  (await api.post<{ id: string }>("/api/task-center", { name: `t${++count}`, prompt: "News?", ...more })).id;
const sendRequest = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
  const { status, json } = await api.send(method, path, { ...(body && { body }), ...(headers && { headers }) });
  return { status, data: json?.data as Readonly<Record<string, unknown>> | undefined };
};
const getEvents = (type: string) => seen.filter((event) => event.type === type);
const getNext = async (id: string) => {
  const { items } = await api.get<{ items: readonly { id: string; next_run: string | null }[] }>(
    "/api/task-center?limit=500",
  );
  return items.find((item) => item.id === id)?.next_run;
};

describe("starting a run", () => {
  test("without waiting returns 202 with the run's id; with waiting 200, also when the run failed", async () => {
    const { status, data } = await sendRequest("POST", `/api/workflows/${await workflow([write("x")])}/execute`, {});
    expect([status, Object.keys(data ?? {}).toSorted()]).toEqual([202, ["run_id", "status", "trace_id"]]);
    hands.failures = 1;
    const failing = await workflow([{ id: "f", action: "tool", input: { name: "hand_fail", arguments: {} } }]);
    const waited = await sendRequest("POST", `/api/workflows/${failing}/execute`, { wait: true });
    expect([waited.status, waited.data?.status]).toEqual([200, "failed"]);
  });

  test("by hand is allowed while automation is off, and moves no scheduled time", async () => {
    const id = await workflow([write("by hand")], { enabled: false, trigger: "interval" });
    expect(await api.post<Run>(`/api/workflows/${id}/execute`, { wait: true })).toMatchObject({ status: "success" });
    await api.post(`/api/workflows/${id}/toggle`, { enabled: true });
    const before = await getNext(id);
    expect(before).toEqual(expect.any(String));
    expect(await api.post<Run>(`/api/task-center/${id}/run`, { wait: true })).toMatchObject({ status: "success" });
    expect(await getNext(id)).toBe(before);
    expect(await api.post(`/api/task-center/${id}/toggle`, { enabled: false })).toMatchObject({ next_run: null });
  });
});

test("with a timeout ends a run in the middle of a tool", async () => {
  await api.put("/api/settings", { automation: { run_timeout_s: 17 } });
  const id = await workflow([{ ...hang, timeout_s: 600 }]);
  const sets = globalThis.setTimeout;
  let end = () => {};
  // Fires the timeout of 17 seconds while the tool hangs.
  const spy = vi.spyOn(globalThis, "setTimeout");
  spy.mockImplementation(((work: () => void, ms = 0) => {
    if (ms > 16_000 && ms <= 17_000) end = work;
    return sets(work, ms);
  }) as typeof setTimeout);
  const running = api.post<Run>(`/api/workflows/${id}/execute`, { wait: true }).finally(() => spy.mockRestore());
  await eventually(() => expect(hands.hanging).toHaveLength(1));
  end();
  const run = await running;
  expect(run).toMatchObject({ status: "timed_out", error: "the run took longer than 17 s" });
  const { steps } = await api.get<{ steps: readonly { state: string }[] }>(`/api/runs/${run.run_id}`);
  expect(steps).toMatchObject([{ state: "unknown" }]);
  await api.put("/api/settings", { automation: { run_timeout_s: 600 } });
});

describe("the end of a run", () => {
  test("of a workflow is announced to everybody, with the beginning of its result", async () => {
    scriptText("w".repeat(700));
    const id = await workflow([{ id: "ask", action: "ai", input: { prompt: "Speak." } }], { name: "Speaker" });
    const { run_id } = await api.post<Run>(`/api/workflows/${id}/execute`, { wait: true });
    const [event, ...others] = getEvents("workflow_executed");
    expect(others).toEqual([]);
    expect(event).toMatchObject({ durable: true });
    expect(event?.session_id).toBeUndefined();
    expect(event?.payload).toEqual({
      workflow_id: id,
      workflow_name: "Speaker",
      run_id,
      status: "success",
      result: "w".repeat(500),
    });
  });

  test("of a task updates the task, and of the heartbeat contains its text and targets", async () => {
    const id = await task();
    scriptText("Nothing new.");
    seen.length = 0;
    await api.post(`/api/task-center/${id}/run`, { wait: true });
    expect(
      getEvents("resource_changed").map(({ payload }) => [payload.kind, payload.id, payload.action]),
    ).toContainEqual(["task", id, "updated"]);
    const { id: listens } = await api.post<Session>("/api/sessions", { name: "listens" });
    await api.put("/api/heartbeat", { targets: [listens] });
    await api.put("/api/heartbeat/content", { content: "Look around." });
    scriptText("All is well.");
    const { run_id } = await api.post<Run>("/api/heartbeat/run", { wait: true });
    expect(getEvents("heartbeat")).toMatchObject([
      { durable: true, payload: { run_id, content: "All is well.", targets: [listens] } },
    ]);
    expect(getEvents("session_updated").map(({ payload }) => payload.action)).toContain("heartbeat_completed");
    await api.put("/api/heartbeat/content", { content: "" });
  });

  test("and its steps are live events for subscribers only", async () => {
    using asks = await openSocket(api);
    using quiet = await openSocket(api);
    await asks.ask({ type: "subscribe", topics: ["tasks"] });
    const { run_id } = await api.post<Run>(`/api/workflows/${await workflow([write("told")])}/execute`, { wait: true });
    const isOfRun = (frame: { readonly type: string }) =>
      frame.type === "task_event" && "run_id" in frame && frame.run_id === run_id;
    await asks.next((frame) => isOfRun(frame) && frame.status === "success");
    const rows = asks.frames.filter(isOfRun);
    expect(rows.some(({ step }) => (step as { readonly key?: string } | null)?.key === "a")).toBe(true);
    expect(rows.every(({ seq }) => seq === undefined)).toBe(true);
    await quiet.next(({ type }) => type === "workflow_executed");
    expect(quiet.frames.filter(({ type }) => type === "task_event")).toEqual([]);
  });
});

test("is caused by deleting its workflow, and leaves its conversation", async () => {
  const id = await workflow([hang]);
  const { run_id } = await api.post<Run>(`/api/workflows/${id}/execute`, {});
  await eventually(() => expect(hands.hanging).toHaveLength(1));
  await api.send("DELETE", `/api/workflows/${id}`);
  await eventually(async () =>
    expect((await api.get<{ run: Run }>(`/api/runs/${run_id}`)).run).toMatchObject({ status: "canceled" }),
  );
  const { session_id } = (await api.get<{ run: Run }>(`/api/runs/${run_id}`)).run;
  expect(await api.get<Session>(`/api/sessions/${session_id}`)).toMatchObject({ type: "workflow" });
});

test("records of other kinds are toggled and started in the task center, and edited on their own pages", async () => {
  const id = await workflow([write("x")]);
  for (const other of ["heartbeat", id]) {
    expect((await sendRequest("PUT", `/api/task-center/${other}`, { name: "mine" })).status, other).toBe(400);
    expect((await sendRequest("DELETE", `/api/task-center/${other}`)).status, other).toBe(400);
  }
  expect(await api.post("/api/task-center/heartbeat/toggle", { enabled: true })).toMatchObject({
    kind: "heartbeat",
    enabled: true,
    next_run: expect.any(String),
  });
  expect(await api.post("/api/task-center/heartbeat/toggle", {})).toMatchObject({ enabled: false, next_run: null });
  const heartbeat = await api.get<object>("/api/heartbeat");
  expect(await api.put("/api/heartbeat", { ...heartbeat, interval_minutes: 61 })).toMatchObject({
    interval_minutes: 61,
  });
});

test.each([
  ["workflow", "/api/workflows", () => workflow([])],
  ["task", "/api/task-center", () => task()],
])("a %s that changed meanwhile is not overwritten", async (_, path, make) => {
  const id = await make();
  const stale = await sendRequest("PUT", `${path}/${id}`, { name: "other" }, { "if-match": '"7"' });
  expect(stale.status).toBe(409);
  expect((await sendRequest("PUT", `${path}/${id}`, { name: "other" }, { "if-match": '"1"' })).status).toBe(200);
});

test.each([
  ["POST", "/api/workflows/wf_none/execute", {}],
  ["POST", "/api/workflows/wf_none/toggle", {}],
  ["PUT", "/api/workflows/wf_none", { name: "x" }],
  ["DELETE", "/api/workflows/wf_none", undefined],
  ["POST", "/api/task-center/task_none/run", {}],
  ["POST", "/api/task-center/task_none/toggle", {}],
  ["PUT", "/api/task-center/task_none", { name: "x" }],
  ["DELETE", "/api/task-center/task_none", undefined],
  ["GET", "/api/runs/run_none", undefined],
])("%s %s is 404 for an unknown record", async (method, path, body) => {
  expect((await sendRequest(method, path, body)).status).toBe(404);
});

describe("the heartbeat's settings", () => {
  test("are rejected when they are invalid or based on an older state", async () => {
    const wrong = [
      { interval_minutes: 0 },
      { interval_minutes: 10_081 },
      { content_file: "x.txt" },
      { targets: "web" },
    ];
    const many = { targets: Array.from({ length: 51 }, (_, at) => `imA:group:${at}`) };
    for (const body of [...wrong, many, { target_session_id: "sess_none" }]) {
      expect((await sendRequest("PUT", "/api/heartbeat", body)).status, JSON.stringify(body)).toBe(400);
    }
    const { revision } = await api.get<{ revision: number }>("/api/heartbeat");
    const stale = { "if-match": `"${revision + 5}"` };
    expect((await sendRequest("PUT", "/api/heartbeat", { interval_minutes: 30 }, stale)).status).toBe(409);
  });

  test("restart the interval when they change, and a text from elsewhere does not replace the stored one", async () => {
    const begun = Date.now();
    const { next_run } = await api.put<{ next_run: string }>("/api/heartbeat", { enabled: true, interval_minutes: 30 });
    expect(Date.parse(next_run) - begun).toBeGreaterThanOrEqual(30 * 60_000 - 1_000);
    expect(getEvents("resource_changed").map(({ payload }) => payload.kind)).toContain("heartbeat");
    await api.put("/api/heartbeat/content", { content: "Other.", file: "other.md" });
    expect(await api.get("/api/heartbeat")).toMatchObject({ content_file: "heartbeat.md" });
    expect(await api.get("/api/heartbeat/content")).toMatchObject({ file: "heartbeat.md" });
    expect(await api.put("/api/heartbeat", { enabled: false })).toMatchObject({ next_run: null });
  });
});

describe.each([
  ["workflow", "/api/workflows", () => workflow([])],
  ["task", "/api/task-center", () => task()],
] as const)("of each kind at most 1,000 exist: a further %s", (kind, path, make) => {
  test("is rejected, existing ones can be changed, and a deletion frees a place", async () => {
    const id = await make();
    await using copies = await fillUp(kind, path, id);
    expect(copies.total).toBe(1_000);
    const draft = { name: "one more", description: "d", prompt: "News?" };
    const body = kind === "task" ? draft : { name: draft.name, description: draft.description };
    const { status, json } = await api.send("POST", path, { body });
    expect([status, json?.code, json?.error]).toEqual([409, "conflict", `there are already 1000 ${kind}s`]);
    expect((await sendRequest("PUT", `${path}/${id}`, { name: "changed" })).status).toBe(200);
    await api.send("DELETE", `${path}/${id}`);
    const together = await Promise.all([1, 2].map(() => api.send("POST", path, { body })));
    expect(together.map(({ status }) => status).sort()).toEqual([200, 409]);
    const next = together.find(({ status }) => status === 200)?.json?.data as { readonly id: string };
    await api.send("DELETE", `${path}/${next.id}`);
  });
});

/** Fills the table up to the maximum with copies of one record. */
async function fillUp(kind: "workflow" | "task", path: string, id: string) {
  const { main } = parley.host.get(Databases);
  const count = async () =>
    (await api.get<{ total: number }>(`${path}?limit=1${kind === "task" ? "&kind=custom" : ""}`)).total;
  const missing = 1_000 - (await count());
  const getId = (at: number) => `${id.slice(0, id.indexOf("_"))}_${String(at).padStart(20, "0")}`;
  const tables = [`records_${kind}`, `records_${kind}_data`];
  for (const table of tables) {
    const [row] = await main.lookup<object>(fixedStatement(`select * from ${table} where id = ?`, [id]));
    const rows = Array.from({ length: missing }, (_, at) => ({ ...row, id: getId(at) }));
    await main.write([
      { query: main.tables<Readonly<Record<string, { id: string }>>>().insertInto(table).values(rows) },
    ]);
  }
  return {
    total: await count(),
    async [Symbol.asyncDispose]() {
      for (const table of tables) {
        await main.write([{ query: fixedStatement(`delete from ${table} where id < ?`, [getId(missing)]) }]);
      }
    },
  };
}
