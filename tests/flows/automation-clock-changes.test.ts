import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Schedules } from "@parley/core";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createSampleTools } from "../harness/plugins/sample-tools.ts";

// Only the wall clock is set; timers run normally.

const hands = createSampleTools();
const root = mkdtempSync(join(tmpdir(), "parley-times-"));
let models: ModelServer;
let parley: Parley | undefined;
let count = 0;

beforeAll(async () => {
  models = await startModelServer();
});
afterAll(async () => {
  await models[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  hands.written.length = 0;
});
afterEach(async () => {
  await parley?.[Symbol.asyncDispose]();
  parley = undefined;
  vi.useRealTimers();
});

const setClock = (iso: string) => void vi.setSystemTime(new Date(iso));
const forward = (ms: number) => void vi.setSystemTime(Date.now() + ms);

/** Starts a service on the folder at a given time. */
async function startAt(iso?: string): Promise<{ readonly service: Parley; readonly api: Client }> {
  if (iso !== undefined) setClock(iso);
  const service = await startParley({ root, plugins: [hands.plugin] });
  parley = service;
  return { service, api: await service.signIn() };
}
async function stopService() {
  await parley?.[Symbol.asyncDispose]();
  parley = undefined;
}

/** Triggers the check for due schedules, which happens at least once a minute and when a schedule is stored. */
const checkSchedules = ({ host }: Parley) =>
  host.get(Schedules).put({ id: "wakes", kind: "automation.tidy", payload: {}, cron: "0 0 1 1 *" });

interface Record {
  readonly next_run: string | null;
  readonly run_count: number;
  readonly skipped_count: number;
  readonly status: string;
}

const workflow = async (api: Client, cron: string, timezone?: string) => {
  const name = `w${++count}`;
  const steps = [{ id: "a", action: "tool", input: { name: "hand_write", arguments: { text: name } } }];
  const config = { cron, ...(timezone && { timezone }) };
  const { id } = await api.post<{ id: string }>("/api/workflows", {
    name,
    description: "d",
    trigger: "cron",
    config,
    steps,
  });
  return { name, get: () => api.get<Record>(`/api/workflows/${id}`), path: `/api/workflows/${id}` };
};
const withModel = async (api: Client) => {
  const model = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${model.id}/apply`, {});
};
const newTask = async (api: Client, timing: object) => {
  const draft = { name: `t${++count}`, prompt: "What is new?", ...timing };
  const { id } = await api.post<{ id: string }>("/api/task-center", draft);
  const get = async () => {
    const { items } = await api.get<{ items: readonly (Record & { id: string })[] }>("/api/task-center?limit=50");
    const found = items.find((item) => item.id === id);
    if (!found) throw new Error("the task is gone");
    return found;
  };
  return { get, path: `/api/task-center/${id}` };
};
const getRan = (name: string) => hands.written.filter((text) => text === name).length;

/** Waits until everything that was due has ended and the record has the expected fields. */
async function waitForRecord(service: Parley, record: () => Promise<Record>, wanted: Partial<Record>) {
  await checkSchedules(service);
  await eventually(async () => expect(await record()).toMatchObject(wanted));
}

describe("during a change of daylight saving time", () => {
  test("backward, a schedule in the repeated hour runs once", async () => {
    const { service, api } = await startAt("2026-10-25T00:10:00Z");
    const half = await workflow(api, "30 2 * * *", "Europe/Berlin");
    const three = await workflow(api, "0 3 * * *", "Europe/Berlin");
    expect((await half.get()).next_run).toBe("2026-10-25T00:30:00.000Z");
    expect((await three.get()).next_run).toBe("2026-10-25T02:00:00.000Z");
    setClock("2026-10-25T00:30:01Z");
    await waitForRecord(service, half.get, { run_count: 1, next_run: "2026-10-26T01:30:00.000Z" });
    // It is half past two again.
    setClock("2026-10-25T01:30:01Z");
    await checkSchedules(service);
    setClock("2026-10-25T02:00:01Z");
    await waitForRecord(service, three.get, { run_count: 1, next_run: "2026-10-26T02:00:00.000Z" });
    expect([getRan(half.name), getRan(three.name)]).toEqual([1, 1]);
    expect(await half.get()).toMatchObject({ run_count: 1, skipped_count: 0 });
    for (const { path } of [half, three]) await api.send("DELETE", path);
  });

  test("backward, a task of that hour runs once, and one with a date at its own of the two", async () => {
    const { service, api } = await startAt("2026-10-25T00:10:00Z");
    await withModel(api);
    const half = await newTask(api, { trigger: "cron", config: { cron: "30 2 * * *", timezone: "Europe/Berlin" } });
    const later = await newTask(api, { trigger: "date", config: { run_at: "2026-10-25T02:30:00+01:00" } });
    expect((await half.get()).next_run).toBe("2026-10-25T00:30:00.000Z");
    expect((await later.get()).next_run).toBe("2026-10-25T01:30:00.000Z");
    models.script.push({ kind: "text", text: "Nothing." }, { kind: "text", text: "Nothing yet." });
    setClock("2026-10-25T00:30:01Z");
    await waitForRecord(service, half.get, { run_count: 1, next_run: "2026-10-26T01:30:00.000Z", status: "success" });
    expect(await later.get()).toMatchObject({ run_count: 0 });
    // It is half past two again.
    setClock("2026-10-25T01:30:01Z");
    await waitForRecord(service, later.get, { run_count: 1, next_run: null, status: "success" });
    expect(await half.get()).toMatchObject({ run_count: 1, skipped_count: 0, next_run: "2026-10-26T01:30:00.000Z" });
    for (const { path } of [half, later]) await api.send("DELETE", path);
  });

  test("forward, a schedule in the skipped hour runs right after it, once", async () => {
    const { service, api } = await startAt("2027-03-28T00:50:00Z");
    await withModel(api);
    const half = await workflow(api, "30 2 * * *", "Europe/Berlin");
    const task = await newTask(api, { trigger: "cron", config: { cron: "30 2 * * *", timezone: "Europe/Berlin" } });
    expect((await half.get()).next_run).toBe("2027-03-28T01:00:00.000Z");
    expect((await task.get()).next_run).toBe("2027-03-28T01:00:00.000Z");
    models.script.push({ kind: "text", text: "Nothing." });
    setClock("2027-03-28T01:00:01Z");
    await waitForRecord(service, half.get, { run_count: 1, next_run: "2027-03-29T00:30:00.000Z" });
    await waitForRecord(service, task.get, { run_count: 1, next_run: "2027-03-29T00:30:00.000Z", status: "success" });
    expect(getRan(half.name)).toBe(1);
    await api.send("DELETE", half.path);
    await api.send("DELETE", task.path);
  });
});

test("a workflow without its own time zone uses the configured one", async () => {
  const { api } = await startAt("2027-05-01T00:00:00Z");
  const { get, path } = await workflow(api, "0 12 * * *");
  await api.put("/api/settings", { timezone: "Asia/Tokyo" });
  await eventually(async () => expect((await get()).next_run).toBe("2027-05-01T03:00:00.000Z"));
  await api.put("/api/settings", { timezone: "UTC" });
  await eventually(async () => expect((await get()).next_run).toBe("2027-05-01T12:00:00.000Z"));
  await api.send("DELETE", path);
});

describe("when the clock is set", () => {
  test("forward by an hour, outdated runs are skipped, recent ones caught up, and later ones continue", async () => {
    const { service, api } = await startAt("2027-06-01T10:00:30Z");
    const often = await workflow(api, "*/10 * * * *", "UTC");
    const early = await workflow(api, "20 10 * * *", "UTC");
    setClock("2027-06-01T11:00:30Z");
    await waitForRecord(service, often.get, { run_count: 1, next_run: "2027-06-01T11:10:00.000Z" });
    await waitForRecord(service, early.get, { run_count: 0, skipped_count: 1, next_run: "2027-06-02T10:20:00.000Z" });
    expect([getRan(often.name), getRan(early.name)]).toEqual([1, 0]);
    for (const { path } of [often, early]) await api.send("DELETE", path);
  });

  test("back by an hour, nothing runs again, and the next run is on time", async () => {
    const { service, api } = await startAt("2027-07-01T10:59:30Z");
    const hourly = await workflow(api, "0 * * * *", "UTC");
    setClock("2027-07-01T11:00:01Z");
    await waitForRecord(service, hourly.get, { run_count: 1, next_run: "2027-07-01T12:00:00.000Z" });
    setClock("2027-07-01T10:00:30Z");
    await checkSchedules(service);
    setClock("2027-07-01T11:00:30Z");
    await checkSchedules(service);
    setClock("2027-07-01T12:00:01Z");
    await waitForRecord(service, hourly.get, { run_count: 2, next_run: "2027-07-01T13:00:00.000Z" });
    expect(getRan(hourly.name)).toBe(2);
    await api.send("DELETE", hourly.path);
  });
});

test("a run scheduled for the minute of a restart runs once, however often the service starts", async () => {
  const first = await startAt("2027-08-01T07:59:00Z");
  const { name, path } = await workflow(first.api, "0 8 * * *", "UTC");
  await stopService();
  setClock("2027-08-01T08:00:20Z");
  const second = await startAt();
  const record = () => second.api.get<Record>(path);
  await waitForRecord(second.service, record, { run_count: 1, skipped_count: 0, next_run: "2027-08-02T08:00:00.000Z" });
  await stopService();
  forward(10_000);
  const third = await startAt();
  await waitForRecord(third.service, () => third.api.get<Record>(path), { run_count: 1, skipped_count: 0 });
  await stopService();
  // Longer ago than missed runs are caught up.
  setClock("2027-08-02T08:06:00Z");
  const late = await startAt();
  const wanted = { run_count: 1, skipped_count: 1, next_run: "2027-08-03T08:00:00.000Z" };
  await waitForRecord(late.service, () => late.api.get<Record>(path), wanted);
  expect(getRan(name)).toBe(1);
});
