import Joi from "@hapi/joi";
import { AppError, type Effect, fillDetail, fixedStatement, type JobContext, type Jobs, jobKind } from "@parley/core";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createGate, type SetupOptions, startJobs } from "./test-setup.ts";

let service: Awaited<ReturnType<typeof startJobs>>;
const start = async (options: SetupOptions = {}) => {
  service = await startJobs(options);
  return service;
};
afterEach(() => service[Symbol.asyncDispose]());

describe("a step with a side effect", () => {
  const failing = (then: (context: JobContext) => Promise<void>) => async (_name: string, context: JobContext) => {
    await then(context);
    if (context.attempt < 3) throw new AppError("unavailable", "not yet");
  };

  test("is done once, however often its job runs", async () => {
    const { add, became, work } = await start();
    const sent = vi.fn(async () => ({ receipt: 7 }));
    const receipts: unknown[] = [];
    work.run = failing(async ({ once }) => void receipts.push(await once("send", sent)));
    const { steps } = await became(await add("one"), "done");
    expect(sent).toHaveBeenCalledTimes(1);
    expect(receipts).toEqual([{ receipt: 7 }, { receipt: 7 }, { receipt: 7 }]);
    expect(steps).toEqual([{ name: "send", state: "done" }]);
  });

  test("that throws did not happen and may be tried again", async () => {
    const { add, became, work } = await start();
    const sent = vi.fn(async () => 1).mockRejectedValueOnce(new AppError("unavailable", "closed"));
    work.run = async (_name, { once }) => void (await once("send", sent));
    await became(await add("one"), "done");
    expect(sent).toHaveBeenCalledTimes(2);
  });

  test("that was aborted may have happened: the job is dead until a person confirms that it may be repeated", async () => {
    const { jobs, add, became, work } = await start({
      kind: { timeoutMs: 20, retry: { attempts: 2, firstDelayMs: 1, maxDelayMs: 1 } },
    });
    const sent = vi.fn((signal: AbortSignal) => createGate().wait(signal));
    work.run = async (_name, { once, signal }) => void (await once("send", () => sent(signal)));
    const id = await add("one");
    const { error } = await became(id, "dead");
    const message = "interrupted: it is unknown whether the step 'send' completed";
    expect(error).toMatchObject({ code: "interrupted", error: message });
    expect(fillDetail(error?.detail ?? {}, "zh")).toBe("运行中断，无法确定步骤“send”是否已完成");
    expect(sent).toHaveBeenCalledTimes(1);
    await expect(jobs.retry(id)).rejects.toMatchObject({ code: "confirmation_required" });
    sent.mockImplementation(async () => {});
    await jobs.retry(id, true);
    await became(id, "done");
    expect(sent).toHaveBeenCalledTimes(2);
  });
});

describe("the effects of a job's end", () => {
  const HOUR_MS = 3_600_000;
  /** Creates a job kind that adds a job of another kind at its end. */
  const ending = (jobs: () => Jobs): SetupOptions => ({
    more: [
      jobKind<object>({
        kind: "test.over",
        titles: { en: "o", zh: "o" },
        schema: Joi.object().unknown(),
        run: async () => {},
      }),
    ],
    kind: {
      ended: (payload, { jobId, status, error }) => [
        jobs().effect(
          "test.over",
          { ...(payload as object), jobId, status, why: error?.code },
          { runAt: Date.now() + HOUR_MS },
        ),
      ],
    },
  });
  const ends = async ({ jobs }: Pick<typeof service, "jobs">) => {
    const { items } = await jobs.list({ kind: "test.over", limit: 10, offset: 0 });
    return Promise.all(items.map(async ({ id }) => (await jobs.get(id)).payload));
  };

  test.each([
    ["is done", "done", async () => {}],
    ["is given up", "dead", () => Promise.reject(new AppError("not_found", "it is gone"))],
  ] as const)("are written once, together with it: it %s", async (_, status, run) => {
    const { add, became, work, jobs } = await start(ending(() => service.jobs));
    work.run = run;
    const jobId = await add("one");
    await became(jobId, status);
    expect(await ends({ jobs })).toEqual([
      { name: "one", jobId, status, ...(status === "dead" && { why: "not_found" }) },
    ]);
  });

  test("are written when it is cancelled, whether it waits or runs", async () => {
    const { add, became, work, jobs } = await start(ending(() => service.jobs));
    work.run = (_name, { signal }) => createGate().wait(signal);
    const waiting = await add("waits", { runAt: Date.now() + HOUR_MS });
    await jobs.cancel(waiting);
    expect(await ends({ jobs })).toEqual([{ name: "waits", jobId: waiting, status: "canceled" }]);
    await expect(jobs.cancel(waiting)).rejects.toMatchObject({ code: "conflict" });
    const runs = await add("runs");
    await became(runs, "running");
    await jobs.cancel(runs);
    await became(runs, "canceled");
    expect(await ends({ jobs })).toHaveLength(2);
  });

  test("cannot reject the end, neither by changed data nor by an error of their own", async () => {
    const nothing = fixedStatement("update jobs set kind = kind where id = 'none'", []);
    const flaws: (() => readonly Effect[])[] = [
      () => [{ writes: [{ query: nothing, expect: 1 }] }],
      () => {
        throw new Error("a fault");
      },
    ];
    const { add, became, jobs } = await start({ kind: { ended: () => flaws.shift()?.() ?? [] } });
    await became(await add("one"), "done");
    const id = await add("two", { runAt: Date.now() + HOUR_MS });
    expect(await jobs.cancel(id)).toMatchObject({ status: "canceled" });
    expect(flaws).toEqual([]);
  });
});

