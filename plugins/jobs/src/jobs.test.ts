import Joi from "@hapi/joi";
import {
  AppError,
  type Effect,
  explainedAs,
  fixedStatement,
  type JobContext,
  type Jobs,
  jobKind,
  sentencesOf,
} from "@parley/core";
import { chineseOf } from "@parley/core/chinese";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createGate, type SetupOptions, startJobs } from "./test-setup.ts";

const RARELY = { attempts: 1, firstDelayMs: 0, maxDelayMs: 0 };
let service: Awaited<ReturnType<typeof startJobs>>;
const start = async (options: SetupOptions = {}) => {
  service = await startJobs(options);
  return service;
};
afterEach(() => service[Symbol.asyncDispose]());

describe("a job", () => {
  test("runs once it is stored, with its payload", async () => {
    const { add, became, work } = await start();
    const job = await became(await add("one"), "done");
    expect(work.ran.map(({ name }) => name)).toEqual(["one"]);
    expect(job).toMatchObject({
      kind: "test.work",
      titles: { en: "Work", zh: "工作" },
      payload: { name: "one" },
      failures: 0,
    });
  });

  test("with a key is one job, while it waits, runs, and when it is done", async () => {
    const { jobs, add, became, work } = await start();
    const hold = createGate();
    work.run = (_name, { signal }) => hold.wait(signal);
    const id = await add("one", { key: "k" });
    await became(id, "running");
    expect(await jobs.add("test.work", { name: "other" }, { key: "k" })).toEqual({ jobId: id, isNew: false });
    hold.open();
    await became(id, "done");
    expect(await jobs.add("test.work", { name: "other" }, { key: "k" })).toEqual({ jobId: id, isNew: false });
    const twins = await Promise.all(Array.from({ length: 20 }, () => add("two", { key: "two" })));
    expect(new Set(twins).size).toBe(1);
    await became(twins[0] ?? "", "done");
    expect(work.ran).toHaveLength(2);
  });

  test("waits for its time", async () => {
    const { add, became, work, jobs } = await start();
    const later = await add("later", { runAt: Date.now() + 80 });
    const never = await add("never", { runAt: Date.now() + 3_600_000 });
    expect((await jobs.get(later)).status).toBe("waiting");
    await became(later, "done");
    expect((await jobs.get(never)).status).toBe("waiting");
    expect(work.ran.map(({ name }) => name)).toEqual(["later"]);
  });

  test("that falls due while it is being stored runs at once", async () => {
    const { jobs, databases, add, became } = await start();
    await became(await add("first"), "done");
    const runAt = Date.now() + 50;
    const { writes, applied } = jobs.effect("test.work", { name: "soon" }, { runAt, key: "k" });
    const results = await databases.main.write(writes);
    await vi.waitUntil(() => Date.now() > runAt);
    applied?.(results);
    const { jobId } = await jobs.add("test.work", { name: "soon" }, { key: "k" });
    await became(jobId, "done");
  });

  test("with a higher priority runs first, then the one that was due first", async () => {
    const { add, became, work } = await start({ kind: { concurrency: 1 } });
    const hold = createGate();
    work.run = (_name, { signal }) => hold.wait(signal);
    await became(await add("first"), "running");
    const ids: string[] = [];
    for (const [name, priority] of [
      ["low", -5],
      ["a", 0],
      ["b", 0],
      ["high", 50],
    ] as const) {
      ids.push(await add(name, { priority }));
    }
    hold.open();
    for (const id of ids) await became(id, "done");
    expect(work.ran.map(({ name }) => name)).toEqual(["first", "high", "a", "b", "low"]);
  });

  test("counts against the concurrency of its kind, and of all", async () => {
    const other = jobKind({
      kind: "test.other",
      titles: { en: "o", zh: "o" },
      schema: Joi.object({}),
      concurrency: 9,
      run: (_payload, { signal }) => hold.wait(signal),
    });
    const hold = createGate();
    const { jobs, add, work } = await start({ kind: { concurrency: 3 }, more: [other], config: { concurrency: 5 } });
    work.run = (_name, { signal }) => hold.wait(signal);
    await Promise.all([
      ...Array.from({ length: 6 }, (_, n) => add(`${n}`)),
      ...Array.from({ length: 6 }, () => jobs.add("test.other", {})),
    ]);
    const running = async (kind: string) => (await jobs.list({ kind, status: "running", limit: 50, offset: 0 })).total;
    await vi.waitFor(async () => expect((await running("test.work")) + (await running("test.other"))).toBe(5));
    expect(await running("test.work")).toBeLessThanOrEqual(3);
    hold.open();
    await vi.waitFor(async () =>
      expect((await jobs.list({ status: "done", limit: 50, offset: 0 })).total).toBeGreaterThanOrEqual(12),
    );
  });

  test("stores its effects together with its end", async () => {
    const { add, became, work, databases } = await start();
    await databases.main.write([{ query: fixedStatement("create table made (a text)", []) }]);
    const applied = vi.fn();
    work.run = async (name) => [
      { writes: [{ query: fixedStatement("insert into made values (?)", [name]) }], applied },
    ];
    await became(await add("one"), "done");
    expect(await databases.main.lookup(fixedStatement("select a from made", []))).toEqual([{ a: "one" }]);
    expect(applied).toHaveBeenCalledTimes(1);
  });

  test("whose effects conflict with the stored state is not done", async () => {
    const { add, became, work } = await start();
    work.run = async () => [
      { writes: [{ query: fixedStatement("delete from jobs where id = 'none'", []), expect: 1 }] },
    ];
    expect(await became(await add("one"), "dead")).toMatchObject({ error: { code: "conflict" }, failures: 3 });
  });

  test("can be a part of another transaction", async () => {
    const { jobs, became, databases, work } = await start();
    const effect = jobs.effect("test.work", { name: "with it" }, { key: "k" });
    const again = jobs.effect("test.work", { name: "with it" }, { key: "k" });
    for (const one of [effect, again]) one.applied?.(await databases.main.write(one.writes));
    const { items } = await jobs.list({ limit: 50, offset: 0, kind: "test.work" });
    expect(items).toHaveLength(1);
    await became(items[0]?.id ?? "", "done");
    expect(work.ran).toHaveLength(1);
  });

  test("logs a line in both languages, with secrets masked in both", async () => {
    const { add, became, work } = await start();
    const sentences = sentencesOf("dice", { thrown: { en: "{name} has thrown", zh: "{name} 已掷出" } });
    work.run = async (_name, { log }) => log(sentences("thrown", { name: "sesame" }));
    const { logs } = await became(await add("one"), "done");
    expect(logs).toMatchObject([{ text: "*** has thrown" }]);
    expect(chineseOf(logs[0]?.detail ?? {})).toBe("*** 已掷出");
  });

  test("reports its progress, and logs; secrets are masked", async () => {
    const { add, became, work, events } = await start();
    work.run = async (_name, { progress, log }) => {
      progress(0.5, "half of sesame");
      for (let line = 1; line <= 620; line += 1) log(`line ${line} sesame`);
    };
    const job = await became(await add("one"), "done");
    expect(job).toMatchObject({ progress: 0.5, progress_text: "half of ***" });
    expect(job.logs).toHaveLength(500);
    expect([job.logs[0]?.text, job.logs.at(-1)?.text]).toEqual(["line 121 ***", "line 620 ***"]);
    await events.next(
      ({ type, payload }) => type === "resource_changed" && payload.kind === "job" && payload.id === job.id,
    );
  });
});

