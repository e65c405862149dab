import type { Job, JobDetail, Message, Session } from "@parley/core";
import type { List } from "@parley/core/http";
import type { ModelServer } from "@parley/simulators";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type ParleyWithModel, startParleyWithModel } from "../harness/parley-with-model.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

const MINUTE_MS = 60_000;
const fake = createFakeChannel();
const answering = createFakeChannel("answering", "natural", {}, true, { answersOnly: true });
let service: ParleyWithModel;
let models: ModelServer;
let api: Client;
let id: string;

beforeAll(async () => {
  service = await startParleyWithModel({ plugins: [fake.plugin, answering.plugin] });
  ({ models, api } = service);
  for (const { id: name } of [fake, answering])
    await api.post("/api/channels", { id: name, name, type: name, transport: "bridge" });
}, 60_000);

afterAll(() => service[Symbol.asyncDispose]());

beforeEach(async () => {
  ({ id } = await api.post<Session>("/api/sessions", {}));
});
afterEach(() => void vi.useRealTimers());

const enable = (more: object = {}) => api.put(`/api/sessions/${id}`, { proactive_chat: { enabled: true, ...more } });
const chat = (content: string) => api.post(`/api/sessions/${id}/chat`, { content });
const messages = async () => (await api.get<List<Message>>(`/api/sessions/${id}/messages?limit=50`)).items;
const listProactive = async () => (await messages()).filter(({ source }) => source === "proactive");
/** Planned times to speak first, soonest first. */
const listPlanned = async () => (await api.get<List<Job>>(`/api/jobs?kind=proactive&status=waiting&q=${id}`)).items;
const getTimes = async () => (await listPlanned()).map(({ run_at }) => run_at);
/** Runs the planned job at once; returns what it logged, in Chinese if asked. */
async function runPlanned(status = "done", language = "en") {
  const [job] = await listPlanned();
  await api.post(`/api/jobs/${job?.id}/retry`, {});
  return eventually(async () => {
    const answer = await api.send("GET", `/api/jobs/${job?.id}`, { headers: { "accept-language": language } });
    const detail = answer.json?.data as JobDetail;
    expect(detail).toMatchObject({ status });
    if (status === "waiting") expect(detail.logs).not.toEqual([]);
    return detail.logs.at(-1)?.text;
  });
}
/** Sets the wall clock; timers run normally. */
const setClock = (iso: string) => void vi.useFakeTimers({ toFake: ["Date"], now: new Date(iso) });

test("the bot speaks first after the idle time, once until somebody writes again", async () => {
  await chat("My sister comes to tea.");
  await enable({ idle_minutes: 30, prompt: "Ask about the sister." });
  const [job] = await listPlanned();
  expect(Date.parse(job?.run_at ?? "") - Date.now()).toBeGreaterThan(29 * MINUTE_MS);
  await runPlanned();
  await eventually(async () => expect(await listProactive()).toMatchObject([{ role: "assistant" }]));
  expect(JSON.stringify(models.requests.at(-1))).toContain("Ask about the sister.");
  expect(await listPlanned()).toEqual([]);
  await enable();
  expect(await runPlanned()).toBe("not written first: the last message of this kind has no answer");
  await chat("She was here.");
  await runPlanned();
  await eventually(async () => expect(await listProactive()).toHaveLength(2));
});

test("each message moves the planned time, and one waits", async () => {
  await enable({ idle_minutes: 5 });
  const [early] = await listPlanned();
  await api.put(`/api/sessions/${id}`, { proactive_chat: { idle_minutes: 60 } });
  await chat("I am back.");
  await chat("And I stay.");
  const planned = await listPlanned();
  expect(planned.map((job) => job.id)).toEqual([early?.id]);
  expect(Date.parse(planned[0]?.run_at ?? "") - Date.now()).toBeGreaterThan(59 * MINUTE_MS);
});

test("a longer idle time moves what is planned", async () => {
  await enable({ idle_minutes: 5 });
  await chat("I am back.");
  const [{ run_at } = { run_at: "" }] = await listPlanned();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(run_at) - 1_000 });
  await chat("So am I.");
  vi.setSystemTime(Date.parse(run_at) + MINUTE_MS);
  await eventually(async () => expect(await getTimes()).toHaveLength(1));
  expect(Date.parse((await getTimes())[0] ?? "")).toBeGreaterThan(Date.parse(run_at));
  expect(await listProactive()).toEqual([]);
});

