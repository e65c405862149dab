import { Channels, Gateway, type Message } from "@parley/core";
import {
  BOT,
  createGate,
  type ImbFault,
  type ImbServer,
  type ModelServer,
  startImbServer,
  startModelServer,
} from "@parley/simulators";
import { channelAdapterContract, type PlatformFault } from "@parley/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createImbAdapter } from "../../adapters/imb/src/adapter.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const TOKEN = "42:secret";
const SECRET = "webhook-secret";

const LIN = { id: 501, first_name: "Lin" };
/** Updates the platform would never send. */
const INCOMPLETE: readonly object[] = [
  { message_id: 80, from: LIN, text: "from nowhere" },
  { message_id: 81, from: LIN, chat: {}, text: "from nowhere" },
  { message_id: 82, from: LIN, chat: { id: null, type: "private" }, text: "from nowhere" },
  { message_id: 83, from: {}, chat: { id: 501, type: "private" }, text: "from nobody" },
  { from: LIN, chat: { id: 501, type: "private" }, text: "without an id" },
  {},
];

describe("the adapter", () => {
  const servers: ImbServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
  });

  channelAdapterContract("imB", async () => {
    const server = await startImbServer();
    servers.push(server);
    return {
      adapter: createImbAdapter({ clock: { now: Date.now }, connections: new Map() }),
      config: { api_base: server.address },
      secrets: { IMB_BOT_TOKEN: TOKEN, IMB_WEBHOOK_SECRET: SECRET },
      inboundSecretSetting: "secret_token_env",
      maxPart: 4_096,
      async connect(link) {
        const post = async (body: object) => {
          const headers = { "x-imb-bot-api-secret-token": SECRET };
          await link.receive?.({ headers, body: Buffer.from(JSON.stringify(body)), address: "127.0.0.1" });
        };
        // The first update has no message to accept.
        await post({ update_id: 0, channel_post: {} });
        let receivedCount = 0;
        return {
          conversation: "501",
          say: (id, text) =>
            post({
              update_id: 1_000 + Number(id),
              message: {
                message_id: Number(id),
                from: { id: 501, first_name: "Lin" },
                chat: { id: 501, type: "private" },
                text,
              },
            }),
          async heard() {
            const from = receivedCount;
            const message = await server.seen((one) => one.chat === 501 && server.messages.indexOf(one) >= from);
            receivedCount = server.messages.indexOf(message) + 1;
            return message.text;
          },
          shown: () => server.messages.filter(({ chat }) => chat === 501).map(({ text }) => text),
          other: (id) =>
            post({ update_id: 2_000 + Number(id), my_chat_member: { chat: { id: 501, type: "private" } } }),
          incomplete: [
            ...INCOMPLETE.map((message, index) => () => post({ update_id: 6_000 + index, message })),
            () =>
              post({ update_id: 6_100, callback_query: { id: "1", data: "x", message: { message_id: 1, chat: LIN } } }),
          ],
          echo: (id, text) =>
            post({
              update_id: 3_000 + Number(id),
              message: { message_id: Number(id), from: BOT, chat: { id: 501, type: "private" }, text },
            }),
          sayInGroup: (id, text, mentioned) =>
            post({
              update_id: 4_000 + Number(id),
              message: {
                message_id: Number(id),
                from: { id: 501, first_name: "Lin" },
                chat: { id: -77, type: "supergroup", title: "Cats" },
                text: mentioned ? `@parley_bot ${text}` : text,
                ...(mentioned && { entities: [{ type: "mention", offset: 0, length: 11 }] }),
              },
            }),
          async sayFile(id, file_name, bytes) {
            server.files.set("kit", Buffer.from(bytes));
            await post({
              update_id: 5_000 + Number(id),
              message: {
                message_id: Number(id),
                from: { id: 501, first_name: "Lin" },
                chat: { id: 501, type: "private" },
                document: { file_id: "kit", file_name },
              },
            });
          },
          press: async (id, label) => {
            const asked = server.messages.findLast(({ body }) => body.reply_markup !== undefined);
            if (!asked) throw new Error("nothing can be pressed");
            await post(server.toPress(asked, label, { id }));
          },
          heardFile: async () => (await server.seen(({ file }) => file !== undefined)).file?.bytes ?? Buffer.alloc(0),
          fail: (fault) => server.faults.push({ method: "sendMessage", fault: FAULTS[fault] }),
          async [Symbol.asyncDispose]() {},
        };
      },
    };
  });
});