describe("a job that fails", () => {
  test("is retried with growing delays, then dead, and can be run again by hand", async () => {
    const { jobs, add, became, work } = await start();
    work.run = async () => {
      throw new AppError("upstream_failed", "nobody answers");
    };
    const id = await add("one");
    expect(await became(id, "dead")).toMatchObject({
      failures: 3,
      error: { code: "upstream_failed", error: "nobody answers" },
    });
    expect(work.ran.map(({ context }) => context.attempt)).toEqual([1, 2, 3]);
    work.run = async () => {};
    expect(await jobs.retry(id)).toMatchObject({ id, failures: 0, error: null });
    await became(id, "done");
    await expect(jobs.retry(id)).rejects.toMatchObject({ code: "conflict" });
  });

  test("is retried on time also while others follow each other without a pause", async () => {
    const { add, became, work } = await start({ kind: { concurrency: 2 } });
    let isOver = false;
    work.run = async (name, { attempt }) => {
      if (name === "failing" && attempt < 3) throw new AppError("upstream_failed", "nobody answers");
      if (name === "next" && !isOver) await add("next");
    };
    for (let n = 0; n < 2; n += 1) await add("next");
    await became(await add("failing"), "done");
    await became(await add("later", { runAt: Date.now() + 20 }), "done");
    isOver = true;
  });

  test("for a permanent reason is not retried", async () => {
    const { add, became, work } = await start();
    work.run = async () => {
      throw new AppError("not_found", "session 's' does not exist");
    };
    expect(await became(await add("one"), "dead")).toMatchObject({ failures: 1 });
  });

  test("with an error of the program does not show it", async () => {
    const { add, became, work } = await start({ kind: { retry: RARELY } });
    work.run = async () => {
      throw new Error("select secret from table");
    };
    const { error } = await became(await add("one"), "dead");
    expect(error).toMatchObject({ code: "internal", error: "the job failed: see the log for the reason" });
    expect(chineseOf(error?.detail ?? {})).toBe("执行失败，原因见日志");
  });

  test("because it takes too long is aborted", async () => {
    const { add, became, work } = await start({
      kind: { timeoutMs: 20, retry: RARELY },
    });
    work.run = (_name, { signal }) => createGate().wait(signal);
    const { error } = await became(await add("one"), "dead");
    expect(error).toMatchObject({ code: "timed_out", error: "the job took too long" });
    expect(chineseOf(error?.detail ?? {})).toBe("后台任务运行时间过长");
  });

  test("retains the translatable reason while it applies", async () => {
    const { jobs, add, became, work, databases } = await start({ kind: { retry: RARELY } });
    const answers = { en: "the moon answers {status}", zh: "月亮返回了 {status}" };
    work.run = async () => {
      throw explainedAs("upstream_failed", "moon.answers", answers, { params: { status: 503 } });
    };
    const id = await add("one");
    const { error } = await became(id, "dead");
    expect(error).toMatchObject({ code: "upstream_failed", error: "the moon answers 503" });
    expect(chineseOf(error?.detail ?? {})).toBe("月亮返回了 503");
    // A process of the version before ends the next run: it does not know what is kept besides.
    const statement = fixedStatement("update jobs set error = ? where id = ?", ["it is clouded", id]);
    await databases.main.write([{ query: statement }]);
    expect((await jobs.get(id)).error).toEqual({ code: "upstream_failed", error: "it is clouded" });
    work.run = async () => {};
    expect(await jobs.retry(id)).toMatchObject({ error: null });
  });
});

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
    expect(chineseOf(error?.detail ?? {})).toBe("运行中断，无法确定步骤“send”是否已完成");
    expect(sent).toHaveBeenCalledTimes(1);
    await expect(jobs.retry(id)).rejects.toMatchObject({ code: "confirmation_required" });
    sent.mockImplementation(async () => {});
    await jobs.retry(id, true);
    await became(id, "done");
    expect(sent).toHaveBeenCalledTimes(2);
  });
});

