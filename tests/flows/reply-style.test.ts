import { DeliveryError, type InboundMessage, type Message } from "@parley/core";
import type { ModelRequest, ModelServer } from "@parley/simulators";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type ParleyWithModel, startParleyWithModel } from "../harness/parley-with-model.ts";
import { createFakeChannel, type FakeChannel } from "../harness/plugins/fake-channel.ts";

/** On a busy machine an answer may be late, which people would be told. */
const NO_NOTICES = "[plugin.gateway]\nslow_reply =\n";

let service: ParleyWithModel;
let models: ModelServer;
let api: Client;
let fake: FakeChannel;

beforeEach(async () => {
  fake = createFakeChannel();
  service = await startParleyWithModel({ plugins: [fake.plugin], config: NO_NOTICES });
  ({ models, api } = service);
  const channel = { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" };
  await api.post("/api/channels", { ...channel, config: { reply_style: "sentences", burst: "off" } });
});
afterEach(() => service[Symbol.asyncDispose]());

const PRIVATE = { sessionId: "fake:private:7", conversation: { id: "7", isGroup: false } };
const write = (text: string, more: Partial<InboundMessage> = {}) => fake.say("7", text, { ...PRIVATE, ...more });
const answer = (text: string) => models.script.push({ kind: "text", text });
const listTexts = () => fake.sent.map(({ text }) => text);
const listMessages = async (id = PRIVATE.sessionId) =>
  (await api.get<{ items: readonly Message[] }>(`/api/sessions/${encodeURIComponent(id)}/messages?limit=50`)).items;
const findAnswer = async (traceId: string, id?: string) =>
  (await listMessages(id)).find((message) => message.role === "assistant" && message.trace_id === traceId);
interface Delivery {
  readonly status: string;
}
const listDeliveries = async (traceId: string) =>
  (
    await api.get<{ items: readonly Delivery[] }>(`/api/gateway/deliveries?trace_id=${traceId}&limit=50`)
  ).items.toReversed();
const toHistory = ({ body }: ModelRequest) =>
  body.messages.filter(({ role }) => role !== "system").map(({ content }) => String(content));

const THREE = "Yes. I was there. It rained.";
/** An answer whose second part is due after six seconds, long after the next message. */
const LONG = `Yes. ${"It was a very long story, ".repeat(12)}and then it ended. Good night.`;

describe("an answer in sentences", () => {
  test("is sent as several messages with pauses by length, and stored as one", async () => {
    answer(THREE);
    const { traceId } = await write("were you there?");
    await eventually(() => expect(listTexts()).toEqual(["Yes.", "I was there.", "It rained."]));
    const [first = 0, second = 0, third = 0] = fake.sentAtMs;
    expect(second - first).toBeGreaterThan(600 + 40 * "I was there.".length - 50);
    expect(third - second).toBeGreaterThan(600 + 40 * "It rained.".length - 50);
    expect(fake.typingCount).toBeGreaterThanOrEqual(2);
    const stored = await findAnswer(traceId);
    expect([stored?.content, stored?.metadata.unsaid]).toEqual([THREE, undefined]);
    await eventually(async () =>
      expect((await listDeliveries(traceId)).map(({ status }) => status)).toEqual(Array(3).fill("delivered")),
    );
  });

  test("of one sentence stays one message", async () => {
    answer("Only one.");
    await write("say one");
    await eventually(() => expect(listTexts()).toEqual(["Only one."]));
  });

  test("is sent as one where people see it while it is written", async () => {
    await api.put("/api/channels/fake", { capabilities: { supports_stream: true } });
    answer(THREE);
    await write("were you there?");
    await eventually(() => expect(fake.shown.at(-1)).toBe(THREE));
  });

  test("follows the conversation's own setting before the channel's", async () => {
    await write("hello");
    await eventually(() => expect(fake.sent).toHaveLength(1));
    await api.put(`/api/sessions/${encodeURIComponent(PRIVATE.sessionId)}`, { reply_style: "whole" });
    answer(THREE);
    await write("were you there?");
    await eventually(() => expect(listTexts().at(-1)).toBe(THREE));
  });

  test("waits as a whole when the platform asks for a pause: in order, none lost or doubled", async () => {
    answer(THREE);
    fake.failures.push(undefined, new DeliveryError("throttled", "slow down", { retryAfterMs: 1_000 }));
    await write("were you there?");
    await eventually(() => expect(listTexts()).toEqual(["Yes.", "I was there.", "It rained."]));
    const [, second = 0, third = 0] = fake.sentAtMs;
    expect(third - second).toBeGreaterThan(600);
  });

  test.each([
    ["the stop button", () => api.post("/api/stop", { session_id: PRIVATE.sessionId })],
    ["a takeover", () => api.post(`/api/sessions/${encodeURIComponent(PRIVATE.sessionId)}/take-over`, {})],
  ])("is said no further after %s", async (_name, stop) => {
    await api.put("/api/channels/fake", { capabilities: { supports_stop: true } });
    answer(LONG);
    const { traceId } = await write("tell me a story");
    await eventually(() => expect(listTexts()).toEqual(["Yes."]));
    await stop();
    const stored = await findAnswer(traceId);
    expect([stored?.content, stored?.metadata.unsaid]).toEqual(["Yes.", LONG.slice("Yes. ".length)]);
    expect((await listDeliveries(traceId)).map(({ status }) => status)).toEqual([
      "delivered",
      "cancelled",
      "cancelled",
    ]);
  });
});

describe("what the person writes meanwhile", () => {
  test("stops the rest, which is no part of the history", async () => {
    answer(LONG);
    const { traceId } = await write("tell me a story");
    await eventually(() => expect(listTexts()).toEqual(["Yes."]));
    answer("As you like.");
    await write("stop it");
    await eventually(() => expect(listTexts()).toEqual(["Yes.", "As you like."]));
    const stored = await findAnswer(traceId);
    expect(stored?.content).toBe("Yes.");
    expect(stored?.metadata.unsaid).toBe(LONG.slice("Yes. ".length));
    expect(toHistory(models.requests.at(-1) as ModelRequest).join("\n")).not.toContain("long story");
    expect((await listDeliveries(traceId)).map(({ status }) => status)).toEqual([
      "delivered",
      "cancelled",
      "cancelled",
    ]);
    await eventually(async () => {
      const { events } = await api.get<{ events: readonly Delivery[] }>(`/api/gateway/logs/trace/${traceId}`);
      expect(events.filter(({ status }) => status === "cancelled")).toHaveLength(2);
    });
    const { by_status } = (
      await api.get<{ deliveries: { by_status: Readonly<Record<string, number>> } }>("/api/gateway/stats")
    ).deliveries;
    expect([by_status.cancelled, by_status.pending ?? 0]).toEqual([2, 0]);
  });

  test("stops it also when it is a command", async () => {
    answer(LONG);
    const { traceId } = await write("tell me a story");
    await eventually(() => expect(listTexts()).toEqual(["Yes."]));
    await write("/help");
    await eventually(() => expect(fake.sent).toHaveLength(2));
    expect((await findAnswer(traceId))?.content).toBe("Yes.");
  });

  test("in a group is what the same person writes to the bot", async () => {
    answer(LONG);
    const { traceId } = await fake.say("team-1", "tell me a story");
    await eventually(() => expect(listTexts()).toEqual(["Yes."]));
    const bob = { sender: { id: "8", name: "Bob", isAdmin: false } };
    await fake.say("team-1", "nice weather", { addressed: false });
    await fake.say("team-1", "and me?", bob);
    await eventually(() => expect(models.requests).toHaveLength(2));
    const pending = await listDeliveries(traceId);
    expect(pending.map(({ status }) => status)).toEqual(["delivered", "pending", "pending"]);
    await fake.say("team-1", "enough");
    await eventually(() => expect(fake.sent).toHaveLength(3));
    expect((await findAnswer(traceId, "fake:group:team-1"))?.metadata.unsaid).toContain("Good night.");
  });

  test("stops nothing when it is a copy of an earlier message", async () => {
    answer(THREE);
    const platformMessageId = "copy-1";
    await write("were you there?", { platformMessageId, dedupeKey: platformMessageId });
    await eventually(() => expect(fake.sent).toHaveLength(1));
    await write("were you there?", { platformMessageId, dedupeKey: platformMessageId });
    await eventually(() => expect(listTexts()).toEqual(["Yes.", "I was there.", "It rained."]));
  });
});
