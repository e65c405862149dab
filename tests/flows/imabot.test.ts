import { sign } from "node:crypto";
import { Channels, Gateway, type Message, systemClock } from "@parley/core";
import { IMABOT_APP, type ImaBotFault, type ImaBotServer, startImaBotServer } from "@parley/simulators";
import { channelAdapterContract, type PlatformFault } from "@parley/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createImaBotAdapter } from "../../adapters/ima/src/bot/adapter.ts";
import { createGatewaySessions } from "../../adapters/ima/src/bot/gateway-socket.ts";
import { deriveKeys } from "../../adapters/ima/src/bot/signature.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const FAULTS: Readonly<Record<PlatformFault, ImaBotFault>> = {
  throttle: { kind: "code", code: 22_009 },
  refuse: { kind: "code", code: 1, status: 403 },
  auth: { kind: "code", code: 11_243, status: 401 },
  fail: { kind: "code", code: 0, status: 500 },
  "reset-after": { kind: "reset-after" },
};

function signFrame(frame: object, secret = IMABOT_APP.secret) {
  const body = JSON.stringify(frame);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const headers = {
    "content-type": "application/json",
    "x-bot-appid": IMABOT_APP.id,
    "x-signature-timestamp": timestamp,
    "x-signature-ed25519": sign(null, Buffer.from(`${timestamp}${body}`), deriveKeys(secret).privateKey).toString(
      "hex",
    ),
  };
  return { body, headers };
}
const createDirect = (id: string, content: string, user = "U1") => ({ id, content, author: { user_openid: user } });

/** Events the platform would never send. */
const INCOMPLETE: readonly (readonly [type: string, message: object])[] = [
  ["C2C_MESSAGE_CREATE", { id: "80", content: "from nowhere" }],
  ["C2C_MESSAGE_CREATE", { id: "81", content: "from nowhere", author: {} }],
  ["GROUP_AT_MESSAGE_CREATE", { id: "82", content: "from nowhere", author: { member_openid: "U1" } }],
  ["C2C_MESSAGE_CREATE", {}],
];

describe("the adapter", () => {
  const servers: ImaBotServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
  });

  channelAdapterContract("imAbot", async () => {
    const server = await startImaBotServer();
    servers.push(server);
    return {
      adapter: createImaBotAdapter({
        clock: systemClock,
        random: Math.random,
        sessions: createGatewaySessions(),
        backoffMs: [2, 20],
      }),
      config: { app_id: IMABOT_APP.id, api_base: server.address },
      secrets: { IMABOT_APP_SECRET: IMABOT_APP.secret },
      inboundSecretSetting: "app_secret_env",
      maxParts: 5,
      async connect(link) {
        const post = async (t: string, d: object) => {
          const { body, headers } = signFrame({ op: 0, t, d });
          await link.receive?.({ headers, body: Buffer.from(body), address: "127.0.0.1" });
        };
        await post("FRIEND_ADD", {});
        let receivedCount = 0;
        const own = () => server.sent.filter(({ to }) => to === "/v2/users/U1");
        return {
          conversation: "private:U1",
          say: (id, text) => post("C2C_MESSAGE_CREATE", createDirect(id, text)),
          async heard() {
            const from = receivedCount;
            await server.seen(() => own().length > from);
            receivedCount += 1;
            return own()[receivedCount - 1]?.text ?? "";
          },
          other: () => post("FRIEND_DEL", {}),
          incomplete: INCOMPLETE.map(
            ([type, message]) =>
              () =>
                post(type, message),
          ),
          fail: (fault) => {
            // A rejected token is refreshed once.
            if (fault === "auth") server.faults.push(FAULTS.auth);
            server.faults.push(FAULTS[fault]);
          },
          async [Symbol.asyncDispose]() {},
        };
      },
    };
  });
});

