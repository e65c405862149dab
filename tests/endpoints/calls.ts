import type { Host } from "@parley/host";
import type { ModelServer, ReplayServer } from "@parley/simulators";
import type { Client } from "../harness/http/client.ts";
import type { FakeChannel } from "../harness/plugins/fake-channel.ts";
import type { VoiceServer } from "../harness/servers/voice-server.ts";
import { ACCOUNT_CALLS } from "./calls/accounts.ts";
import { AUTOMATION_CALLS, OUR_AUTOMATION_CALLS } from "./calls/automation.ts";
import { AVATAR_CALLS } from "./calls/avatar.ts";
import { BACKUP_CALLS } from "./calls/backups.ts";
import { BROADCAST_CALLS } from "./calls/broadcasts.ts";
import { BUDGET_CALLS } from "./calls/budgets.ts";
import { CHARACTER_CALLS, PERSON_CALLS } from "./calls/characters.ts";
import { KNOWLEDGE_CALLS, OUR_KNOWLEDGE_CALLS } from "./calls/knowledge.ts";
import { MEMORY_CALLS } from "./calls/memory.ts";
import { OAUTH_CALLS } from "./calls/oauth.ts";
import { OPENAI_CALLS } from "./calls/openai.ts";
import { PEOPLE_CALLS } from "./calls/people.ts";
import { PERSONALITY_CALLS } from "./calls/personality.ts";
import { PERSONA_CALLS } from "./calls/personas.ts";
import { PROMPT_CALLS } from "./calls/prompts.ts";
import { OUR_PUSH_CALLS, PUSH_CALLS } from "./calls/push.ts";
import { OUR_SHARING_CALLS, SHARING_CALLS } from "./calls/sharing.ts";
import { SIGN_IN_CALLS } from "./calls/sign-in.ts";
import { OUR_TOOL_CALLS, SKILL_CALLS, TOOL_CALLS } from "./calls/tools.ts";
import { OUR_TRANSFER_CALLS, TRANSFER_CALLS } from "./calls/transfer.ts";
import { VOICE_CALLS } from "./calls/voice.ts";
import { WIDGET_CALLS } from "./calls/widget.ts";
import { OUR_WORKSPACE_CALLS, WORKSPACE_CALLS } from "./calls/workspaces.ts";
import { WORLD_BOOK_CALLS } from "./calls/world-books.ts";

/** Creates the data of a call: each route works on its own records. */
export interface Seed {
  readonly api: Client;
  /** A model server that echoes its input, or follows its script. */
  readonly models: ModelServer;
  /** URL of a Bot API server whose bot has the token `42:secret`. */
  readonly imbUrl: string;
  /** URL of an open platform whose app has the secret `app-secret`. */
  readonly imcUrl: string;
  /** A server of shared character cards, which returns scripted responses. */
  readonly cards: ReplayServer;
  /** Another MCP server. */
  readonly mcpUrl: string;
  /** An MCP server that asks for a sign-in. */
  readonly signInUrl: string;
  /** A server of speech synthesis and transcription. */
  readonly voice: VoiceServer;
  /** A simulated platform within the process. */
  readonly fake: FakeChannel;
  readonly host: Host;
  /** Resolves when no message waits for its reply. */
  idle(): Promise<void>;
}

export interface Call {
  /** Default: the test's own login. */
  readonly caller?: (seed: Seed) => Promise<Client>;
  readonly params?: (seed: Seed) => Promise<Readonly<Record<string, string>>>;
  /** The smallest valid body, from the result of `params`; absent when the route has no body. */
  readonly body?: object | string | ((made: Readonly<Record<string, string>>) => object);
  /** Required query, built from the result of `params`. */
  readonly query?: (made: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
  /** True when the response is not in the envelope. */
  readonly isRaw?: boolean;
  /** Default: JSON. */
  readonly type?: RegExp;
  readonly headers?: Readonly<Record<string, string>>;
  /** Signs of success rather than an empty response: keys of `data`, or words of a raw response. */
  readonly gives: readonly string[];
  /** Reverts global changes of the call. */
  readonly after?: (seed: Seed) => Promise<unknown>;
  /** Status of the response; default 200. */
  readonly status?: number;
  /** Reasons for exceptions: an unknown id that is not 404, an unknown key that is not 400, or a special message for an invalid body. */
  readonly except?: {
    readonly unknownId?: string;
    readonly unknownStatus?: number;
    readonly unknownKey?: string;
    readonly badBody?: string;
  };
}

let count = 0;
const toUniqueName = (word: string) => `${word} ${++count}`;

async function createSession({ api }: Seed): Promise<string> {
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: toUniqueName("session") });
  return id;
}

