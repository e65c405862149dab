import { Channels, DeliveryError, Jobs, LiveEvents, listPressable, type Message, Schedules } from "@parley/core";
import { expect, vi } from "vitest";
import {
  type Call,
  createConnectedServer,
  createImbChannel,
  createPollingChannel,
  ofGroupedRule,
  ofRule,
  type Seed,
} from "../calls.ts";
import { ACCOUNT_CALLS } from "./accounts.ts";
import { OUR_AUTOMATION_CALLS } from "./automation.ts";
import { BACKUP_CALLS } from "./backups.ts";
import { BROADCAST_CALLS } from "./broadcasts.ts";
import { BUDGET_CALLS } from "./budgets.ts";
import { PERSON_CALLS } from "./characters.ts";
import { OUR_KNOWLEDGE_CALLS } from "./knowledge.ts";
import { OWN_MEMORY_CALLS } from "./memory.ts";
import { OAUTH_CALLS } from "./oauth.ts";
import { OPENAI_CALLS } from "./openai.ts";
import { PEOPLE_CALLS } from "./people.ts";
import { PRESET_CALLS } from "./personality.ts";
import { PERSONA_CALLS } from "./personas.ts";
import { PROMPT_CALLS } from "./prompts.ts";
import { OUR_PUSH_CALLS } from "./push.ts";
import { OUR_SHARING_CALLS } from "./sharing.ts";
import { SIGN_IN_CALLS } from "./sign-in.ts";
import { OUR_TOOL_CALLS } from "./tools.ts";
import { OUR_TRANSFER_CALLS } from "./transfer.ts";
import { WIDGET_CALLS } from "./widget.ts";
import { OUR_WORKSPACE_CALLS } from "./workspaces.ts";

const LIST = ["items", "total", "limit", "offset"];
let count = 0;

/** Creates a delivery that the platform rejected permanently. */
async function createDeadLetter({ api, fake, idle }: Seed): Promise<{ readonly item_id: string }> {
  const group = `given-up-${++count}`;
  fake.failures.push(new DeliveryError("permanent", "the bot was blocked"));
  await fake.say(group, "hello");
  await idle();
  const { items } = await api.get<{ items: readonly { item_id: string }[] }>("/api/gateway/dead-letters");
  return { item_id: items[0]?.item_id ?? "" };
}

const connectServer = async (seed: Seed) => ({ server_id: await createConnectedServer(seed) });

/** Creates a conversation with a person on a channel. */
async function createChannelSession({ fake, idle }: Seed): Promise<{ readonly session_id: string }> {
  const group = `talk-${++count}`;
  await fake.say(group, "hello");
  await idle();
  return { session_id: `${fake.id}:group:${group}` };
}

/** Creates a tool call that waits for confirmation. */
async function createConfirmation(seed: Seed): Promise<{ readonly request_id: string }> {
  const { api, host, models } = seed;
  const { server_id } = await connectServer(seed);
  await api.put(`/api/mcp-servers/${server_id}`, { confirm_tools: ["*"] });
  const model = { name: `asks ${++count}`, model: "scripted", base_url: models.baseUrl };
  const model_id = (await api.post<{ id: string }>("/api/ai-models", model)).id;
  const { id } = await api.post<{ id: string }>("/api/sessions", { model_id });
  models.script.push({ kind: "tool", name: `mcp__${server_id}__look`, args: {} });
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = host.get(LiveEvents).subscribe(({ type }) => type === "exec_confirm_request" && resolve());
  await api.post(`/api/sessions/${id}/chat`, { content: "look around", wait: false });
  await promise;
  stop();
  const { items } = await api.get<{ items: readonly { id: string; session_id: string }[] }>("/api/confirmations");
  return { request_id: items.find(({ session_id }) => session_id === id)?.id ?? "" };
}

/** Creates a job that waits for its time. */
const createJob = async ({ host }: Seed) => {
  const { jobId } = await host.get(Jobs).add("jobs.prune", {}, { runAt: Date.now() + 3_600_000 });
  return { job_id: jobId };
};

const createSchedule = async ({ host }: Seed) => {
  const everyMs = 3_600_000;
  const { id } = await host.get(Schedules).put({ id: `test-${++count}`, kind: "jobs.prune", payload: {}, everyMs });
  return { schedule_id: id };
};

