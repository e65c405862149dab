import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Gateway } from "@parley/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel, type FakeChannel } from "../harness/plugins/fake-channel.ts";
import { type Attack, attackGroup } from "./attack-group.ts";

let parley: Parley;
let api: Client;
let channel: FakeChannel;
const ROOM = "talk:room";

beforeAll(async () => {
  channel = createFakeChannel("talk", "natural", { supports_tools: true });
  parley = await startParley({ plugins: [channel.plugin] });
  api = await parley.signIn();
  await api.post("/api/channels", { id: "talk", name: "Talk", type: "talk", transport: "bridge", enabled: true });
  await channel.say("room", "hello", { sessionId: ROOM, conversation: { id: "room", isGroup: false } });
  await parley.host.get(Gateway).idle();
}, 60_000);
afterAll(() => parley[Symbol.asyncDispose]());

let made = 0;
/** Users who may change conversations and automation but not administer. */
const WHO: Readonly<Record<string, () => Promise<Client>>> = {
  async "an operator"() {
    const account = { name: `operator.${++made}`, role: "operator" };
    const { name, password } = await api.post<{ name: string; password: string }>("/api/accounts", account);
    return api.as((await api.as("").post<{ token: string }>("/api/login", { username: name, password })).token);
  },
  async "a write key"() {
    const key = { name: `writes ${++made}`, scopes: ["read", "chat", "write"] };
    return api.as((await api.post<{ secret: string }>("/api/api-keys", key)).secret);
  },
};

const target = { target_type: "session", target_id: ROOM };
const message = (content: string, more: object = target) => ({
  id: "say",
  action: "message",
  input: { content, ...more },
});
const workflow = (content: string, more: object = {}) => ({
  name: `flow ${++made}`,
  description: "says",
  steps: [message(content)],
  ...more,
});
interface Made {
  readonly id: string;
}
const run = (who: Client, id: string, more: object = {}) =>
  who.send("POST", `/api/workflows/${id}/execute`, { body: { wait: true, ...more } });
const createWorkflow = async (content: string) => (await api.post<Made>("/api/workflows", workflow(content))).id;

/** Each way to get a message sent to people of a platform, for a user without permission; `text` is part of the message. */
const WAYS: Readonly<Record<string, (who: Client, text: string) => Promise<unknown>>> = {
  async "a workflow's message step"(who, text) {
    const { json } = await who.send("POST", "/api/workflows", { body: workflow(text) });
    if (json?.success) await run(who, (json.data as Made).id);
  },
  async "a target that a step fills in"(who, text) {
    const steps = [message(text, { target_type: "session", target_id: "{{content}}" })];
    const { id } = await who.post<Made>("/api/workflows", workflow(text, { steps }));
    expect((await run(who, id, { content: ROOM })).text).toContain("may not have anything sent");
  },
  async "a workflow's result"(who, text) {
    const body = { ...workflow(""), steps: [], description: text, config: target };
    const { json } = await who.send("POST", "/api/workflows", { body });
    if (json?.success) await run(who, (json.data as Made).id);
  },
  async "a workflow of an administrator, changed"(who, text) {
    const id = await createWorkflow("as it was");
    await who.send("PUT", `/api/workflows/${id}`, { body: { steps: [message(text)] } });
    await run(who, id);
  },
  async "a workflow of an administrator, changed after its rights were taken"(who, text) {
    const id = await createWorkflow("as it was");
    await who.send("PUT", `/api/workflows/${id}`, {
      body: { steps: [message(text)], may_speak: true, changed_by: "admin" },
    });
    await run(who, id);
  },
  async "words given to a workflow of an administrator"(who, text) {
    await run(who, await createWorkflow("{{content}}"), { content: text });
    await run(who, await createWorkflow("{{word}}"), { inputs: { word: text } });
  },
  async "a workflow that starts a workflow of an administrator"(who, text) {
    const inner = await createWorkflow("{{content}}");
    const call = { name: "agent_run_workflow", arguments: { workflow_id: inner, content: text } };
    const steps = [{ id: "start", action: "tool", input: call }];
    const { id } = await who.post<Made>("/api/workflows", workflow(text, { steps }));
    await run(who, id);
    await waitUntilIdle();
  },
  async "a task in their conversation"(who, text) {
    const body = { name: `task ${++made}`, prompt: text, trigger: "interval", config: { interval_minutes: 60 } };
    const { json } = await who.send("POST", "/api/task-center", { body: { ...body, target_session_id: ROOM } });
    if (json?.success)
      await who.send("POST", `/api/task-center/${(json.data as Made).id}/run`, { body: { wait: true } });
  },
  async "the heartbeat's conversation"(who, text) {
    await api.put("/api/heartbeat", { target_session_id: ROOM });
    await who.send("PUT", "/api/heartbeat/content", { body: { content: text } });
    await who.send("POST", "/api/heartbeat/run", { body: { wait: true } });
    await api.put("/api/heartbeat", { target_session_id: null });
  },
  async "the heartbeat's targets"(who, text) {
    await who.send("PUT", "/api/heartbeat", { body: { targets: [ROOM] } });
    await who.send("PUT", "/api/heartbeat/content", { body: { content: text } });
    await who.send("POST", "/api/heartbeat/run", { body: { wait: true } });
  },
  "a message as the bot": (who, text) =>
    who.send("POST", `/api/sessions/${ROOM}/messages`, { body: { role: "assistant", content: text, deliver: true } }),
  "a chat that is delivered": (who, text) =>
    who.send("POST", `/api/sessions/${ROOM}/chat`, { body: { content: text, deliver: true } }),
  async "an answer again that is delivered"(who, text) {
    await who.send("POST", `/api/sessions/${ROOM}/chat`, { body: { content: text } });
    await who.send("POST", `/api/sessions/${ROOM}/regenerate`, { body: { deliver: true } });
  },
  "a test message": (who, text) =>
    who.send("POST", "/api/channels/talk/test-message", { body: { conversation_id: "room", text, is_group: false } }),
  "a broadcast": (who, text) =>
    who.send("POST", "/api/broadcasts", {
      body: { name: "all", text, audience: { session_ids: [ROOM] }, expected: 1 },
    }),
  async "the web agent"(who, text) {
    const args = { channel_id: "talk", conversation_id: "room", content: text };
    for (const tool of ["gateway_send_message", "agent_run_workflow"])
      await who.send("POST", "/api/web-agent/execute", { body: { tool, arguments: args, confirm: true } });
  },
};

