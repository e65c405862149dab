import { Gateway } from "@parley/core";
import { type Receiver, startReceiver } from "@parley/simulators";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  parley = await startParley({ env: { WORD: "sesame" } });
  const api = await parley.signIn();
  const add = (id: string, auth: object, more: object = {}) =>
    api.post("/api/channels", {
      id,
      name: id,
      type: "generic",
      transport: "webhook",
      config: { auth, outbound_url: receiver.address, ...more },
    });
  await add("open", { type: "none" });
  await add("few", { type: "none" }, { rate_limits: { ip: 3 } });
  for (const id of ["locked", "shut"]) await add(id, { type: "static", secret_env: "WORD" });
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

let count = 0;
const post = (channel: string, secret = "sesame") => {
  count += 1;
  return fetch(`${parley.address}/api/gateway/${channel}/webhook`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-svc-token": secret },
    body: JSON.stringify({ event_id: `e${count}`, conversation_id: "c", user_id: `u${count}`, text: "hello" }),
  });
};
const statuses = async (times: number, ...call: Parameters<typeof post>) => {
  const all: number[] = [];
  for (let n = 0; n < times; n += 1) all.push((await post(...call)).status);
  return all;
};

test("a webhook without a secret accepts sixty requests a minute from one address, or the channel's own limit", async () => {
  expect(new Set(await statuses(60, "open"))).toEqual(new Set([200]));
  const rejected = await post("open");
  expect(rejected.status).toBe(429);
  expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await statuses(4, "few")).toEqual([200, 200, 200, 429]);
});

test("authenticated requests are not counted; wrong secrets are rate-limited, but the right one is accepted", async () => {
  expect(new Set(await statuses(70, "locked"))).toEqual(new Set([200]));
  expect(new Set(await statuses(20, "locked", "wrong"))).toEqual(new Set([401]));
  expect(await statuses(1, "locked", "wrong")).toEqual([429]);
  expect(await statuses(1, "locked")).toEqual([200]);
});

test("the character U+0000 is removed from a platform's messages, and rejected in clients' requests", async () => {
  const event = { event_id: "n1", conversation_id: "c9", user_id: "u9", user_name: "A\0nn", text: "one\0two" };
  const response = await fetch(`${parley.address}/api/gateway/locked/webhook`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-svc-token": "sesame" },
    body: JSON.stringify(event),
  });
  expect(response.status).toBe(200);
  await parley.host.get(Gateway).idle();
  const api = await parley.signIn();
  const { items } = await api.get<{ items: readonly { content: string; sender: string }[] }>(
    "/api/sessions/locked:c9/messages?order=asc",
  );
  expect(items[0]).toMatchObject({ content: "onetwo" });
  expect(JSON.stringify(items)).not.toContain("\\u0000");
  const rejected = { status: 400, json: { success: false, error: expect.stringContaining("U+0000") } };
  expect(await api.send("POST", "/api/sessions", { body: { name: "x", summary: "a\0b" } })).toMatchObject(rejected);
  expect(await api.send("GET", "/api/sessions?q=a%00b")).toMatchObject(rejected);
  expect(await api.send("GET", "/api/sessions/a%00b")).toMatchObject(rejected);
});

test("the trace id of a rejected request, which never became a message, is recognised", async () => {
  const traceId = (await post("shut", "wrong")).headers.get("x-trace-id");
  const api = await parley.signIn();
  expect(await api.get(`/api/gateway/logs/lookup/${traceId}`)).toMatchObject({
    matches: [{ type: "trace_id", source: "gateway_logs" }],
    best_guess: { type: "trace_id", confidence: 0.95 },
    next_tools: [{ tool: "gateway_query_trace", args: { trace_id: traceId } }],
  });
  expect(await api.get("/api/gateway/logs")).toMatchObject({ limit: 100 });
});