/** Creates a session with a number of turns. */
async function createConversation(seed: Seed, turns: number): Promise<string> {
  const id = await createSession(seed);
  for (let turn = 0; turn < turns; turn += 1) {
    await seed.api.post(`/api/sessions/${id}/chat`, { content: `question ${turn}` });
  }
  return id;
}

/** Creates a trace whose log is written. */
async function createTrace(seed: Seed): Promise<{ readonly trace_id: string }> {
  const id = await createSession(seed);
  const { trace_id } = await seed.api.post<{ trace_id: string }>(`/api/sessions/${id}/chat`, { content: "hello" });
  for (;;) {
    const { status } = await seed.api.send("GET", `/api/gateway/events/${trace_id}`);
    if (status === 200) return { trace_id };
  }
}

async function createMessage(seed: Seed): Promise<{ readonly session_id: string; readonly message_id: string }> {
  const session_id = await createSession(seed);
  const answer = await seed.api.post<{ message: { id: string } }>(`/api/sessions/${session_id}/messages`, {
    content: "kept",
  });
  return { session_id, message_id: answer.message.id };
}

const UPLOAD_TYPE = { "content-type": "multipart/form-data; boundary=part" };
const UPLOAD = [
  "--part",
  'Content-Disposition: form-data; name="file"; filename="notes.json"',
  "",
  '{"kept": true}',
  "--part--",
  "",
].join("\r\n");

async function upload({ api }: Seed): Promise<{ readonly safe_name: string }> {
  const answer = await api.send("POST", "/api/upload", { body: UPLOAD, headers: UPLOAD_TYPE });
  const stored = answer.json?.data as { readonly safe_name: string } | undefined;
  return { safe_name: stored?.safe_name ?? "" };
}

async function createModel({ api, models }: Seed): Promise<string> {
  const { id } = await api.post<{ id: string }>("/api/ai-models", {
    name: toUniqueName("model"),
    model: "scripted",
    base_url: models.baseUrl,
  });
  return id;
}

async function createChannel({ api }: Seed): Promise<string> {
  const { id } = await api.post<{ id: string }>("/api/channels", { name: toUniqueName("channel"), enabled: false });
  return id;
}

export async function createImbChannel({ api, imbUrl }: Seed): Promise<{ readonly channel_id: string }> {
  const id = `imb_${++count}`;
  await api.post("/api/channels/presets/imB", { id, transport: "webhook", config: { api_base: imbUrl } });
  return { channel_id: id };
}

export async function createPollingChannel({ api, imbUrl }: Seed): Promise<{ readonly channel_id: string }> {
  const id = `imb_${++count}`;
  await api.post("/api/channels/presets/imB", { id, transport: "polling", config: { api_base: imbUrl } });
  return { channel_id: id };
}

async function createImaSession({ api }: Seed): Promise<{ readonly session_id: string }> {
  const { session_id } = await api.post<{ session_id: string }>("/api/imA/link-session", {
    imA_id: String(9_000 + ++count),
    imA_type: "group",
  });
  return { session_id };
}

async function createImcSocket({ api, imcUrl }: Seed): Promise<{ readonly channel_id: string }> {
  const id = `imc_${++count}`;
  await api.post("/api/channels/presets/imC_ws", { id, config: { app_id: "cli_9f5343c580712544", api_base: imcUrl } });
  return { channel_id: id };
}

async function createFilterRule({ api }: Seed): Promise<string> {
  const { id } = await api.post<{ id: string }>("/api/message-filter", { pattern: toUniqueName("word") });
  return id;
}

async function createGroupedRule({ api }: Seed): Promise<string> {
  const { id } = await api.post<{ id: string }>("/api/message-filter", {
    pattern: toUniqueName("word"),
    group: "Grouped",
  });
  return id;
}

async function createApiKey({ api }: Seed): Promise<string> {
  const { id } = await api.post<{ id: string }>("/api/api-keys", { name: toUniqueName("key"), scopes: ["read"] });
  return id;
}