test("the bot does not speak first where that is disabled, or the conversation was archived or deleted", async () => {
  await enable();
  await api.put(`/api/sessions/${id}`, { proactive_chat: { enabled: false } });
  expect(await runPlanned()).toBe("not written first: “Speaks first” is off");
  await enable();
  await api.post(`/api/sessions/${id}/archive`, {});
  expect(await runPlanned("done", "zh")).toBe("没有主动开口：会话已归档");
  expect(await listProactive()).toEqual([]);
  await api.post(`/api/sessions/${id}/restore`, {});
  await enable({ idle_minutes: 60 });
  await api.send("DELETE", `/api/sessions/${id}`);
  await runPlanned();
});

describe("at most so many times a day", () => {
  beforeEach(async () => {
    await api.put("/api/channels/web", { config: { timezone: "Asia/Tokyo" } });
  });

  test("by the channel's time zone; the next one waits for the next day", async () => {
    // Ten in the evening in Tokyo.
    setClock("2026-03-10T13:00:00Z");
    await enable({ daily_limit: 2 });
    for (const count of [1, 2]) {
      await chat(`hello ${count}`);
      await runPlanned();
      await eventually(async () => expect(await listProactive()).toHaveLength(count));
    }
    await chat("hello again");
    expect(await runPlanned("waiting")).toMatch(/^moved: 2 messages a day may be written first/);
    expect(await getTimes()).toEqual(["2026-03-10T15:00:00.000Z"]);
    expect(await listProactive()).toHaveLength(2);
    setClock("2026-03-10T15:00:01Z");
    await runPlanned();
    await eventually(async () => expect(await listProactive()).toHaveLength(3));
  });

  test("also when earlier messages were archived", async () => {
    setClock("2026-03-10T03:00:00Z");
    await enable({ daily_limit: 1 });
    await chat("hello");
    await runPlanned();
    await eventually(async () => expect(await listProactive()).toHaveLength(1));
    await chat("/new");
    await chat("hello");
    expect(await runPlanned("waiting")).toContain("1 message a day");
    expect(await getTimes()).toEqual(["2026-03-10T15:00:00.000Z"]);
  });

  test("three unless set, from 1 to 10", async () => {
    expect(await api.get(`/api/sessions/${id}`)).toMatchObject({ proactive_chat: { daily_limit: 3 } });
    for (const daily_limit of [0, 11, 1.5]) {
      const body = { proactive_chat: { daily_limit } };
      expect(await api.send("PUT", `/api/sessions/${id}`, { body })).toMatchObject({ status: 400 });
    }
  });
});

describe("in quiet hours", () => {
  test("what is planned moves to their end", async () => {
    await api.put("/api/channels/web", { config: { timezone: "Asia/Tokyo", quiet_hours: "22:00-07:30" } });
    setClock("2026-03-10T13:30:00Z");
    await enable();
    await chat("good night");
    expect(await runPlanned("waiting")).toBe("moved to the end of the quiet hours (22:00-07:30)");
    expect(await getTimes()).toEqual(["2026-03-10T22:30:00.000Z"]);
    expect(await listProactive()).toEqual([]);
  });

  test("of the conversation, in place of the channel's, also when the clock jumps", async () => {
    await api.put("/api/channels/web", { config: { timezone: "Europe/Berlin", quiet_hours: "22:00-07:30" } });
    await api.put(`/api/sessions/${id}`, { quiet_hours: "23:00-08:00" });
    // The clock goes from 02:00 to 03:00 in this night.
    setClock("2026-03-28T22:15:00Z");
    await enable();
    await chat("good night");
    await runPlanned("waiting");
    expect(await getTimes()).toEqual(["2026-03-29T06:00:00.000Z"]);
    await api.put(`/api/sessions/${id}`, { quiet_hours: "" });
    await runPlanned();
    await eventually(async () => expect(await listProactive()).toHaveLength(1));
  });
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
  await runPlanned();
  await eventually(() => expect(fake.sent).toHaveLength(2));
  expect(fake.sent[1]).toMatchObject({ conversation: { id: "team-1", isGroup: true } });
});

test("where a platform lets a bot only answer, no model is asked and the job says so", async () => {
  await answering.say("team-1", "hello");
  await eventually(() => expect(answering.sent).toHaveLength(1));
  id = "answering:group:team-1";
  await enable();
  const asked = models.requests.length;
  expect(await runPlanned()).toBe("not written first: the bot can only answer on this channel");
  expect(models.requests).toHaveLength(asked);
  const { items } = await api.get<List<{ id: string; can_begin: boolean }>>("/api/channels");
  const canBegin = Object.fromEntries(items.map((channel) => [channel.id, channel.can_begin]));
  expect(canBegin).toMatchObject({ web: true, fake: true, answering: false, imAbot: false });
});

