import { createTestClock, memoryDatabases } from "@parley/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createGate, type SetupOptions, startJobs } from "../test-setup.ts";

const MINUTE = 60_000;
const work = { kind: "test.work", payload: { name: "planned" } };
const services: Awaited<ReturnType<typeof startJobs>>[] = [];
const start = async (options: SetupOptions = {}) => {
  const service = await startJobs(options);
  services.push(service);
  return service;
};
afterEach(async () => {
  for (const service of services.splice(0)) await service[Symbol.asyncDispose]();
});
const jobsOf = async ({ jobs }: Awaited<ReturnType<typeof startJobs>>) =>
  (await jobs.list({ kind: "test.work", limit: 50, offset: 0 })).items;

test("a scheduled time adds one job, on however many processes it comes", async () => {
  const databases = { ...memoryDatabases(), isShared: true as const };
  const clock = createTestClock();
  const both = [await start({ databases, clock }), await start({ databases, clock })];
  await both[0]?.schedules.put({ id: "beat", ...work, everyMs: MINUTE });
  for (let round = 1; round <= 5; round += 1) {
    clock.advance(MINUTE);
    // Both processes search for due schedules at the same time.
    await Promise.all(both.map(({ schedules }) => schedules.put({ id: "wakes", ...work, cron: "0 0 1 1 *" })));
    await vi.waitFor(async () => {
      const schedule = await both[0]?.schedules.get("beat");
      expect(schedule).toMatchObject({ run_count: round, last_job: { status: "done" } });
    });
  }
  const ran = both.flatMap((service) => service.work.ran);
  expect(ran).toHaveLength(5);
  expect((await both[1]?.schedules.get("beat"))?.skipped_count).toBe(0);
});

test("a run that is not over skips the next time, and counts it", async () => {
  const clock = createTestClock();
  const service = await start({ clock });
  const hold = createGate();
  service.work.run = (_name, { signal }) => hold.wait(signal);
  const { schedules } = service;
  await schedules.put({ id: "beat", ...work, everyMs: MINUTE });
  for (let round = 0; round < 3; round += 1) {
    clock.advance(MINUTE);
    await schedules.put({ id: "wakes", ...work, cron: "0 0 1 1 *" });
    await vi.waitFor(async () =>
      expect(Date.parse((await schedules.get("beat")).next_run ?? "")).toBeGreaterThan(clock.now()),
    );
  }
  const wanted = { run_count: 1, skipped_count: 2, last_job: { status: "running" } };
  await vi.waitFor(async () => expect(await schedules.get("beat")).toMatchObject(wanted));
  await expect(schedules.run("beat")).rejects.toMatchObject({ code: "conflict" });
  hold.open();
});

describe("a scheduled time that was missed while the service was down", () => {
  test.each([
    ["by less than 300 s is made up, once", 4 * MINUTE, {}, { run_count: 1, skipped_count: 0 }],
    ["by more is left out", 6 * MINUTE, {}, { run_count: 0, skipped_count: 1 }],
    [
      "by more is made up where the schedule says so",
      6 * MINUTE,
      { madeUpWithinMs: 10 * MINUTE },
      { run_count: 1, skipped_count: 0 },
    ],
  ])("%s", async (_what, late, more, wanted) => {
    const databases = memoryDatabases();
    const clock = createTestClock();
    const before = await startJobs({ databases, clock });
    await before.schedules.put({ id: "hourly", ...work, everyMs: 60 * MINUTE, ...more });
    await before[Symbol.asyncDispose]();
    clock.advance(3 * 60 * MINUTE + late);
    const service = await start({ databases, clock });
    await vi.waitFor(async () => expect(await service.schedules.get("hourly")).toMatchObject(wanted));
    const { next_run } = await service.schedules.get("hourly");
    expect(Date.parse(next_run ?? "") - clock.now()).toBe(60 * MINUTE - late);
    await vi.waitFor(async () =>
      expect((await jobsOf(service)).map(({ status }) => status)).toEqual(wanted.run_count ? ["done"] : []),
    );
  });
});

test("a schedule for one date runs once and is off then", async () => {
  const clock = createTestClock();
  const service = await start({ clock });
  const at = clock.now() + MINUTE;
  await service.schedules.put({ id: "once", ...work, at });
  clock.advance(MINUTE);
  await service.schedules.put({ id: "wakes", ...work, cron: "0 0 1 1 *" });
  await vi.waitFor(async () =>
    expect(await service.schedules.get("once")).toMatchObject({ enabled: false, next_run: null, run_count: 1 }),
  );
  await expect(service.schedules.setEnabled("once", true)).rejects.toMatchObject({ code: "bad_request" });
  // Its plugin adds it again at each start, and it stays completed.
  expect(await service.schedules.put({ id: "once", ...work, at })).toMatchObject({ enabled: false, run_count: 1 });
});

