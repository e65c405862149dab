import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppError, Jobs, LiveEvents, type Message, systemClock } from "@parley/core";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createEgress } from "../../host/src/egress/egress.ts";
import { createPushService } from "../../plugins/push/src/push-service.ts";
import { decodeKeys } from "../../plugins/push/src/schema.ts";
import type { Subscription } from "../../plugins/push/src/subscriptions.ts";
import { loadVapidPair } from "../../plugins/push/src/vapid.ts";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { openSocket } from "../harness/http/socket.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { type PushServer, startPushServer } from "../harness/servers/push-server.ts";

interface Tested {
  readonly sent: number;
  readonly failed: number;
  readonly removed: number;
  readonly skipped: number;
}
interface Shown {
  readonly id: string;
  readonly session_id: string | null;
  readonly service: string;
  readonly last_sent_at: string | null;
  readonly failures: number;
}

const desk = createFakeChannel("desk", "none");
let parley: Parley;
let api: Client;
let models: ModelServer;
let pushes: PushServer;
let session: string;
let browser: string;
let count = 0;

beforeAll(async () => {
  [parley, models, pushes] = await Promise.all([
    startParley({ plugins: [desk.plugin], env: { VAPID_SUBJECT: "mailto:ann@example.org" } }),
    startModelServer(),
    startPushServer(),
  ]);
  api = await parley.signIn();
  const model = { name: "m", model: "m", base_url: models.baseUrl, api_key: "sk-scripted", retry_count: 0 };
  const { id } = await api.post<{ id: string }>("/api/ai-models", model);
  await api.post(`/api/ai-models/${id}/apply`, {});
  await api.post("/api/channels", { id: "desk", name: "Desk", type: "desk", transport: "bridge" });
  await api.put("/api/settings", { push: { allow_private_endpoints: true } });
}, 60_000);
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await Promise.all([models[Symbol.asyncDispose](), pushes[Symbol.asyncDispose]()]);
});
beforeEach(async () => {
  models.script.length = 0;
  for (const { id } of await subscriptions()) await api.post("/api/push/unsubscribe", { id });
  browser = `browser-${++count}`;
  session = (await api.post<{ id: string }>("/api/sessions", { name: "Tea", sender_name: "Mira" })).id;
});

const subscribe = (name = browser, session_id: string | null = null) =>
  api.post<{ id: string; created: boolean }>("/api/push/subscribe", {
    subscription: pushes.subscription(name),
    session_id,
  });
const subscriptions = async () => (await api.get<{ items: readonly Shown[] }>("/api/push/subscriptions")).items;
const letters = (name = browser) => pushes.letters.filter((letter) => letter.browser === name);
const chat = (content: string, id = session) =>
  api.post<{ replies: readonly Message[] }>(`/api/sessions/${id}/chat`, { content });
/** Lists all open jobs in one query, so that a job and its successor are never both missed. */
const open = async (of: Parley = parley) => {
  const { items } = await of.host.get(Jobs).list({ kind: "push.send", limit: 500, offset: 0 });
  return items.filter(({ status }) => status === "waiting" || status === "running");
};
/** Expects the newest notice to be postponed by this time. */
const isPut = (ms: number) =>
  eventually(async () => {
    const jobs = await open();
    expect(jobs.filter(({ run_at }) => Date.parse(run_at) < Date.now() + ms - 1_000)).toEqual([]);
    expect(jobs).not.toEqual([]);
  });
/** Advances the clock and waits until all jobs are done. */
async function advance(ms: number, of: Parley = parley): Promise<void> {
  const now = Date.now;
  using _clock = vi.spyOn(Date, "now").mockImplementation(() => now() + ms);
  await eventually(async () => {
    for (const { id, status } of await open(of)) if (status === "waiting") await waitUntilBegun(id, of);
    expect(await open(of)).toEqual([]);
  });
}
async function waitUntilBegun(id: string, { host }: Parley): Promise<void> {
  try {
    await host.get(Jobs).retry(id);
  } catch (error) {
    // The job was due and has started by itself.
    if (!AppError.is(error) || error.code !== "conflict") throw error;
  }
}
const sendTest = (body: object = {}) => api.post<Tested>("/api/push/test", body);

