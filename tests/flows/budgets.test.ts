import { Gateway } from "@parley/core";
import { createGate, type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

interface Usage {
  readonly target_id: string;
  readonly used_tokens: number;
  readonly used_cost: number;
  readonly reserved_tokens: number;
  readonly resets_at: string;
}

const MAX_TOKENS = 100;
const fake = createFakeChannel();
let models: ModelServer;
let parley: Parley;
let api: Client;

beforeAll(async () => {
  models = await startModelServer();
  parley = await startParley({ plugins: [fake.plugin] });
  api = await parley.signIn();
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
  const draft = { name: "Large", model: "large", base_url: models.baseUrl, max_tokens: MAX_TOKENS };
  const { id } = await api.post<{ id: string }>("/api/ai-models", { ...draft, input_price: 1, output_price: 2 });
  await api.post(`/api/ai-models/${id}/apply`, {});
  await api.put("/api/settings", { gateway: { concurrency: 64 } });
}, 60_000);
afterAll(async () => {
  await parley?.[Symbol.asyncDispose]();
  await models?.[Symbol.asyncDispose]();
});

async function addBudget(more: object): Promise<string> {
  const { id } = await api.post<{ id: string }>("/api/budgets", { name: "Trial", period: "day", ...more });
  onTestFinished(async () => void (await api.send("DELETE", `/api/budgets/${id}`)));
  return id;
}

const getUsage = async (id: string) => (await api.get<{ items: readonly Usage[] }>(`/api/budgets/${id}/usage`)).items;

const openSession = async (more: object = {}) =>
  (await api.post<{ id: string }>("/api/sessions", { name: "A conversation", ...more })).id;

const say = (session: string, client = api) =>
  client.send("POST", `/api/sessions/${session}/chat`, { body: { content: "Hello" } });

describe("a budget of 0", () => {
  test("rejects a message with 429 and its own message, without asking a model", async () => {
    const message = { en: "Come back tomorrow.", zh: "明天再来。" };
    const id = await addBudget({ applies_to: "all", limit_tokens: 0, message });
    const asked = models.requests.length;
    const session = await openSession();
    const answer = await say(session);
    expect(answer.status).toBe(429);
    expect(answer.json).toMatchObject({ code: "rate_limited", error: "Come back tomorrow." });
    const chinese = await api.send("POST", `/api/sessions/${session}/chat`, {
      body: { content: "你好" },
      headers: { "accept-language": "zh" },
    });
    expect(chinese.json?.error).toBe("明天再来。");
    expect(models.requests.length).toBe(asked);
    expect(await getUsage(id)).toMatchObject([{ target_id: "", used_tokens: 0, reserved_tokens: 0 }]);
  });

  test("is told to people on a channel once, in their language", async () => {
    await addBudget({
      applies_to: "channel",
      target_id: fake.id,
      limit_cost: 0,
      message: { en: "Enough.", zh: "够了。" },
    });
    await fake.say("team-over", "Hello", { sender: { id: "u1", name: "Li", isAdmin: false, language: "zh-CN" } });
    const getTexts = () =>
      fake.sent.filter(({ conversation }) => conversation.id === "team-over").map(({ text }) => text);
    await eventually(() => expect(getTexts()).toEqual(["够了。"]));
  });

  test("for one person leaves others alone", async () => {
    await addBudget({
      applies_to: "person",
      target_id: `${fake.id}:user:u2`,
      limit_tokens: 0,
      message: { en: "No.", zh: "不。" },
    });
    const from = (id: string) => ({ sender: { id, name: id, isAdmin: false, language: "en" } });
    await fake.say("team-two", "Hello", from("u2"));
    await fake.say("team-two", "Hello", from("u3"));
    const getTexts = () =>
      fake.sent.filter(({ conversation }) => conversation.id === "team-two").map(({ text }) => text);
    await eventually(() => expect(getTexts()).toHaveLength(2));
    expect(getTexts()[0]).toBe("No.");
    expect(getTexts()[1]).not.toBe("No.");
  });

  test("for an API key rejects only what is asked with it", async () => {
    const key = await api.post<{ id: string; secret: string }>("/api/api-keys", {
      name: "k",
      scopes: ["read", "chat"],
    });
    await addBudget({ applies_to: "api_key", target_id: key.id, limit_tokens: 0 });
    const session = await openSession();
    expect((await say(session, api.as(key.secret))).status).toBe(429);
    expect((await say(session)).status).toBe(200);
  });

  test("that is off rejects nothing", async () => {
    await addBudget({ applies_to: "all", limit_tokens: 0, enabled: false });
    expect((await say(await openSession())).status).toBe(200);
  });
});

test("an answer is counted for its conversation with its tokens and cost, and nothing stays reserved", async () => {
  const id = await addBudget({ applies_to: "conversation", limit_tokens: 1_000_000 });
  const session = await openSession();
  const { usage } = await api.post<{ usage: { total_tokens: number; cost: number } }>(`/api/sessions/${session}/chat`, {
    content: "Hello",
  });
  const found = (await getUsage(id)).find(({ target_id }) => target_id === session);
  expect(found).toMatchObject({ used_tokens: usage.total_tokens, used_cost: usage.cost, reserved_tokens: 0 });
  expect(Date.parse(found?.resets_at ?? "")).toBeGreaterThan(Date.now());
});

test("64 messages at once overspend by no more than one reservation", async () => {
  const limit = 2_000;
  const id = await addBudget({ applies_to: "all", limit_tokens: limit });
  const sessions = await Promise.all(Array.from({ length: 64 }, () => openSession()));
  const gate = createGate();
  models.script.push(...Array.from({ length: 64 }, () => ({ kind: "held", pieces: ["Hello."], gate }) as const));
  const before = models.requests.length;
  const statuses: number[] = [];
  const answers = Promise.all(sessions.map(async (session) => void statuses.push((await say(session)).status)));
  const countWaiting = () => models.requests.length - before;
  // The rejected ones have ended while the others wait for their model.
  await eventually(() => expect(statuses.length + countWaiting()).toBe(64));
  expect(new Set(statuses)).toEqual(new Set([429]));
  const [full] = await getUsage(id);
  const reserved = full?.reserved_tokens ?? 0;
  const waiting = countWaiting();
  expect(reserved).toBeGreaterThanOrEqual(limit);
  expect(reserved).toBeLessThan(limit + (reserved / waiting) * 1.1);
  for (let one = 0; one < waiting; one += 1) gate.next();
  await answers;
  models.script.length = 0;
  expect(statuses.filter((status) => status === 200)).toHaveLength(waiting);
  const [after] = await getUsage(id);
  expect(after?.used_tokens).toBeLessThanOrEqual(reserved);
  expect(after?.reserved_tokens).toBe(0);
}, 60_000);

test("over the limit the cheaper model answers instead", async () => {
  const draft = { name: "Small", model: "small", base_url: models.baseUrl, max_tokens: MAX_TOKENS };
  const small = await api.post<{ id: string }>("/api/ai-models", draft);
  await addBudget({ applies_to: "all", limit_tokens: 0, action: "cheaper", cheaper_model_id: small.id });
  const answer = await say(await openSession());
  expect(answer.status).toBe(200);
  expect(models.requests.at(-1)?.body.model).toBe("small");
  await api.post(`/api/ai-models/${small.id}/toggle`, { enabled: false });
  expect((await say(await openSession())).status).toBe(429);
});

test("a cheaper model must be a chat model", async () => {
  const draft = { name: "Bad", applies_to: "all", action: "cheaper" };
  expect((await api.send("POST", "/api/budgets", { body: draft })).status).toBe(400);
  const other = { ...draft, cheaper_model_id: "mdl_unknown" };
  expect((await api.send("POST", "/api/budgets", { body: other })).status).toBe(400);
});

test("a failed attempt is settled with what it cost", async () => {
  const id = await addBudget({ applies_to: "all", limit_tokens: 1_000_000 });
  models.script.push({ kind: "status", status: 401 });
  expect((await say(await openSession())).status).not.toBe(200);
  expect(await getUsage(id)).toMatchObject([{ used_tokens: 0, reserved_tokens: 0 }]);
});

test("what a person has spent is erased with the person, and a budget for nobody else too", async () => {
  const id = await addBudget({ applies_to: "person", limit_tokens: 1_000_000 });
  const person = `${fake.id}:user:u9`;
  const own = await addBudget({ name: "Hers", applies_to: "person", target_id: person, limit_tokens: 1_000_000 });
  await fake.say("private-9", "Hello", {
    sender: { id: "u9", name: "Ada", isAdmin: false },
    conversation: { id: "private-9", isGroup: false },
    sessionId: `${fake.id}:private:9`,
  });
  const listTargets = async () => (await getUsage(id)).map(({ target_id }) => target_id);
  await eventually(async () => expect(await listTargets()).toContain(person));
  await parley.host.get(Gateway).idle();
  const erased = await api.send("DELETE", `/api/people/${encodeURIComponent(person)}`, { body: { confirm: true } });
  expect(erased.status).toBe(200);
  await eventually(async () => expect(await listTargets()).not.toContain(person));
  expect((await api.send("GET", `/api/budgets/${own}`)).status).toBe(404);
});

test("budgets are part of an exported configuration", async () => {
  const { items } = await api.get<{ items: readonly { id: string }[] }>("/api/config-transfer/sections");
  expect(items.map((section) => section.id)).toContain("budgets");
});

test("only administrators see budgets", async () => {
  const key = await api.post<{ secret: string }>("/api/api-keys", { name: "r", scopes: ["read", "write"] });
  expect((await api.as(key.secret).send("GET", "/api/budgets")).status).toBe(403);
});
