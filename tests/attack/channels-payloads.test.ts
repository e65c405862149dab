import { Gateway, type InboundMessage } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

describe("an invalid message from an adapter", () => {
  const channel = createFakeChannel();
  let parley: Parley;
  let api: Client;

  beforeAll(async () => {
    parley = await startParley({ plugins: [channel.plugin] });
    api = await parley.signIn();
    await api.post("/api/channels", { id: "fake", name: "Fake", type: "fake", transport: "bridge" });
    await eventually(async () => void (await channel.say("room", "hello")));
    await parley.host.get(Gateway).idle();
  });
  afterAll(() => parley[Symbol.asyncDispose]());

  test.each([
    ["no conversation", { conversation: undefined }],
    ["a conversation without an id", { conversation: { id: null, isGroup: true } }],
    ["a kind that nobody knows", { kind: "hello" }],
    ["another channel's id", { channelId: "web" }],
    ["another channel's session", { sessionId: "imB:1" }],
  ])("is rejected without retries: %s", async (_what, wrong) => {
    const saying = channel.say("room", "broken", wrong as unknown as Partial<InboundMessage>);
    await expect(saying).rejects.toMatchObject({ code: "bad_request" });
    await parley.host.get(Gateway).idle();
    const { pending, processing } = (
      await api.get<{ readonly status_breakdown: { readonly pending: number; readonly processing: number } }>(
        "/api/gateway/queue/status",
      )
    ).status_breakdown;
    expect({ pending, processing }).toEqual({ pending: 0, processing: 0 });
    // The conversation continues.
    const before = channel.sent.length;
    await channel.say("room", "still here");
    await eventually(() => expect(channel.sent.length).toBeGreaterThan(before));
  });
});