const servers: string[] = [];

/** Creates an MCP server. Earlier ones are deleted, because a service has at most 50. */
async function createMcpServer({ api, mcpUrl }: Seed): Promise<string> {
  if (servers.length > 20) await api.send("DELETE", `/api/mcp-servers/${servers.shift()}`);
  const entry = { name: toUniqueName("server"), transport: "streamable-http", url: mcpUrl };
  const { id } = await api.post<{ id: string }>("/api/mcp-servers", entry);
  servers.push(id);
  return id;
}

export async function createConnectedServer(seed: Seed): Promise<string> {
  const id = await createMcpServer(seed);
  await seed.api.post(`/api/mcp-servers/${id}/connect`, {});
  return id;
}

const createServerId = async (seed: Seed) => ({ server_id: await createMcpServer(seed) });
const createConnectedServerId = async (seed: Seed) => ({ server_id: await createConnectedServer(seed) });
const createSessionId = async (seed: Seed) => ({ session_id: await createSession(seed) });
const createModelId = async (seed: Seed) => ({ model_id: await createModel(seed) });
const createChannelId = async (seed: Seed) => ({ channel_id: await createChannel(seed) });
export const ofGroupedRule = async (seed: Seed) => ({ rule_id: await createGroupedRule(seed) });
export const ofRule = async (seed: Seed) => ({ rule_id: await createFilterRule(seed) });
const createKeyId = async (seed: Seed) => ({ key_id: await createApiKey(seed) });
const LIST = ["items", "total", "limit", "offset"];

