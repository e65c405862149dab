import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Channels, Gateway, type Message, systemClock } from "@parley/core";
import { type ReceivedPost, type Receiver, startReceiver } from "@parley/simulators";
import { channelAdapterContract, type PlatformFault } from "@parley/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createGenericAdapter } from "../../adapters/generic/src/adapter.ts";
import { signBody } from "../../adapters/generic/src/signature.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

describe("the adapter", () => {
  const receivers: Receiver[] = [];
  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver[Symbol.asyncDispose]();
  });

  channelAdapterContract("generic", async () => {
    const receiver = await startReceiver();
    receivers.push(receiver);
    return {
      adapter: createGenericAdapter({
        gateway: () => ({ outcome: () => Promise.reject(new Error("nobody waits for an outcome here")) }),
        clock: systemClock,
      }),
      config: { auth: { type: "static", secret_env: "WORD" }, outbound_url: receiver.address },
      secrets: { WORD: "sesame" },
      async connect(link) {
        const post = async (body: object) => {
          const headers = { "x-svc-token": "sesame", "content-type": "application/json" };
          await link.receive?.({ headers, body: Buffer.from(JSON.stringify(body)), address: "127.0.0.1" });
        };
        const listAccepted = () => receiver.posts.filter(({ status }) => status === 200);
        let receivedCount = 0;
        return {
          conversation: "u1",
          say: (id, text) => post({ message_id: id, user_id: "u1", content: text }),
          async heard() {
            while (listAccepted().length <= receivedCount) await receiver.received(receiver.posts.length + 1);
            receivedCount += 1;
            return String(listAccepted()[receivedCount - 1]?.body.content);
          },
          shown: () => [
            ...new Map(
              receiver.posts.map(({ headers, body }) => [headers["idempotency-key"], String(body.content)]),
            ).values(),
          ],
          incomplete: [
            () => post({ message_id: "80", content: "nowhere" }),
            () => post({ user_id: "u1" }),
            () => post({}),
          ],
          sayInGroup: (id, text, mentioned) =>
            post({
              message_id: `g${id}`,
              conversation_id: "room",
              user_id: "u1",
              content: text,
              is_group: true,
              mentioned,
            }),
          fail: (fault) => void receiver.answers.push(FAULTS[fault]),
          async [Symbol.asyncDispose]() {},
        };
      },
      async refuseNext() {
        receiver.answers.push({ status: 410 });
      },
    };
  });
});

const FAULTS: Readonly<Record<PlatformFault, Receiver["answers"][number]>> = {
  throttle: { status: 429, headers: { "retry-after": "1" } },
  refuse: { status: 410 },
  auth: { status: 401 },
  fail: { status: 503 },
  "reset-after": { status: 0 },
};

