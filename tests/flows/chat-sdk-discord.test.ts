import { createGate, DISCORD_APP, type DiscordServer, startDiscordServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type ChatSdkService, startChatSdkService } from "../harness/chat-sdk-service.ts";

let platform: DiscordServer;
let parley: ChatSdkService;

beforeAll(async () => {
  platform = await startDiscordServer();
  parley = await startChatSdkService({
    word: "discord",
    env: {
      DISCORD_BOT_TOKEN: DISCORD_APP.token,
      DISCORD_PUBLIC_KEY: DISCORD_APP.publicKey,
      DISCORD_APPLICATION_ID: DISCORD_APP.applicationId,
    },
    config: { apiUrl: platform.address },
  });
  await platform.waitFor(() => platform.ready.size > 0);
}, 60_000);
afterAll(async () => {
  await parley?.[Symbol.asyncDispose]();
  await platform?.[Symbol.asyncDispose]();
});

const BOT = `<@${DISCORD_APP.applicationId}>`;
const waitForPostIn = (channelId: string) => platform.seen((one) => one.channel_id === channelId);

describe("Discord through the service", () => {
  test("a private message is answered, and names its sender", async () => {
    await platform.say("discord:@me:1", "hello");
    await waitForPostIn("1");
    await parley.waitUntilIdle();
    expect(platform.shown("discord:@me:1")).toHaveLength(1);
    expect((await parley.history("discord:@me:1"))[0]).toMatchObject({ content: "hello", sender: "Lin" });
  });

  test("a mention in a channel begins a thread, which is a conversation of its own", async () => {
    await platform.say("discord:G1:7", "just talking", { id: "70" });
    await platform.say("discord:G1:7", `${BOT} who is there?`, { id: "71" });
    await waitForPostIn("71");
    await parley.waitUntilIdle();
    expect((await parley.history("discord:G1:7:71"))[0]).toMatchObject({ content: "who is there?" });
    expect(platform.shown("discord:G1:7")).toEqual([]);
    await platform.say("discord:G1:7:71", `${BOT} and now?`);
    await vi.waitFor(() => expect(platform.shown("discord:G1:7:71")).toHaveLength(2), 10_000);
  });

  test("a message that arrives while the connection is broken is answered once", async () => {
    const { resumed } = platform.counts();
    platform.drop();
    await platform.say("discord:@me:2", "can you hear me?");
    await platform.waitFor(() => platform.counts().resumed > resumed);
    await waitForPostIn("2");
    await parley.waitUntilIdle();
    expect(platform.shown("discord:@me:2")).toHaveLength(1);
  });

  test("a message that arrives while the service is down is answered by the next one", async () => {
    const { identified, resumed } = platform.counts();
    await parley.restart(() => platform.say("discord:@me:3", "are you there?"));
    await waitForPostIn("3");
    await parley.waitUntilIdle();
    expect(platform.shown("discord:@me:3")).toHaveLength(1);
    expect(platform.counts()).toMatchObject({ identified, resumed: resumed + 1 });
  });

  test("a session that Discord has forgotten is replaced by a new one", async () => {
    const { identified } = platform.counts();
    platform.forgetSession();
    platform.drop();
    await platform.waitFor(() => platform.counts().identified > identified && platform.ready.size > 0);
    await platform.say("discord:@me:4", "still there?");
    await waitForPostIn("4");
  });

  test("an edit changes the stored message, and a deletion removes it", async () => {
    await platform.say("discord:@me:5", "helo", { id: "50" });
    await waitForPostIn("5");
    await parley.waitUntilIdle();
    const [conversation, edited_timestamp] = ["discord:@me:5", new Date().toISOString()];
    const author = { id: "U5", username: "lin" };
    const edited = { id: "50", channel_id: "5", channel_type: 1, author, content: "hello", edited_timestamp };
    // Discord sends an update for a preview, too, which is no edit.
    await platform.push("MESSAGE_UPDATE", { ...edited, content: "preview", edited_timestamp: null });
    await platform.push("MESSAGE_UPDATE", { ...edited, timestamp: edited_timestamp });
    await vi.waitFor(async () => expect((await parley.history(conversation))[0]?.content).toBe("hello"), 10_000);
    await platform.push("MESSAGE_DELETE", { id: "50", channel_id: "5" });
    await vi.waitFor(
      async () => expect((await parley.history(conversation)).map(({ role }) => role)).toEqual(["assistant"]),
      10_000,
    );
  });

  test("the deletion of a mention removes it from the thread that it began, and begins no conversation", async () => {
    await platform.say("discord:G1:8", `${BOT} hello`, { id: "80" });
    await waitForPostIn("80");
    await parley.waitUntilIdle();
    await platform.push("MESSAGE_DELETE", { id: "80", channel_id: "8", guild_id: "G1" });
    await vi.waitFor(
      async () => expect((await parley.history("discord:G1:8:80")).map(({ role }) => role)).toEqual(["assistant"]),
      10_000,
    );
    expect((await parley.api.send("GET", "/api/sessions/discord:discord:G1:8")).status).toBe(404);
  });

  test("the check of the address is answered, and wrongly signed requests are rejected", async () => {
    const ping = platform.createPost({ type: 1 });
    expect(await parley.post(ping)).toMatchObject({ status: 200, text: '{"type":1}' });
    const attempts = [
      { ...ping, headers: { "content-type": "application/json" } },
      { ...ping, headers: { ...ping.headers, "x-signature-ed25519": "0".repeat(128) } },
      { ...ping, headers: { ...ping.headers, "x-signature-timestamp": "1600000000" } },
      { ...ping, body: '{"type":2}' },
      { ...ping, headers: { ...ping.headers, "x-discord-gateway-token": "guessed" } },
    ];
    for (const attempt of attempts) expect((await parley.post(attempt)).status).toBe(401);
  });

  test("a slash command is shown at once, while the model writes, and answered by a message", async () => {
    const gate = createGate();
    parley.models.script.push({ kind: "held", pieces: ["at last"], gate });
    const command = {
      type: 2,
      id: "i1",
      token: "t",
      channel_id: "9",
      user: { id: "U9", username: "lin" },
      data: { name: "ask", options: [{ name: "question", value: "why?" }] },
    };
    const { status, text } = await parley.post(platform.createPost(command));
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { type: 4, data: { content: "/ask why?", allowed_mentions: { parse: [] } } },
    ]);
    await parley.post(platform.createPost(command));
    gate.next();
    gate.next();
    await waitForPostIn("9");
    await parley.waitUntilIdle();
    expect(platform.shown("discord:@me:9")).toHaveLength(1);
    expect(platform.calls.filter(({ call }) => call.includes("/webhooks/"))).toEqual([]);
  });

  test("an answer whose acknowledgement was lost is found in the history, and not sent again", async () => {
    platform.faults.push({ kind: "reset-after" });
    await platform.say("discord:@me:10", "hello?");
    await waitForPostIn("10");
    await vi.waitFor(async () => {
      const { text } = await parley.api.send("GET", "/metrics");
      expect(text.match(/^parley_deliveries_\w+ .*$/gm)).toContain("parley_deliveries_waiting 0");
    }, 10_000);
    expect(platform.shown("discord:@me:10")).toHaveLength(1);
  });

  test("an event that cannot be read is left out, and the next one is answered", async () => {
    const { resumed } = platform.counts();
    const author = { id: 5, username: "lin" };
    await platform.push("MESSAGE_CREATE", { id: "1", channel_id: "11", author, content: "odd" });
    await platform.push("MESSAGE_CREATE", { id: "2", channel_id: "11" });
    await platform.push("MESSAGE_DELETE", { id: "3".repeat(1_000), channel_id: "11" });
    await platform.push("INTERACTION_CREATE", { type: 2, id: "4", token: "t" });
    await platform.push("INTERACTION_CREATE", { type: 3, id: "5", token: "t", data: { custom_id: 5 } });
    const press = { channel_id: "11", user: { id: "U", username: "u" }, message: { id: "1" } };
    const data = { component_type: 2, custom_id: "x".repeat(1_000) };
    await platform.push("INTERACTION_CREATE", { ...press, type: 3, id: "6", token: "t", data });
    await platform.say("discord:@me:11", "hello");
    await waitForPostIn("11");
    expect(platform.counts().resumed).toBe(resumed);
  });

  test("names the account of the bot when the connection is checked", async () => {
    expect(await parley.api.post("/api/channels/discord/check", {})).toMatchObject({ account: "@parley" });
  });

  test("a table is sent as text of equal width", async () => {
    const text = `| a | b |\n|---|---|\n| 1 | 2 |`;
    await parley.api.post("/api/channels/discord/test-message", { conversation_id: "discord:@me:12", text });
    expect(platform.shown("discord:@me:12")[0]).toMatch(/^```/);
  });

  test("buttons are Discord's own, and a press over the gateway is answered", async () => {
    await platform.say("discord:@me:20", "/help");
    const { id, components } = await waitForPostIn("20");
    const [customId = ""] = listButtonIds(components);
    const press = {
      type: 3,
      token: "token",
      channel_id: "20",
      user: { id: "U20", username: "lin" },
      message: { id },
      data: { component_type: 2, custom_id: customId },
    };
    await platform.push("INTERACTION_CREATE", { ...press, id: "press-1" });
    await vi.waitFor(() => expect(findAnswer("press-1")).toEqual({ type: 6 }), 10_000);
    await vi.waitFor(() => expect(platform.shown("discord:@me:20")).toHaveLength(2), 10_000);
    const unknown = { ...press, id: "press-2", data: { component_type: 2, custom_id: `el_${"0".repeat(20)}:tea` } };
    await platform.push("INTERACTION_CREATE", unknown);
    await vi.waitFor(
      () =>
        expect(findAnswer("press-2")).toMatchObject({
          type: 4,
          data: { flags: 64, content: expect.stringContaining("no longer exists") },
        }),
      10_000,
    );
    const posted = await parley.post(platform.createPost({ ...unknown, id: "press-3" }));
    expect(JSON.parse(posted.text)).toMatchObject({ type: 4, data: { flags: 64 } });
  });

  test("a slash command over the gateway is shown, and answered by a message", async () => {
    const data = { name: "ask", options: [{ name: "question", value: "why?" }] };
    const user = { id: "U21", username: "lin" };
    await platform.push("INTERACTION_CREATE", { type: 2, id: "i2", token: "t", channel_id: "21", user, data });
    await vi.waitFor(() => expect(findAnswer("i2")).toMatchObject({ type: 4, data: { content: "/ask why?" } }), 10_000);
    await waitForPostIn("21");
  });
});

const findAnswer = (id: string) =>
  platform.calls.find(({ call }) => call.startsWith(`POST /interactions/${id}/`))?.body;

/** Returns the ids of the buttons of a message. */
function listButtonIds(rows: unknown): readonly string[] {
  return JSON.stringify(rows).match(/(?<="custom_id":")[^"]+/g) ?? [];
}
