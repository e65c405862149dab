import { createHmac } from "node:crypto";
import { once } from "node:events";
import { Channels, fillDetail, Gateway, type Message, silentLogger } from "@parley/core";
import { type ImaBridge, type ModelServer, startImaBridge, startModelServer } from "@parley/simulators";
import { channelAdapterContract } from "@parley/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createImaAdapter, type ImaDeps } from "../../adapters/ima/src/adapter.ts";
import { createReverseEndpoint } from "../../adapters/ima/src/bridge/reverse-connection.ts";
import { IMA_TIMING } from "../../adapters/ima/src/bridge/timing.ts";
import { createHandedOverSockets } from "../../adapters/ima/src/handed-over-sockets.ts";
import { createImaPlugin } from "../../adapters/ima/src/index.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

/** The normal timing, but faster. */
const QUICK = {
  ...IMA_TIMING,
  callMs: 300,
  firstBackoffMs: 2,
  maxBackoffMs: 20,
  pingMs: 20,
  silenceMs: 60,
  probeMs: 40,
  conversationIntervalMs: 1,
  accountIntervalMs: 1,
};
/** With the real rate limits, which a send does not wait for. */
const PACED = {
  ...QUICK,
  conversationIntervalMs: IMA_TIMING.conversationIntervalMs,
  accountIntervalMs: IMA_TIMING.accountIntervalMs,
};
/** Normal timeouts, but reconnects at once. */
const SOONER = { ...IMA_TIMING, firstBackoffMs: 2, maxBackoffMs: 20, conversationIntervalMs: 1, accountIntervalMs: 1 };
const quickAdapter = () =>
  createImaAdapter({
    reverseEndpoint: createReverseEndpoint(),
    handedOver: createHandedOverSockets(),
    bridges: new Map(),
    random: Math.random,
    timing: QUICK,
  });

/** Events a bridge would never send. */
const INCOMPLETE: readonly object[] = [
  { message_type: "private", message_id: 80, message: "from nowhere" },
  { message_type: "group", message_id: 81, user_id: 501, message: "from nowhere" },
  { message_type: "hall", message_id: 82, user_id: 501, message: "from nowhere" },
  {},
];

describe("the adapter", () => {
  const bridges: ImaBridge[] = [];
  afterEach(async () => {
    for (const bridge of bridges.splice(0)) await bridge[Symbol.asyncDispose]();
  });

  channelAdapterContract("imA", async () => {
    const bridge = await startImaBridge({ token: "sesame" });
    bridges.push(bridge);
    const open: ImaDeps["bridges"] = new Map();
    return {
      adapter: createImaAdapter({
        reverseEndpoint: createReverseEndpoint(),
        handedOver: createHandedOverSockets(),
        bridges: open,
        random: Math.random,
        timing: PACED,
      }),
      config: { ws_uri: bridge.address },
      secrets: { IMA_ACCESS_TOKEN: "sesame" },
      acknowledges: false,
      maxPart: 4_000,
      async connect() {
        const isConnected = () => expect([...open.values()].map((bridge) => bridge())).toEqual([expect.anything()]);
        await vi.waitFor(isConnected, { interval: 2, timeout: 10_000 });
        let receivedCount = 0;
        return {
          conversation: "private:501",
          say: async (id, text) => bridge.say("private:501", text, { message_id: Number(id) }),
          async heard() {
            const from = receivedCount;
            const sent = await bridge.seen((one) => bridge.sent.indexOf(one) >= from);
            receivedCount = bridge.sent.indexOf(sent) + 1;
            return sent.text;
          },
          shown: () => bridge.sent.filter(({ to }) => to === "private:501").map(({ text }) => text),
          incomplete: INCOMPLETE.map((message) => async () => bridge.emit({ post_type: "message", ...message })),
          other: async () => bridge.emit({ post_type: "notice", notice_type: "friend_add", user_id: 501 }),
          echo: async (id, text) => bridge.say("private:501", text, { message_id: Number(id), user_id: bridge.selfId }),
          sayInGroup: async (id, text, mentioned) => {
            const at = mentioned ? [{ type: "at", data: { qq: String(bridge.selfId) } }] : [];
            bridge.say("group:77", [...at, { type: "text", data: { text } }], { message_id: Number(id) });
          },
          async drop() {
            const { ever } = bridge.connections();
            bridge.drop();
            await vi.waitFor(() => expect(bridge.connections().ever).toBeGreaterThan(ever), {
              interval: 2,
              timeout: 10_000,
            });
            await vi.waitFor(isConnected, { interval: 2, timeout: 10_000 });
          },
          async [Symbol.asyncDispose]() {},
        };
      },
    };
  });
});