describe("a schedule", () => {
  test("that is put again with the same timing keeps its next time; with another one it is computed again", async () => {
    const clock = createTestClock();
    const { schedules } = await start({ clock });
    const first = await schedules.put({ id: "beat", ...work, everyMs: 60 * MINUTE });
    clock.advance(10 * MINUTE);
    const again = await schedules.put({ id: "beat", ...work, payload: { name: "another" }, everyMs: 60 * MINUTE });
    expect(again.next_run).toBe(first.next_run);
    const other = await schedules.put({ id: "beat", ...work, everyMs: 30 * MINUTE });
    expect(Date.parse(other.next_run ?? "")).toBe(clock.now() + 30 * MINUTE);
  });

  test("that was switched off stays off when its plugin puts it again", async () => {
    const clock = createTestClock();
    const { schedules } = await start({ clock });
    await schedules.put({ id: "beat", ...work, everyMs: MINUTE });
    expect(await schedules.setEnabled("beat", false)).toMatchObject({ enabled: false, next_run: null });
    expect(await schedules.put({ id: "beat", ...work, everyMs: MINUTE })).toMatchObject({
      enabled: false,
      next_run: null,
    });
    expect((await schedules.setEnabled("beat", true)).next_run).toBe(new Date(clock.now() + MINUTE).toISOString());
  });

  test("can be run by hand, also when it is off; its next time stays", async () => {
    const service = await start();
    const { schedules } = service;
    const { next_run } = await schedules.put({ id: "beat", ...work, everyMs: 60 * MINUTE });
    const { jobId } = await schedules.run("beat");
    expect(await service.became(jobId, "done")).toMatchObject({ schedule_id: "beat" });
    expect(await schedules.get("beat")).toMatchObject({
      next_run,
      run_count: 1,
      last_job: { id: jobId, status: "done" },
    });
    await schedules.setEnabled("beat", false);
    await service.became((await schedules.run("beat")).jobId, "done");
  });

  test("without its own time zone follows the setting", async () => {
    const clock = createTestClock(Date.parse("2026-01-06T10:15:00.000Z"));
    const { schedules, settings } = await start({ clock });
    await schedules.put({ id: "own", ...work, cron: "0 8 * * *", timezone: "Asia/Shanghai" });
    await schedules.put({ id: "set", ...work, cron: "0 8 * * *" });
    const next = async (id: string) => (await schedules.get(id)).next_run;
    expect([await next("own"), await next("set")]).toEqual(["2026-01-07T00:00:00.000Z", "2026-01-07T08:00:00.000Z"]);
    settings.put("timezone", "America/New_York");
    await vi.waitFor(async () => expect(await next("set")).toBe("2026-01-06T13:00:00.000Z"));
    expect(await next("own")).toBe("2026-01-07T00:00:00.000Z");
  });

  test("can be deleted, and the jobs that it added stay", async () => {
    const service = await start();
    await service.schedules.put({ id: "beat", ...work, everyMs: MINUTE });
    const { jobId } = await service.schedules.run("beat");
    await service.became(jobId, "done");
    expect(await service.schedules.remove("beat")).toBe(true);
    expect(await service.schedules.remove("beat")).toBe(false);
    await expect(service.schedules.get("beat")).rejects.toMatchObject({ code: "not_found" });
    expect(await jobsOf(service)).toHaveLength(1);
  });

  test("lists its next times", async () => {
    const clock = createTestClock(Date.parse("2026-01-06T10:15:00.000Z"));
    const { schedules } = await start({ clock });
    const times = schedules.preview({ cron: "0 8 * * *" }, 2).map((ms) => new Date(ms).toISOString());
    expect(times).toEqual(["2026-01-07T08:00:00.000Z", "2026-01-08T08:00:00.000Z"]);
    expect(schedules.preview({ everyMs: MINUTE }, 500)).toHaveLength(50);
  });
});

test.each([
  ["of an unknown kind", { kind: "test.none", everyMs: MINUTE }],
  ["with a payload that does not fit", { payload: {}, everyMs: MINUTE }],
  ["in the past", { at: 1 }],
  ["that never comes", { cron: "0 0 31 2 *" }],
  ["without a timing", {}],
  ["with a cron line that is none", { cron: "every day" }],
  ["in a zone that is none", { cron: "0 0 * * *", timezone: "Nowhere" }],
  ["with an id that is none", { id: "a b", everyMs: MINUTE }],
  ["with an id that is too long", { id: "a".repeat(101), everyMs: MINUTE }],
])("one %s is rejected, and nothing is stored", async (_what, draft) => {
  const { schedules } = await start();
  await expect(schedules.put({ id: "beat", ...work, ...draft })).rejects.toMatchObject({ code: "bad_request" });
  expect((await schedules.list({ limit: 50, offset: 0 })).items.map(({ id }) => id)).toEqual(["jobs.prune"]);
});