describe("what a person announced", () => {
  const ANNOUNCED = "My interview is on Friday at 10.";
  const list = async (query = `status=waiting&q=${encodeURIComponent(id)}`) =>
    (await api.get<List<Job>>(`/api/jobs?kind=follow_up&${query}`)).items;
  /** Returns the planned job, two hours after the interview. */
  const findPlanned = () =>
    eventually(async () => {
      const [job] = await list();
      expect(job?.run_at).toBe("2026-03-13T03:00:00.000Z");
      return job?.id ?? "";
    });
  const run = async (jobId: string) => {
    await api.post(`/api/jobs/${jobId}/retry`, {});
    return eventually(async () => {
      const job = await api.get<JobDetail>(`/api/jobs/${jobId}`);
      expect(job).toMatchObject({ status: "done" });
      return job.logs.at(-1)?.text;
    });
  };

  beforeEach(async () => {
    await api.put("/api/settings", { memory: { finding: "local" } });
    await api.put("/api/channels/web", { config: { timezone: "Asia/Tokyo", quiet_hours: "" } });
    setClock("2026-03-10T03:00:00Z");
  });

  test("is asked about once its time has come, also when the conversation began anew", async () => {
    await enable({ idle_minutes: 10_080 });
    await chat(ANNOUNCED);
    const jobId = await findPlanned();
    expect(await api.get(`/api/jobs/${jobId}`)).toMatchObject({ payload: { session_id: id, text: ANNOUNCED } });
    await chat("/new");
    await chat("Hello again.");
    setClock("2026-03-13T02:59:00Z");
    await run(jobId);
    await eventually(async () => expect(await listProactive()).toHaveLength(1));
    expect(JSON.stringify(models.requests.at(-1))).toContain(ANNOUNCED);
    expect(await list()).toEqual([]);
  });

  test("for one time is asked about one after the other", async () => {
    await enable({ idle_minutes: 10_080 });
    await chat("My interview is on Friday at 10. My exam is on Friday at 10.");
    await eventually(async () =>
      expect((await list()).map(({ run_at }) => run_at).toSorted()).toEqual([
        "2026-03-13T03:00:00.000Z",
        "2026-03-13T03:20:00.000Z",
      ]),
    );
  });

  test("is dropped when its message is deleted, the conversation is archived, or a person cancels it", async () => {
    await enable({ idle_minutes: 10_080 });
    await chat(ANNOUNCED);
    const cancelled = await findPlanned();
    await api.post(`/api/jobs/${cancelled}/cancel`, {});
    expect(await list()).toEqual([]);
    await chat(ANNOUNCED);
    const jobId = await findPlanned();
    for (const message of await messages()) await api.send("DELETE", `/api/sessions/${id}/messages/${message.id}`);
    setClock("2026-03-13T02:59:00Z");
    expect(await run(jobId)).toBe("not written first: the message that announced it was deleted");
    expect(await listProactive()).toEqual([]);
  });

  test("waits where an earlier message of the bot has no answer", async () => {
    await enable({ idle_minutes: 10_080 });
    await chat(ANNOUNCED);
    const jobId = await findPlanned();
    await runPlanned();
    await eventually(async () => expect(await listProactive()).toHaveLength(1));
    setClock("2026-03-13T02:59:00Z");
    await api.post(`/api/jobs/${jobId}/retry`, {});
    await eventually(async () => {
      expect(await list()).toMatchObject([{ run_at: expect.stringMatching(/^2026-03-14T02:59/) }]);
    });
    expect(await listProactive()).toHaveLength(1);
  });

  test("is not remembered for later where the bot does not speak first", async () => {
    await chat(ANNOUNCED);
    await eventually(async () => {
      const { items } = await api.get<List<Job>>("/api/jobs?kind=memory.find&status=waiting");
      expect(items).toEqual([]);
    });
    expect(await list("limit=50").then((jobs) => jobs.filter(({ key }) => key?.startsWith(id)))).toEqual([]);
  });

  test("is erased with its person", async () => {
    const inPrivate = {
      sessionId: "fake:private:eve",
      conversation: { id: "eve", isGroup: false },
      sender: { id: "eve", name: "Eve", isAdmin: false },
    };
    await fake.say("eve", "hello", inPrivate);
    id = "fake:private:eve";
    await eventually(() => api.get(`/api/sessions/${id}`));
    await api.put("/api/channels/fake", { config: { timezone: "Asia/Tokyo" } });
    await enable({ idle_minutes: 10_080 });
    await fake.say("eve", ANNOUNCED, inPrivate);
    await eventually(async () => expect(await list()).toHaveLength(1));
    const [{ id: jobId } = { id: "" }] = await list();
    await api.send("DELETE", "/api/people/fake:user:eve", { body: { confirm: true } });
    await eventually(async () => {
      expect(await api.send("GET", `/api/jobs/${jobId}`)).toMatchObject({ status: 404 });
    });
  });
});
