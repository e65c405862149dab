import { Gateway, type IdempotencyMode, type Message } from "@parley/core";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { createRejectingStorage } from "../harness/plugins/rejecting-storage.ts";

/** More writes than any of the operations below makes. */
const MAX_WRITES = 40;
const MODES: readonly IdempotencyMode[] = ["natural", "none", "native_key", "reconcile"];

const storage = createRejectingStorage();
const channels = new Map(MODES.map((mode) => [mode, createFakeChannel(`fake-${mode.replace("_", "-")}`, mode)]));
const natural = channels.get("natural") as ReturnType<typeof createFakeChannel>;
let parley: Parley;
let models: ModelServer;
let api: Client;

beforeAll(async () => {
  models = await startModelServer({ answer: () => ({ kind: "text", text: "Here you are." }) });
  const plugins = [storage.plugin, ...[...channels.values()].map(({ plugin }) => plugin)];
  parley = await startParley({ plugins, config: "[plugin.gateway]\nslow_reply =\n" });
  api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${id}/apply`, {});
  for (const { id } of channels.values())
    await api.post("/api/channels", { id, name: id, type: id, transport: "bridge" });
}, 60_000);
afterAll(async () => {
  await parley?.[Symbol.asyncDispose]();
  await models?.[Symbol.asyncDispose]();
});

/** Sends a message until it is accepted, as a platform does. */
async function say(channel: typeof natural, id: string): Promise<void> {
  const message = {
    sessionId: `${channel.id}:private:${id}`,
    conversation: { id, isGroup: false },
    sender: { id, name: "Ann", isAdmin: false },
    platformMessageId: `message of ${id}`,
  };
  await eventually(() => channel.say(id, "hello", message));
}

const rolesOf = async (session: string) =>
  (await api.get<{ items: readonly Message[] }>(`/api/sessions/${encodeURIComponent(session)}/messages`)).items.map(
    ({ role }) => role,
  );

describe("when storage rejects any write", () => {
  test.each(MODES.flatMap((mode) => [1, 3].map((count) => [mode, count] as const)))(
    "a message on a channel of the kind %s is answered once, with %i rejections in a row",
    { timeout: 300_000 },
    async (mode, count) => {
      const channel = channels.get(mode) as typeof natural;
      for (let after = 0; after < MAX_WRITES; after += 1) {
        const before = channel.sent.length;
        const id = `${count}-${after}`;
        storage.reject({ after, count });
        await say(channel, id);
        await eventually(async () => {
          expect(channel.sent.length).toBeGreaterThan(before);
          expect(await rolesOf(`${channel.id}:private:${id}`)).toEqual(["user", "assistant"]);
        });
        await parley.host.get(Gateway).idle();
        const rejected = storage.end();
        expect({ rejected, sent: channel.sent.slice(before).map(({ text }) => text) }).toEqual({
          rejected,
          sent: ["Here you are."],
        });
        if (rejected.length === 0) return;
      }
    },
  );
});

const WRITES_OF_A_RUN = [
  "update automation_runs set status = 'running'",
  "update automation_runs set session_id",
  "insert into automation_steps",
  "insert into dedupe",
  "insert into messages",
  "update inbox set state = ?, cause = ?, outcome",
  "update automation_steps",
  "update jobs set payload = coalesce",
];

test.each(WRITES_OF_A_RUN)(
  "a due task is answered once when storage rejects: %s",
  { timeout: 60_000 },
  async (text) => {
    const id = `task-${WRITES_OF_A_RUN.indexOf(text)}`;
    await say(natural, id);
    await eventually(async () => expect(await rolesOf(`${natural.id}:private:${id}`)).toHaveLength(2));
    await parley.host.get(Gateway).idle();
    const before = natural.sent.length;
    storage.reject({ text });
    await eventually(() =>
      api.post("/api/task-center", {
        ...{ name: id, prompt: "What is new?", target_session_id: `${natural.id}:private:${id}` },
        ...{ trigger: "date", config: { run_at: new Date(Date.now() + 1_000).toISOString() } },
      }),
    );
    await eventually(() => expect(natural.sent.length).toBeGreaterThan(before));
    await parley.host.get(Gateway).idle();
    expect(storage.end()).toHaveLength(1);
    expect(natural.sent.slice(before).map(({ text }) => text)).toEqual(["Here you are."]);
  },
);

test.each([1, 2])(
  "a workflow message is sent once when storage rejects its completion %i times",
  { timeout: 60_000 },
  async (count) => {
    const conversation = `flow-${count}`;
    await say(natural, conversation);
    await eventually(async () => expect(await rolesOf(`${natural.id}:private:${conversation}`)).toHaveLength(2));
    await parley.host.get(Gateway).idle();
    const before = natural.sent.length;
    const input = {
      content: "Good morning",
      target_type: "session",
      target_id: `${natural.id}:private:${conversation}`,
    };
    const { id } = await api.post<{ id: string }>("/api/workflows", {
      ...{ name: conversation, description: "d" },
      steps: [{ id: "m", action: "message", input, retry: 3 }],
    });
    storage.reject({ text: "update automation_steps", count });
    const run = await api.post<{ status: string }>(`/api/workflows/${id}/execute`, { wait: true });
    await parley.host.get(Gateway).idle();
    expect(storage.end()).toHaveLength(count);
    expect(natural.sent.slice(before).map(({ text }) => text)).toEqual(["Good morning"]);
    expect(run.status).toBe("success");
  },
);