/** Creates a conversation and two models that can answer in it. */
const withModels = async ({ api }: Seed) => {
  const { id: session_id } = await api.post<{ id: string }>("/api/sessions", {});
  const model = async (name: string) =>
    (await api.post<{ id: string }>("/api/ai-models", { name, model: name, base_url: "https://models.example/v1" })).id;
  return { session_id, one: await model("one"), other: await model("other") };
};

/** Creates a conversation with a regenerated reply. */
const createBranch = async ({ api }: Seed) => {
  const { id: session_id } = await api.post<{ id: string }>("/api/sessions", {});
  await api.post(`/api/sessions/${session_id}/chat`, { content: "hello" });
  await api.post(`/api/sessions/${session_id}/regenerate`, {});
  const { items } = await api.get<{ items: readonly { variants: readonly { branch_id: string | null }[] }[] }>(
    `/api/sessions/${session_id}/branches`,
  );
  return { session_id, branch_id: items[0]?.variants[0]?.branch_id ?? "" };
};

const createAnswer = async ({ api }: Seed) => {
  const { id: session_id } = await api.post<{ id: string }>("/api/sessions", {});
  const { replies } = await api.post<{ replies: readonly { id: string }[] }>(`/api/sessions/${session_id}/chat`, {
    content: "hello",
  });
  return { session_id, message_id: replies[0]?.id ?? "" };
};

/** Asks with buttons, by the plugin `asking` of the world. */
const createQuestion = async ({ api }: Seed) => {
  const { id: session_id } = await api.post<{ id: string }>("/api/sessions", {});
  const { replies } = await api.post<{ replies: readonly Message[] }>(`/api/sessions/${session_id}/chat`, {
    content: "/ask",
  });
  const [{ id: message_id = "", elements = [] } = {}] = replies;
  return { session_id, message_id, element_id: listPressable(elements)[0]?.id ?? "" };
};

const page = { isRaw: true, type: /^text\/html; charset=utf-8$/, gives: ["<html"] };