describe("an answer", () => {
  test("is pushed to a browser in the background, encrypted for it, signed, and links to the conversation", async () => {
    models.script.push({ kind: "text", text: `Three minutes, then ${"wait ".repeat(60)}` });
    const { public_key } = await api.get<{ public_key: string }>("/api/push/public-key");
    await subscribe();
    await chat("How long?");
    await eventually(() => expect(letters()).toHaveLength(1));
    const [{ payload, headers, claims, publicKey } = expect.fail("nothing came")] = letters();
    expect(payload).toMatchObject({ title: "Mira · Tea", url: `/dashboard#/sessions/${session}`, tag: session });
    expect(Object.keys(payload).sort()).toEqual(["body", "tag", "title", "url"]);
    expect(payload.body).toMatch(/^Three minutes, then wait/);
    expect([...payload.body]).toHaveLength(120);
    expect(Number(headers.ttl)).toBeGreaterThan(3_500);
    expect(Number(headers.ttl)).toBeLessThanOrEqual(3_600);
    expect(headers).toMatchObject({ "content-encoding": "aes128gcm", urgency: "normal" });
    expect(headers.topic).toMatch(/^[\w-]{32}$/);
    expect(claims).toMatchObject({ aud: pushes.address, sub: "mailto:ann@example.org" });
    expect(claims.exp * 1_000 - Date.now()).toBeLessThanOrEqual(24 * 3_600_000);
    expect(publicKey).toBe(public_key);
    expect(Buffer.from(public_key, "base64url")).toHaveLength(65);
    await eventually(async () => expect((await subscriptions())[0]?.last_sent_at).not.toBeNull());
  });

  test("is not pushed while a console shows the conversation, but while it shows another one", async () => {
    using socket = await openSocket(api);
    await subscribe();
    await socket.ask({ type: "web_visibility", session_id: session, visible: true });
    await chat("seen");
    const other = (await api.post<{ id: string }>("/api/sessions", { name: "Other" })).id;
    await chat("elsewhere", other);
    await eventually(() => expect(letters()).toHaveLength(1));
    expect(letters()[0]?.payload.tag).toBe(other);
    await socket.ask({ type: "web_visibility", session_id: session, visible: false });
    await chat("not seen");
    await eventually(() => expect(letters().at(-1)?.payload.tag).toBe(session));
    expect(letters()).toHaveLength(2);
  });

  test("is pushed without its text if previews are hidden, and not at all if it was deleted before", async () => {
    await api.put("/api/settings", { push: { hide_content: true } });
    await subscribe();
    await chat("secret");
    await eventually(() => expect(letters()).toHaveLength(1));
    await api.put("/api/settings", { push: { hide_content: false } });
    expect(letters()[0]?.payload).toMatchObject({ title: "Mira · Tea", body: "" });
    const { replies } = await chat("again");
    await isPut(5_000);
    await api.send("DELETE", `/api/sessions/${session}/messages/${replies[0]?.id}`);
    await advance(5_001);
    expect(letters()).toHaveLength(1);
  });

  test("of many at once causes two notifications: the first and the newest", async () => {
    await subscribe();
    for (const text of ["one", "two", "three"]) {
      models.script.push({ kind: "text", text });
      await chat(text);
      if (text === "one") await eventually(() => expect(letters()).toHaveLength(1));
    }
    await isPut(5_000);
    await advance(5_001);
    expect(letters().map(({ payload }) => payload.body)).toEqual(["one", "three"]);
  });

  test("of a platform's conversation is pushed only where that is enabled", async () => {
    await subscribe();
    await desk.say("g1", "hello");
    await eventually(() => expect(desk.sent).not.toHaveLength(0));
    await api.put("/api/settings", { push: { platform_sessions: true } });
    await desk.say("g2", "hello");
    await eventually(() => expect(letters()).toHaveLength(1));
    await api.put("/api/settings", { push: { platform_sessions: false } });
    expect(letters()[0]?.payload.tag).toBe("desk:group:g2");
  });

  test("is pushed to subscribers of its conversation only, whose choice is deleted with it", async () => {
    const other = (await api.post<{ id: string }>("/api/sessions", { name: "Other" })).id;
    await subscribe(browser, session);
    await subscribe("elsewhere", other);
    await chat("hello");
    await eventually(() => expect(letters()).toHaveLength(1));
    await eventually(async () => expect(await open()).toEqual([]));
    expect(letters("elsewhere")).toEqual([]);
    await api.send("DELETE", `/api/sessions/${other}`);
    expect((await subscriptions()).map(({ session_id }) => session_id)).toEqual([session]);
  });
});

