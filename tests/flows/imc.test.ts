import { Channels, Gateway, type Message, systemClock } from "@parley/core";
import { encryptEvent, IMC_APP, type ImcFault, type ImcSent, type ImcServer, startImcServer } from "@parley/simulators";
import { channelAdapterContract, type PlatformFault } from "@parley/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createImcAdapter } from "../../adapters/imc/src/adapter.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const SECRETS = { IMC_APP_SECRET: IMC_APP.secret, IMC_ENCRYPT_KEY: "encrypt-key", IMC_VERIFICATION_TOKEN: "vt" };
const FAULTS: Readonly<Record<PlatformFault, ImcFault>> = {
  throttle: { kind: "code", code: 230_020 },
  refuse: { kind: "code", code: 230_013 },
  auth: { kind: "code", code: 99_991_661 },
  fail: { kind: "code", code: 500, status: 500 },
  "reset-after": { kind: "reset-after" },
};

let count = 0;
function getEvent(type: string, event: object): object {
  count += 1;
  const header = { event_id: `e${count}`, event_type: type, token: "vt", app_id: IMC_APP.id };
  return { schema: "2.0", header, event };
}
function getMessage(
  chat: string,
  id: string,
  text: string,
  more: { isGroup?: boolean; isMention?: boolean; isApp?: boolean } = {},
): object {
  const mentions = more.isMention ? [{ key: "@_user_1", id: { open_id: IMC_APP.botId }, name: "Parley" }] : [];
  return getEvent("im.message.receive_v1", {
    sender: { sender_id: { open_id: "ou_lin" }, sender_type: more.isApp ? "app" : "user" },
    message: {
      message_id: id,
      chat_id: chat,
      chat_type: more.isGroup ? "group" : "p2p",
      message_type: "text",
      content: JSON.stringify({ text: more.isMention ? `@_user_1 ${text}` : text }),
      mentions,
    },
  });
}

const SOMEBODY = { sender_type: "user", sender_id: { open_id: "ou_1" } };
/** Events the platform would never send. */
const INCOMPLETE: readonly object[] = [
  { sender: SOMEBODY, message: { message_id: "om_80", message_type: "text", content: '{"text":"from nowhere"}' } },
  { message: { message_id: "om_81", chat_id: "oc_501", message_type: "text", content: '{"text":"from nobody"}' } },
  { sender: SOMEBODY },
  {},
];