describe("secrets of a job", () => {
  const sealed = (run: Parameters<typeof jobKind<{ readonly who: string; readonly key: string }>>[0]["run"]) =>
    jobKind<{ readonly who: string; readonly key: string }>({
      kind: "test.sealed",
      titles: { en: "s", zh: "s" },
      schema: Joi.object({ who: Joi.string().required(), key: Joi.string().required() }),
      retry: { attempts: 2, firstDelayMs: 1, maxDelayMs: 1 },
      secrets: ["key"],
      run,
    });
  const payload = { who: "ann", key: "rosebud" };
  const stored = () => service.databases.main.lookup<object>(fixedStatement("select * from jobs", []));

  test.each([
    ["is done", "done", async () => {}],
    ["is given up after two tries", "dead", () => Promise.reject(new AppError("upstream_failed", "away"))],
  ] as const)("are stored while it may run, and removed when it %s", async (_, status, end) => {
    const seen: string[] = [];
    const { jobs, became } = await start({
      more: [
        sealed(async ({ key }) => {
          seen.push(key);
          expect(JSON.stringify(await stored())).toContain("rosebud");
          await end();
        }),
      ],
    });
    const { jobId } = await jobs.add("test.sealed", payload);
    expect(await became(jobId, status)).toMatchObject({ payload: { who: "ann" }, secrets_gone: true });
    expect(seen).toEqual(status === "done" ? ["rosebud"] : ["rosebud", "rosebud"]);
    expect(JSON.stringify(await stored())).not.toContain("rosebud");
    await expect(jobs.retry(jobId)).rejects.toMatchObject({ code: "conflict" });
  });

  test("are removed when it is cancelled before it ran; until then, it can be run by hand", async () => {
    const { jobs, became } = await start({ more: [sealed(async () => {})] });
    const later = { runAt: Date.now() + 3_600_000 };
    const [one, other] = [await jobs.add("test.sealed", payload, later), await jobs.add("test.sealed", payload, later)];
    await jobs.cancel(one.jobId);
    expect((await jobs.get(one.jobId)).payload).toEqual({ who: "ann" });
    await expect(jobs.retry(one.jobId)).rejects.toMatchObject({ code: "conflict" });
    await jobs.retry(other.jobId);
    await became(other.jobId, "done");
    expect(JSON.stringify(await stored())).not.toContain("rosebud");
  });
});

describe("an invalid job is rejected, and nothing is stored", () => {
  const job = { name: "one" };
  test.each([
    ["an unknown kind", "test.none", job, {}, "bad_request"],
    ["no kind at all", "", job, {}, "bad_request"],
    ["a payload that does not fit", "test.work", { name: 1 }, {}, "bad_request"],
    ["a payload with more than it should", "test.work", { name: "one", more: 1 }, {}, "bad_request"],
    ["no payload", "test.work", undefined, {}, "bad_request"],
    ["a payload that is too large", "test.work", { name: "x".repeat(65_536) }, {}, "too_large"],
    ["a key that is too long", "test.work", job, { key: "k".repeat(201) }, "bad_request"],
    ["an empty key", "test.work", job, { key: "" }, "bad_request"],
    ["a key with a NUL", "test.work", job, { key: "a\u0000" }, "bad_request"],
    ["a time that is none", "test.work", job, { runAt: Number.NaN }, "bad_request"],
    ["a time as a text", "test.work", job, { runAt: "tomorrow" as never }, "bad_request"],
    ["a time before all times", "test.work", job, { runAt: -1 }, "bad_request"],
    ["a priority that is none", "test.work", job, { priority: 101 }, "bad_request"],
  ])("%s", async (_what, kind, payload, options, code) => {
    const { jobs } = await start();
    await expect(jobs.add(kind, payload, options)).rejects.toMatchObject({ code });
    expect(() => jobs.effect(kind, payload, options)).toThrow(AppError);
    expect((await jobs.list({ limit: 50, offset: 0, status: "waiting" })).total).toBe(0);
  });

  test("when the queue is full", async () => {
    const { jobs, add } = await start({ kind: { maxWaiting: 2 } });
    const runAt = Date.now() + 3_600_000;
    for (const name of ["a", "b"]) await add(name, { runAt });
    await expect(jobs.add("test.work", { name: "c" })).rejects.toMatchObject({ code: "unavailable" });
    const { items } = await jobs.list({ limit: 50, offset: 0, kind: "test.work" });
    expect(items).toHaveLength(2);
    await jobs.cancel(items[0]?.id ?? "");
    await add("c");
  });
});

describe("stopping the service", () => {
  test("waits for running jobs, and starts no new ones", async () => {
    const { add, became, work, databases } = await start();
    const hold = createGate();
    work.run = (_name, { signal }) => hold.wait(signal);
    const id = await add("one");
    await became(id, "running");
    const stopped = service[Symbol.asyncDispose]();
    hold.open();
    await stopped;
    await start({ databases });
    expect((await service.jobs.get(id)).status).toBe("done");
  });

  test("releases jobs that do not end in time: the next start runs them, as the same attempt", async () => {
    const { add, became, work, databases } = await start({ config: { drain_s: 0.05 } });
    work.run = (_name, { signal }) => createGate().wait(signal);
    const id = await add("one");
    await became(id, "running");
    await service[Symbol.asyncDispose]();
    await start({ databases });
    expect(await service.became(id, "done")).toMatchObject({ failures: 0 });
    expect(service.work.ran.map(({ context }) => [context.attempt, context.isRepeated])).toEqual([[1, true]]);
  });
});
