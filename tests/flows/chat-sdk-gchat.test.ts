import { GCHAT_APP, type GchatServer, startGchatServer, toGchatThread } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type ChatSdkService, startChatSdkService } from "../harness/chat-sdk-service.ts";

const ENDPOINT = "https://parley.example/api/gateway/gchat/webhook";
let platform: GchatServer;
let parley: ChatSdkService;

beforeAll(async () => {
  platform = await startGchatServer();
  parley = await startChatSdkService({
    word: "gchat",
    env: { GOOGLE_CHAT_CREDENTIALS: GCHAT_APP.credentials, GOOGLE_CHAT_PROJECT_NUMBER: GCHAT_APP.projectNumber },
    config: { apiUrl: platform.address, endpointUrl: ENDPOINT },
  });
}, 60_000);
afterAll(async () => {
  await parley?.[Symbol.asyncDispose]();
  await platform?.[Symbol.asyncDispose]();
});

const send = (conversation: string, message: object) =>
  parley.post(platform.createPost(platform.createMessage(conversation, message)));
const history = (conversation: string) => parley.history(encodeURIComponent(conversation));

describe("Google Chat through the service", () => {
  test("a private message is answered, and names its sender", async () => {
    const conversation = "gchat:spaces/1:dm";
    expect((await send(conversation, { name: "spaces/1/messages/a", text: "hello" })).status).toBe(200);
    await parley.waitUntilIdle();
    expect(platform.shown(conversation)).toHaveLength(1);
    expect((await history(conversation))[0]).toMatchObject({ content: "hello", sender: "Lin" });
  });

  test("a mention in a space is answered in its thread, without the mention in its text", async () => {
    const conversation = toGchatThread("spaces/7", "T1");
    const text = "@Parley who is *there*?";
    const message = { name: "spaces/7/messages/a", text, argumentText: " who is *there*?" };
    expect((await send(conversation, message)).status).toBe(200);
    await parley.waitUntilIdle();
    expect(platform.shown(conversation)).toHaveLength(1);
    expect((await history(conversation))[0]).toMatchObject({ content: "who is *there*?" });
  });

  test("an event that is repeated is one message", async () => {
    const conversation = "gchat:spaces/2:dm";
    const event = { name: "spaces/2/messages/a", text: "once" };
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(conversation, event)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await parley.waitUntilIdle();
    expect(platform.shown(conversation)).toHaveLength(1);
  });

  test("an answer whose acknowledgement was lost is sent again with the same id, and shown once", async () => {
    const conversation = "gchat:spaces/3:dm";
    platform.faults.push({ kind: "reset-after" });
    await send(conversation, { name: "spaces/3/messages/a", text: "hello?" });
    const findSends = () => platform.calls.filter(({ call }) => call === "POST /v1/spaces/3/messages");
    await vi.waitFor(() => expect(findSends()).toHaveLength(2), 15_000);
    await parley.waitUntilIdle();
    expect(platform.shown(conversation)).toHaveLength(1);
  });

  test("a token for the channel's address is accepted from Google Chat only", async () => {
    const conversation = "gchat:spaces/4:dm";
    const event = platform.createMessage(conversation, { name: "spaces/4/messages/a", text: "by address" });
    const token = { audience: ENDPOINT, issuer: "https://accounts.google.com" };
    const chat = { ...token, email: "chat@system.gserviceaccount.com" };
    expect((await parley.post(platform.createPost(event, { ...token, email: "evil@example.com" }))).status).toBe(401);
    expect((await parley.post(platform.createPost(event, chat))).status).toBe(200);
    await parley.waitUntilIdle();
    expect(platform.shown(conversation)).toHaveLength(1);
  });

  test("unsigned, forged and foreign requests are rejected, and not stored", async () => {
    const event = platform.createMessage("gchat:spaces/5:dm", { name: "spaces/5/messages/a", text: "evil" });
    const good = platform.createPost(event);
    const attempts = [
      { ...good, headers: { "content-type": "application/json" } },
      platform.createPost(event, { isForged: true }),
      platform.createPost(event, { audience: "4712" }),
      platform.createPost(event, { issuer: "https://accounts.google.com" }),
    ];
    for (const attempt of attempts) expect((await parley.post(attempt)).status).toBe(401);
    await parley.waitUntilIdle();
    const session = encodeURIComponent("gchat:gchat:spaces/5:dm");
    expect((await parley.api.send("GET", `/api/sessions/${session}`)).status).toBe(404);
  });
});