const waitUntilIdle = () => parley.host.get(Gateway).idle();

attackGroup("having something sent to people of a platform", () =>
  Object.entries(WHO).flatMap(([name, make]) =>
    Object.entries(WAYS).map(
      ([way, attempt]): Attack => [
        `${name} by ${way}`,
        async () => {
          const text = `smuggled ${++made}`;
          await attempt(await make(), text);
          await waitUntilIdle();
          expect(channel.sent.filter((one) => one.text.includes(text))).toEqual([]);
        },
      ],
    ),
  ),
);

test("secrets in workflow inputs, and in log lines that programs write, are masked by their format", async () => {
  const secret = `sk-${"a1b2".repeat(8)}`;
  const id = await createWorkflow("nothing");
  const { run_id } = await api.post<{ run_id: string }>(`/api/workflows/${id}/execute`, {
    wait: true,
    content: `Bearer ${secret}`,
    inputs: { note: `with ${secret}` },
  });
  expect((await api.send("GET", `/api/runs/${run_id}`)).text).not.toContain(secret);
  const line = { level: "info", message: `used ${secret}`, source: "system" };
  const written = await api.send("POST", "/api/logs", { body: line });
  expect(written.text).toContain("used ***");
  expect((await api.send("GET", "/api/logs")).text).not.toContain(secret);
});

test("an administrator's workflow runs for whoever starts it, and sends the administrator's text", async () => {
  const id = await createWorkflow("the shop is open");
  const operator = await WHO["an operator"]?.();
  expect(await api.get(`/api/workflows/${id}`)).toMatchObject({ changed_by: "admin", may_speak: true });
  for (const who of [api, operator as Client]) expect((await run(who, id)).json).toMatchObject({ success: true });
  await operator?.post(`/api/workflows/${id}/toggle`, { enabled: false });
  await run(api, id);
  await waitUntilIdle();
  expect(channel.sent.filter(({ text }) => text === "the shop is open")).toHaveLength(3);
});

/** Root of the repository, whose sources are read as text. */
const ROOT = join(import.meta.dirname, "..", "..");
const readSources = (folders: string) =>
  globSync(`${folders}/src/**/*.ts`, { cwd: ROOT })
    .filter((path) => !path.endsWith(".test.ts"))
    .toSorted()
    .map((path) => [path, readFileSync(join(ROOT, path), "utf8")] as const);
const findPaths = (sources: ReturnType<typeof readSources>, text: RegExp) =>
  sources.flatMap(([path, source]) => (text.test(source) ? [path] : [])).toSorted();

test("every call that sends to a platform states who ordered it", () => {
  const sources = readSources("{plugins,adapters}/*");
  const sending = sources.filter(([, source]) => /gateway(\(\))?\??\.deliver\(|\blink\.send\(/.test(source));
  expect(sending.length).toBeGreaterThan(8);
  const stated = findPaths(sending, /\b(SpeakOrder|assertMaySpeak|BY_SERVICE)\b/);
  // Messages in the outbox were checked when they were added.
  const outbox = ["plugins/gateway/src/deliver/delivery-attempts.ts"];
  expect(
    sending
      .map(([path]) => path)
      .filter((path) => !stated.includes(path))
      .toSorted(),
  ).toEqual(outbox);
  expect(findPaths(sources, /order: BY_SERVICE/)).toEqual([
    "plugins/files/src/workspace/tools.ts",
    "plugins/gateway/src/mcp-actions.ts",
    "plugins/mcp-bridge/src/guard/confirmations/confirmations.ts",
    "plugins/sessions/src/broadcasts/send.ts",
    // The permission is checked when the feature is switched on.
    "plugins/sessions/src/proactive/speak-first.ts",
    "plugins/sessions/src/turns/speakers/next-speaker-job.ts",
    "plugins/sticker/src/late-sticker.ts",
    "plugins/voice/src/speak-job.ts",
  ]);
});

test("one function decides whether a person is the caller", () => {
  // Signing out ends any login token, including one created by an API key.
  expect(findPaths(readSources("{core,host,plugins/*,adapters/*}"), /[!=]==\s*"login"/)).toEqual([
    "core/src/services/operations/accounts.ts",
    "plugins/accounts/src/sign-in/sign-in.ts",
  ]);
});