describe("the connection of a bridge", () => {
  const states: boolean[] = [];
  const openTo = async (bridge: ImaBridge, config: object = {}, secrets: Readonly<Record<string, string>> = {}) => {
    const adapter = quickAdapter();
    const accepted: string[] = [];
    states.length = 0;
    const { value } = adapter.settings.validate({ ws_uri: bridge.address, ...config });
    const link = await adapter.open(
      {
        id: "imA",
        name: "imA",
        type: "imA",
        transport: "bridge",
        enabled: true,
        config: value,
        capabilities: {} as never,
      },
      {
        accept: async ({ text }) => {
          accepted.push(text);
          return { traceId: "gw_1", itemId: "qi_1", duplicated: false, queued: true, queueSize: 1 };
        },
        moved: async () => {},
        report: ({ connected }) => void states.push(connected),
        secret: (name) => secrets[name],
        fetch,
        files: { open: () => Promise.reject(new Error("no files here")), link: (url) => url },
        log: silentLogger,
      },
      new AbortController().signal,
    );
    return { link, accepted };
  };

  // A thousand in the long tests.
  const drops = process.env.PARLEY_LONG ? 1_000 : 100;
  test(`is single after ${drops} drops of every kind, and at any time`, async () => {
    await using bridge = await startImaBridge();
    const { link, accepted } = await openTo(bridge);
    for (let drop = 0; drop < drops; drop += 1) {
      const before = bridge.connections().ever;
      await vi.waitFor(() => expect(bridge.connections().open).toBe(1), { interval: 1, timeout: 5_000 });
      bridge.drop(drop % 2 === 0 ? "reset" : "close");
      await vi.waitFor(() => expect(bridge.connections().ever).toBe(before + 1), { interval: 1, timeout: 5_000 });
      expect(bridge.connections().open).toBeLessThanOrEqual(1);
    }
    await vi.waitFor(() => expect(states.at(-1)).toBe(true), { interval: 1 });
    bridge.say("private:7", "still here");
    await vi.waitFor(() => expect(accepted).toEqual(["still here"]));
    await link[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(bridge.connections().open).toBe(0));
  }, 60_000);

  test("that is half-open is detected and replaced", async () => {
    await using frozen = await startImaBridge();
    const { link } = await openTo(frozen);
    await vi.waitFor(() => expect(states.at(-1)).toBe(true), { interval: 1 });
    frozen.freeze();
    await vi.waitFor(() => expect(states.at(-1)).toBe(false), { interval: 1, timeout: 5_000 });
    await link[Symbol.asyncDispose]();
  });

  test("that the bridge rejects is not retried at once", async () => {
    await using bridge = await startImaBridge({ token: "sesame" });
    const { link } = await openTo(bridge, {}, { IMA_ACCESS_TOKEN: "wrong" });
    await vi.waitFor(() => expect(states).toEqual([false, false]), { interval: 1 });
    expect(bridge.connections().ever).toBe(0);
    await link[Symbol.asyncDispose]();
  });

  test("can be ended while it is being opened, and leaves nothing", async () => {
    await using bridge = await startImaBridge();
    for (let round = 0; round < 50; round += 1) {
      const { link } = await openTo(bridge);
      if (round % 3 === 1) await new Promise((resolve) => setImmediate(resolve));
      await link[Symbol.asyncDispose]();
    }
    await vi.waitFor(() => expect(bridge.connections().open).toBe(0));
  });
});