describe("the adapter", () => {
  const servers: ImcServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
  });

  channelAdapterContract("imC", async () => {
    const server = await startImcServer();
    servers.push(server);
    return {
      adapter: createImcAdapter({ clock: systemClock, connections: new Map(), random: Math.random }),
      config: { app_id: IMC_APP.id, api_base: server.address },
      secrets: SECRETS,
      inboundSecretSetting: "encrypt_key_env",
      maxPart: 30_000,
      async connect(link) {
        const post = async (event: object) => {
          const { body, headers } = encryptEvent(event, "encrypt-key");
          await link.receive?.({ headers, body: Buffer.from(body), address: "127.0.0.1" });
        };
        await post({ type: "url_verification", challenge: "c", token: "vt" });
        let receivedCount = 0;
        return {
          conversation: "oc_501",
          say: (id, text) => post(getMessage("oc_501", `om_${id}`, text)),
          async heard() {
            const from = receivedCount;
            const one = await server.seen((sent) => server.sent.indexOf(sent) >= from);
            receivedCount = server.sent.indexOf(one) + 1;
            return one.text;
          },
          shown: () => server.sent.map(({ text }) => text),
          other: () => post(getEvent("im.message.message_read_v1", {})),
          incomplete: INCOMPLETE.map((event) => () => post(getEvent("im.message.receive_v1", event))),
          echo: (id, text) => post(getMessage("oc_501", `om_${id}`, text, { isApp: true })),
          sayInGroup: (id, text, isMention) =>
            post(getMessage("oc_77", `om_${id}`, text, { isGroup: true, isMention })),
          async sayFile(id, file_name, bytes) {
            server.files.set("kit", Buffer.from(bytes));
            const message = {
              message_id: `om_${id}`,
              chat_id: "oc_501",
              chat_type: "p2p",
              message_type: "file",
              content: JSON.stringify({ file_key: "kit", file_name }),
            };
            await post(getEvent("im.message.receive_v1", { sender: SOMEBODY, message }));
          },
          press: (id, label) => {
            const asked = server.sent.findLast(({ card }) => card !== undefined);
            if (!asked) throw new Error("nothing can be pressed");
            return post(server.toPress(asked, label, { id }));
          },
          heardFile: async () => (await server.seen(({ file }) => file !== undefined)).file?.bytes ?? Buffer.alloc(0),
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

const SIZES = [
  { id: "s", label: "Small" },
  { id: "l", label: "Large" },
];

describe("imC through the service", () => {
  let platform: ImcServer;
  let parley: Parley;
  let api: Client;

  beforeAll(async () => {
    platform = await startImcServer();
    parley = await startParley({ env: SECRETS });
    api = await parley.signIn();
    await api.post("/api/channels/presets/imC", { config: { app_id: IMC_APP.id, api_base: platform.address } });
    await vi.waitFor(() => expect(parley.host.get(Channels).link("imC")).toBeDefined());
  });
  afterAll(async () => {
    await parley[Symbol.asyncDispose]();
    await platform[Symbol.asyncDispose]();
  });

  const send = ({ body, headers }: { body: string; headers: Readonly<Record<string, string>> }, id = "imC") =>
    api.send("POST", `/api/channels/imC/${id}/webhook`, { token: "", body, headers });
  const post = (event: object) => send(encryptEvent(event, "encrypt-key"));
  const say = (chat: string, id: string, text: string, more = {}) => {
    platform.chats.set(id, chat);
    return post(getMessage(chat, id, text, more));
  };
  const waitUntilIdle = () => parley.host.get(Gateway).idle();
  const history = async (id: string) =>
    (await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`)).items;
  const listInChat = (chat: string) => platform.sent.filter((one) => one.chat === chat);

  test("the check of the address is answered without an envelope", async () => {
    expect((await post({ type: "url_verification", challenge: "c-7", token: "vt" })).json).toEqual({
      challenge: "c-7",
    });
  });

  test("a message is answered as a reply to it, under the delivery's id", async () => {
    expect((await say("oc_1", "om_1", "hello")).json).toEqual({ ok: true });
    await waitUntilIdle();
    expect(listInChat("oc_1")).toEqual([
      expect.objectContaining({ replyTo: "om_1", uuid: expect.stringMatching(/^dlv_/) }),
    ]);
    expect((await history("imC:oc_1")).map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  test("one message, announced several times and under two event ids, is one message", async () => {
    await Promise.all(Array.from({ length: 20 }, () => say("oc_2", "om_2", "once")));
    await waitUntilIdle();
    expect(listInChat("oc_2")).toHaveLength(1);
    expect(await history("imC:oc_2")).toHaveLength(2);
  });

  test("in a group it answers when it is mentioned", async () => {
    await say("oc_3", "om_3", "just talking", { isGroup: true });
    await say("oc_3", "om_4", "hello", { isGroup: true, isMention: true });
    await waitUntilIdle();
    expect(listInChat("oc_3")).toHaveLength(1);
    expect((await history("imC:oc_3"))[0]?.content).toBe("hello");
    // Only a private conversation has a user.
    expect(await api.get("/api/sessions/imC:oc_3")).toMatchObject({ user_id: null });
    expect(await api.get("/api/sessions/imC:oc_2")).toMatchObject({ user_id: expect.any(String) });
  });

  test("an answer whose acknowledgement was lost is sent again under the same id, and shown once", async () => {
    platform.faults.push({ kind: "reset-after" });
    await say("oc_4", "om_5", "hello");
    await platform.seen(({ chat }) => chat === "oc_4");
    await vi.waitFor(async () => {
      const { text } = await api.send("GET", "/metrics");
      expect(text).toMatch(/^parley_deliveries_waiting 0$/m);
    }, 5_000);
    expect(listInChat("oc_4")).toHaveLength(1);
  });

  test("a recalled message is deleted, and a waiting one is not answered", async () => {
    await say("oc_30", "om_30", "forget me");
    await waitUntilIdle();
    const postRecall = (id: string) =>
      post(getEvent("im.message.recalled_v1", { message_id: id, chat_id: "oc_30", recall_time: "1" }));
    const answers = [await postRecall("om_30"), await postRecall("om_unknown")];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await waitUntilIdle();
    expect((await history("imC:oc_30")).map(({ role }) => role)).toEqual(["assistant"]);
  });

  test.each([230_011, 230_110])(
    "an answer is sent without a reference when the message it answers was deleted (%i)",
    async (code) => {
      platform.faults.push({ kind: "code", code });
      await say(`oc_${code}`, `om_${code}`, "gone soon");
      await waitUntilIdle();
      expect(listInChat(`oc_${code}`)).toEqual([expect.objectContaining({ replyTo: "" })]);
    },
  );

  test("a text cannot mention anybody by accident", async () => {
    const path = "/api/channels/imC/test-message";
    await api.post(path, { conversation_id: "oc_5", text: 'hi <at user_id="all"></at>' });
    expect(listInChat("oc_5")[0]?.text).not.toContain("<at");
  });

  test("unsigned, unencrypted or malformed requests are rejected, and not stored", async () => {
    const event = getMessage("oc_6", "om_6", "evil");
    const good = encryptEvent(event, "encrypt-key");
    const attempts = [
      encryptEvent(event, "another-key"),
      { body: JSON.stringify(event), headers: { "content-type": "application/json" } },
      { ...good, headers: { ...good.headers, "x-lark-signature": "0".repeat(64) } },
      { ...good, body: good.body.replace("{", "{ ") },
      encryptEvent({ ...event, header: { event_type: "im.message.receive_v1", token: "wrong" } }, "encrypt-key"),
      encryptEvent(event, "encrypt-key", "1600000000"),
    ];
    for (const attempt of attempts) expect((await send(attempt)).status).toBe(401);
    expect((await send(good, "nobody")).status).toBe(404);
    await waitUntilIdle();
    expect((await api.send("GET", "/api/sessions/imC:oc_6")).status).toBe(404);
  });

  const DRINKS = [
    {
      type: "buttons",
      id: "drink",
      items: [
        { id: "t", label: "Tea" },
        { id: "c", label: "Coffee", style: "primary" },
        { id: "m", label: "Menu", url: "https://example.com/menu" },
      ],
    },
    { type: "select", id: "size", placeholder: "Size", items: SIZES },
  ] as const;
  const ask = async (channelId: string, chat: string, isGroup = false): Promise<ImcSent> => {
    await parley.host.get(Gateway).deliver({
      channelId,
      sessionId: `${channelId}:${chat}`,
      conversation: { id: chat, isGroup },
      text: "Tea or **coffee**? <at id=all></at>",
      attachments: [],
      elements: DRINKS,
    });
    return platform.seen((sent) => sent.chat === chat && sent.card !== undefined);
  };

  test("buttons and a list are a card; a press acts once, and the card shows the choice", async () => {
    const asked = await ask("imC", "oc_40");
    expect(asked.text).toBe("Tea or **coffee**? ＜at id=all>＜/at>");
    expect(asked.card).toMatchObject([
      { tag: "markdown" },
      { tag: "button", type: "default", text: { content: "Tea" } },
      { tag: "button", type: "primary", text: { content: "Coffee" } },
      { tag: "button", behaviors: [{ type: "open_url", default_url: "https://example.com/menu" }] },
      { tag: "select_static", placeholder: { content: "Size" }, options: [{}, {}] },
    ]);
    const pressed = platform.toPress(asked, "Coffee");
    const { json } = await post(pressed);
    expect(json).toEqual({
      toast: { type: "success", content: "✓ Coffee" },
      card: { type: "raw", data: expect.objectContaining({ schema: "2.0" }) },
    });
    const shown = JSON.stringify(json);
    expect(shown).toContain('"content":"✓ Coffee"');
    expect(shown).not.toContain('"content":"Tea"');
    expect(shown).toContain("select_static");
    await waitUntilIdle();
    expect(listInChat("oc_40")).toHaveLength(2);
    expect((await history("imC:oc_40")).find(({ role }) => role === "user")).toMatchObject({
      content: "Coffee",
      metadata: { pressed: { item_id: "c" } },
    });
    expect((await post(pressed)).json).toMatchObject({ toast: { type: "success" } });
    const late = { toast: { type: "warning", content: "this was already answered" } };
    expect((await post(platform.toPress(asked, "Tea"))).json).toEqual(late);
    expect((await post(platform.toPress(asked, "Large"))).json).toMatchObject({ toast: { content: "✓ Large" } });
    await waitUntilIdle();
    expect(listInChat("oc_40")).toHaveLength(3);
  });

  test("a press of a card that an earlier process sent counts, and is confirmed by a note alone", async () => {
    const asked = await ask("imC", "oc_41", true);
    for (const enabled of [false, true]) await api.post("/api/channels/imC/toggle", { enabled });
    await vi.waitFor(() => expect(parley.host.get(Channels).link("imC")).toBeDefined());
    platform.members.set("oc_41", { ou_lin: "Lin" });
    expect((await post(platform.toPress(asked, "Tea"))).json).toEqual({ toast: { type: "success", content: "✓" } });
    await waitUntilIdle();
    expect((await history("imC:oc_41")).find(({ role }) => role === "user")).toMatchObject({ sender: "Lin" });
    expect(await api.get("/api/sessions/imC:oc_41")).toMatchObject({ user_id: null });
  });

  test("a press of another app's card is ignored, and an unsigned one is rejected", async () => {
    const asked = await ask("imC", "oc_42");
    const pressed = platform.toPress(asked, "Tea") as { readonly event: object };
    const foreign = { ...pressed, event: { ...pressed.event, action: { tag: "button", value: { press: "yes" } } } };
    expect((await post(foreign)).json).toEqual({ ok: true });
    expect((await post({ ...pressed, event: {} })).json).toEqual({ ok: true });
    expect((await send(encryptEvent(pressed, "another-key"))).status).toBe(401);
    await waitUntilIdle();
    expect(listInChat("oc_42")).toHaveLength(1);
  });

  describe("over a long connection", () => {
    const path = "/api/channels/imC-ws/imC_ws";
    const status = () =>
      api.get<{ state: string; connected: boolean; reconnects: number; connected_at: string | null }>(`${path}/status`);

    beforeAll(async () => {
      await api.post("/api/channels/presets/imC_ws", { config: { app_id: IMC_APP.id, api_base: platform.address } });
      await vi.waitFor(async () => expect((await status()).connected).toBe(true), { timeout: 10_000 });
    });

    test("an event is accepted, acknowledged once it is stored, and answered", async () => {
      platform.chats.set("om_ws1", "oc_ws1");
      expect(await platform.push(getMessage("oc_ws1", "om_ws1", "hello over the wire"))).toBe(200);
      await waitUntilIdle();
      expect(listInChat("oc_ws1")).toEqual([expect.objectContaining({ replyTo: "om_ws1" })]);
      expect((await history("imC_ws:oc_ws1")).map(({ role }) => role)).toEqual(["user", "assistant"]);
    });

    test("an event in parts is assembled, a repeated one is a copy, and one of another app is ignored", async () => {
      const event = getMessage("oc_ws2", "om_ws2", "x".repeat(5_000));
      platform.chats.set("om_ws2", "oc_ws2");
      expect(await platform.push(event, 4)).toBe(200);
      expect(await platform.push(event)).toBe(200);
      const foreign = getMessage("oc_ws3", "om_ws3", "evil") as { header: { app_id: string } };
      foreign.header.app_id = "cli_0000000000000000";
      expect(await platform.push(foreign)).toBe(200);
      await waitUntilIdle();
      expect(await history("imC_ws:oc_ws2")).toHaveLength(2);
      expect((await api.send("GET", "/api/sessions/imC_ws:oc_ws3")).status).toBe(404);
    });

    test("a press of a card is answered over the connection", async () => {
      const asked = await ask("imC_ws", "oc_ws4");
      expect(await platform.push(platform.toPress(asked, "Tea"))).toBe(200);
      expect(platform.lastAnswer()).toMatchObject({
        toast: { type: "success", content: "✓ Tea" },
        card: { type: "raw" },
      });
      expect(await platform.push(platform.toPress(asked, "Coffee"))).toBe(200);
      expect(platform.lastAnswer()).toEqual({ toast: { type: "warning", content: "this was already answered" } });
      await waitUntilIdle();
      expect((await history("imC_ws:oc_ws4")).map(({ content }) => content)[0]).toBe("Tea");
    });

    test("there is one connection after repeated drops", async () => {
      for (let drop = 0; drop < 3; drop += 1) {
        const { ever } = platform.connections();
        platform.drop();
        await vi.waitFor(() => expect(platform.connections()).toEqual({ open: 1, ever: ever + 1 }), {
          timeout: 10_000,
        });
      }
      await vi.waitFor(async () => expect(await status()).toMatchObject({ connected: true, reconnects: 3 }));
    });

    test("the connection is stopped and started by hand, each once", async () => {
      expect(await api.post(`${path}/stop`, {})).toEqual({ channel_id: "imC_ws", state: "stopped", stopped: true });
      expect(await api.post(`${path}/stop`, {})).toMatchObject({ stopped: false });
      await vi.waitFor(() => expect(platform.connections().open).toBe(0));
      expect(await status()).toMatchObject({ state: "stopped", connected: false });
      const both = await Promise.all([api.post(`${path}/start`, {}), api.post(`${path}/start`, {})]);
      expect(both).toContainEqual({ channel_id: "imC_ws", state: "connected", started: true });
      expect(platform.connections().open).toBe(1);
      expect(await api.post(`${path}/start`, {})).toMatchObject({ started: false });
    });

    test("the reason of a failed start is shown", async () => {
      await api.post(`${path}/stop`, {});
      platform.rejections.push(403);
      expect(await api.send("POST", `${path}/start`, { body: {} })).toMatchObject({
        status: 502,
        json: { error: expect.stringContaining("403") },
      });
      for (const id of ["imC", "nobody"]) {
        expect((await api.send("POST", `/api/channels/imC-ws/${id}/start`, { body: {} })).status).toBe(404);
      }
      await api.post("/api/channels/imC_ws/toggle", { enabled: false });
      expect((await api.send("POST", `${path}/start`, { body: {} })).status).toBe(409);
    });
  });
});
