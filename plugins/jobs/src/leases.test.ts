import {
  AppError,
  type Clock,
  type Databases,
  fixedStatement,
  type JobKind,
  type JobOutcome,
  systemClock,
} from "@parley/core";
import { createTestClock, memoryDatabases } from "@parley/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createJobStore, LEASE_MS } from "./store/job-store.ts";
import { createGate, type SetupOptions, startJobs } from "./test-setup.ts";

const services: Awaited<ReturnType<typeof startJobs>>[] = [];
const start = async (options: SetupOptions) => {
  const service = await startJobs(options);
  services.push(service);
  return service;
};
let databases: Databases;
beforeEach(() => {
  databases = memoryDatabases();
});
afterEach(async () => {
  for (const service of services.splice(0)) await service[Symbol.asyncDispose]();
});

/** Simulates a process that claimed a job and ended. */
async function claimBy(owner: string, clock: Clock = systemClock) {
  const store = createJobStore({ database: () => databases.main, clock, owner, isShared: () => false });
  await store.recover(true);
  await store.claim(new Map([["test.work", 1]]));
  return store;
}

/** Stores a job while no process runs jobs. */
async function stored(kind: NonNullable<SetupOptions["kind"]> = {}): Promise<string> {
  const service = await startJobs({ databases, kind });
  const jobId = await service.add("left", { runAt: Date.now() + 3_600_000 });
  await service[Symbol.asyncDispose]();
  const store = createJobStore({
    database: () => databases.main,
    clock: systemClock,
    owner: "x",
    isShared: () => false,
  });
  await store.rerun(jobId, false);
  return jobId;
}

describe("a job whose process ended", () => {
  test("runs at the next start at once, as the same attempt", async () => {
    const jobId = await stored();
    await claimBy("gone");
    const service = await start({ databases });
    expect(await service.became(jobId, "done")).toMatchObject({ failures: 0 });
    expect(service.work.ran[0]?.context).toMatchObject({ attempt: 1, isRepeated: true });
  });

  test("that ended three times while it ran is dead, until a person runs it again", async () => {
    const jobId = await stored();
    for (const owner of ["one", "two", "three"]) await claimBy(owner);
    const service = await start({ databases });
    const { error } = await service.became(jobId, "dead");
    expect(error).toMatchObject({ code: "crash_loop", detail: { key: "jobs.crash_loop" } });
    expect(service.work.ran).toEqual([]);
    await service.jobs.retry(jobId);
    await service.became(jobId, "done");
  });

  test("that ended three times while it ran has no secrets left", async () => {
    const kind = { secrets: ["name"] };
    const jobId = await stored(kind);
    for (const owner of ["one", "two", "three"]) await claimBy(owner);
    const service = await start({ databases, kind });
    expect(await service.became(jobId, "dead")).toHaveProperty("payload", {});
  });

  test.each([
    [
      "ended three times while it ran",
      "dead",
      "crash_loop",
      async () => {
        for (const owner of ["one", "two", "three"]) await claimBy(owner);
      },
    ],
    [
      "was asked to end",
      "canceled",
      undefined,
      async () => {
        const store = await claimBy("gone");
        const [running] = await databases.main.lookup<{ id: string }>(
          fixedStatement("select id from jobs where state = 'running'", []),
        );
        expect(await store.cancel(running?.id ?? "")).toBe("asked");
      },
    ],
  ] as const)("and that %s has the effects of its end, once", async (_, status, code, leave) => {
    const jobId = await stored();
    await leave();
    const outcomes: JobOutcome[] = [];
    const mark = fixedStatement("update jobs set priority = priority + 1 where id = ?", [jobId]);
    const ended: JobKind["ended"] = (_payload, outcome) => [
      { writes: [{ query: mark }], applied: ([result]) => void (result?.changes === 1 && outcomes.push(outcome)) },
    ];
    const service = await start({ databases, kind: { ended } });
    expect(await service.became(jobId, status)).toMatchObject({ priority: 1 });
    expect(outcomes).toMatchObject([{ jobId, status, error: code === undefined ? null : { code } }]);
  });

  test("keeps its lease while others may use the same database, and is taken over when it expires", async () => {
    const jobId = await stored();
    const clock = createTestClock(Date.now());
    await claimBy("gone", clock);
    const service = await start({ databases: { ...databases, isShared: true }, clock });
    clock.advance(LEASE_MS - 1_000);
    await service.became(await service.add("another"), "done");
    expect((await service.jobs.get(jobId)).status).toBe("running");
    clock.advance(2_000);
    await service.add("and another");
    await service.became(jobId, "done");
  });
});

test("a run that lost its job to another process is aborted, begins no step, and stores nothing", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const service = await start({ databases });
    const reasons: unknown[] = [];
    const rejected: unknown[] = [];
    service.work.run = async (_name, { signal, once }) => {
      await createGate()
        .wait(signal)
        .catch((reason) => reasons.push(reason));
      await once("send", async () => reasons.push("sent")).catch((error) => rejected.push(error));
    };
    const jobId = await service.add("one");
    await service.became(jobId, "running");
    const other = createJobStore({
      database: () => databases.main,
      clock: systemClock,
      owner: "other",
      isShared: () => true,
    });
    await other.recover(true);
    const [taken] = await other.claim(new Map([["test.work", 1]]));
    await vi.advanceTimersByTimeAsync(5_000);
    await vi.waitFor(() => expect(rejected).toHaveLength(1));
    expect(reasons).toEqual([expect.objectContaining({ message: "the job belongs to another process by now" })]);
    expect(await service.jobs.get(jobId)).toMatchObject({ status: "running", steps: [] });
    await other.end(taken ?? { id: "", runs: 0 }, { state: "done", progress: null, text: "" }, [], []);
    expect((await service.jobs.get(jobId)).status).toBe("done");
  } finally {
    vi.useRealTimers();
  }
});

test("a storage that rejects writes for a while is waited for", async () => {
  let isBroken = false;
  const flaky: Databases = {
    ...databases,
    main: {
      ...databases.main,
      write: (writes) =>
        isBroken ? Promise.reject(new AppError("unavailable", "the disk is full")) : databases.main.write(writes),
    },
  };
  const service = await start({ databases: flaky });
  const hold = createGate();
  service.work.run = (_name, { signal }) => hold.wait(signal);
  const jobId = await service.add("one");
  await service.became(jobId, "running");
  isBroken = true;
  hold.open();
  await new Promise((resolve) => setImmediate(resolve));
  expect((await service.jobs.get(jobId)).status).toBe("running");
  isBroken = false;
  await service.became(jobId, "done");
  expect(service.work.ran).toHaveLength(1);
});
