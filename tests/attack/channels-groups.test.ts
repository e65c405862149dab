import { Gateway, type Session } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { findFreePort } from "../harness/http/free-port.ts";
import { connectMcp } from "../harness/mcp/mcp.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

describe("a group on a channel whose sessions all have the type 'channel'", () => {
  const channel = createFakeChannel();
  let parley: Parley;
  let api: Client;
  let port: number;

  beforeAll(async () => {
    port = await findFreePort();
    const config = `[mcp]\nenabled = true\ntransport = streamable-http\nport = ${port}\nadmin = true\nsend_message_enabled = true\n`;
    parley = await startParley({ plugins: [channel.plugin], config });
    api = await parley.signIn();
    await api.post("/api/channels", { id: "fake", name: "Fake", type: "fake", transport: "bridge" });
    await vi.waitFor(async () => {
      await channel.say("room", "hello");
      await channel.say("ann", "hello", {
        sessionId: "fake:ann",
        conversation: { id: "ann", isGroup: false },
        sender: { id: "ann", name: "Ann", isAdmin: false },
      });
    });
    await parley.host.get(Gateway).idle();
  });
  afterAll(() => parley[Symbol.asyncDispose]());

  const findLastSent = (conversation: string) => channel.sent.findLast((one) => one.conversation.id === conversation);

  test.each([
    ["fake:group:room", "room", true],
    ["fake:ann", "ann", false],
  ])("is reached by an operator who writes %s", async (id, conversation, isGroup) => {
    const { type } = await api.get<Session>(`/api/sessions/${id}`);
    expect(type).toBe("channel");
    await api.post(`/api/sessions/${id}/chat`, { content: "anybody here?" });
    await parley.host.get(Gateway).idle();
    expect(findLastSent(conversation)).toMatchObject({ conversation: { isGroup } });
  });

  test.each([
    ["hall", true],
    // There are no messages of this conversation yet, so only the adapter can tell a group by the id.
    ["team-new", true],
    ["group:42", false],
    ["-42", false],
  ])("is a group for tools: %s is %s", async (conversation_id, isGroup) => {
    if (conversation_id === "hall") await channel.say("hall", "hello", { sessionId: "fake:hall" });
    await parley.host.get(Gateway).idle();
    const before = channel.sent.length;
    const { secret } = await api.post<{ readonly secret: string }>("/api/api-keys", {
      name: conversation_id,
      scopes: ["mcp"],
    });
    await using mcp = await connectMcp(`http://127.0.0.1:${port}/mcp`, secret);
    const message = { channel_id: "fake", conversation_id, content: "from a tool", confirm: true };
    expect(await mcp.call("gateway_send_message", message)).toMatchObject({ status: "pending" });
    await vi.waitFor(() => expect(channel.sent.length).toBeGreaterThan(before));
    expect(channel.sent.at(-1)).toMatchObject({ text: "from a tool", conversation: { id: conversation_id, isGroup } });
  });
});
