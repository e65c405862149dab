import Joi from "@hapi/joi";
import {
  definePlugin,
  fillDetail,
  Gateway,
  type Job,
  type JobDetail,
  JobKinds,
  Jobs,
  jobKind,
  LiveEvents,
  type Schedule,
  stage,
  TurnStages,
  withEffects,
} from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

const noted: string[] = [];
const word = Joi.object<{ text: string }, true>({ text: Joi.string().required() });
/** Records replies after the turn, and runs tasks in their own conversation. */
const notes = definePlugin({
  id: "notes",
  register({ contribute }) {
    contribute(JobKinds, () =>
      jobKind<{ readonly text: string }>({
        kind: "notes.note",
        titles: { en: "Note", zh: "记录" },
        schema: word,
        run: async ({ text }) => void noted.push(text),
      }),
    );
    contribute(JobKinds, (from) =>
      jobKind<{ readonly text: string }>({
        kind: "notes.ask",
        titles: { en: "Ask", zh: "询问" },
        schema: word,
        concurrency: 20,
        async run({ text }, { jobId, signal }) {
          const gateway = from.get(Gateway);
          const { traceId } = await gateway.accept({
            channelId: "fake",
            sessionId: `fake:group:${jobId}`,
            conversation: { id: jobId, isGroup: true },
            kind: "message",
            sender: { id: jobId, name: "job", isAdmin: false },
            text,
            attachments: [],
            addressed: true,
            source: "fake",
            dedupeKey: jobId,
          });
          const { state } = await gateway.outcome(traceId, signal);
          if (state !== "answered") throw new Error(`the turn was ${state}`);
        },
      }),
    );
    contribute(TurnStages, (from) =>
      stage({
        id: "notes.later",
        phase: "context",
        run: async (turn) =>
          withEffects(turn, from.get(Jobs).effect("notes.note", { text: turn.text }, { traceId: turn.traceId })),
      }),
    );
  },
});
const fake = createFakeChannel();
let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley({ plugins: [fake.plugin, notes] });
  api = await parley.signIn();
  await api.post("/api/channels", { id: fake.id, name: fake.id, type: fake.id, transport: "bridge" });
  await api.post("/api/message-filter", { pattern: "tulip" });
});
afterAll(() => parley[Symbol.asyncDispose]());

const getJobs = async (query: string) => (await api.get<{ items: readonly Job[] }>(`/api/jobs?${query}`)).items;

describe("a job added by a turn", () => {
  test("exists when the message is answered, with its trace, and runs", async () => {
    await fake.say("g", "hello");
    await eventually(() => expect(noted).toContain("hello"));
    const [job] = await getJobs("kind=notes.note");
    expect(job).toMatchObject({ status: "done", titles: { en: "Note" }, trace_id: expect.stringMatching(/^gw_/) });
  });

  test("does not exist when the message was blocked", async () => {
    await fake.say("g", "a tulip");
    await fake.say("g", "a rose");
    await eventually(() => expect(noted).toContain("a rose"));
    expect(noted).not.toContain("a tulip");
    expect(await getJobs("kind=notes.note&q=tulip")).toEqual([]);
  });
});

test("jobs that wait for turns occupy no worker slots, so that more jobs than slots all end", async () => {
  const names = Array.from({ length: 16 }, (_, n) => `asks ${n}`);
  for (const text of names) await parley.host.get(Jobs).add("notes.ask", { text });
  await eventually(async () => {
    const asked = await getJobs("kind=notes.ask");
    expect(asked.map(({ status }) => status)).toEqual(names.map(() => "done"));
  });
  await eventually(() => expect(noted.filter((text) => text.startsWith("asks"))).toHaveLength(names.length));
});

test("old rows are removed by schedules, which can be run by hand and report the result", async () => {
  const all = await api.get<{ items: readonly (Schedule & { next_runs: readonly string[] })[] }>("/api/schedules");
  const items = all.items.filter(({ id }) => /\.(prune|tidy)$/.test(id));
  expect(items.map(({ id }) => id)).toEqual([
    "automation.tidy",
    "budgets.prune",
    "files.prune",
    "filter.prune",
    "gateway.prune",
    "jobs.prune",
    "mcp-bridge.prune",
    "memory.prune",
    "models.prune",
    "voice.prune",
  ]);
  expect(items.every(({ next_run, next_runs }) => next_run === next_runs[0] && next_runs.length === 5)).toBe(true);
  for (const { id } of items) {
    const { job_id } = await api.post<{ job_id: string }>(`/api/schedules/${id}/run`, {});
    await eventually(async () => {
      const job = await api.get<JobDetail>(`/api/jobs/${job_id}`);
      expect(job).toMatchObject({ status: "done", schedule_id: id });
      expect(job.logs.map(({ text }) => text)).toContainEqual(expect.stringMatching(/removed$/));
    });
  }
});

test("changes of jobs are streamed to subscribers, and counted", async () => {
  const events: unknown[] = [];
  const stop = parley.host.get(LiveEvents).subscribe(({ type, payload }) => {
    if (type === "resource_changed" && payload.kind === "job") events.push(payload.id);
  });
  const { jobId } = await parley.host.get(Jobs).add("notes.note", { text: "x" }, { runAt: Date.now() + 3_600_000 });
  // Many changes at once are announced as `*`.
  await eventually(() => expect(events.some((id) => id === jobId || id === "*")).toBe(true));
  stop();
  const { text } = await api.send("GET", "/metrics");
  expect(text).toMatch(/^parley_jobs_waiting\{kind="notes\.note"\} 1$/m);
  const { components } = await api.get<{ components: readonly { name: string; state: string }[] }>(
    "/api/startup-status",
  );
  expect(components).toContainEqual(expect.objectContaining({ name: "jobs", state: "ok" }));
  expect(await api.post<Job>(`/api/jobs/${jobId}/cancel`, {})).toMatchObject({ status: "canceled" });
  const again = await api.send("POST", `/api/jobs/${jobId}/cancel`, { body: {} });
  expect(again).toMatchObject({ status: 409, json: { code: "conflict", error: `job '${jobId}' has ended` } });
  expect(fillDetail(JSON.parse(again.headers.get("x-parley-error") ?? "{}"), "zh")).toBe(`后台任务“${jobId}”已结束`);
});
