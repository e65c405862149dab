import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import * as lark from "@larksuiteoapi/node-sdk";
import { IMC_APP, startImaBridge, startImbServer, startImcServer } from "@parley/simulators";
import { Bot, webhookCallback } from "grammy";
import { NCWebsocket, Structs } from "node-napcat-ts";
import { Telegraf } from "telegraf";
import { describe, expect, test, vi } from "vitest";

/** A test server that receives posts of a platform. */
async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await vi.waitFor(() => expect(server.listening).toBe(true));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/updates`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("the imA bridge simulator is compatible", () => {
  test.each([
    ["private:502", "502", "private"],
    ["group:778", "20002", "group"],
  ] as const)("with node-napcat-ts, in %s", async (conversation, user, type) => {
    await using bridge = await startImaBridge({ token: "sesame" });
    const client = new NCWebsocket({ baseUrl: bridge.address, accessToken: "sesame", reconnection: { enable: false } });
    const seen: Record<string, unknown>[] = [];
    client.on("message", async (context) => {
      seen.push({ ...context });
      await context.quick_action([Structs.text("answer")]);
    });
    await client.connect();
    try {
      expect(await client.get_login_info()).toMatchObject({ user_id: bridge.selfId });
      await bridge.say(conversation, "hi [there] & all");
      await vi.waitFor(() => expect(bridge.shown(conversation)).toEqual(["answer"]));
      expect(seen).toEqual([
        expect.objectContaining({
          message_type: type,
          user_id: Number(user),
          sender: expect.objectContaining({ user_id: Number(user), nickname: "Lin" }),
          raw_message: "hi [there] & all",
          font: 0,
          message: [{ type: "text", data: { text: "hi [there] & all" } }],
        }),
      ]);
      const sent = await client.send_msg({ ...target(conversation), message: [Structs.text("more")] });
      expect(sent.message_id).toEqual(expect.any(Number));
      expect(bridge.shown(conversation)).toEqual(["answer", "more"]);
    } finally {
      await client.disconnect();
    }
  });
});

function target(conversation: string): { readonly user_id: number } | { readonly group_id: number } {
  const [kind, id] = conversation.split(":");
  return kind === "group" ? { group_id: Number(id) } : { user_id: Number(id) };
}

describe("the imB platform simulator is compatible", () => {
  const token = "42:secret";

  test.each(["502", "-778"])("with grammY, in chat %s", async (chat) => {
    await using platform = await startImbServer();
    const bot = new Bot(token, { client: { apiRoot: platform.address } });
    bot.on("message:text", (context) => context.reply(`re: ${context.message.text} from ${context.from.first_name}`));
    await using server = await listen(webhookCallback(bot, "http"));
    platform.useWebhook({ url: server.url });
    await platform.say(chat, "hi");
    await vi.waitFor(() => expect(platform.shown(chat)).toEqual(["re: hi from Lin"]));
    expect(bot.botInfo).toMatchObject({ is_bot: true, username: "parley_bot" });
  });

  test.each(["502", "-778"])("with telegraf, in chat %s", async (chat) => {
    await using platform = await startImbServer();
    const bot = new Telegraf(token, { telegram: { apiRoot: platform.address } });
    bot.on("text", (context) => context.reply(`re: ${context.message.text} from ${context.from.first_name}`));
    await using server = await listen(bot.webhookCallback("/updates") as RequestListener);
    platform.useWebhook({ url: server.url });
    await platform.say(chat, "hi");
    await vi.waitFor(() => expect(platform.shown(chat)).toEqual(["re: hi from Lin"]));
  });
});

describe("the imC platform simulator is compatible", () => {
  test("with the platform's own library, over its long connection", async () => {
    await using platform = await startImcServer();
    const own = { appId: IMC_APP.id, appSecret: IMC_APP.secret, domain: platform.address };
    const quiet = { loggerLevel: lark.LoggerLevel.fatal };
    const client = new lark.Client({ ...own, ...quiet });
    const seen: unknown[] = [];
    const eventDispatcher = new lark.EventDispatcher(quiet).register({
      "im.message.receive_v1": async ({ message, sender }) => {
        seen.push([sender.sender_id?.open_id, JSON.parse(message.content)]);
        const content = JSON.stringify({ text: "answer" });
        await client.im.v1.message.reply({
          path: { message_id: message.message_id },
          data: { content, msg_type: "text", uuid: "u1" },
        });
      },
      "im.message.recalled_v1": async ({ message_id }) => void seen.push(message_id),
    });
    const socket = new lark.WSClient({ ...own, ...quiet });
    try {
      await socket.start({ eventDispatcher });
      await vi.waitFor(() => expect(platform.connections().open).toBe(1), { timeout: 5_000 });
      await platform.say("oc_502", "hi");
      await vi.waitFor(() => expect(platform.shown("oc_502")).toEqual(["answer"]));
      const header = { event_id: "r1", event_type: "im.message.recalled_v1", app_id: IMC_APP.id };
      expect(await platform.push({ schema: "2.0", header, event: { message_id: "om_9", chat_id: "oc_502" } })).toBe(
        200,
      );
      expect(seen).toEqual([["ou_502", { text: "hi" }], "om_9"]);
    } finally {
      socket.close({ force: true });
    }
  });
});