describe("imAbot through the service", () => {
  let platform: ImaBotServer;
  let parley: Parley;
  let api: Client;

  beforeAll(async () => {
    platform = await startImaBotServer();
    parley = await startParley({ env: { IMABOT_APP_SECRET: IMABOT_APP.secret } });
    api = await parley.signIn();
    await api.put("/api/channels/imAbot", { config: { app_id: IMABOT_APP.id, api_base: platform.address } });
    await api.post("/api/channels/imAbot/toggle", { enabled: true });
    await vi.waitFor(() => expect(parley.host.get(Channels).status("imAbot").connected).toBe(true), 5_000);
  });
  afterAll(async () => {
    await parley[Symbol.asyncDispose]();
    await platform[Symbol.asyncDispose]();
  });
  const waitUntilIdle = () => parley.host.get(Gateway).idle();
  const history = async (id: string) =>
    (await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`)).items;

  test("a message over the socket is answered as a numbered reply to it", async () => {
    platform.push("C2C_MESSAGE_CREATE", createDirect("r1", "hello", "U7"));
    const sent = await platform.seen(({ to }) => to === "/v2/users/U7");
    expect(sent).toMatchObject({ msgId: "r1", msgSeq: 1 });
    platform.push("GROUP_AT_MESSAGE_CREATE", {
      id: "r2",
      content: " hi",
      group_openid: "G1",
      author: { member_openid: "M1" },
    });
    expect(await platform.seen(({ to }) => to === "/v2/groups/G1")).toMatchObject({ msgId: "r2" });
    await waitUntilIdle();
    expect((await history("imAbot:group:G1")).map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  test("messages during a socket outage are delivered after the reconnection, once", async () => {
    platform.drop();
    platform.push("C2C_MESSAGE_CREATE", createDirect("r3", "meanwhile", "U8"));
    await platform.seen(({ to }) => to === "/v2/users/U8");
    await waitUntilIdle();
    expect(platform.connections()).toMatchObject({ open: 1, identified: 1, resumed: 1 });
    expect(await history("imAbot:private:U8")).toHaveLength(2);
  });

  test("a session that the platform has forgotten is started again", async () => {
    platform.drop(4_007);
    await vi.waitFor(() => expect(platform.connections()).toMatchObject({ open: 1, identified: 2 }), 5_000);
  });

  test("messages during a reload are delivered after it, once", async () => {
    const { identified, resumed } = platform.connections();
    const reloading = api.post("/api/system/reload-core", {});
    await vi.waitFor(() => expect(platform.connections().open).toBe(0), { timeout: 10_000, interval: 1 });
    platform.push("C2C_MESSAGE_CREATE", createDirect("r6", "meanwhile", "U12"));
    await reloading;
    await platform.seen(({ to }) => to === "/v2/users/U12");
    await waitUntilIdle();
    expect(platform.connections()).toEqual({ open: 1, identified, resumed: resumed + 1 });
    expect(await history("imAbot:private:U12")).toHaveLength(2);
  });

  test("the same event by webhook and by socket is one message", async () => {
    const { body, headers } = signFrame({ op: 0, t: "C2C_MESSAGE_CREATE", d: createDirect("r4", "twice", "U9") });
    const answer = await api.send("POST", "/api/gateway/imAbot/webhook", { token: "", body, headers });
    expect(answer.json).toEqual({ op: 12 });
    await vi.waitFor(() => expect(parley.host.get(Channels).status("imAbot").connected).toBe(true), 5_000);
    platform.push("C2C_MESSAGE_CREATE", createDirect("r4", "twice", "U9"));
    await platform.seen(({ to }) => to === "/v2/users/U9");
    await waitUntilIdle();
    expect(await history("imAbot:private:U9")).toHaveLength(2);
  });

  test("the platform's webhook events are accepted and acknowledged, however often they arrive", async () => {
    await using posting = await startImaBotServer({ faults: { seed: 1, duplicate: 1 } });
    await api.put("/api/channels/imAbot", { config: { app_id: IMABOT_APP.id, api_base: posting.address } });
    posting.useWebhook({ url: `${parley.address}/api/gateway/imAbot/webhook` });
    await posting.say("private:U11", "by webhook");
    await posting.seen(({ to }) => to === "/v2/users/U11");
    await waitUntilIdle();
    expect(posting.shown("private:U11")).toHaveLength(1);
  });

  test("a webhook with a wrong signature is rejected", async () => {
    const frame = { op: 0, t: "C2C_MESSAGE_CREATE", d: createDirect("r5", "evil", "U10") };
    const { body, headers } = signFrame(frame, "another-secret");
    expect((await api.send("POST", "/api/gateway/imAbot/webhook", { token: "", body, headers })).status).toBe(401);
    const check = { op: 13, d: { plain_token: "abc", event_ts: String(Math.floor(Date.now() / 1_000)) } };
    const answer = await api.send("POST", "/api/gateway/imAbot/webhook", {
      token: "",
      body: JSON.stringify(check),
      headers: signFrame(check).headers,
    });
    expect(answer.json).toMatchObject({ plain_token: "abc", signature: expect.stringMatching(/^[0-9a-f]{128}$/) });
  });
});