const FAULTS: Readonly<Record<PlatformFault, ImbFault>> = {
  throttle: { kind: "error", code: 429, description: "Too Many Requests", parameters: { retry_after: 1 } },
  refuse: { kind: "error", code: 403, description: "Forbidden: bot was blocked by the user" },
  auth: { kind: "error", code: 401, description: "Unauthorized" },
  fail: { kind: "error", code: 500, description: "Internal Server Error" },
  "reset-after": { kind: "reset-after" },
};

describe("imB through the service", () => {
  /** Echoes its input. */
  let models: ModelServer;
  let platform: ImbServer;
  let parley: Parley;
  let api: Client;
  let update = 5_000;

  beforeAll(async () => {
    models = await startModelServer();
    platform = await startImbServer();
    parley = await startParley({ env: { IMB_BOT_TOKEN: TOKEN, IMB_WEBHOOK_SECRET: SECRET } });
    api = await parley.signIn();
    const { id } = await api.post<{ id: string }>("/api/ai-models", {
      name: "m",
      model: "m",
      base_url: models.baseUrl,
    });
    await api.post(`/api/ai-models/${id}/apply`, {});
    await api.post("/api/channels/presets/imB", { transport: "webhook", config: { api_base: platform.address } });
    await vi.waitFor(() => expect(parley.host.get(Channels).link("imB")).toBeDefined());
  });
  afterAll(async () => {
    await parley[Symbol.asyncDispose]();
    await platform[Symbol.asyncDispose]();
    await models[Symbol.asyncDispose]();
  });

  const post = (body: object | string, headers: Readonly<Record<string, string>> = {}, id = "imB") =>
    createWebhook(api, id, body, { "x-imb-bot-api-secret-token": SECRET, ...headers });
  const getMessage = (chat: number, text: string, more: object = {}) => {
    update += 1;
    const type = chat < 0 ? "supergroup" : "private";
    const from = { id: 501, first_name: "Lin", username: "lin" };
    return {
      update_id: update,
      message: { message_id: update, from, chat: { id: chat, type, title: "Cats" }, text, ...more },
    };
  };
  const waitUntilIdle = () => parley.host.get(Gateway).idle();
  const listInChat = (chat: number) => platform.messages.filter((one) => one.chat === chat);
  const history = async (id: string) =>
    (await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`)).items;
  const fail = (fault: ImbFault, method = "sendMessage") => platform.faults.push({ method, fault });
  const deadDeliveries = async () =>
    Number(/^parley_deliveries\{state="dead"\} (\d+)$/m.exec((await api.send("GET", "/metrics")).text)?.[1] ?? 0);

  test("a private message is answered, as a reply to it", async () => {
    const message = getMessage(11, "hello");
    expect((await post(message)).json).toEqual({ ok: true });
    await waitUntilIdle();
    expect(listInChat(11)).toHaveLength(1);
    expect(listInChat(11)[0]?.body).toMatchObject({
      chat_id: 11,
      reply_parameters: { message_id: message.message.message_id, allow_sending_without_reply: true },
    });
    expect((await history("imB:11")).map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  test("the same update a hundred times in parallel is one message and one answer", async () => {
    const message = getMessage(12, "only once");
    // Temporarily rejected updates are sent again, as the platform does.
    for (let left = 100; left > 0; ) {
      const answers = await Promise.all(Array.from({ length: left }, () => post(message)));
      expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 503)).toEqual([]);
      left = answers.filter(({ status }) => status === 503).length;
    }
    await waitUntilIdle();
    expect(listInChat(12)).toHaveLength(1);
    expect(await history("imB:12")).toHaveLength(2);
  });

  test("in a group it answers when it is mentioned, and stores no other messages", async () => {
    await post(getMessage(-20, "just talking"));
    await post(getMessage(-20, "@parley_bot hello", { entities: [{ type: "mention", offset: 0, length: 11 }] }));
    await waitUntilIdle();
    expect(listInChat(-20)).toHaveLength(1);
    expect((await history("imB:-20")).map(({ content }) => content)[0]).toBe("hello");
    expect(await history("imB:-20")).toHaveLength(2);
    // Only a private conversation has a user.
    expect(await api.get("/api/sessions/imB:-20")).toMatchObject({ user_id: null });
    expect(await api.get("/api/sessions/imB:12")).toMatchObject({ user_id: expect.any(String) });
  });

  describe("while the bot's own account is unknown", () => {
    const MENTION = { entities: [{ type: "mention", offset: 0, length: 11 }] };
    /** Reconnects the channel: a new connection has not requested the account of the bot yet. */
    const reconnect = async () => {
      for (const enabled of [false, true]) await api.post("/api/channels/imB/toggle", { enabled });
      await vi.waitFor(() => expect(parley.host.get(Channels).link("imB")).toBeDefined());
    };

    test.each<[string, ImbFault]>([
      ["it is silent", { kind: "hang" }],
      ["it has a fault", { kind: "error", code: 500, description: "Internal Server Error" }],
    ])("%s: mentions in a group are not guessed, the platform repeats the update", async (_name, fault) => {
      await reconnect();
      fail(fault, "getMe");
      const message = getMessage(-21, `@parley_bot hello ${fault.kind}`, MENTION);
      const rejected = await post(message);
      expect(rejected.status).toBe(503);
      expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
      await reconnect();
      expect((await post(message)).json).toEqual({ ok: true });
      await waitUntilIdle();
      expect(listInChat(-21).filter(({ text }) => text.includes(fault.kind))).toHaveLength(1);
    });

    test("a private message is accepted in time", async () => {
      await reconnect();
      fail({ kind: "hang" }, "getMe");
      const began = performance.now();
      expect((await post(getMessage(22, "hello"))).json).toEqual({ ok: true });
      expect(performance.now() - began).toBeLessThan(3_000);
      await waitUntilIdle();
      expect(listInChat(22)).toHaveLength(1);
      await reconnect();
    });

    test("a rejected token does not delay messages that need no mention", async () => {
      await reconnect();
      fail({ kind: "error", code: 401, description: "Unauthorized" }, "getMe");
      expect((await post(getMessage(-23, "@parley_bot hello", MENTION))).json).toEqual({ ok: true });
      await waitUntilIdle();
      expect(listInChat(-23)).toHaveLength(0);
      await reconnect();
    });
  });

  test("an edit changes the stored message and is not answered again", async () => {
    const message = getMessage(13, "first");
    await post(message);
    await waitUntilIdle();
    await post({ update_id: ++update, edited_message: { ...message.message, text: "second" } });
    await waitUntilIdle();
    expect((await history("imB:13"))[0]?.content).toBe("second");
    expect(listInChat(13)).toHaveLength(1);
  });

  test("a long answer is sent in parts, in order, within the platform's limit", async () => {
    const long = Array.from({ length: 900 }, (_, index) => `word${index}`).join(" ");
    await post(getMessage(14, long));
    await waitUntilIdle();
    expect(listInChat(14).length).toBeGreaterThan(1);
    for (const { text } of listInChat(14)) expect(text.length).toBeLessThanOrEqual(4_096);
    const words = listInChat(14).flatMap(({ text }) => text.match(/word(\d+)/g) ?? []);
    expect(words).toEqual(Array.from({ length: 900 }, (_, index) => `word${index}`));
  });

  test("a text whose formatting the platform rejects is sent as plain text", async () => {
    fail({ kind: "error", code: 400, description: "Bad Request: can't parse entities" });
    await post(getMessage(15, "say **this**"));
    await waitUntilIdle();
    expect(listInChat(15)).toHaveLength(1);
    expect(listInChat(15)[0]?.body).not.toHaveProperty("parse_mode");
  });

  test.each([
    ["Bad Request: message thread not found", -70],
    ["Bad Request: TOPIC_CLOSED", -71],
    ["Bad Request: TOPIC_ID_INVALID", -7001],
    ["Bad Request: invalid message thread identifier specified", -7002],
  ])("an answer to a deleted topic is sent to the whole chat, as a reply: %s", async (description, chat) => {
    const topic = { message_thread_id: 77, is_topic_message: true };
    const mention = { entities: [{ type: "mention", offset: 0, length: 11 }] };
    const message = getMessage(chat, "@parley_bot in a topic", { ...topic, ...mention });
    fail({ kind: "error", code: 400, description });
    await post(message);
    await waitUntilIdle();
    expect(listInChat(chat)).toHaveLength(1);
    expect(listInChat(chat)[0]?.body).toMatchObject({ reply_parameters: { message_id: message.message.message_id } });
    expect(listInChat(chat)[0]?.body).not.toHaveProperty("message_thread_id");
  });

  test("an answer is sent without a reference when the message it answers was deleted", async () => {
    fail({ kind: "error", code: 400, description: "Bad Request: message to be replied not found" });
    await post(getMessage(72, "gone soon"));
    await waitUntilIdle();
    expect(listInChat(72)).toHaveLength(1);
    expect(listInChat(72)[0]?.body).not.toHaveProperty("reply_parameters");
  });

  test("an answer is retried after the platform's delay, and arrives once", async () => {
    fail({ kind: "error", code: 429, description: "Too Many Requests", parameters: { retry_after: 1 } });
    await post(getMessage(16, "wait"));
    await platform.seen(({ chat }) => chat === 16);
    await waitUntilIdle();
    expect(listInChat(16)).toHaveLength(1);
  });

  test("an answer that may have arrived is not sent twice: it waits for a person", async () => {
    const dead = await deadDeliveries();
    fail({ kind: "reset-after" });
    await post(getMessage(17, "doubt"));
    await waitUntilIdle();
    expect(listInChat(17)).toHaveLength(1);
    expect(await deadDeliveries()).toBe(dead + 1);
  });

  test("a slow answer is announced by a typing indicator", async () => {
    const gate = createGate();
    models.script.push({ kind: "held", pieces: ["at last"], gate });
    const asked = models.nextRequest();
    await post(getMessage(22, "slow?"));
    await asked;
    const listTypingCalls = () =>
      platform.calls.filter(({ method, body }) => method === "sendChatAction" && body.chat_id === 22);
    await vi.waitFor(() => expect(listTypingCalls()).toHaveLength(1), { timeout: 5_000 });
    gate.next();
    await platform.seen(({ chat }) => chat === 22);
    expect(listTypingCalls()[0]?.body).toMatchObject({ action: "typing" });
  });

  describe("with streamed answers", () => {
    beforeAll(async () => void (await api.put("/api/channels/imB", { capabilities: { supports_stream: true } })));
    afterAll(async () => void (await api.put("/api/channels/imB", { capabilities: { supports_stream: false } })));

    test("one message grows to the whole answer", async () => {
      const gate = createGate();
      models.script.push({ kind: "held", pieces: ["This is the beginning ", "of a **long** ", "answer."], gate });
      await post(getMessage(30, "tell me"));
      gate.next();
      const first = await platform.seen(({ chat }) => chat === 30);
      expect(first.text).toBe("This is the beginning …");
      gate.next();
      gate.next();
      const last = await platform.seen(({ chat, text }) => chat === 30 && text.includes("answer"));
      await waitUntilIdle();
      expect(listInChat(30)).toHaveLength(1);
      expect(listInChat(30)[0]).toMatchObject({
        message_id: first.message_id,
        text: "This is the beginning of a <b>long</b> answer.",
      });
      expect(last.message_id).toBe(first.message_id);
    });

    test("the whole answer waits for the platform's delay during streaming", async () => {
      const gate = createGate();
      models.script.push({ kind: "held", pieces: ["This is the beginning ", "of an answer ", "that ends."], gate });
      await post(getMessage(33, "tell me"));
      gate.next();
      await platform.seen(({ chat }) => chat === 33);
      const edits = () => platform.calls.filter(({ method }) => method === "editMessageText").length;
      const before = edits();
      fail(
        { kind: "error", code: 429, description: "Too Many Requests", parameters: { retry_after: 2 } },
        "editMessageText",
      );
      gate.next();
      await vi.waitFor(() => expect(edits()).toBe(before + 1), { timeout: 5_000 });
      const rejected = performance.now();
      gate.next();
      await platform.seen(({ chat, text }) => chat === 33 && text.includes("ends."));
      expect(performance.now() - rejected).toBeGreaterThan(1_900);
    });

    test("a text beyond one message ends between two characters until the whole is sent", async () => {
      const gate = createGate();
      const answer = `a${"😀".repeat(2_400)}`;
      models.script.push({ kind: "held", pieces: [answer.slice(0, 4_501), answer.slice(4_501)], gate });
      await post(getMessage(32, "tell me much"));
      gate.next();
      const first = await platform.seen(({ chat }) => chat === 32);
      expect(first.text).toBe(`a${"😀".repeat(1_998)} …`);
      gate.next();
      await waitUntilIdle();
      expect(
        listInChat(32)
          .map(({ text }) => text)
          .join(""),
      ).toBe(answer);
    });

    test("nothing is shown before the whole is checked while a filter rule applies", async () => {
      const { id } = await api.post<{ id: string }>("/api/message-filter", { pattern: "secret", filter_target: "ai" });
      models.script.push({ kind: "text", text: "This is the beginning of a secret answer." });
      await post(getMessage(31, "tell me"));
      await platform.seen(({ chat }) => chat === 31);
      await waitUntilIdle();
      expect(platform.calls.filter(({ method, body }) => method === "editMessageText" && body.chat_id === 31)).toEqual(
        [],
      );
      expect(listInChat(31).map(({ text }) => text)).toEqual(["This is the beginning of a  answer."]);
      await api.send("DELETE", `/api/message-filter/${id}`);
    });

    test("a streamed message that was deleted is replaced by the whole answer as a new one", async () => {
      const gate = createGate();
      models.script.push({ kind: "held", pieces: ["This is the beginning ", "of it."], gate });
      await post(getMessage(32, "tell me"));
      gate.next();
      await platform.seen(({ chat }) => chat === 32);
      fail({ kind: "error", code: 400, description: "Bad Request: message to edit not found" }, "editMessageText");
      gate.next();
      await platform.seen(({ chat, text }) => chat === 32 && text === "This is the beginning of it.");
      await waitUntilIdle();
    });
  });

  test("a button sends its text, and its progress indicator stops", async () => {
    const pressed = {
      update_id: ++update,
      callback_query: {
        id: "cb-1",
        from: { id: 501, first_name: "Lin" },
        data: "yes",
        message: { message_id: 1, chat: { id: 18, type: "private" } },
      },
    };
    await post(pressed);
    await waitUntilIdle();
    expect((await history("imB:18"))[0]?.content).toBe("yes");
    expect(
      platform.calls.some(({ method, body }) => method === "answerCallbackQuery" && body.callback_query_id === "cb-1"),
    ).toBe(true);
  });

  test("buttons below a message are pressed once, and the keyboard shows the choice", async () => {
    await api.post("/api/channels/imB/test-message", { conversation_id: "20", text: "before" });
    const delivered = await parley.host.get(Gateway).deliver({
      channelId: "imB",
      sessionId: "imB:20",
      conversation: { id: "20", isGroup: false },
      text: "Tea or coffee?",
      attachments: [],
      elements: [
        {
          type: "select",
          id: "drink",
          placeholder: "Pick one",
          items: [
            { id: "t", label: "Tea" },
            { id: "c", label: "Coffee" },
          ],
        },
      ],
    });
    expect(delivered.deliveryIds).toHaveLength(1);
    const asked = await platform.seen(({ text }) => text === "Tea or coffee?\n\nPick one");
    await post(platform.toPress(asked, "Coffee", { id: "cb-20" }));
    await waitUntilIdle();
    expect(listInChat(20).at(-1)?.text).toBe("You said: Coffee");
    const marked = await platform.seen(
      ({ message_id, body }) => message_id === asked.message_id && JSON.stringify(body).includes("✓"),
    );
    expect(marked.body.reply_markup).toMatchObject({ inline_keyboard: [[{ text: "✓ Coffee" }]] });
    const count = platform.messages.length;
    await post(platform.toPress(asked, "Coffee", { id: "cb-20" }));
    await post(platform.toPress(asked, "Tea"));
    await waitUntilIdle();
    expect(platform.messages).toHaveLength(count);
    const notes = platform.calls.filter(({ method }) => method === "answerCallbackQuery").map(({ body }) => body.text);
    expect(notes.slice(-3)).toEqual([undefined, undefined, "this was already answered"]);
  });

  test("a test message shows the platform's answer", async () => {
    const path = "/api/channels/imB/test-message";
    expect(await api.post(path, { conversation_id: "19", text: "hello?" })).toMatchObject({ quality: "confirmed" });
    const rejected = await api.send("POST", path, { body: { conversation_id: "404", text: "hello?" } });
    expect(rejected).toMatchObject({ status: 502, json: { error: expect.stringContaining("chat not found") } });
  });

  describe("authentication of a webhook", () => {
    test.each([
      ["no secret", { "x-imb-bot-api-secret-token": "" }],
      ["a wrong one", { "x-imb-bot-api-secret-token": "nope" }],
      ["the right beginning", { "x-imb-bot-api-secret-token": SECRET.slice(0, 5) }],
      ["two that differ", { "x-telegram-bot-api-secret-token": "nope" }],
      ["it twice", { "x-imb-bot-api-secret-token": `${SECRET}, ${SECRET}` }],
    ])("rejects %s with 401, before the body is read", async (_what, headers) => {
      expect((await post("{", headers)).status).toBe(401);
    });

    test("accepts the platform's own header", async () => {
      const answer = await createWebhook(
        api,
        "imB",
        { update_id: 1, channel_post: {} },
        { "x-telegram-bot-api-secret-token": SECRET },
      );
      expect(answer.status).toBe(200);
    });

    test("rejects everything when the named variable is not set", async () => {
      await api.post("/api/channels/presets/imB", {
        id: "imB_unset",
        transport: "webhook",
        config: { secret_token_env: "IMB_UNSET", api_base: platform.address },
      });
      await expect.poll(() => parley.host.get(Channels).link("imB_unset")).toBeDefined();
      expect((await post({ update_id: 1 }, {}, "imB_unset")).status).toBe(401);
      const { items } = await api.get<{
        items: readonly { id: string; missing_variables: readonly string[]; status: { last_error: string } }[];
      }>("/api/channels");
      const unset = items.find(({ id }) => id === "imB_unset");
      expect(unset).toMatchObject({
        missing_variables: ["IMB_UNSET"],
        status: { last_error: "the variable IMB_UNSET is not set" },
      });
    });

    test.each([["{"], ["[]"], ['"text"'], ['{"update_id":"1"}'], ["{}"]])(
      "rejects %s with 400, because it is no update",
      async (body) => {
        expect((await post(body)).status).toBe(400);
      },
    );

    test("answers 404 for an unknown channel, 403 for a disabled one", async () => {
      expect((await post({ update_id: 1 }, {}, "nobody")).status).toBe(404);
      expect((await post({ update_id: 1 }, {}, "web")).status).toBe(404);
      await api.post("/api/channels/imB_unset/toggle", { enabled: false });
      const answer = await post({ update_id: 1 }, {}, "imB_unset");
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([403, "600"]);
    });
  });

  describe("registering the webhook", () => {
    const path = "/api/channels/imB/set-webhook";
    const register = (webhook_url: string, id = "imB") =>
      api.send("POST", path.replace("imB/set", `imB/${id}/set`), { body: { webhook_url } });
    const good = "https://bot.example/api/channels/imB/imB/webhook";
    const readAddress = async () => {
      const { items } = await api.get<{ items: readonly { id: string; config: { webhook_url: string } }[] }>(
        "/api/channels",
      );
      return items.find(({ id }) => id === "imB")?.config.webhook_url;
    };

    test("sends the address and the secret to the platform, and stores the address", async () => {
      expect((await register(good)).json?.data).toMatchObject({ webhook_url: good, result: { url: good } });
      expect(platform.webhook()).toMatchObject({
        url: good,
        secret_token: SECRET,
        max_connections: 20,
        drop_pending_updates: false,
      });
      expect(await readAddress()).toBe(good);
    });

    test.each([
      "http://bot.example/api/channels/imB/imB/webhook",
      "https://bot.example:8080/api/channels/imB/imB/webhook",
      "https://user:pass@bot.example/api/channels/imB/imB/webhook",
      "https://bot.example/api/channels/imB/other/webhook",
      "no address",
    ])("rejects %s", async (url) => {
      expect((await register(url)).status).toBe(400);
    });

    test("succeeds once the platform has the address, even if it does not report its state", async () => {
      fail({ kind: "error", code: 500, description: "Internal Server Error" }, "getWebhookInfo");
      const other = good.replace("bot.", "second.");
      expect(await register(other)).toMatchObject({
        status: 200,
        json: {
          data: {
            webhook_url: other,
            result: { url: other },
            warning:
              "the webhook is set, but the platform did not report its status: the platform reported an error of its own: getWebhookInfo: Internal Server Error",
          },
        },
      });
      expect(platform.webhook()).toMatchObject({ url: other });
      expect(await readAddress()).toBe(other);
    });

    test("shows the platform's error", async () => {
      fail(
        { kind: "error", code: 400, description: "Bad Request: bad webhook: HTTPS url must be provided for webhook" },
        "setWebhook",
      );
      expect(await register(good)).toMatchObject({
        status: 502,
        json: { error: expect.stringContaining("bad webhook") },
      });
    });
  });

  test("the token occurs only in API calls", async () => {
    fail({ kind: "error", code: 403, description: `Forbidden for bot${TOKEN}` });
    await post(getMessage(21, "leak?"));
    await waitUntilIdle();
    for (const path of ["/api/logs?limit=500", "/api/channels", "/metrics"]) {
      expect((await api.send("GET", path)).text).not.toContain(TOKEN);
    }
  });
});

function createWebhook(api: Client, id: string, body: object | string, headers: Readonly<Record<string, string>>) {
  return api.send("POST", `/api/channels/imB/${id}/webhook`, { body, headers, token: "" });
}
