import type { Job, Message, Session } from "@parley/core";
import type { List } from "@parley/core/http";
import type { ModelServer } from "@parley/simulators";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type ParleyWithModel, startParleyWithModel } from "../harness/parley-with-model.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

const fake = createFakeChannel();
let service: ParleyWithModel;
let models: ModelServer;
let api: Client;
let id: string;

beforeAll(async () => {
  service = await startParleyWithModel({ plugins: [fake.plugin] });
  ({ models, api } = service);
  await api.post("/api/channels", { id: fake.id, name: fake.id, type: fake.id, transport: "bridge" });
}, 60_000);

afterAll(() => service[Symbol.asyncDispose]());

beforeEach(async () => {
  ({ id } = await api.post<Session>("/api/sessions", {}));
});

const enable = (more: object = {}) => api.put(`/api/sessions/${id}`, { proactive_chat: { enabled: true, ...more } });
const chat = (content: string) => api.post(`/api/sessions/${id}/chat`, { content });
const messages = async () => (await api.get<List<Message>>(`/api/sessions/${id}/messages?limit=50`)).items;
const listProactive = async () => (await messages()).filter(({ source }) => source === "proactive");
/** Planned times to speak first, soonest first. */
const listPlanned = async () => (await api.get<List<Job>>(`/api/jobs?kind=proactive&status=waiting&q=${id}`)).items;
/** Advances the clock to the planned time and runs the due job. */
async function passIdleTime() {
  const jobs = await listPlanned();
  for (const job of jobs) {
    await api.post(`/api/jobs/${job.id}/retry`, {});
    await eventually(async () => expect(await api.get(`/api/jobs/${job.id}`)).toMatchObject({ status: "done" }));
  }
  return jobs.length;
}

test("the bot speaks first after the idle time, once until somebody writes again", async () => {
  await chat("My sister comes to tea.");
  await enable({ idle_minutes: 30, prompt: "Ask about the sister." });
  const [job] = await listPlanned();
  expect(Date.parse(job?.run_at ?? "") - Date.now()).toBeGreaterThan(29 * 60_000);
  expect(await passIdleTime()).toBe(1);
  await eventually(async () => expect(await listProactive()).toMatchObject([{ role: "assistant" }]));
  expect(JSON.stringify(models.requests.at(-1))).toContain("Ask about the sister.");
  expect(await listPlanned()).toEqual([]);
  await chat("She was here.");
  expect(await passIdleTime()).toBe(1);
  await eventually(async () => expect(await listProactive()).toHaveLength(2));
});

test("the bot waits longer when somebody wrote in the meantime", async () => {
  await enable({ idle_minutes: 5 });
  const [early] = await listPlanned();
  await api.put(`/api/sessions/${id}`, { proactive_chat: { idle_minutes: 60 } });
  await chat("I am back.");
  await api.post(`/api/jobs/${early?.id}/retry`, {});
  await eventually(async () => expect(await api.get(`/api/jobs/${early?.id}`)).toMatchObject({ status: "done" }));
  expect(await listProactive()).toEqual([]);
  const times = (await listPlanned()).map(({ run_at }) => Date.parse(run_at) - Date.now());
  expect(Math.min(...times)).toBeGreaterThan(59 * 60_000);
  await passIdleTime();
  await eventually(async () => expect(await listProactive()).toHaveLength(1));
});

test("the bot does not speak first where that is disabled, or the conversation was archived or deleted", async () => {
  await enable();
  await api.put(`/api/sessions/${id}`, { proactive_chat: { enabled: false } });
  expect(await passIdleTime()).toBe(1);
  expect(await listProactive()).toEqual([]);
  await enable();
  await api.post(`/api/sessions/${id}/archive`, {});
  await passIdleTime();
  expect(await listProactive()).toEqual([]);
  await api.post(`/api/sessions/${id}/restore`, {});
  await enable({ idle_minutes: 60 });
  const [job] = await listPlanned();
  await api.send("DELETE", `/api/sessions/${id}`);
  await api.post(`/api/jobs/${job?.id}/retry`, {});
  await eventually(async () => expect(await api.get(`/api/jobs/${job?.id}`)).toMatchObject({ status: "done" }));
});

test("the bot speaks first to people of a platform, for accounts that may write to them", async () => {
  await fake.say("team-1", "hello");
  await eventually(() => expect(fake.sent).toHaveLength(1));
  id = "fake:group:team-1";
  const { secret } = await api.post<{ secret: string }>("/api/api-keys", { name: "writer", scopes: ["read", "write"] });
  const body = { proactive_chat: { enabled: true } };
  const rejected = await api.as(secret).send("PUT", `/api/sessions/${id}`, { body });
  expect(rejected).toMatchObject({ status: 403, json: { code: "permission_denied" } });
  expect(await listPlanned()).toEqual([]);
  await enable();
  expect(await passIdleTime()).toBe(1);
  await eventually(() => expect(fake.sent).toHaveLength(2));
  expect(fake.sent[1]).toMatchObject({ conversation: { id: "team-1", isGroup: true } });
});
