import type { Message } from "@parley/core";
import { createGate, type ModelServer, startModelServer } from "@parley/simulators";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Frame, openSocket } from "../harness/http/socket.ts";
import { type Parley, startParley } from "../harness/parley.ts";

/** Minimum number of requests. */
const REQUESTS = 200;
const REQUESTS_AT_ONCE = 10;
const LINES = 6;

const runParallel = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work));

let parley: Parley;
let models: ModelServer;

beforeEach(async () => {
  [parley, models] = await Promise.all([startParley({ waitWithinMs: 30_000 }), startModelServer()]);
});
afterEach(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});

async function sessionWithModel(api: Awaited<ReturnType<Parley["signIn"]>>): Promise<string> {
  const model = await api.post<{ id: string }>("/api/ai-models", {
    name: "scripted",
    model: "m",
    base_url: models.baseUrl,
  });
  await api.post(`/api/ai-models/${model.id}/apply`, {});
  return (await api.post<{ id: string }>("/api/sessions", { name: "open" })).id;
}

for (const { what, body } of [
  { what: "of everything", body: {} },
  { what: "of one plugin", body: { packages: ["dice"] } },
]) {
  test(`a reload ${what} rejects none of many requests, closes no socket and loses no message`, async () => {
    const api = await parley.signIn();
    const id = await sessionWithModel(api);
    using socket = await openSocket(api);
    await socket.ask({ type: "join_session", session_id: id });

    const reloading = api.post<{ failed: readonly object[]; duration_ms: number }>("/api/system/reload-core", body);
    let isReloading = true;
    const whole = reloading.finally(() => {
      isReloading = false;
    });
    // Sends requests one after another until the reload is complete.
    const requests = runParallel(REQUESTS_AT_ONCE, async () => {
      const statuses: number[] = [];
      while (isReloading || statuses.length < REQUESTS / REQUESTS_AT_ONCE)
        statuses.push((await api.send("GET", "/api/sessions")).status);
      return statuses;
    });
    const frames: Frame[] = [];
    for (let at = 0; at < LINES; at += 1) {
      socket.send({ id: `line-${at}`, type: "send_message", session_id: id, content: `line ${at}`, temp_id: `t${at}` });
      frames.push(await socket.next((frame) => frame.id === `line-${at}`));
    }
    expect((await whole).failed).toEqual([]);
    expect(new Set((await requests).flat())).toEqual(new Set([200]));

    expect(frames).toEqual(frames.map(() => expect.objectContaining({ type: "ack" })));
    await socket.next(
      ({ type, message }) => type === "new_message" && (message as Message).content === "You said: line 5",
    );
    const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages?limit=100`);
    const users = items.filter(({ role }) => role === "user").map(({ content }) => content);
    expect(users).toEqual(frames.map((_, at) => `line ${at}`));
  });
}

test("a reload during a reply rejects no request, and the reply is completed on the same socket", async () => {
  const api = await parley.signIn();
  const id = await sessionWithModel(api);
  const gate = createGate();
  models.script.push({ kind: "held", pieces: ["I was ", "still ", "talking."], gate });
  using socket = await openSocket(api);
  await socket.ask({ type: "join_session", session_id: id });
  await socket.ask({ type: "send_message", session_id: id, content: "first", temp_id: "t1" });
  gate.next();
  await socket.next(({ type }) => type === "ai_stream_chunk");

  const reloading = api.post<{ failed: readonly object[] }>("/api/system/reload-core", {});
  await api.get("/api/sessions");
  expect((await socket.ask({ type: "send_message", session_id: id, content: "second", temp_id: "t2" })).type).toBe(
    "ack",
  );
  for (let left = 3; left > 0; left -= 1) gate.next();
  expect((await reloading).failed).toEqual([]);
  const isFinished = ({ type, message }: Frame) => type === "new_message" && (message as Message).role === "assistant";
  const end = await socket.next(({ type }) => type === "ai_stream_end");
  expect(end).toMatchObject({ type: "ai_stream_end" });
  await socket.next((frame) => isFinished(frame) && (frame.message as Message).content === "You said: second");
});

test("the sockets of a plugin that is reloaded by name are closed, and accepted again at once", async () => {
  const api = await parley.signIn();
  using socket = await openSocket(api);
  const reloading = api.post("/api/system/reload-core", { packages: ["web"] });
  expect(await socket.closed()).toBe(1001);
  using again = await openSocket(api);
  expect((await again.next(({ type }) => type === "ready")).type).toBe("ready");
  await reloading;
});

test("a body that waits is not read before it is admitted", async () => {
  const api = await parley.signIn();
  const id = await sessionWithModel(api);
  const reloading = api.post("/api/system/reload-core", {});
  const content = "x".repeat(200_000);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => api.send("POST", `/api/sessions/${id}/messages`, { body: { content } })),
  );
  await reloading;
  expect(answers.map(({ status }) => status)).not.toContain(503);
});