/** A working call of every route that is not in the contract, and of the pages. */
export const OUR_CALLS: Readonly<Record<string, Call>> = {
  ...BACKUP_CALLS,
  ...ACCOUNT_CALLS,
  ...PERSON_CALLS,
  ...PROMPT_CALLS,
  ...BUDGET_CALLS,
  ...OPENAI_CALLS,
  ...PERSONA_CALLS,
  ...PRESET_CALLS,
  ...OAUTH_CALLS,
  ...SIGN_IN_CALLS,
  ...BROADCAST_CALLS,
  ...WIDGET_CALLS,
  ...PEOPLE_CALLS,
  ...OUR_AUTOMATION_CALLS,
  ...OUR_KNOWLEDGE_CALLS,
  ...OWN_MEMORY_CALLS,
  ...OUR_PUSH_CALLS,
  ...OUR_SHARING_CALLS,
  ...OUR_TOOL_CALLS,
  ...OUR_TRANSFER_CALLS,
  ...OUR_WORKSPACE_CALLS,

  "POST /api/personality/preview": {
    body: { name: "Mira" },
    gives: ["system_prompt", "tokens", "total"],
    except: { unknownKey: "is kept in card_extra" },
  },
  "GET /api/sessions/{session_id}/greetings": {
    params: async ({ api }) => ({ session_id: (await api.post<{ id: string }>("/api/sessions", {})).id }),
    gives: ["items"],
  },
  "GET /api/sessions/{session_id}/branches": { params: createBranch, gives: ["items"] },
  "POST /api/sessions/{session_id}/branches/{branch_id}/show": {
    params: createBranch,
    gives: ["shown_ids", "removed_ids"],
  },
  "POST /api/sessions/{session_id}/continue": {
    params: createBranch,
    body: {},
    gives: ["trace_id", "user_message", "replies", "usage"],
  },
  "POST /api/sessions/{session_id}/ask-models": {
    params: withModels,
    body: ({ one, other }) => ({ content: "hello", model_ids: [one, other] }),
    gives: ["trace_ids", "message_id", "blocked"],
  },
  "POST /api/sessions/{session_id}/press": {
    params: createQuestion,
    body: ({ message_id, element_id }) => ({ message_id, element_id, item_id: "tea" }),
    gives: ["trace_id", "user_message", "replies"],
  },
  "GET /api/sessions/{session_id}/messages/{message_id}/answers": { params: createAnswer, gives: ["items"] },
  "GET /api/session-folders": { gives: LIST },
  "PUT /api/session-folders": { body: { folder: "Travel", name: "Journeys" }, gives: ["changed"] },
  "GET /api/message-favorites": { gives: LIST },
  "PUT /api/sessions/{session_id}/messages/{message_id}/rating": {
    params: createAnswer,
    body: { rating: "good" },
    gives: ["id", "rating"],
  },
  "GET /api/messages": { query: () => ({ q: "hello" }), gives: LIST },
  "GET /": page,
  "GET /dashboard": page,
  "GET /sw.js": { isRaw: true, type: /javascript/, gives: ["fetch"] },
  "GET /manifest.webmanifest": {
    isRaw: true,
    type: /^application\/manifest\+json/,
    gives: ["name", "start_url", "icons"],
  },
  "GET /assets/{name*}": {
    params: async () => ({ name: "icon.svg" }),
    isRaw: true,
    type: /^image\/svg\+xml/,
    gives: ["<svg"],
  },
  "GET /api/openapi.json": { isRaw: true, gives: ["openapi", "paths"] },
  "GET /api/docs": page,
  "GET /metrics": { isRaw: true, type: /^text\/plain; version=0\.0\.4/, gives: ["# TYPE"] },
  "GET /api/gateway/{channel_id}/webhook": {
    async params({ api, host }) {
      count += 1;
      const draft = { name: `echo ${count}`, type: "chat-sdk:echo", config: { options: { manner: "right" } } };
      const { id } = await api.post<{ id: string }>("/api/channels", draft);
      await vi.waitFor(() => expect(host.get(Channels).link(id)).toBeDefined(), 10_000);
      return { channel_id: id };
    },
    query: () => ({ challenge: "c-7" }),
    isRaw: true,
    type: /^text\/plain/,
    gives: ["c-7"],
  },
  "GET /api/plugins": { gives: LIST },
  // No package was added here.
  "DELETE /api/plugins/{id}": { params: async () => ({ id: "sessions" }), status: 409, gives: [] },
  "PUT /api/plugins/{id}": {
    params: async () => ({ id: "dice" }),
    body: { enabled: true },
    gives: ["id", "enabled", "state"],
  },
  "POST /api/channels/{channel_id}/test-message": {
    params: async ({ fake }) => ({ channel_id: fake.id }),
    body: { conversation_id: "7", text: "is anybody there?" },
    gives: ["platform_message_id", "quality"],
  },
  "GET /api/channels/types": { gives: ["items"] },
  "POST /api/channels/{channel_id}/check": {
    params: createImbChannel,
    body: {},
    gives: ["account", "warnings", "checks"],
  },
  "POST /api/channels/{channel_id}/polling/start": {
    params: createPollingChannel,
    gives: ["channel_id", "state", "started"],
  },
  "POST /api/channels/{channel_id}/polling/stop": {
    params: createPollingChannel,
    gives: ["channel_id", "state", "stopped"],
  },
  "GET /api/channels/{channel_id}/polling/status": {
    params: createPollingChannel,
    gives: ["channel_id", "state", "connected"],
  },
  "GET /api/gateway/deliveries": { gives: LIST },
  "POST /api/sessions/{session_id}/take-over": { params: createChannelSession, gives: ["id", "taken_over"] },
  "POST /api/sessions/{session_id}/give-back": { params: createChannelSession, gives: ["id", "taken_over"] },
  "GET /api/system/findings": { gives: LIST },
  // No package of ours brings a picture.
  "GET /api/plugins/{id}/icon": { params: async () => ({ id: "sessions" }), status: 404, gives: [] },
  // Rejected, because nothing would start the service of a test again.
  "POST /api/system/restart": { body: { confirm: true }, status: 409, gives: [] },
  "GET /api/system/machine": { gives: ["cores", "load", "process_cpu", "memory", "disk"] },
  "GET /api/logs/download": { isRaw: true, type: /^application\/x-ndjson/, gives: ['"level":', '"message":'] },
  "GET /api/gateway/messages": { gives: ["items", "next_cursor"] },
  "GET /api/gateway/dead-letters": { gives: LIST },
  "POST /api/gateway/dead-letters/{item_id}/retry": {
    params: createDeadLetter,
    body: {},
    gives: ["item_id", "status"],
  },
  "POST /api/gateway/dead-letters/retry": {
    params: createDeadLetter,
    body: ({ item_id }) => ({ item_ids: [item_id] }),
    gives: ["items", "retried", "needs_confirmation", "gone", "failed"],
  },
  "POST /api/gateway/dead-letters/discard": {
    params: createDeadLetter,
    body: ({ item_id }) => ({ item_id, reason: "seen" }),
    gives: ["discarded"],
  },
  "GET /api/gateway/minutes": { gives: ["items"] },
  "GET /api/gateway/nodes": { gives: ["items"] },
  "GET /api/nodes": { gives: ["shared", "self", "items"] },
  // Rejected, because a single process cannot hand its partitions over.
  "POST /api/nodes/{node_id}/drain": { params: async () => ({ node_id: "alone" }), status: 409, gives: [] },
  "DELETE /api/nodes/{node_id}/drain": { params: async () => ({ node_id: "alone" }), gives: ["id", "draining"] },
  "POST /api/message-filter/test": { body: { text: "a word" }, gives: ["content", "filtered", "blocked"] },
  "POST /api/message-filter/import": { body: { keywords: ["tulip", "rose"] }, gives: ["imported", "skipped"] },
  "POST /api/ai-models/available": {
    body: { base_url: "http://127.0.0.1:9/v1", timeout_s: 1 },
    gives: ["ok", "items", "category"],
  },
  "GET /api/message-filter/{rule_id}": { params: ofRule, gives: ["id", "channel", "revision"] },
  "POST /api/message-filter/{rule_id}/move": {
    params: ofRule,
    body: { position: 1 },
    gives: ["id", "channel", "position", "revision"],
  },
  "POST /api/message-filter/groups/toggle": {
    params: ofGroupedRule,
    body: { group: "Grouped", enabled: false },
    gives: ["group", "enabled", "rules"],
  },
  "POST /api/message-filter/groups/rename": {
    params: ofGroupedRule,
    body: { group: "Grouped", name: "Grouped" },
    gives: ["group", "rules"],
  },
  "GET /api/message-filter/hits": { gives: LIST },
  "DELETE /api/message-filter/hits": { gives: ["removed"] },
  "POST /api/mcp-servers/{server_id}/accept-tools": { params: connectServer, gives: ["id", "connection_state"] },
  "POST /api/mcp-servers/{server_id}/call": { params: connectServer, body: { tool: "look" }, gives: ["result"] },
  "GET /api/mcp-service": { gives: ["enabled", "transport", "tools"] },
  "GET /api/files": { gives: LIST },
  "GET /api/outside-picture": {
    params: async ({ api, cards }) => {
      await api.put("/api/settings", { gateway: { allow_private_outbound: true } });
      cards.answers.push({ body: Buffer.from("\x89PNG\r\n\x1a\nIHDR", "latin1") });
      return { address: cards.address };
    },
    query: ({ address }) => ({ url: `${address}/cat.png` }),
    isRaw: true,
    type: /^image\/png$/,
    gives: ["IHDR"],
    after: ({ api }) => api.put("/api/settings", { gateway: { allow_private_outbound: false } }),
  },
  "GET /api/console/areas": { gives: ["items"] },
  "GET /api/languages": { gives: ["items"] },
  "GET /api/languages/{code}": { params: async () => ({ code: "xx" }), gives: ["code", "name", "texts"] },
  "GET /api/console/resources": { gives: ["items"] },
  "GET /api/confirmations": { gives: LIST },
  "POST /api/confirmations/{request_id}": {
    params: createConfirmation,
    body: { approved: false },
    gives: ["approved"],
  },
  "GET /api/jobs": { gives: LIST },
  "GET /api/jobs/{job_id}": { params: createJob, gives: ["id", "status", "payload", "logs", "steps"] },
  "POST /api/jobs/{job_id}/retry": { params: createJob, body: {}, gives: ["id", "status"] },
  "POST /api/jobs/{job_id}/cancel": { params: createJob, body: {}, gives: ["id", "status"] },
  "GET /api/schedules": { gives: LIST },
  "POST /api/schedules/{schedule_id}/run": { params: createSchedule, body: {}, gives: ["job_id"] },
  "POST /api/schedules/{schedule_id}/toggle": {
    params: createSchedule,
    body: { enabled: false },
    gives: ["id", "enabled", "next_runs"],
  },
};