describe("cancelling", () => {
  test("ends a waiting one and never runs it", async () => {
    const { jobs, add, work, became } = await start();
    const id = await add("one", { runAt: Date.now() + 3_600_000 });
    expect(await jobs.cancel(id)).toMatchObject({ id, status: "canceled" });
    await expect(jobs.cancel(id)).rejects.toMatchObject({ code: "conflict" });
    expect(work.ran).toEqual([]);
    await jobs.retry(id);
    await became(id, "done");
  });

  test("discards a failed one, which can still be run again", async () => {
    const { jobs, add, became, work } = await start();
    work.run = async () => {
      throw new AppError("not_found", "it is gone");
    };
    const id = await add("one");
    await became(id, "dead");
    expect(await jobs.cancel(id)).toMatchObject({ status: "canceled", error: { error: "it is gone" } });
    await expect(jobs.cancel(id)).rejects.toMatchObject({ code: "conflict" });
    work.run = async () => {};
    await jobs.retry(id);
    await became(id, "done");
  });

  test("aborts a running one", async () => {
    const { jobs, add, became, work } = await start();
    work.run = (_name, { signal }) => createGate().wait(signal);
    const id = await add("one");
    await became(id, "running");
    await jobs.cancel(id);
    await became(id, "canceled");
    expect(work.ran).toHaveLength(1);
  });
});

describe("the effects of a job's end", () => {
  const HOUR_MS = 3_600_000;
  /** A kind that adds a job of another kind at the end of each of its own. */
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
