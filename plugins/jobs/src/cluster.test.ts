import { type Databases, fixedStatement, type Signals } from "@parley/core";
import { memoryDatabases } from "@parley/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createGate, startJobs } from "./test-setup.ts";

let databases: Databases;
let sentSignals: string[];
const running: Awaited<ReturnType<typeof startJobs>>[] = [];
const listeners = new Map<Signals, (key: string) => void>();

beforeEach(() => {
  databases = { ...memoryDatabases(), isShared: true };
  sentSignals = [];
});
afterEach(async () => {
  for (const one of running.splice(0)) await one[Symbol.asyncDispose]();
  listeners.clear();
});

/** Starts one process on the database; with `drained` it is asked to drain. */
async function start(drained?: { isOn: boolean; changed(): void }) {
  const signals: Signals = {
    isShared: true,
    catchUp: async () => {},
    telling: (all) =>
      all.map(({ key }) => {
        sentSignals.push(key);
        for (const [other, tell] of listeners) if (other !== signals) setImmediate(() => tell(key));
        return { query: fixedStatement("select 1", []) };
      }),
    listen(_topic, hear) {
      listeners.set(signals, hear);
      return () => void listeners.delete(signals);
    },
  };
  const nodes = drained && {
    isDraining: () => drained.isOn,
    onDraining(hear: () => void) {
      drained.changed = hear;
      return () => {};
    },
  };
  const started = await startJobs({ databases, signals, kind: { concurrency: 1 }, ...(nodes && { nodes }) });
  running.push(started);
  return started;
}

test("a job beyond the capacity of one process is run by another one, which is notified", async () => {
  const [busy, idle] = [await start(), await start()];
  const { open, wait } = createGate();
  busy.work.run = async (_name, { signal }) => wait(signal);
  await busy.became(await busy.add("long"), "running");
  sentSignals.length = 0;
  await busy.became(await busy.add("short"), "done");
  expect(sentSignals).toContain("waits test.work");
  expect(idle.work.ran.map(({ name }) => name)).toEqual(["short"]);
  open();
});

test("a draining process starts no jobs, until it stops draining", async () => {
  const drained = { isOn: true, changed() {} };
  const [leaving, other] = [await start(drained), await start()];
  await leaving.became(await leaving.add("first"), "done");
  expect(other.work.ran.map(({ name }) => name)).toEqual(["first"]);
  const { open, wait } = createGate();
  other.work.run = async (_name, { signal }) => wait(signal);
  await other.became(await other.add("long"), "running");
  const jobId = await leaving.add("second");
  drained.isOn = false;
  drained.changed();
  await leaving.became(jobId, "done");
  expect(leaving.work.ran.map(({ name }) => name)).toEqual(["second"]);
  open();
});

test("a job with capacity on its own process is not broadcast", async () => {
  const [one] = [await start(), await start()];
  sentSignals.length = 0;
  await one.became(await one.add("short"), "done");
  expect(sentSignals).toEqual([]);
});

test("a run can be cancelled from another process", async () => {
  const [one, other] = [await start(), await start()];
  one.work.run = async (_name, { signal }) => createGate().wait(signal);
  const jobId = await one.add("long");
  await one.became(jobId, "running");
  await other.jobs.cancel(jobId);
  await one.became(jobId, "canceled");
  expect(sentSignals).toContain(`cancel ${jobId}`);
});

test("a schedule of one process is run by the others when it stops", async () => {
  const [one, other] = [await start(), await start()];
  await one.schedules.put({ id: "soon", kind: "test.work", payload: { name: "planned" }, at: Date.now() + 300 });
  expect(sentSignals).toContain("planned soon");
  await running.shift()?.[Symbol.asyncDispose]();
  await vi.waitFor(() => expect(other.work.ran.map(({ name }) => name)).toEqual(["planned"]), { timeout: 4_000 });
});