describe("a client that posts", () => {
  let receiver: Receiver;
  let parley: Parley;
  let api: Client;

  beforeAll(async () => {
    receiver = await startReceiver();
    parley = await startParley({
      env: { SVC_WEBHOOK_SECRET: "sesame", HOOK_KEY: "hook-key", HOOK_TOKEN: "hook-token" },
    });
    api = await parley.signIn();
    await createChannel("shop", {
      outbound_url: receiver.address,
      outbound_secret_env: "HOOK_KEY",
      outbound_token_env: "HOOK_TOKEN",
    });
    await createChannel("desk", { reply_mode: "sync" });
    await createChannel("mute", {});
  });
  afterAll(async () => {
    await parley[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });
  let before = 0;
  beforeEach(() => {
    before = receiver.posts.length;
  });

  async function createChannel(id: string, config: object): Promise<void> {
    const auth = { type: "static", secret_env: "SVC_WEBHOOK_SECRET" };
    await api.post("/api/channels", { id, name: id, config: { auth, ...config } });
    await vi.waitFor(() => expect(parley.host.get(Channels).link(id)).toBeDefined());
  }
  const post = (id: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    api.send("POST", `/api/gateway/${id}/webhook`, {
      token: "",
      body,
      headers: { "x-svc-token": "sesame", ...headers },
    });
  const waitUntilIdle = () => parley.host.get(Gateway).idle();
  const history = async (id: string) =>
    (await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`)).items;
  const countDead = async () =>
    Number(/^parley_deliveries\{state="dead"\} (\d+)$/m.exec((await api.send("GET", "/metrics")).text)?.[1] ?? 0);

  test("gets an acknowledgement once its message is on disk, and the answer posted, signed and with a key", async () => {
    const answer = await post("shop", { message_id: "m1", conversation_id: "room", user_id: "u1", content: "hello" });
    expect(answer.json).toMatchObject({
      ok: true,
      channel_id: "shop",
      conversation_id: "room",
      status: "queued",
      queued: true,
    });
    await receiver.received(before + 1);
    const { headers, body, raw } = receiver.posts[before] as ReceivedPost;
    expect(body).toMatchObject({
      channel_id: "shop",
      conversation_id: "room",
      type: "message",
      reply_to: "m1",
      part: { no: 1, count: 1 },
    });
    expect(headers["idempotency-key"]).toBe(body.delivery_id);
    expect(headers.authorization).toBe("Bearer hook-token");
    const signed = { timestamp: String(headers["x-svc-timestamp"]), nonce: String(headers["x-svc-nonce"]) };
    expect(headers["x-svc-signature"]).toBe(signBody("hook-key", signed, raw));
    await waitUntilIdle();
    expect(await history("shop:room")).toHaveLength(2);
  });

  test("may repeat: the same message is a copy, with the first one's trace", async () => {
    const body = { message_id: "m2", user_id: "u2", content: "hello" };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post("shop", body)));
    expect(new Set(answers.map(({ json }) => (json as unknown as { trace_id: string }).trace_id)).size).toBe(1);
    await waitUntilIdle();
    expect(await history("shop:u2")).toHaveLength(2);
    expect(receiver.posts.length).toBe(before + 1);
  });

  test("that fails temporarily gets the same answer under the same key again, in order", async () => {
    receiver.answers.push({ status: 503 }, { status: 0 });
    await post("shop", { message_id: "m3", user_id: "u3", content: "hello" });
    await receiver.received(before + 3);
    await waitUntilIdle();
    const keys = receiver.posts.slice(before).map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(1);
  });

  test.each([
    [410, {}],
    [302, { location: "http://127.0.0.1:1/" }],
    [400, {}],
  ])("that answers %i permanently gets no retry", async (status, headers) => {
    const given = await countDead();
    receiver.answers.push({ status, headers });
    await post("shop", { user_id: `u-${status}`, content: "hello" });
    await receiver.received(before + 1);
    await waitUntilIdle();
    expect(receiver.posts.length).toBe(before + 1);
    expect(await countDead()).toBe(given + 1);
  });

  test("may wait for the answer in the response, also with a repeat", async () => {
    const body = { message_id: "s1", user_id: "u4", content: "hello" };
    const answer = (await post("desk", body)).json as unknown as { status: string; data: { response_content: string } };
    expect(answer).toMatchObject({
      ok: true,
      status: "built",
      data: { response_content: expect.stringMatching(/.+/) },
    });
    expect((await history("desk:u4"))[1]?.content).toBe(answer.data.response_content);
    expect((await post("desk", body)).json).toMatchObject({ status: "built", data: answer.data });
    expect(await history("desk:u4")).toHaveLength(2);
  });

  test("without an address for answers gets none, and that is never shown as delivered", async () => {
    const given = await countDead();
    await post("mute", { user_id: "u5", content: "hello" });
    await waitUntilIdle();
    expect(await countDead()).toBe(given + 1);
  });

  test("gets an error for unusable input, without a request to repeat it", async () => {
    expect(await post("shop", { content: "nobody said this" })).toMatchObject({
      status: 200,
      json: { ok: true, status: "parse_failed", error: expect.stringContaining("user_id") },
    });
  });

  test.each([
    ["a wrong token", "shop", { "x-svc-token": "nope" }, 401],
    ["an unknown channel", "nobody", {}, 404],
    ["the console's channel", "web", {}, 403],
  ])("with %s is rejected", async (_what, id, headers, status) => {
    expect((await post(id, { user_id: "u", content: "hi" }, headers)).status).toBe(status);
  });

  test("two channels never share a conversation", async () => {
    await post("shop", { user_id: "same", content: "one" });
    await post("mute", { user_id: "same", content: "two" });
    await waitUntilIdle();
    expect((await history("shop:same"))[0]?.content).toBe("one");
    expect((await history("mute:same"))[0]?.content).toBe("two");
  });
});

test("a nonce is accepted once, also after a restart; the same bytes again are a copy", async () => {
  const root = mkdtempSync(join(tmpdir(), "parley-nonce-"));
  const postSigned = async (parley: Parley, event: string, nonce: string) => {
    const body = JSON.stringify({ event_id: event, conversation_id: "room", user_id: "u1", content: "hello" });
    const timestamp = String(Math.floor(systemClock.now() / 1_000));
    const signed = { timestamp: sent.get(nonce + event) ?? timestamp, nonce };
    sent.set(nonce + event, signed.timestamp);
    const headers = {
      "x-svc-timestamp": signed.timestamp,
      "x-svc-nonce": nonce,
      "x-svc-signature": signBody("parley-secret", signed, Buffer.from(body)),
    };
    const { status, json } = await createClient(parley.address, "").send("POST", "/api/gateway/door/webhook", {
      body,
      headers,
    });
    return { ...(json as { status?: string; trace_id?: string }), code: status };
  };
  const sent = new Map<string, string>();
  const start = () => startParley({ root, env: { KEY: "parley-secret" } });
  try {
    let first: string | undefined;
    {
      await using parley = await start();
      const api = await parley.signIn();
      await api.post("/api/channels", {
        id: "door",
        name: "Door",
        config: { auth: { type: "hmac", secret_env: "KEY" } },
      });
      await vi.waitFor(() => expect(parley.host.get(Channels).link("door")).toBeDefined());
      const taken = await postSigned(parley, "e1", "n1");
      expect(taken).toMatchObject({ code: 200, status: "queued" });
      first = taken.trace_id;
      expect(await postSigned(parley, "e2", "n1")).toMatchObject({ code: 401 });
    }
    await using parley = await start();
    await vi.waitFor(() => expect(parley.host.get(Channels).link("door")).toBeDefined());
    expect(await postSigned(parley, "e1", "n1")).toMatchObject({ code: 200, status: "duplicated", trace_id: first });
    expect(await postSigned(parley, "e3", "n1")).toMatchObject({ code: 401 });
    expect(await postSigned(parley, "e3", "n2")).toMatchObject({ code: 200, status: "queued" });
    const api = await parley.signIn();
    const events = (status: string) =>
      api.get<{ total: number }>(`/api/gateway/events?channel_id=door&status=${status}`);
    expect(await events("auth_failed")).toMatchObject({ total: 2 });
    expect(await api.get("/api/gateway/stats")).toMatchObject({ worker: { errors: 0 } });
    // Each accepted request was received, verified, parsed and checked for duplicates.
    for (const status of ["received", "verified", "parsed", "deduped"]) {
      expect(await events(status)).toMatchObject({ total: 2, items: [{ status }, { status }] });
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
