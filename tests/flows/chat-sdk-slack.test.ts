import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Channels, Gateway, type Message } from "@parley/core";
import { createGate, createSlackMessage, SLACK_APP, type SlackServer, startSlackServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { linkAdapterPackages } from "../harness/adapter-packages.ts";
import type { Client } from "../harness/http/client.ts";
import type { Parley } from "../harness/parley.ts";
import { type ParleyWithModel, startParleyWithModel } from "../harness/parley-with-model.ts";

const PATH = "/api/gateway/slack/webhook";
let root: string;
let platform: SlackServer;
let service: ParleyWithModel;
let parley: Parley;
let api: Client;

beforeAll(async () => {
  platform = await startSlackServer();
  root = mkdtempSync(join(tmpdir(), "parley-slack-"));
  linkAdapterPackages(root, "@chat-adapter/slack");
  service = await startParleyWithModel({
    root,
    config: "[plugin.chat-sdk]\npackages = @chat-adapter/slack, @chat-adapter/discord\n",
    env: { SLACK_BOT_TOKEN: SLACK_APP.token, SLACK_SIGNING_SECRET: SLACK_APP.signingSecret },
  });
  ({ parley, api } = service);
  await api.post("/api/channels/presets/chat-sdk:slack", { config: { apiUrl: platform.address } });
  await vi.waitFor(() => expect(parley.host.get(Channels).link("slack")).toBeDefined(), 30_000);
}, 60_000);
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
  await platform?.[Symbol.asyncDispose]();
});

let count = 0;
const nextTs = () => {
  count += 1;
  return `1700.${String(count).padStart(6, "0")}`;
};
const send = (event: object, more?: { eventId?: string; retry?: number }) => {
  const { body, headers } = platform.createPost(event, more);
  return api.send("POST", PATH, { token: "", body, headers });
};
const say = (conversation: string, text: string, more: object = {}) =>
  send({ ...createSlackMessage(conversation, nextTs(), text), ...more });
interface Channel {
  readonly id: string;
  readonly config_schema: { readonly properties: object };
  readonly status: { readonly state: string; readonly last_error: string };
}
const getChannel = async (id: string) =>
  (await api.get<{ items: readonly Channel[] }>("/api/channels")).items.find((one) => one.id === id);
const waitUntilIdle = () => parley.host.get(Gateway).idle();
const history = async (conversation: string) =>
  (await api.get<{ items: readonly Message[] }>(`/api/sessions/slack:${conversation}/messages`)).items;