test("a failed turn is pushed, in the language of the browser", async () => {
  models.script.push({ kind: "status", status: 400, message: "no such thing" });
  await api.send("POST", "/api/push/subscribe", {
    body: { subscription: pushes.subscription(browser) },
    headers: { "accept-language": "zh-CN,zh;q=0.9" },
  });
  const { status } = await api.send("POST", `/api/sessions/${session}/chat`, { body: { content: "hello" } });
  expect(status).toBeGreaterThanOrEqual(500);
  await eventually(() => expect(letters()).toHaveLength(1));
  expect(letters()[0]?.payload.body).toMatch(/^未能回复：模型没有应答：/);
});

test("pending notifications are pushed after a restart", async () => {
  const root = mkdtempSync(join(tmpdir(), "parley-push-"));
  try {
    const one = await startParley({ root });
    let person = await one.signIn();
    await person.put("/api/settings", { push: { allow_private_endpoints: true } });
    const subscription = pushes.subscription(browser);
    await person.post("/api/push/subscribe", { subscription });
    const { id } = await person.post<{ id: string }>("/api/sessions", {});
    const { public_key } = await person.get<{ public_key: string }>("/api/push/public-key");
    await person.post(`/api/sessions/${id}/chat`, { content: "one" });
    await eventually(() => expect(letters()).toHaveLength(1));
    await person.post(`/api/sessions/${id}/chat`, { content: "two" });
    await one[Symbol.asyncDispose]();

    await using two = await startParley({ root });
    person = await two.signIn();
    await advance(5_001, two);
    expect(letters()).toHaveLength(2);
    expect(letters()[1]?.publicKey).toBe(public_key);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

describe("a response of a push service", () => {
  test.each([404, 410])("with status %i removes the subscription", async (status) => {
    await subscribe();
    pushes.answers(browser, { status });
    await chat("hello");
    await eventually(async () => expect(await subscriptions()).toEqual([]));
  });

  test("that reports a failure is counted: ten in a row remove the subscription, a success resets the count", async () => {
    await subscribe();
    pushes.answers(browser, ...Array.from({ length: 9 }, () => ({ status: 500 })), { status: 201 });
    for (let tries = 0; tries < 9; tries += 1) expect(await sendTest()).toMatchObject({ sent: 0, failed: 1 });
    expect((await subscriptions())[0]?.failures).toBe(9);
    expect(await sendTest()).toMatchObject({ sent: 1 });
    expect((await subscriptions())[0]?.failures).toBe(0);
    pushes.answers(browser, ...Array.from({ length: 10 }, () => ({ status: 403 })));
    for (let tries = 0; tries < 10; tries += 1) await sendTest();
    expect(await subscriptions()).toEqual([]);
  });

  test("that reports overload is retried once, at the requested time; a second one is a failure", async () => {
    await subscribe();
    const busy = { status: 429, headers: { "retry-after": "60" } };
    pushes.answers(browser, busy);
    await chat("hello");
    await isPut(60_000);
    await advance(60_001);
    expect([letters().length, pushes.tries(browser)]).toEqual([1, 2]);
    pushes.answers(browser, busy, busy);
    const other = (await api.post<{ id: string }>("/api/sessions", { name: "Other" })).id;
    await chat("again", other);
    await isPut(60_000);
    await advance(60_001);
    expect((await subscriptions())[0]?.failures).toBe(1);
    expect(pushes.tries(browser)).toBe(4);
  });

  test("that redirects is not followed", async () => {
    await subscribe();
    pushes.answers(browser, { status: 307, headers: { location: `${pushes.address}/push/other` } });
    expect(await sendTest()).toEqual({ sent: 0, failed: 1, removed: 0, skipped: 0 });
    expect(pushes.tries("other")).toBe(0);
  });
});

describe("a subscription", () => {
  test("with a known endpoint replaces the former one", async () => {
    const { id, created } = await subscribe();
    expect(created).toBe(true);
    expect(await subscribe(browser, session)).toEqual({ id, created: false });
    expect(await subscriptions()).toMatchObject([{ id, session_id: session, service: new URL(pushes.address).host }]);
    const text = JSON.stringify(await subscriptions());
    expect(text).not.toMatch(/p256dh|auth|\/push\//);
    expect(await api.post("/api/push/unsubscribe", { id })).toEqual({ removed: true });
    expect(await api.post("/api/push/unsubscribe", { id })).toEqual({ removed: false });
  });

  test("with a key of another kind, a point beside the curve, or an invalid address is rejected", async () => {
    const right = pushes.subscription("refused");
    const point = Buffer.from(right.keys.p256dh, "base64url");
    const beside = Buffer.concat([point.subarray(0, 64), Buffer.of((point.at(-1) ?? 0) ^ 1)]);
    const wrong: [object, RegExp][] = [
      [{ ...right, keys: { ...right.keys, p256dh: point.subarray(0, 64).toString("base64url") } }, /65 bytes/],
      [{ ...right, keys: { ...right.keys, p256dh: beside.toString("base64url") } }, /not a point/],
      [{ ...right, keys: { ...right.keys, auth: Buffer.alloc(15).toString("base64url") } }, /16 bytes/],
      [{ ...right, keys: { ...right.keys, auth: "not base64!" } }, /auth/],
      [{ ...right, endpoint: "ftp://push.example.org/1" }, /endpoint/],
      [{ ...right, endpoint: "https://user@push.example.org/1" }, /endpoint/],
      [{ ...right, endpoint: "http://169.254.169.254/latest" }, /endpoint/],
      [{ keys: right.keys }, /endpoint/],
    ];
    for (const [subscription, why] of wrong) {
      const { status, json } = await api.send("POST", "/api/push/subscribe", { body: { subscription } });
      expect(`${status} ${json?.code} ${json?.error}`).toMatch(why);
      expect(status).toBe(400);
    }
    const unknown = { subscription: right, session_id: "sess_unknown" };
    expect((await api.send("POST", "/api/push/subscribe", { body: unknown })).status).toBe(404);
    expect(await subscriptions()).toEqual([]);
  });

  test("accepts public https addresses only, unless others are allowed", async () => {
    const subscription = pushes.subscription("private");
    await api.put("/api/settings", { push: { allow_private_endpoints: false } });
    try {
      const getRejection = async (endpoint: string) =>
        (await api.send("POST", "/api/push/subscribe", { body: { subscription: { ...subscription, endpoint } } })).json;
      for (const endpoint of [
        "http://push.example.org/1",
        "https://127.0.0.1/1",
        "https://localhost/1",
        "https://[::1]/1",
        "https://[::ffff:10.0.0.1]/1",
        "https://2130706433/1",
        "https://192.168.1.1/1",
      ]) {
        expect(await getRejection(endpoint), endpoint).toMatchObject({ success: false, code: "bad_request" });
      }
    } finally {
      await api.put("/api/settings", { push: { allow_private_endpoints: true } });
    }
  });

  test("whose address is no longer allowed is not used", async () => {
    await subscribe();
    await api.put("/api/settings", { push: { allow_private_endpoints: false } });
    expect(await sendTest()).toMatchObject({ sent: 0, failed: 1 });
    await api.put("/api/settings", { push: { allow_private_endpoints: true } });
    expect(pushes.tries(browser)).toBe(0);
  });

  test("whose name resolves to a private address at sending is not used", async () => {
    const subscription = pushes.subscription(browser);
    const { port } = new URL(pushes.address);
    const endpoint = `https://rebound.example.org:${port}/push/${browser}`;
    let address = "93.184.215.14";
    const egress = createEgress(async () => [{ address, family: 4 }]);
    await egress.check(endpoint, "public");
    address = "127.0.0.1";
    const send = createPushService({
      egress,
      pair: () => loadVapidPair(join(parley.root, "data", "keys", "vapid.json")),
      environment: { get: () => undefined },
      clock: systemClock,
      mayReachPrivate: () => false,
    });
    const to: Subscription = {
      id: "sub_1",
      endpoint,
      sessionId: null,
      language: "en",
      keys: () => decodeKeys(subscription.keys),
    };
    const payload = { title: "a", body: "b", url: "/", tag: "c" };
    const sent = await send(to, { payload, ttlSeconds: 1, isUrgent: false }, new AbortController().signal);
    expect(sent).toMatchObject({
      kind: "failed",
      why: { en: "url: connections to 'rebound.example.org' are not allowed" },
    });
    expect(pushes.tries(browser)).toBe(0);
  });

  test("moves to the account that subscribes the same browser, and ends with its login", async () => {
    await subscribe();
    const made = { name: `phone ${browser}`, scopes: ["read", "chat"] };
    const key = await api.post<{ id: string; secret: string }>("/api/api-keys", made);
    const phone = api.as(key.secret);
    const body = { subscription: pushes.subscription(browser) };
    expect(await phone.post("/api/push/subscribe", body)).toMatchObject({ created: false });
    await api.send("DELETE", `/api/api-keys/${key.id}`);
    await eventually(async () => expect(await subscriptions()).toEqual([]));
  });

  test("is limited to fifty, also when they are created concurrently", async () => {
    const all = await Promise.all(
      Array.from({ length: 52 }, (_, at) =>
        api.send("POST", "/api/push/subscribe", { body: { subscription: pushes.subscription(`many-${at}`) } }),
      ),
    );
    expect(all.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(all.filter(({ status }) => status === 409)).toHaveLength(2);
    const known = all.findIndex(({ status }) => status === 200);
    expect(await subscribe(`many-${known}`)).toMatchObject({ created: false });
    expect(await api.get("/api/push/status")).toMatchObject({ subscriptions: 50 });
  });
});

test("a test is pushed to the caller's browsers, even with a console open; subscriptions of another conversation are skipped", async () => {
  const other = (await api.post<{ id: string }>("/api/sessions", { name: "Other" })).id;
  await subscribe();
  await subscribe("other", other);
  using socket = await openSocket(api);
  await socket.ask({ type: "web_visibility", session_id: session, visible: true });
  expect(await sendTest({ session_id: session, title: "Look", body: "here" })).toEqual({
    sent: 1,
    failed: 0,
    removed: 0,
    skipped: 1,
  });
  expect(letters()[0]?.payload).toEqual({
    title: "Look",
    body: "here",
    url: `/dashboard#/sessions/${session}`,
    tag: session,
  });
  expect((await api.send("POST", "/api/push/test", { body: { session_id: "sess_unknown" } })).status).toBe(404);
});

test("a text that is too long for a notification ends with a whole emoji", async () => {
  await subscribe();
  await sendTest({ session_id: session, title: "Look", body: "👩‍👩‍👧".repeat(20) });
  expect(letters()[0]?.payload).toMatchObject({ title: "Look", body: `${"👩‍👩‍👧".repeat(14)}…` });
});

test("the key pair belongs to this service alone", () => {
  const { mode } = statSync(join(parley.root, "data", "keys", "vapid.json"));
  expect(mode & 0o777).toBe(0o600);
});

test("a tool's question is pushed at once, and not any more after its answer", async () => {
  await subscribe();
  const events = parley.host.get(LiveEvents);
  const expires_at = new Date(Date.now() + 120_000).toISOString();
  const ask = (request_id: string) =>
    events.publish({
      type: "exec_confirm_request",
      session_id: session,
      durable: true,
      payload: { request_id, tool: "send_mail", summary: "send_mail {}", expires_at },
    });
  ask("req_1");
  await eventually(() => expect(letters()).toHaveLength(1));
  expect(letters()[0]?.payload).toMatchObject({ title: "Mira · Tea", body: "Waiting for your approval: send_mail" });
  expect(letters()[0]?.headers).toMatchObject({ urgency: "high" });
  expect(Number(letters()[0]?.headers.ttl)).toBeLessThanOrEqual(120);
  ask("req_2");
  await isPut(5_000);
  const payload = { request_id: "req_2", approved: true, by: null };
  events.publish({ type: "exec_confirm_result", session_id: session, durable: true, payload });
  await advance(5_001);
  expect(letters()).toHaveLength(1);
});