describe("imA through the service", () => {
  let models: ModelServer;
  let bridge: ImaBridge;
  let parley: Parley;
  let api: Client;

  beforeAll(async () => {
    models = await startModelServer();
    bridge = await startImaBridge({ token: "sesame" });
    parley = await startParley({ plugins: [createImaPlugin(SOONER)], env: { IMA_ACCESS_TOKEN: "sesame" } });
    api = await parley.signIn();
    const { id } = await api.post<{ id: string }>("/api/ai-models", {
      name: "m",
      model: "m",
      base_url: models.baseUrl,
    });
    await api.post(`/api/ai-models/${id}/apply`, {});
    await api.put("/api/channels/imA", { config: { ws_uri: bridge.address } });
    await api.post("/api/channels/imA/toggle", { enabled: true });
    await vi.waitFor(() => expect(parley.host.get(Channels).status("imA").connected).toBe(true), { timeout: 5_000 });
  });
  afterAll(async () => {
    await parley[Symbol.asyncDispose]();
    await bridge[Symbol.asyncDispose]();
    await models[Symbol.asyncDispose]();
  });

  const history = async (id: string) =>
    (await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`)).items;
  const at = (text: string) => [
    { type: "at", data: { qq: "10001" } },
    { type: "text", data: { text } },
  ];

  test("a private message is answered, a group's when it is addressed to the account", async () => {
    bridge.say("private:501", "hello");
    await bridge.seen(({ to }) => to === "private:501");
    bridge.say("group:778", "just talking");
    bridge.say("group:778", at("hello"));
    const sent = await bridge.seen(({ to }) => to === "group:778");
    expect(sent.segments[0]).toMatchObject({ type: "reply" });
    await parley.host.get(Gateway).idle();
    expect((await history("imA:group:778")).map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect((await history("imA:private:501"))[0]?.sender).toBe("Lin");
  });

  test("an answer is sent without a reference when the bridge does not find the message it answers", async () => {
    const fault = { kind: "refuse", retcode: 1200, message: "reply message not found" } as const;
    bridge.faults.push({ action: "send_group_msg", fault });
    bridge.say("group:7901", at("gone soon"));
    const sent = await bridge.seen(({ to }) => to === "group:7901");
    expect(sent.segments.map(({ type }) => type)).toEqual(["text"]);
  });

  test("a message that a rule blocks is deleted in the group, and not stored", async () => {
    await api.post("/api/message-filter", { pattern: "secret", action: "recall", channel: "imA_group" });
    bridge.say("group:779", at("the secret"), { message_id: 4_711 });
    await vi.waitFor(() => expect(bridge.withdrawn).toEqual([4_711]));
    await parley.host.get(Gateway).idle();
    expect(bridge.sent.some(({ to }) => to === "group:779")).toBe(false);
  });

  test("an administrator's command in a group binds its rule to that group", async () => {
    await api.put("/api/settings", { admin_ids: ["imA:20002"] });
    bridge.say("group:780", "/msg_filter add oops");
    await bridge.seen(({ to }) => to === "group:780");
    const { rules } = await api.get<{
      rules: { channels: { imA: readonly { session_id: string; pattern: string }[] } };
    }>("/api/message-filter");
    expect(rules.channels.imA).toContainEqual(
      expect.objectContaining({ pattern: "oops", session_id: "imA:group:780" }),
    );
  });

  test("an answer with an unknown outcome is looked up in the history instead of being repeated", async () => {
    bridge.faults.push({ action: "send_private_msg", fault: { kind: "drop" } });
    bridge.say("private:502", "are you there?");
    await bridge.seen(({ to }) => to === "private:502");
    await vi.waitFor(() => expect(bridge.connections()).toEqual({ open: 1, ever: 2 }), { timeout: 5_000 });
    await parley.host.get(Gateway).idle();
    expect(bridge.sent.filter(({ to }) => to === "private:502")).toHaveLength(1);
  });

  test("messages during a bridge outage are fetched later, once", async () => {
    bridge.say("private:504", "before");
    await bridge.seen(({ to }) => to === "private:504");
    await parley.host.get(Gateway).idle();
    bridge.drop();
    bridge.say("private:504", "meanwhile");
    await bridge.seen(({ to, text }) => to === "private:504" && text.includes("meanwhile"));
    await parley.host.get(Gateway).idle();
    const contents = (await history("imA:private:504"))
      .filter(({ role }) => role === "user")
      .map(({ content }) => content);
    expect(contents).toEqual(["before", "meanwhile"]);
  });

  test("a conversation whose history fails does not hide messages of the others", async () => {
    for (const id of [505, 506]) {
      bridge.say(`private:${id}`, "before");
      await bridge.seen(({ to }) => to === `private:${id}`);
    }
    // An answer whose receipt was lost would be looked up as well.
    await parley.host.get(Gateway).idle();
    bridge.drop();
    for (const id of [505, 506]) bridge.say(`private:${id}`, "meanwhile");
    const fault = { kind: "refuse", retcode: 1_200 } as const;
    // Conversations that were active before 506 are looked up first.
    const earlier = new Set(bridge.sent.map(({ to }) => to).filter((to) => to.startsWith("private:"))).size - 1;
    bridge.faults.push(...Array.from({ length: earlier }, () => ({ action: "get_friend_msg_history", fault })));
    await bridge.seen(({ to, text }) => to === "private:506" && text.includes("meanwhile"));
    expect(bridge.faults).toEqual([]);
  });

  test("a message deleted on the platform is deleted here as well", async () => {
    bridge.say("private:503", "never mind", { message_id: 815 });
    await bridge.seen(({ to }) => to === "private:503");
    bridge.emit({ post_type: "notice", notice_type: "friend_recall", user_id: 503, message_id: 815 });
    await vi.waitFor(async () =>
      expect((await history("imA:private:503")).map(({ role }) => role)).toEqual(["assistant"]),
    );
  });

  describe("for operators", () => {
    test("lists people and groups, with the bridge's information", async () => {
      const { items: users } = await api.get<{ items: readonly { user_id: string; last_message: string }[] }>(
        "/api/imA/users",
      );
      expect(users.find(({ user_id }) => user_id === "501")).toMatchObject({
        session_id: "imA:private:501",
        message_count: 2,
      });
      const { items: groups } = await api.get<{ items: readonly object[] }>("/api/imA/groups");
      expect(groups).toContainEqual(expect.objectContaining({ group_id: "778", group_name: "Cats", member_count: 12 }));
      expect(await api.get("/api/imA/messages/group/778")).toMatchObject({ total: 2, session_id: "imA:group:778" });
      expect(await api.get("/api/imA/messages/private/nobody")).toMatchObject({ items: [], session_id: null });
      expect((await api.send("GET", "/api/imA/messages/channel/1")).status).toBe(400);
    });

    test("imports the platform's history of a conversation, in order, and nothing twice", async () => {
      const { session_id } = await api.post<{ session_id: string }>("/api/imA/link-session", {
        imA_id: "790",
        type: "group",
      });
      bridge.say("group:790", "not for the bot", { user_id: 7 });
      bridge.say("group:790", "earlier", { user_id: 8, time: 1_600_000_000 });
      await parley.host.get(Gateway).idle();
      const path = `/api/imA/sessions/${encodeURIComponent(session_id)}/sync`;
      expect(await api.post(path, {})).toMatchObject({ added: 2, skipped: 0, filtered: 0, message_count: 2 });
      expect(await api.post(path, {})).toMatchObject({ added: 0, skipped: 2, message_count: 2 });
      expect((await history(session_id)).map(({ content }) => content)).toEqual(["earlier", "not for the bot"]);
    });

    test("sends an operator's message, filtered like the AI's, and reports the result", async () => {
      await api.post("/api/message-filter", { pattern: "darn", filter_target: "ai" });
      const path = "/api/imA/sessions/imA:private:501/send";
      expect(await api.post(path, { content: "darn, hello" })).toMatchObject({
        message: { role: "assistant", content: ", hello", filtered: true },
        delivery: { status: "delivered" },
      });
      expect(bridge.sent.at(-1)).toMatchObject({ to: "private:501", text: ", hello" });
      expect((await api.send("POST", path, { body: {} })).status).toBe(400);
      bridge.faults.push({ action: "send_private_msg", fault: { kind: "refuse", retcode: 1400, message: "no" } });
      expect((await api.send("POST", path, { body: { content: "refused" } })).status).toBe(502);
    });

    test("imports a web session's history into a conversation", async () => {
      const { id } = await api.post<{ id: string }>("/api/sessions", { name: "Prepared" });
      await api.post(`/api/sessions/${id}/messages`, { content: "known before" });
      const body = { imA_id: "888", imA_type: "imA_private", session_id: id };
      expect(await api.post("/api/imA/link-session", body)).toMatchObject({
        session_id: "imA:private:888",
        exists: false,
      });
      expect((await history("imA:private:888"))[0]?.content).toBe("known before");
      expect((await api.send("GET", `/api/sessions/${id}`)).status).toBe(404);
      expect(
        (await api.send("POST", "/api/imA/link-session", { body: { ...body, session_id: "imA:private:501" } })).status,
      ).toBe(409);
    });

    test("deletes the stored messages, not those on the platform", async () => {
      expect(await api.get("/api/imA/sessions?type=private")).toMatchObject({ items: expect.any(Array) });
      const gone = await api.send("DELETE", "/api/imA/messages/private/888", { query: { delete_session: "true" } });
      expect(gone.json?.data).toEqual({ deleted: 1, session_deleted: true });
      expect((await api.send("GET", "/api/sessions/imA:private:888")).status).toBe(404);
    });
  });

  test("a bridge that connects is authenticated by its token, one at a time", async () => {
    await api.put("/api/channels/imA", { config: { mode: "reverse_ws" } });
    const url = `${parley.address.replace("http", "ws")}/ws/imA`;
    await using caller = await startImaBridge();
    await vi.waitFor(() => expect(parley.host.get(Channels).status("imA").last_error).toContain("not connected"));
    await expect(caller.dial(url)).rejects.toThrow("401");
    await expect(caller.dial(url, { authorization: "Bearer wrong" })).rejects.toThrow("401");
    await expect(caller.dial(url, { authorization: "Bearer sesame", origin: "https://evil.example" })).rejects.toThrow(
      "403",
    );
    await expect(caller.dial(`${url}/nobody`, { authorization: "Bearer sesame" })).rejects.toThrow("404");
    const first = await caller.dial(url, { authorization: "Bearer sesame" });
    await vi.waitFor(() => expect(parley.host.get(Channels).status("imA").connected).toBe(true));
    const replaced = once(first, "close");
    await caller.dial(url, { authorization: "Bearer sesame" });
    expect((await replaced)[0]).toBe(4_001);
    caller.say("private:601", "by the back door");
    expect((await caller.seen(({ to }) => to === "private:601")).text).toContain("by the back door");
  });

  test("events posted by a bridge are accepted with a valid signature only", async () => {
    await api.put("/api/channels/imA", { config: { mode: "http", http_secret_env: "IMA_ACCESS_TOKEN" } });
    await vi.waitFor(() =>
      expect(parley.host.get(Channels).status("imA")).toMatchObject({ state: "running", connected: true }),
    );
    const body = JSON.stringify({
      post_type: "message",
      message_type: "private",
      self_id: 10_001,
      user_id: 602,
      message_id: 1,
      message: "posted",
      sender: { nickname: "Lin" },
    });
    const post = (signature: string) =>
      api.send("POST", "/api/gateway/imA/webhook", { token: "", body, headers: { "x-signature": signature } });
    expect((await post("sha1=00")).status).toBe(401);
    expect((await post("")).status).toBe(401);
    const right = createHmac("sha1", "sesame").update(body).digest("hex");
    expect((await post(`sha1=${right}`)).status).toBe(200);
    // Nothing can be sent: the model is not asked, and the channel shows the reason.
    await parley.host.get(Gateway).idle();
    const { items } = await api.get<{ items: readonly object[] }>("/api/gateway/messages?sender=602");
    expect(items).toEqual([expect.objectContaining({ state: "ignored" })]);
    expect(await history("imA:private:602")).toEqual([]);
    expect(models.requests.filter(({ body: asked }) => JSON.stringify(asked).includes("posted"))).toEqual([]);
    const { warnings, warning_details = [] } = parley.host.get(Channels).status("imA");
    expect(warnings).toEqual(["nothing can be sent in http mode: messages are not answered"]);
    expect(warning_details.map((detail) => fillDetail(detail ?? {}, "zh"))).toEqual([
      "http 模式下无法发送，消息不会得到回复",
    ]);
  });
});
