import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Job } from "@parley/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { setFailPoint, signIn, startKillable } from "./killable.ts";

/** Places where the process dies, and the final state of the job: where a step was started and its end is not stored, the outcome is unknown. */
const SHORT = [
  ["job-claimed", "done"],
  ["job-step-happened", "dead"],
  ["job-ran", "done"],
  ["schedule-fired", "done"],
] as const;
const LONG = [
  ["job-added", "done"],
  ["job-step-started", "dead"],
  ["job-step-done", "done"],
  ["job-ended", "done"],
] as const;
const POINTS = process.env.PARLEY_LONG === "1" ? [...SHORT, ...LONG] : SHORT;

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "parley-jobs-"));
  const working = join(dirname(import.meta.filename), "working-plugin.ts");
  writeFileSync(join(root, "config.ini"), `[plugins]\nworking = ${working}\n\n[log]\nlevel = warn\n`);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const aim = (point: string) => setFailPoint(root, point);
const world = () =>
  existsSync(join(root, "world")) ? readFileSync(join(root, "world"), "utf8").trim().split("\n") : [];

const start = () => startKillable(root);

async function listJobs(api: Client): Promise<readonly Job[]> {
  return (await api.get<{ items: readonly Job[] }>("/api/jobs?kind=working.work")).items;
}

test("a job completes once, wherever the process is killed, and no step is repeated", async () => {
  let running = await start();
  let api = await signIn(running);
  for (const [point] of POINTS) {
    // Waits for the jobs of the start, so that this job is the one that is killed.
    await eventually(async () => expect((await api.get<{ total: number }>("/api/jobs?status=running")).total).toBe(0));
    aim(point);
    const path = point === "schedule-fired" ? "/api/work/planned" : "/api/work";
    api.post(path, { name: point }).catch(() => {});
    expect(await running.ended, point).toBe("SIGKILL");
    running = await start();
    api = await signIn(running);
    // Repeats the request, because it was not acknowledged.
    if (path === "/api/work") await api.post(path, { name: point });
  }
  await eventually(async () => {
    const jobs = (await listJobs(api)).toReversed();
    expect(jobs.map(({ status }) => status)).toEqual(POINTS.map(([, status]) => status));
  });
  const jobs = (await listJobs(api)).toReversed();
  expect(jobs.map(({ error }) => error?.code)).toEqual(
    POINTS.map(([, status]) => (status === "dead" ? "interrupted" : undefined)),
  );
  const done = POINTS.filter(([, status]) => status === "done").map(([point]) => point);
  expect(await api.get("/api/work")).toEqual(Object.fromEntries(done.map((point) => [point, 1])));
  expect(world().toSorted()).toEqual([...done, "job-step-happened"].toSorted());

  // A person repeats the step with the unknown outcome.
  const [happened] = jobs.filter(({ status }) => status === "dead");
  const retry = `/api/jobs/${happened?.id}/retry`;
  expect((await api.send("POST", retry, { body: {} })).json).toMatchObject({ code: "confirmation_required" });
  await api.post(retry, { confirm: true });
  await eventually(async () => expect((await api.get<Job>(`/api/jobs/${happened?.id}`)).status).toBe("done"));
  expect(world().filter((line) => line === "job-step-happened")).toHaveLength(2);
  expect(await running.stop()).toBe(0);
}, 180_000);
