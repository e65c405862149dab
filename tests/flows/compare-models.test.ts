import type { Message } from "@parley/core";
import { createGate, type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface Asked {
  readonly trace_ids: readonly string[];
  readonly message_id: string;
  readonly blocked: boolean;
}
interface Answer {
  readonly branch_id: string | null;
  readonly message: Message;
}

let models: ModelServer;
let parley: Parley;
let api: Client;
let session: string;
let ids: readonly string[];
let before: number;

beforeAll(async () => {
  models = await startModelServer();
  parley = await startParley();
  api = await parley.signIn();
  const add = async (name: string) =>
    (await api.post<{ id: string }>("/api/ai-models", { name, model: name, base_url: models.baseUrl })).id;
  ids = [await add("red"), await add("green"), await add("blue")];
  await api.post(`/api/ai-models/${ids[0]}/apply`, {});
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});
beforeEach(async () => {
  session = (await api.post<{ id: string }>("/api/sessions", {})).id;
  models.script.length = 0;
  before = models.requests.length;
});

const path = (rest: string) => `/api/sessions/${session}/${rest}`;
const ask = (more: object = {}) =>
  api.post<Asked>(path("ask-models"), { content: "which colour?", model_ids: ids, ...more });
const history = async () => (await api.get<{ items: readonly Message[] }>(path("messages"))).items;
const answers = async (question: string) =>
  (await api.get<{ items: readonly Answer[] }>(path(`messages/${question}/answers`))).items;
const text = (...texts: readonly string[]) => {
  for (const one of texts) models.script.push({ kind: "text", text: one });
};
const waitUntilIdle = () =>
  expect
    .poll(() => api.get<{ running: readonly object[]; queued_turns: number }>(path("debug")), { timeout: 10_000 })
    .toMatchObject({ running: [], queued_turns: 0 });
const expectAnswers = (question: string, count: number) =>
  expect.poll(async () => (await answers(question)).length, { timeout: 10_000 }).toBe(count);

describe("several models that are asked the same", () => {
  test("each add a variant of one reply, and the selected one is continued", async () => {
    text("I am red", "I am green", "I am blue", "as I said");
    const { trace_ids, message_id } = await ask();
    expect(trace_ids).toHaveLength(3);
    await expectAnswers(message_id, 3);
    await waitUntilIdle();
    const given = await answers(message_id);
    expect(given.map(({ message: { content, model_id } }) => [content, model_id])).toEqual([
      ["I am red", ids[0]],
      ["I am green", ids[1]],
      ["I am blue", ids[2]],
    ]);
    expect(given.map(({ branch_id }) => branch_id === null)).toEqual([false, false, true]);
    expect((await history()).map(({ content }) => content)).toEqual(["which colour?", "I am blue"]);
    expect((await history())[0]?.metadata.asked_models).toEqual(ids);
    // No model got the answer of another one.
    for (const { body } of models.requests.slice(before)) expect(JSON.stringify(body.messages)).not.toContain("I am");
    await api.post(path(`branches/${given[1]?.branch_id}/show`), {});
    await api.post(path("chat"), { content: "and?" });
    expect((await history()).map(({ content }) => content)).toEqual([
      "which colour?",
      "I am green",
      "and?",
      "as I said",
    ]);
    const rest = JSON.stringify(models.requests.at(-1)?.body.messages);
    expect(rest).toContain("I am green");
    expect(rest).not.toContain("I am blue");
  });

  test("lose nothing when some of them fail: the question lists these, and the others are shown side by side", async () => {
    models.script.push(
      { kind: "status", status: 404, message: "gone" },
      { kind: "status", status: 400, message: "no" },
    );
    text("I am blue");
    const { message_id } = await ask();
    await expectAnswers(message_id, 1);
    await waitUntilIdle();
    const given = await answers(message_id);
    expect(given.map(({ message }) => message.metadata.asked_model)).toEqual([ids[2]]);
    const failure = (key: string) => expect.objectContaining({ detail: expect.objectContaining({ key }) });
    expect((await history())[0]?.metadata.failed_models).toEqual({
      [ids[0] ?? ""]: failure("models.model_missing"),
      [ids[1] ?? ""]: failure("models.bad_request"),
    });
  });

  test("are all stopped at once, and a later message is answered", async () => {
    const gate = createGate();
    models.script.push({ kind: "held", pieces: ["I am", " red"], gate }, { kind: "text", text: "fine" });
    const { trace_ids, message_id } = await ask();
    await expect.poll(() => models.requests.length).toBe(before + 1);
    const next = api.post(path("chat"), { content: "never mind" });
    await expect
      .poll(async () => (await api.get<{ queued_turns: number }>(path("debug"))).queued_turns, { timeout: 5_000 })
      .toBe(3);
    const stopped = await api.post<{ trace_ids: readonly string[] }>("/api/stop", { session_id: session });
    expect(stopped.trace_ids.toSorted()).toEqual(trace_ids.toSorted());
    gate.next();
    await next;
    expect(models.requests).toHaveLength(before + 2);
    expect((await answers(message_id)).length).toBeLessThan(2);
    expect((await history()).at(-1)?.content).toBe("fine");
  });

  test("are called once under one temp_id, and rejected when one is unknown or there is only one", async () => {
    text("I am red", "I am green", "I am blue");
    const first = await ask({ temp_id: "t-once" });
    expect(await ask({ temp_id: "t-once" })).toEqual(first);
    await expectAnswers(first.message_id, 3);
    await waitUntilIdle();
    expect(await ask({ temp_id: "t-once" })).toEqual(first);
    await waitUntilIdle();
    expect(models.requests).toHaveLength(before + 3);
    const getRejection = async (model_ids: readonly string[]) =>
      (await api.send("POST", path("ask-models"), { body: { content: "hi", model_ids } })).status;
    expect(await getRejection(ids.slice(0, 1))).toBe(400);
    expect(await getRejection([ids[0] ?? "", "model_none"])).toBe(400);
    expect(await history()).toHaveLength(2);
  });
});