/** A working call of every route. */
export const CALLS: Readonly<Record<string, Call>> = {
  "POST /api/login": { body: { username: "admin", password: "correct horse" }, gives: ["token", "expires_at"] },
  "POST /api/verify-token": { gives: ["valid", "username", "scopes"] },
  "POST /api/logout": {
    caller: async ({ api }) => api.as((await api.post<{ token: string }>("/api/login-tokens", {})).token),
    gives: ["revoked"],
  },
  "GET /api/login-tokens": { gives: LIST },
  "POST /api/login-tokens": { body: { username: "phone" }, gives: ["token", "hash_full"] },
  "DELETE /api/login-tokens/{token_hash}": {
    params: async ({ api }) => ({
      token_hash: (await api.post<{ hash_full: string }>("/api/login-tokens", {})).hash_full,
    }),
    gives: ["id", "deleted"],
  },
  "GET /api/api-keys": { gives: LIST },
  "POST /api/api-keys": {
    body: () => ({ name: toUniqueName("one key"), scopes: ["read", "chat"] }),
    gives: ["id", "secret"],
  },
  "GET /api/api-keys/{key_id}": { params: createKeyId, gives: ["id", "scopes"] },
  "PUT /api/api-keys/{key_id}": { params: createKeyId, body: { enabled: false }, gives: ["id", "revision"] },
  "DELETE /api/api-keys/{key_id}": { params: createKeyId, gives: ["id", "deleted"] },

  "POST /api/channels/imB/{channel_id}/webhook": {
    params: createImbChannel,
    headers: { "x-imb-bot-api-secret-token": "imb-secret" },
    body: { update_id: 1, channel_post: {} },
    isRaw: true,
    gives: ["ok"],
    except: { unknownKey: "platforms add fields" },
  },
  "GET /api/imA/users": { gives: LIST },
  "GET /api/imA/groups": { gives: LIST },
  "GET /api/imA/messages/{imA_type}/{imA_id}": {
    params: async () => ({ imA_type: "group", imA_id: "778" }),
    gives: [...LIST, "imA_type", "session_id"],
    except: { unknownId: "a conversation that is not known is empty", unknownStatus: 200 },
  },
  "DELETE /api/imA/messages/{imA_type}/{imA_id}": {
    params: async () => ({ imA_type: "group", imA_id: "779" }),
    gives: ["deleted", "session_deleted"],
    except: { unknownId: "a conversation that is not known is empty", unknownStatus: 200 },
  },
  "GET /api/imA/sessions": { gives: LIST },
  "POST /api/imA/sessions/{session_id}/sync": {
    params: createImaSession,
    body: {},
    gives: ["added", "skipped", "filtered", "message_count"],
  },
  "POST /api/imA/sessions/{session_id}/send": {
    params: createImaSession,
    body: { content: "from the operator" },
    gives: ["message", "delivery"],
  },
  "POST /api/imA/link-session": {
    body: () => ({ imA_id: String(++count), imA_type: "private" }),
    gives: ["session_id", "exists", "session"],
  },
  "POST /api/channels/imC/{channel_id}/webhook": {
    params: async ({ api }) => {
      const id = `imc_${++count}`;
      await api.post("/api/channels/presets/imC", { id, config: { encrypt_key_env: "" } });
      return { channel_id: id };
    },
    body: { type: "url_verification", challenge: "c", token: "vt" },
    isRaw: true,
    gives: ["challenge"],
    except: { unknownKey: "platforms add fields" },
  },
  "POST /api/channels/imC-ws/{channel_id}/start": {
    params: createImcSocket,
    gives: ["channel_id", "state", "started"],
  },
  "POST /api/channels/imC-ws/{channel_id}/stop": {
    params: createImcSocket,
    gives: ["channel_id", "state", "stopped"],
  },
  "GET /api/channels/imC-ws/{channel_id}/status": {
    params: createImcSocket,
    gives: ["channel_id", "state", "connected"],
  },
  "POST /api/gateway/{channel_id}/webhook": {
    params: async ({ api }) => ({
      channel_id: (
        await api.post<{ id: string }>("/api/channels", {
          name: toUniqueName("webhook"),
          config: { auth: { type: "none" } },
        })
      ).id,
    }),
    body: { content: "hi", user_id: "u1" },
    isRaw: true,
    gives: ["ok", "trace_id", "status", "data"],
    except: { unknownKey: "platforms add fields" },
  },
  "POST /api/channels/imB/{channel_id}/set-webhook": {
    params: createImbChannel,
    body: ({ channel_id }) => ({ webhook_url: `https://bot.example/api/channels/imB/${channel_id}/webhook` }),
    gives: ["webhook_url", "result"],
  },
  "GET /api/message-filter": { gives: ["enabled", "rules", "stats"] },
  "POST /api/message-filter": { body: { pattern: "word" }, gives: ["id", "pattern", "channel"] },
  "PUT /api/message-filter/{rule_id}": { params: ofRule, body: { enabled: false }, gives: ["id", "channel"] },
  "DELETE /api/message-filter/{rule_id}": { params: ofRule, gives: ["id", "deleted", "channel", "session_id"] },
  "POST /api/message-filter/toggle": { body: { enabled: true }, gives: ["enabled"] },

  "GET /api/sessions": { gives: LIST },
  "POST /api/sessions": { body: { name: "a talk" }, gives: ["id", "key", "message_count"] },
  "GET /api/sessions/{session_id}": { params: createSessionId, gives: ["id", "revision"] },
  "PUT /api/sessions/{session_id}": { params: createSessionId, body: { name: "renamed" }, gives: ["id", "revision"] },
  "DELETE /api/sessions/{session_id}": { params: createSessionId, gives: ["id", "deleted"] },
  "GET /api/sessions/{session_id}/debug": { params: createSessionId, gives: ["session_id", "counts", "prompt_layers"] },
  "POST /api/sessions/{session_id}/archive": { params: createSessionId, gives: ["id", "archived_at"] },
  "POST /api/sessions/{session_id}/restore": { params: createSessionId, gives: ["id", "archived"] },
  "POST /api/sessions/{session_id}/fork": { params: createMessage, body: {}, gives: ["id", "forked_from"] },
  "PUT /api/sessions/{session_id}/bind-character": {
    params: createSessionId,
    body: { character_id: null },
    gives: ["id"],
  },
  "GET /api/sessions/{session_id}/messages": { params: createMessage, gives: LIST },
  "POST /api/sessions/{session_id}/messages": {
    params: createSessionId,
    body: { content: "noted" },
    gives: ["message", "filtered", "blocked", "rule_ids"],
  },
  "PUT /api/sessions/{session_id}/messages/{message_id}": {
    params: createMessage,
    body: { content: "corrected" },
    gives: ["message", "removed_count", "removed_ids"],
  },
  "DELETE /api/sessions/{session_id}/messages/{message_id}": { params: createMessage, gives: ["id", "message_count"] },
  "DELETE /api/sessions/{session_id}/messages": { params: createSessionId, gives: ["deleted"] },
  "GET /api/sessions/{session_id}/message-favorites": { params: createSessionId, gives: LIST },
  "PUT /api/sessions/{session_id}/message-favorites": {
    params: createMessage,
    body: ({ message_id }) => ({ message_ids: [message_id] }),
    gives: ["id", "title", "messages"],
  },
  "POST /api/sessions/{session_id}/chat": {
    params: createSessionId,
    body: { content: "hello" },
    gives: ["trace_id", "user_message", "replies", "usage"],
  },
  "POST /api/sessions/{session_id}/regenerate": {
    params: async (seed) => ({ session_id: await createConversation(seed, 1) }),
    body: {},
    gives: ["trace_id", "replies", "removed_ids"],
  },
  "POST /api/stop": {
    params: createSessionId,
    body: ({ session_id }) => ({ session_id }),
    gives: ["stopped", "trace_ids"],
  },
  "POST /api/sessions/{session_id}/compress": {
    params: async (seed) => ({ session_id: await createConversation(seed, 5) }),
    body: {},
    gives: ["compressed_count", "summary", "summary_message_id"],
  },
  "POST /api/sessions/{session_id}/ai-summary": {
    params: async (seed) => ({ session_id: await createConversation(seed, 1) }),
    body: {},
    gives: ["summary", "saved_memories"],
  },
  "POST /api/sessions/{session_id}/restore-from-archive": {
    params: async (seed) => {
      const session_id = await createConversation(seed, 5);
      await seed.api.post(`/api/sessions/${session_id}/compress`, {});
      return { session_id };
    },
    body: {},
    gives: ["turns_restored", "messages_restored", "insert_index"],
  },
  "GET /api/sessions/{session_id}/custom-prompt": { params: createSessionId, gives: ["content", "exists"] },
  "PUT /api/sessions/{session_id}/custom-prompt": {
    params: createSessionId,
    body: { content: "Be brief." },
    gives: ["content", "exists"],
  },
  "DELETE /api/sessions/{session_id}/custom-prompt": { params: createSessionId, gives: ["exists"] },
  "GET /api/sessions/{session_id}/runtime-timeline": { params: createSessionId, gives: LIST },
  "POST /api/sessions/{session_id}/runtime-timeline": {
    params: createMessage,
    body: { snapshot: { state: { mood: "calm" } }, character_id: "char_1" },
    gives: ["id", "session_id", "state"],
  },
  "GET /api/sessions/{session_id}/export": { params: createSessionId, gives: ["version", "type", "sessions"] },
  "GET /api/sessions/export": { gives: ["version", "sessions", "missing"] },
  "POST /api/sessions/import": {
    body: { version: 1, type: "svc_session_export", sessions: [{ name: "old", messages: [] }] },
    gives: ["imported", "items"],
    except: { unknownKey: "exports of newer services may say more" },
  },

  "GET /api/ai-config": { gives: ["protocol", "effective"] },
  "PUT /api/ai-config": { body: { temperature: 0.5 }, gives: ["protocol", "revision"] },
  "POST /api/ai-config/test": { body: {}, gives: ["ok", "elapsed_ms", "category"] },
  "GET /api/ai-config/by-purpose/{purpose}": {
    params: async () => ({ purpose: "chat" }),
    gives: ["purpose", "source"],
    except: { unknownId: "400: a purpose is one of a closed set" },
  },
  "GET /api/ai-config/all-purposes": { gives: ["configs"] },
  "GET /api/ai-models": { gives: LIST },
  "POST /api/ai-models": { body: { name: "one", model: "m" }, gives: ["id", "api_key_masked"] },
  "PUT /api/ai-models/{model_id}": { params: createModelId, body: { temperature: 1 }, gives: ["id", "revision"] },
  "DELETE /api/ai-models/{model_id}": { params: createModelId, gives: ["id", "deleted"] },
  "POST /api/ai-models/{model_id}/apply": { params: createModelId, body: {}, gives: ["model_id", "purpose"] },
  "POST /api/ai-models/{model_id}/toggle": { params: createModelId, body: {}, gives: ["id", "enabled", "is_active"] },
  "POST /api/ai-models/{model_id}/clone": { params: createModelId, body: {}, gives: ["id", "name"] },
  "POST /api/ai-models/{model_id}/test": { params: createModelId, body: {}, gives: ["ok", "sample", "usage"] },
  "POST /api/ai-models/{model_id}/set-purpose": {
    params: createModelId,
    body: { purpose: "vision" },
    gives: ["id", "purpose"],
  },
  "GET /api/ai-models/purposes": { gives: ["items"] },
  "GET /api/ai-models/protocols": { gives: ["items"] },
  "GET /api/ai-models/by-purpose/{purpose}": {
    params: async () => ({ purpose: "chat" }),
    gives: [...LIST, "purpose"],
    except: { unknownId: "400: a purpose is one of a closed set" },
  },
  "GET /api/ai-models/active-by-purpose": { gives: ["active_models"] },
  "GET /api/ai-models/failover-status": { gives: ["health"] },
  "POST /api/ai-models/failover-reset": { body: {}, gives: ["reset"] },
  "GET /api/ai-models/failover-queue/{purpose}": {
    params: async () => ({ purpose: "chat" }),
    gives: ["items", "purpose"],
    except: { unknownId: "400: a purpose is one of a closed set" },
  },
  "POST /api/ai-models/failover-reorder": {
    params: createModelId,
    body: ({ model_id }) => ({ priorities: [{ id: model_id, priority: 3 }] }),
    gives: ["updated", "active_model_id", "queue"],
  },

  ...CHARACTER_CALLS,
  ...MEMORY_CALLS,
  ...PERSONALITY_CALLS,
  ...PUSH_CALLS,
  ...AVATAR_CALLS,
  ...SHARING_CALLS,
  ...VOICE_CALLS,
  ...SKILL_CALLS,
  ...TOOL_CALLS,
  ...WORLD_BOOK_CALLS,
  ...TRANSFER_CALLS,
  ...WORKSPACE_CALLS,

  ...AUTOMATION_CALLS,
  ...KNOWLEDGE_CALLS,

  "GET /api/channels": { gives: LIST },
  "POST /api/channels": { body: { name: "one channel", enabled: false }, gives: ["id", "status"] },
  "PUT /api/channels/{channel_id}": { params: createChannelId, body: { name: "other" }, gives: ["id", "revision"] },
  "DELETE /api/channels/{channel_id}": { params: createChannelId, gives: ["id", "deleted"] },
  "POST /api/channels/{channel_id}/toggle": {
    params: createChannelId,
    body: { enabled: false },
    gives: ["id", "enabled"],
  },
  "GET /api/channels/presets": { gives: ["items"] },
  "POST /api/channels/presets/{preset_id}": {
    params: async () => ({ preset_id: "imB" }),
    body: {},
    gives: ["id", "config"],
    after: ({ api }) => api.send("DELETE", "/api/channels/imB"),
  },

  "GET /api/mcp-servers": { gives: LIST },
  "POST /api/mcp-servers": {
    body: { name: "one server", transport: "streamable-http", url: "https://mcp.example/mcp" },
    after: async ({ api }) => {
      const { items } = await api.get<{ items: readonly { id: string; name: string }[] }>("/api/mcp-servers");
      for (const { id, name } of items) if (name === "one server") await api.send("DELETE", `/api/mcp-servers/${id}`);
    },
    gives: ["id", "connection_state", "builtin"],
  },
  "PUT /api/mcp-servers/{server_id}": { params: createServerId, body: { name: "other" }, gives: ["id", "revision"] },
  "DELETE /api/mcp-servers/{server_id}": { params: createServerId, gives: ["id", "deleted"] },
  "POST /api/mcp-servers/{server_id}/connect": {
    params: createServerId,
    gives: ["connected", "tool_count", "server_info"],
  },
  "POST /api/mcp-servers/{server_id}/disconnect": { params: createConnectedServerId, gives: ["connected"] },
  "POST /api/mcp-servers/{server_id}/test": { params: createServerId, gives: ["ok", "elapsed_ms", "tool_count"] },
  "GET /api/mcp-servers/{server_id}/tools": { params: createConnectedServerId, gives: LIST },

  "GET /api/web-agent/tools": { gives: LIST },
  "POST /api/web-agent/execute": {
    body: { tool: "agent_system_status" },
    gives: ["tool", "result", "duration_ms"],
  },
  "POST /api/web-agent/chat": { body: { message: "hello" }, gives: ["message", "used_tools", "pending", "usage"] },

  "GET /api/commands": { gives: LIST },
  "GET /api/startup-status": { gives: ["ready", "phase", "packages"] },
  "GET /api/tokens": { gives: ["range", "total", "history"] },
  "GET /api/tokens/rankings": { gives: ["sessions", "models", "users", "purposes"] },
  "GET /api/tokens/export": {
    isRaw: true,
    type: /^text\/csv/,
    gives: ["time,model_id,model,purpose", "duration_ms,ok"],
  },
  "GET /api/logs": { gives: LIST },
  "POST /api/logs": { body: { message: "noted" }, gives: ["id", "time", "level"] },
  "DELETE /api/logs": { gives: ["deleted"] },
  "POST /api/upload": {
    body: UPLOAD,
    headers: UPLOAD_TYPE,
    gives: ["file_id", "filename", "safe_name", "url", "preview_url", "size", "mime_type", "sha256", "content"],
    except: { unknownKey: "it is a form" },
  },
  "GET /static/files/{filename}": {
    params: async (seed) => ({ filename: (await upload(seed)).safe_name }),
    isRaw: true,
    gives: ["kept"],
  },
  "GET /api/files/{safe_name}/preview": {
    params: upload,
    gives: ["type", "filename", "mime_type", "size", "url", "download_url", "content", "truncated"],
  },
  "POST /api/logs/cleanup": { body: {}, gives: ["removed_files", "freed_bytes"] },
  "GET /api/settings": { gives: ["features", "_meta"] },
  "PUT /api/settings": {
    body: { chat: { turn_timeout_s: 200 } },
    gives: ["chat", "_meta"],
  },
  "GET /api/stats": { gives: ["total_messages", "uptime_s"] },
  "GET /api/stats/messages": { gives: ["period", "labels", "values"] },
  "GET /api/stats/platforms": { gives: LIST },
  "POST /api/system/reload-config": { gives: ["changed", "restart_required", "warnings"] },
  "POST /api/system/reload-core": { body: {}, gives: ["reloaded", "failed"] },
  "GET /api/gateway/health": { gives: ["status", "service", "version", "time", "components"] },
  "GET /api/gateway/stats": {
    gives: [
      "mode",
      "storage",
      "events",
      "deliveries",
      "dedupe",
      "queue",
      "worker",
      "rate_limited",
      "filter",
      "started_at",
    ],
  },
  "GET /api/gateway/queue/status": {
    gives: ["queue_size", "status_breakdown", "total_enqueued", "oldest_pending_at", "worker_state"],
  },
  "POST /api/gateway/worker/start": { gives: ["state", "started"] },
  "POST /api/gateway/worker/stop": {
    gives: ["state", "stopped", "graceful", "remaining"],
    after: ({ api }) => api.post("/api/gateway/worker/start", {}),
  },
  "GET /api/gateway/events": { gives: ["items", "total", "limit", "offset"] },
  "GET /api/gateway/events/{trace_id}": { params: createTrace, gives: ["trace_id", "items", "total"] },
  "GET /api/gateway/logs": { gives: ["items", "count", "total", "limit", "offset"] },
  "GET /api/gateway/logs/trace/{trace_id}": {
    params: createTrace,
    gives: ["trace_id", "summary", "events", "deliveries", "queue_items", "mcp_logs", "timeline", "diagnostics"],
    except: { unknownId: "an empty trace with its diagnostics", unknownStatus: 200 },
  },
  "GET /api/gateway/logs/lookup/{value}": {
    params: async () => ({ value: "local" }),
    gives: ["input", "matches", "best_guess", "next_tools"],
    except: { unknownId: "the kind 'unknown'", unknownStatus: 200 },
  },
};

