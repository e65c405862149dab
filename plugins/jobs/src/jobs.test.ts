import Joi from "@hapi/joi";
import { AppError, createErrorFromText, fillDetail, fixedStatement, jobKind, sentencesOf } from "@parley/core";
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

  test("moves to another time and payload while it waits, and makes place for a new one when it runs or is done", async () => {
    const { jobs, became, work } = await start();
    const hold = createGate();
    work.run = (_name, { signal }) => hold.wait(signal);
    const move = (name: string, runAt: number) =>
      jobs.add("test.work", { name }, { key: "k", runAt, replacesWaiting: true });
    const { jobId: first } = await move("one", Date.now() + 3_600_000);
    const laterMs = Date.now() + 7_200_000;
    expect(await move("two", laterMs)).toEqual({ jobId: first, isNew: false });
    expect(await jobs.get(first)).toMatchObject({ run_at: new Date(laterMs).toISOString(), payload: { name: "two" } });
    await move("three", Date.now());
    await became(first, "running");
    const second = await move("four", laterMs);
    expect(second.isNew).toBe(true);
    hold.open();
    await became(first, "done");
    expect(work.ran.map(({ name }) => name)).toEqual(["three"]);
    await move("five", Date.now());
    await became(second.jobId, "done");
    expect((await move("six", laterMs)).isNew).toBe(true);
    expect((await jobs.list({ status: "waiting", limit: 50, offset: 0 })).total).toBe(1);
  });

  test("is moved together with other changes", async () => {
    const { jobs, databases, became, work } = await start();
    const later = { key: "k", runAt: Date.now() + 3_600_000, replacesWaiting: true };
    const { jobId } = await jobs.add("test.work", { name: "one" }, later);
    const { writes, applied } = jobs.effect("test.work", { name: "two" }, { key: "k", replacesWaiting: true });
    applied?.(await databases.main.write(writes));
    await became(jobId, "done");
    expect(work.ran.map(({ name }) => name)).toEqual(["two"]);
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
    expect(fillDetail(logs[0]?.detail ?? {}, "zh")).toBe("*** 已掷出");
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

describe("a job that sleeps", () => {
  test("goes on at its time as the same attempt, and repeats no step", async () => {
    const { add, became, work, jobs } = await start();
    const steps: string[] = [];
    const { promise: resumed, resolve } = Promise.withResolvers<number>();
    const resumeAtMs = Date.now() + 80;
    work.run = async (_name, { once, isRepeated }) => {
      await once("first", async () => void steps.push("first"));
      if (!isRepeated) return { resumeAtMs };
      resolve(Date.now());
      return undefined;
    };
    const id = await add("one");
    expect(await resumed).toBeGreaterThanOrEqual(resumeAtMs);
    expect(await became(id, "done")).toMatchObject({ failures: 0, error: null });
    expect(work.ran.map(({ context }) => context.attempt)).toEqual([1, 1]);
    expect(steps).toEqual(["first"]);
    expect((await jobs.list({ limit: 10, offset: 0 })).total).toBe(1);
  });

  test("can be cancelled, and writes its effects when it falls asleep", async () => {
    const { add, became, work, jobs, databases } = await start();
    await databases.main.write([{ query: fixedStatement("create table naps (name text)", []) }]);
    const query = fixedStatement("insert into naps (name) values ('one')", []);
    const { promise: asleep, resolve } = Promise.withResolvers<void>();
    work.run = async () => ({
      resumeAtMs: Date.now() + 3_600_000,
      effects: [{ writes: [{ query }], applied: () => resolve() }],
    });
    const id = await add("one");
    await asleep;
    expect(await databases.main.lookup(fixedStatement("select name from naps", []))).toEqual([{ name: "one" }]);
    expect((await jobs.get(id)).status).toBe("waiting");
    expect(await jobs.cancel(id)).toMatchObject({ status: "canceled" });
    await became(id, "canceled");
    expect(work.ran).toHaveLength(1);
  });

  test("ends instead when another process cancelled it just before", async () => {
    const { add, became, work, databases } = await start();
    work.run = async (_name, { jobId }) => {
      const ask = fixedStatement("update jobs set cancel_asked = 1 where id = ?", [jobId]);
      await databases.main.write([{ query: ask }]);
      return { resumeAtMs: Date.now() + 3_600_000 };
    };
    await became(await add("one"), "canceled");
    expect(work.ran).toHaveLength(1);
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
    expect(fillDetail(error?.detail ?? {}, "zh")).toBe("执行失败，原因见日志");
  });

  test("because it takes too long is aborted", async () => {
    const { add, became, work } = await start({
      kind: { timeoutMs: 20, retry: RARELY },
    });
    work.run = (_name, { signal }) => createGate().wait(signal);
    const { error } = await became(await add("one"), "dead");
    expect(error).toMatchObject({ code: "timed_out", error: "the job took too long" });
    expect(fillDetail(error?.detail ?? {}, "zh")).toBe("后台任务运行时间过长");
  });

  test("retains the translatable reason while it applies", async () => {
    const { jobs, add, became, work, databases } = await start({ kind: { retry: RARELY } });
    const answers = { en: "the moon answers {status}", zh: "月亮返回了 {status}" };
    work.run = async () => {
      throw createErrorFromText("upstream_failed", "moon.answers", answers, { params: { status: 503 } });
    };
    const id = await add("one");
    const { error } = await became(id, "dead");
    expect(error).toMatchObject({ code: "upstream_failed", error: "the moon answers 503" });
    expect(fillDetail(error?.detail ?? {}, "zh")).toBe("月亮返回了 503");
    // A process of the previous version ends the next run, and does not write the new columns.
    const statement = fixedStatement("update jobs set error = ? where id = ?", ["it is clouded", id]);
    await databases.main.write([{ query: statement }]);
    expect((await jobs.get(id)).error).toEqual({ code: "upstream_failed", error: "it is clouded" });
    work.run = async () => {};
    expect(await jobs.retry(id)).toMatchObject({ error: null });
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