describe("Slack through the service", () => {
  test("the preset of an installed package makes a channel with its form", async () => {
    const { items } = await api.get<{ items: readonly { id: string; installed: boolean; name: string }[] }>(
      "/api/channels/presets",
    );
    expect(items).toContainEqual(expect.objectContaining({ id: "chat-sdk:slack", name: "Slack", installed: true }));
    const channel = await getChannel("slack");
    expect(Object.keys(channel?.config_schema.properties ?? {})).toEqual(
      expect.arrayContaining(["botToken_env", "signingSecret_env", "apiUrl", "group_trigger", "on_unknown"]),
    );
    expect(channel).toMatchObject({ webhook_path: PATH, status: { state: "running", connected: true, warnings: [] } });
  });

  test("the check of the address is answered as Slack expects it", async () => {
    const answer = await send({ type: "url_verification", challenge: "c-7" });
    expect([answer.status, answer.text]).toEqual([200, '{"challenge":"c-7"}']);
  });

  test("a private message is answered, and names its sender", async () => {
    expect((await say("slack:D1:", "hello")).status).toBe(200);
    await waitUntilIdle();
    expect(platform.shown("slack:D1:")).toHaveLength(1);
    const [message] = await history("slack:D1:");
    expect(message).toMatchObject({ role: "user", content: "hello", sender: "Lin" });
  });

  test("a mention in a channel begins a thread, which is a conversation of its own", async () => {
    const ts = nextTs();
    const text = `<@${SLACK_APP.userId}> who is there?`;
    await send({ ...createSlackMessage("slack:C7:", ts, ""), text });
    // Slack announces a mention twice.
    await send({ ...createSlackMessage("slack:C7:", ts, ""), text, type: "app_mention" });
    await say("slack:C7:", "just talking");
    await waitUntilIdle();
    expect(platform.shown(`slack:C7:${ts}`)).toHaveLength(1);
    expect((await history(`slack:C7:${ts}`)).map(({ content }) => content)[0]).toBe("who is there?");
    expect(platform.messages.filter(({ channel }) => channel === "C7")).toHaveLength(1);
  });

  test("an event that is repeated is one message, and each copy is acknowledged", async () => {
    const event = createSlackMessage("slack:D2:", nextTs(), "once");
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, retry) => send(event, { eventId: "Ev-same", retry })),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await waitUntilIdle();
    expect(platform.shown("slack:D2:")).toHaveLength(1);
  });

  test("is acknowledged while the model is still writing", async () => {
    const gate = createGate();
    service.models.script.push({ kind: "held", pieces: ["at last"], gate });
    expect((await say("slack:D3:", "take your time")).status).toBe(200);
    expect(platform.shown("slack:D3:")).toEqual([]);
    gate.next();
    gate.next();
    await waitUntilIdle();
    expect(platform.shown("slack:D3:")).toHaveLength(1);
  });

  test("a message is acknowledged in time when Slack does not say who wrote it", async () => {
    platform.faults.push({ method: "users.info", fault: { kind: "hang" } });
    const begun = performance.now();
    expect((await say("slack:D4:", "who am I")).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(3_000);
    await waitUntilIdle();
    expect((await history("slack:D4:"))[0]).toMatchObject({ content: "who am I", sender: "UD4" });
  });

  test("an edit changes the stored message, and a deletion removes it", async () => {
    const ts = nextTs();
    const message = createSlackMessage("slack:D5:", ts, "helo");
    await send(message);
    await waitUntilIdle();
    const edited = { ...message, text: "hello", edited: { ts: "1800.1", user: "UD5" } };
    await send({
      type: "message",
      subtype: "message_changed",
      channel: "D5",
      channel_type: "im",
      message: edited,
      previous_message: message,
    });
    await vi.waitFor(async () => expect((await history("slack:D5:"))[0]?.content).toBe("hello"));
    await send({
      type: "message",
      subtype: "message_deleted",
      channel: "D5",
      channel_type: "im",
      deleted_ts: ts,
      previous_message: message,
    });
    await vi.waitFor(async () => expect((await history("slack:D5:")).map(({ role }) => role)).toEqual(["assistant"]));
    expect(platform.shown("slack:D5:")).toHaveLength(1);
  });

  test("waits as long as Slack asks, and sends once", async () => {
    platform.faults.push({ method: "chat.postMessage", fault: { kind: "throttle", seconds: 1 } });
    await say("slack:D6:", "hurry");
    await platform.seen(({ channel }) => channel === "D6");
    await waitUntilIdle();
    expect(platform.shown("slack:D6:")).toHaveLength(1);
  });

  test("an answer whose acknowledgement was lost is found in the history, and not sent again", async () => {
    platform.faults.push({ method: "chat.postMessage", fault: { kind: "reset-after" } });
    await say("slack:D7:", "hello?");
    await platform.seen(({ channel }) => channel === "D7");
    await vi.waitFor(async () => {
      const { text } = await api.send("GET", "/metrics");
      expect(text.match(/^parley_deliveries_\w+ .*$/gm)).toContain("parley_deliveries_waiting 0");
    }, 10_000);
    expect(platform.shown("slack:D7:")).toHaveLength(1);
    expect(
      platform.calls.filter(({ method, body }) => method === "conversations.history" && body.channel === "D7"),
    ).not.toEqual([]);
  });

  test("an answer cannot notify everybody of a channel", async () => {
    const path = "/api/channels/slack/test-message";
    await api.post(path, { conversation_id: "slack:D8:", text: "hi <!channel> and @everyone" });
    expect(platform.shown("slack:D8:")[0]).not.toMatch(/<!channel>|@everyone/);
  });

  test("buttons are Slack's own, and a press is answered in the same conversation, once", async () => {
    await say("slack:D11:", "/help");
    const { ts, blocks = "" } = await platform.seen(({ channel }) => channel === "D11");
    const [action_id = ""] = blocks.match(/(?<="action_id":")[^"]+/g) ?? [];
    const press = {
      type: "block_actions",
      trigger_id: "press-1",
      user: { id: "UD11", name: "lin" },
      channel: { id: "D11" },
      message: { ts },
      actions: [{ action_id, type: "button" }],
    };
    const { body, headers } = platform.createInteraction(press);
    for (let copies = 0; copies < 3; copies += 1)
      expect((await api.send("POST", PATH, { token: "", body, headers: { ...headers } })).status).toBe(200);
    await vi.waitFor(() => expect(platform.shown("slack:D11:")).toHaveLength(2), 10_000);
    await waitUntilIdle();
    expect(platform.shown("slack:D11:")).toHaveLength(2);
  });

  test("unsigned, wrongly signed and old requests are rejected, and not stored", async () => {
    const event = createSlackMessage("slack:D9:", nextTs(), "evil");
    const good = platform.createPost(event);
    const attempts = [
      { ...good, headers: { "content-type": "application/json" } },
      { ...good, headers: { ...good.headers, "x-slack-signature": `v0=${"0".repeat(64)}` } },
      { ...good, headers: { ...good.headers, "x-slack-request-timestamp": "1600000000" } },
      { ...good, body: good.body.replace("{", "{ ") },
    ];
    for (const { body, headers } of attempts)
      expect((await api.send("POST", PATH, { token: "", body, headers })).status).toBe(401);
    await waitUntilIdle();
    expect((await api.send("GET", "/api/sessions/slack:slack:D9:")).status).toBe(404);
  });

  test("names the account of the bot when the connection is checked", async () => {
    expect(await api.post("/api/channels/slack/check", {})).toMatchObject({ account: "@parley" });
  });

  test("a package that is not installed leaves only its own channel closed, and says so", async () => {
    await api.post("/api/channels/presets/chat-sdk:discord", {});
    await vi.waitFor(async () => {
      expect((await getChannel("discord"))?.status).toMatchObject({
        state: "error",
        last_error: expect.stringMatching(/@chat-adapter\/discord.*not installed|DISCORD/),
      });
    });
    expect((await say("slack:D10:", "still there?")).status).toBe(200);
  });
});