/** Routes outside the list: API description and files of the console. */
export const OURS: readonly string[] = [
  "GET /api/gateway/{channel_id}/webhook",
  "POST /api/channels/{channel_id}/polling/start",
  "POST /api/channels/{channel_id}/polling/stop",
  "GET /api/channels/{channel_id}/polling/status",
  "POST /api/world-books/{book_id}/compare",
  "GET /api/openapi.json",
  "GET /api/docs",
  "GET /metrics",
  "GET /api/plugins",
  "GET /api/plugins/{id}/icon",
  "POST /api/channels/{channel_id}/test-message",
  "POST /api/channels/{channel_id}/check",
  "GET /api/channels/types",
  "GET /api/gateway/deliveries",
  "GET /api/gateway/messages",
  "GET /api/system/findings",
  "GET /api/system/machine",
  "POST /api/system/restart",
  "GET /api/logs/download",
  // Before calls that leave a confirmation open, for which a turn waits.
  ...Object.keys(BROADCAST_CALLS),
  ...Object.keys(WIDGET_CALLS),
  ...Object.keys(PEOPLE_CALLS),
  "POST /api/sessions/{session_id}/take-over",
  "POST /api/sessions/{session_id}/give-back",
  "GET /api/gateway/dead-letters",
  "POST /api/gateway/dead-letters/{item_id}/retry",
  "POST /api/gateway/dead-letters/retry",
  "POST /api/gateway/dead-letters/discard",
  "GET /api/gateway/minutes",
  "GET /api/gateway/nodes",
  "GET /api/nodes",
  "POST /api/nodes/{node_id}/drain",
  "DELETE /api/nodes/{node_id}/drain",
  "GET /api/message-filter/{rule_id}",
  "POST /api/message-filter/test",
  "POST /api/message-filter/import",
  "POST /api/message-filter/{rule_id}/move",
  "POST /api/message-filter/groups/toggle",
  "POST /api/message-filter/groups/rename",
  "GET /api/message-filter/hits",
  "POST /api/ai-models/available",
  "DELETE /api/message-filter/hits",
  "PUT /api/plugins/{id}",
  "DELETE /api/plugins/{id}",
  "GET /assets/{name*}",
  "POST /api/mcp-servers/{server_id}/accept-tools",
  "POST /api/mcp-servers/{server_id}/call",
  "GET /api/mcp-service",
  "GET /api/files",
  "GET /api/outside-picture",
  "GET /api/console/areas",
  "GET /api/languages",
  "GET /api/languages/{code}",
  "GET /api/console/resources",
  "GET /api/confirmations",
  "GET /api/memory/people",
  "POST /api/memory/merge",
  "POST /api/confirmations/{request_id}",
  ...Object.keys(BACKUP_CALLS),
  ...Object.keys(ACCOUNT_CALLS),
  ...Object.keys(PERSON_CALLS),
  ...Object.keys(PROMPT_CALLS),
  ...Object.keys(BUDGET_CALLS),
  ...Object.keys(PERSONA_CALLS),
  ...Object.keys(OPENAI_CALLS),
  ...Object.keys(OUR_AUTOMATION_CALLS),
  ...Object.keys(OUR_KNOWLEDGE_CALLS),
  ...Object.keys(OUR_PUSH_CALLS),
  ...Object.keys(OUR_SHARING_CALLS),
  ...Object.keys(OUR_TOOL_CALLS),
  ...Object.keys(OUR_TRANSFER_CALLS),
  ...Object.keys(OUR_WORKSPACE_CALLS),
  "POST /api/personality/preview",
  "GET /api/personality/custom-presets/{preset_id}",
  "GET /api/sessions/{session_id}/greetings",
  "GET /api/session-folders",
  "PUT /api/session-folders",
  "GET /api/message-favorites",
  "PUT /api/sessions/{session_id}/messages/{message_id}/rating",
  "GET /api/sessions/{session_id}/branches",
  "POST /api/sessions/{session_id}/branches/{branch_id}/show",
  "POST /api/sessions/{session_id}/continue",
  "POST /api/sessions/{session_id}/ask-models",
  "POST /api/sessions/{session_id}/press",
  "GET /api/sessions/{session_id}/messages/{message_id}/answers",
  "GET /api/messages",
  "GET /api/jobs",
  "GET /api/jobs/{job_id}",
  "POST /api/jobs/{job_id}/retry",
  "POST /api/jobs/{job_id}/cancel",
  "GET /api/schedules",
  "POST /api/schedules/{schedule_id}/run",
  "POST /api/schedules/{schedule_id}/toggle",
  ...Object.keys(OAUTH_CALLS),
  ...Object.keys(SIGN_IN_CALLS),
];
