import { Gateway } from "@parley/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type ParleyWithModel, startParleyWithModel } from "../harness/parley-with-model.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

const fake = createFakeChannel();
let world: ParleyWithModel;
let api: Client;

beforeAll(async () => {
  world = await startParleyWithModel({ plugins: [fake.plugin] });
  api = world.api;
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
});
afterAll(() => world[Symbol.asyncDispose]());

interface Found {
  readonly items: readonly {
    readonly trace_id: string;
    readonly session_id: string;
    readonly state: string;
    readonly cause: string | null;
    readonly unanswered_reason: string | null;
  }[];
}

interface Trace {
  readonly events: readonly { readonly metadata?: { readonly message?: string; readonly why?: object } }[];
}

/** Sends a message and returns the explanation why it was not answered. */
async function explain(group: string, text: string, more: object = {}) {
  const { traceId } = await fake.say(group, text, more);
  await world.parley.host.get(Gateway).idle();
  const { items } = await api.get<Found>(`/api/gateway/messages?channel_id=${fake.id}`);
  const found = items.find(({ trace_id }) => trace_id === traceId);
  return eventually(async () => {
    const { events } = await api.get<Trace>(`/api/gateway/logs/trace/${traceId}`);
    const end = events.find(({ metadata }) => /not answered|the turn is over/.test(metadata?.message ?? ""));
    expect(end).toBeDefined();
    const ended = end?.metadata ?? {};
    return { state: found?.state, cause: found?.cause, reason: found?.unanswered_reason, ...ended };
  });
}

const REASONS = {
  not_mentioned: "not_addressed",
  groups_off: "denied",
  not_allowed: "denied",
  empty: "ignored_form",
} as const;

const settings = (config: object) => api.put(`/api/channels/${fake.id}`, { config });

test.each([
  ["not_mentioned", "the bot was not mentioned", { group_trigger: "mention" }, { addressed: false }],
  ["groups_off", "this channel does not answer in groups", { group_trigger: "never" }, { addressed: true }],
  ["not_allowed", "the channel's allow and deny lists leave it out", { group_trigger: "all", deny: ["bad"] }, {}],
  [
    "empty",
    "there is nothing in it to answer",
    { group_trigger: "all", deny: [] },
    { addressed: false, text: "\u200b" },
  ],
] as const)(
  "for a message that is not for the bot, the list and the trace show %s",
  async (cause, en, change, more) => {
    await settings(change);
    const sender = { id: cause === "not_allowed" ? "bad" : "7", name: "Eve", isAdmin: false };
    expect(await explain(`room-${cause}`, `why ${cause}`, { sender, ...more })).toMatchObject({
      state: "ignored",
      cause,
      reason: REASONS[cause],
      message: `not answered: ${en}`,
      why: { en, zh: expect.stringMatching(/\p{Script=Han}/u) },
    });
  },
);

test("a message that the filter blocked is not listed as answered", async () => {
  await settings({ group_trigger: "all" });
  await api.post("/api/message-filter", { pattern: "forbidden", action: "recall" });
  expect(await explain("room-filter", "a forbidden thing")).toMatchObject({
    cause: "filtered",
    message: "not answered: the message filter blocked it",
  });
});

test("a message of a conversation that a person took over shows that", async () => {
  await explain("room-person", "hello");
  const { items } = await api.get<{ items: readonly { id: string; channel_id: string }[] }>("/api/sessions?limit=50");
  const session = items.find(({ id }) => id.includes("room-person"));
  await api.post(`/api/sessions/${session?.id}/take-over`, {});
  expect(await explain("room-person", "anybody?")).toMatchObject({
    cause: "taken_over",
    message: "not answered: a person has taken over this conversation",
  });
});

test("messages without an answer are listed alone, and say why in their events and in the conversation", async () => {
  await settings({ group_trigger: "mention" });
  await api.put("/api/settings", { features: { group_memory: true } });
  await fake.say("room-list", "answered");
  const { traceId } = await fake.say("room-list", "just talk", { addressed: false });
  await world.parley.host.get(Gateway).idle();
  const { items } = await api.get<Found>(`/api/gateway/messages?unanswered=true&channel_id=${fake.id}`);
  expect(items.every(({ unanswered_reason }) => unanswered_reason !== null)).toBe(true);
  expect(items.find(({ trace_id }) => trace_id === traceId)?.unanswered_reason).toBe("not_addressed");
  expect(await api.get(`/api/gateway/events/${traceId}`)).toMatchObject({ unanswered_reason: "not_addressed" });
  const [found] = items;
  const { items: stored } = await api.get<{ items: readonly { content: string; metadata: object }[] }>(
    `/api/sessions/${found?.session_id}/messages`,
  );
  const reasons = stored.map(({ content, metadata }) => [content, "unanswered_reason" in metadata]);
  expect(reasons).toContainEqual(["just talk", true]);
  expect(reasons).toContainEqual(["answered", false]);
});

test("a message that got no answer, and gets one when it is asked for again, has no reason any more", async () => {
  const { id } = await api.post<{ id: string }>("/api/sessions", {});
  world.models.script.push({ kind: "status", status: 401 });
  await api.post(`/api/sessions/${id}/chat`, { content: "will it fail?" }).catch(() => {});
  const read = async () => {
    const { items } = await api.get<{ items: readonly { role: string; metadata: object }[] }>(
      `/api/sessions/${id}/messages`,
    );
    return items.find(({ role }) => role === "user")?.metadata;
  };
  await eventually(async () => expect(await read()).toEqual({ unanswered_reason: "failed" }));
  await api.post(`/api/sessions/${id}/regenerate`, {});
  await eventually(async () => expect(await read()).toEqual({}));
});
