import { definePlugin, Gateway, Sessions, TaskKinds } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { findFreePort } from "../harness/http/free-port.ts";
import { connectMcp, type McpCaller } from "../harness/mcp/mcp.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel, type FakeChannel } from "../harness/plugins/fake-channel.ts";

/** A service with MCP, an MCP client and an administrator. */
interface Served {
  readonly address: string;
  readonly parley: Parley;
  readonly api: Client;
  readonly mcp: McpCaller;
  readonly channel: FakeChannel;
}

const started: string[] = [];
const tasks = definePlugin({
  id: "tasks",
  register({ contribute }) {
    contribute(TaskKinds, () => ({
      kind: "workflow" as const,
      has: async (taskId) => taskId.startsWith("wf_"),
      async run(taskId) {
        started.push(taskId);
      },
    }));
  },
});

async function serve(mcpSection: string): Promise<Served> {
  const port = await findFreePort();
  const channel = createFakeChannel();
  // The test's own task kind replaces those of the automation plugin.
  const config = `[plugins]\nautomation = off\n[mcp]\nenabled = true\ntransport = streamable-http\nport = ${port}\n${mcpSection}`;
  const parley = await startParley({ plugins: [channel.plugin, tasks], config });
  const api = await parley.signIn();
  await api.post("/api/channels", { id: "fake", name: "Fake", type: "fake", transport: "bridge", enabled: true });
  await api.post("/api/channels", { id: "shop", name: "Shop", type: "generic", transport: "webhook", enabled: true });
  const { secret } = await api.post<{ secret: string }>("/api/api-keys", { name: "mcp", scopes: ["mcp"] });
  const address = `http://127.0.0.1:${port}/mcp`;
  return { address, parley, api, channel, mcp: await connectMcp(address, secret) };
}

const SWITCHES = {
  gateway_send_message: "send_message_enabled",
  web_send_message: "send_message_enabled",
  gateway_register_node: "register_node_enabled",
  gateway_submit_internal_task: "submit_task_enabled",
};
/** The tools of the contract by required scope; those that change something also need `confirm`. */
const OF_CONTRACT = {
  "gateway.read": [
    ...["gateway_get_status", "gateway_get_stats", "web_list_sessions", "web_get_session", "web_get_messages"],
    ...["web_list_characters", "web_get_character", "web_list_world_books", "web_get_world_book", "web_list_memories"],
    ...["web_list_knowledge", "web_search_knowledge", "web_list_ai_models", "web_get_active_models"],
    "web_get_token_usage",
  ],
  "queue.read": ["gateway_get_queue_stats"],
  "events.query": [
    ...["gateway_query_trace", "gateway_query_events", "gateway_query_deliveries", "gateway_query_logs"],
    "gateway_lookup_id",
  ],
  "node.read": ["gateway_list_nodes", "gateway_get_node"],
  "events.publish": ["gateway_receive_message"],
  "channels.send": ["gateway_send_message"],
  "worker.manage": ["gateway_submit_internal_task"],
  "queue.manage": ["gateway_retry_dead_letter"],
  "node.register": ["gateway_register_node"],
  "gateway.manage": [
    ...["web_create_session", "web_send_message", "web_delete_session", "web_create_character", "web_update_character"],
    ...["web_delete_character", "web_create_world_book", "web_add_world_book_entry", "web_delete_world_book"],
    ...["web_add_memory", "web_update_memory", "web_delete_memory", "web_add_knowledge", "web_delete_knowledge"],
  ],
};
const READ_SCOPES = ["gateway.read", "events.query", "queue.read", "node.read"];

let all: Served;
let off: Served;
let session: string;
let trace: string;
let ada: string;
let book: string;
let memory: string;
let paper: string;

beforeAll(async () => {
  all = await serve("admin = true\nsend_message_enabled = true\nregister_node_enabled = true\n");
  off = await serve("submit_task_enabled = false\n");
  session = (await all.api.post<{ id: string }>("/api/sessions", { name: "talk" })).id;
  book = (await all.api.post<{ id: string }>("/api/world-books", { name: "Town", entries: [{ content: "Lore." }] })).id;
  ada = (await all.api.post<{ id: string }>("/api/characters", { name: "Ada", description: "a poet" })).id;
  const remembered = { title: "tea", content: "likes tea", target_id: "web:user:admin", character_id: ada };
  memory = (await all.api.post<{ id: string }>("/api/memory", remembered)).id;
  paper = (await all.api.post<{ id: string }>("/api/knowledge", { title: "Paper", content: "Ink." })).id;
  trace = (await all.channel.say("42", "hello")).traceId;
  await all.parley.host.get(Gateway).idle();
});
afterAll(async () => {
  for (const { mcp, parley } of [all, off]) {
    await mcp[Symbol.asyncDispose]();
    await parley[Symbol.asyncDispose]();
  }
});

/** A working call for each tool, with fields of its response that show the success. */
const CALLS: Readonly<Record<string, () => readonly [args: Record<string, unknown>, gives: object]>> = {
  gateway_get_status: () => [{}, { storage: "sqlite", worker_running: true, log_service: { enabled: true } }],
  gateway_get_stats: () => [{}, { events: { count: expect.any(Number) }, dedupe: { count: expect.any(Number) } }],
  gateway_get_queue_stats: () => [{}, { worker_state: "running", status_breakdown: { pending: 0 } }],
  gateway_query_trace: () => [
    { trace_id: trace },
    { summary: { queue_items_count: 1, has_content: true }, diagnostics: null },
  ],
  gateway_query_events: () => [
    { trace_id: trace, status: "received" },
    { count: 1, total: 1, truncated: false },
  ],
  gateway_query_deliveries: () => [{ trace_id: trace }, { items: [{ status: "delivered", channel_id: "fake" }] }],
  gateway_query_logs: () => [
    { trace_id: trace, limit: 1 },
    { count: 1, limit: 1, offset: 0, truncated: true },
  ],
  gateway_list_nodes: () => [{}, { nodes: [{ node_id: "local", node_type: "gateway" }] }],
  gateway_get_node: () => [{ node_id: "local" }, { node: { status: "online" } }],
  gateway_lookup_id: () => [{ id: trace }, { best_guess: { type: "trace_id", confidence: 0.95 } }],
  gateway_receive_message: () => [
    { channel_id: "fake", raw_event: { text: "from mcp", conversation_id: "9" } },
    { status: "queued", queued: true, conversation_id: "9", data: { item_id: expect.stringMatching(/^qi_/) } },
  ],
  gateway_send_message: () => [
    { channel_id: "fake", conversation_id: "9", content: "good news" },
    { status: "pending", delivery_id: expect.stringMatching(/^dlv_/) },
  ],
  gateway_submit_internal_task: () => [
    { task_kind: "workflow", task_id: "wf_1" },
    { run_id: expect.stringMatching(/^run_/), status: "queued" },
  ],
  gateway_retry_dead_letter: () => [{ item_id: dead }, { item_id: dead, status: "pending" }],
  gateway_register_node: () => [
    { node_id: "edge:1", capabilities: ["gpu"] },
    { node_id: "edge:1", created: true },
  ],
  web_list_sessions: () => [{}, { total: expect.any(Number), sessions: expect.any(Array) }],
  web_get_session: () => [{ session_id: session }, { session: { id: session, name: "talk" } }],
  web_get_messages: () => [{ session_id: session }, { messages: expect.any(Array) }],
  web_create_session: () => [
    { name: "made by mcp" },
    { name: "made by mcp", session_id: expect.stringMatching(/^sess_/) },
  ],
  web_send_message: () => [
    { session_id: session, content: "hi" },
    { replies: [{ role: "assistant" }], blocked: false },
  ],
  web_delete_session: () => [{ session_id: session }, { session_id: session }],
  web_list_memories: () => [
    { target_id: "web:user:admin", character_name: "Ada", mem_type: "long" },
    { memories: [{ id: memory, content: "likes tea", kind: "other" }], total: 1, truncated: false },
  ],
  web_add_memory: () => [
    { title: "tea", content: "likes oolong", character_name: "Nobody", mem_type: "short", expire_days: 3 },
    { memory_id: expect.stringMatching(/^mem_/) },
  ],
  web_update_memory: () => [{ memory_id: memory, content: "likes green tea" }, { memory_id: memory }],
  web_delete_memory: () => [{ memory_id: memory }, { memory_id: memory }],
  web_list_knowledge: () => [{}, { documents: expect.any(Array), total: expect.any(Number) }],
  web_search_knowledge: () => [{ query: "port" }, { query: "port", results: expect.any(Array) }],
  web_add_knowledge: () => [
    { title: "Port", content: "The port is closed on Mondays." },
    { title: "Port", doc_id: expect.stringMatching(/^doc_/) },
  ],
  web_delete_knowledge: () => [{ doc_id: paper }, { doc_id: paper }],
  web_list_characters: () => [{ query: "Mira" }, { characters: expect.any(Array), total: expect.any(Number) }],
  web_get_character: () => [{ character_id: "Ada" }, { character: { id: ada, name: "Ada" } }],
  web_create_character: () => [
    { name: "Mira", tags: "sea, port", rules: ["never lie"] },
    { name: "Mira", character_id: expect.stringMatching(/^char_/) },
  ],
  web_update_character: () => [
    { character_id: ada, description: "" },
    { name: "Ada", character_id: ada },
  ],
  web_delete_character: () => [{ character_id: ada }, { character_id: ada }],
  web_list_world_books: () => [{}, { world_books: expect.any(Array), total: expect.any(Number) }],
  web_get_world_book: () => [
    { book_id: book },
    { world_book: { id: book, entries: [{ content: "Lore." }] }, count: 1 },
  ],
  web_create_world_book: () => [
    { name: "Port", character_ids: ["Ada"] },
    { name: "Port", book_id: expect.stringMatching(/^book_/) },
  ],
  web_add_world_book_entry: () => [
    { book_id: book, content: "An inn.", keywords: ["inn"] },
    { book_id: book, entry_id: expect.stringMatching(/^entry_/) },
  ],
  web_delete_world_book: () => [{ book_id: book }, { book_id: book }],
  web_list_ai_models: () => [{}, { models: [], count: 0 }],
  web_get_active_models: () => [{}, { active_models: {} }],
  web_get_token_usage: () => [{ date_range: "7d" }, { total: { requests: expect.any(Number) } }],
  roll_dice: () => [{ dice: 1 }, { sum: expect.any(Number) }],
};
let dead = "";
const NAMES = Object.keys(CALLS);

test("every tool is listed with its scope, and the table above is complete", async () => {
  const { tools } = await all.mcp.client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([...NAMES].sort());
  for (const { name, inputSchema, annotations, _meta: meta } of tools) {
    expect({ name, switch: meta?.["svc/switch"] }).toEqual({
      name,
      switch: SWITCHES[name as keyof typeof SWITCHES] ?? null,
    });
    const isHigh = meta?.["svc/high_risk"];
    expect({ name, needs: inputSchema.required?.includes("confirm") ?? false }).toEqual({ name, needs: isHigh });
    expect(annotations?.readOnlyHint).toBe(!isHigh);
  }
});

test("the 42 tools of the contract exist, each with its scope, and actions need a confirmation", async () => {
  const { tools } = await all.mcp.client.listTools();
  const wanted = Object.entries(OF_CONTRACT).flatMap(([scope, names]) =>
    names.map((name) => ({ name, scope, asks: !READ_SCOPES.includes(scope) })),
  );
  const given = tools.map(({ name, inputSchema, _meta: meta }) => ({
    ...{ name, scope: meta?.["svc/scope"], asks: inputSchema.required?.includes("confirm") === true },
  }));
  expect(wanted).toHaveLength(42);
  expect(given).toEqual(expect.arrayContaining(wanted));
});

describe.each(NAMES)("%s", (name) => {
  const isHigh = () => isAction(name);

  test("is rejected while it is disabled, whatever else is wrong", async () => {
    if (!(name in SWITCHES)) return;
    const answer = await off.mcp.call(name, { nonsense: 1 });
    expect(answer).toMatchObject({
      ok: false,
      error: "permission_denied",
      message: expect.stringContaining("_enabled"),
    });
  });

  test("is rejected without its scope, before it reveals anything", async () => {
    if (!isHigh()) return;
    const answer = await off.mcp.call(name, { nonsense: 1, confirm: true });
    expect(answer).toMatchObject({ ok: false, error: "permission_denied" });
  });

  test("is rejected without a person's confirmation", async () => {
    if (!isHigh()) return;
    for (const confirm of [undefined, "true", 1, {}, [true], null]) {
      const answer = await all.mcp.call(name, { nonsense: 1, ...(confirm !== undefined && { confirm }) });
      expect(answer).toMatchObject({ ok: false, error: "confirmation_required" });
    }
  });

  test("is rejected with invalid arguments", async () => {
    const answer = await all.mcp.call(name, { nonsense: 1, ...(isHigh() && { confirm: true }) });
    expect(answer).toMatchObject({ ok: false, error: "bad_request" });
  });

  test("works", async () => {
    if (name === "gateway_retry_dead_letter") dead = await deadLetter();
    const [args, gives] = CALLS[name]?.() ?? [{}, {}];
    expect(await all.mcp.call(name, { ...args, ...(isHigh() && { confirm: true }) })).toMatchObject({
      ok: true,
      ...gives,
    });
  });
});

function isAction(name: string): boolean {
  return /_(receive|send|submit|retry|register|create|delete|update|add)_/.test(name);
}

/** Creates a dead letter: a text to a channel that cannot send it. */
async function deadLetter(): Promise<string> {
  const { delivery_id } = await all.mcp.call("gateway_send_message", {
    channel_id: "shop",
    conversation_id: "7",
    content: `nowhere ${Math.random()}`,
    confirm: true,
  });
  await all.parley.host.get(Gateway).idle();
  return String(delivery_id);
}

describe("an action tool", () => {
  test("answers a submitted message on its channel", async () => {
    await all.mcp.call("gateway_receive_message", {
      channel_id: "fake",
      raw_event: { text: "/help", conversation_id: "77", sender_id: "5" },
      confirm: true,
    });
    await all.parley.host.get(Gateway).idle();
    expect(all.channel.sent.filter(({ conversation }) => conversation.id === "77")).toHaveLength(1);
  });

  test("sends nothing to the console and submits nothing for it: the console has its own tool", async () => {
    const to = { channel_id: "web", confirm: true };
    expect(await all.mcp.call("gateway_send_message", { ...to, conversation_id: session, content: "x" })).toMatchObject(
      {
        error: "bad_request",
        message: expect.stringContaining("web_send_message"),
      },
    );
    expect(await all.mcp.call("gateway_receive_message", { ...to, raw_event: { text: "x" } })).toMatchObject({
      error: "bad_request",
    });
  });

  test("submits an event of a webhook channel without the platform's secret", async () => {
    const event = {
      channel_id: "shop",
      raw_event: { text: "hello", user_id: "5", conversation_id: "5" },
      confirm: true,
    };
    expect(await all.mcp.call("gateway_receive_message", event)).toMatchObject({ ok: true, status: "queued" });
  });

  test("sends a message, unless a filter rule withholds it", async () => {
    await all.mcp.call("gateway_send_message", {
      channel_id: "fake",
      conversation_id: "5",
      content: "fresh",
      confirm: true,
    });
    await all.parley.host.get(Gateway).idle();
    expect(all.channel.sent.some(({ text }) => text === "fresh")).toBe(true);
    const rule = { pattern: "forbidden", type: "keyword", action: "recall", filter_target: "ai" };
    const { id } = await all.api.post<{ id: string }>("/api/message-filter", rule);
    const withheld = { channel_id: "fake", conversation_id: "5", content: "forbidden", confirm: true };
    expect(await all.mcp.call("gateway_send_message", withheld)).toMatchObject({
      error: "conflict",
      message: expect.stringContaining(id),
    });
    await all.api.send("DELETE", `/api/message-filter/${id}`);
  });

  test("retries a dead letter once", async () => {
    const item_id = await deadLetter();
    const first = await all.mcp.call("gateway_retry_dead_letter", { item_id, confirm: true });
    expect(first).toMatchObject({ ok: true, status: "pending" });
    expect(await all.mcp.call("gateway_retry_dead_letter", { item_id: "dlv_none", confirm: true })).toMatchObject({
      error: "not_found",
    });
    const delivered = await all.channel.say("42", "again");
    await all.parley.host.get(Gateway).idle();
    const { items } = (await all.mcp.call("gateway_query_deliveries", { trace_id: delivered.traceId })) as unknown as {
      items: { id: string }[];
    };
    expect(await all.mcp.call("gateway_retry_dead_letter", { item_id: items[0]?.id, confirm: true })).toMatchObject({
      error: "conflict",
    });
  });

  test("runs a task, and does not find an unknown one", async () => {
    await vi.waitFor(() => expect(started).toContain("wf_1"));
    const unknown = { task_kind: "heartbeat", task_id: "none", confirm: true };
    expect(await all.mcp.call("gateway_submit_internal_task", unknown)).toMatchObject({ error: "not_found" });
  });

  test("changes a node only for its owner", async () => {
    const other = await all.api.post<{ secret: string }>("/api/api-keys", { name: "other", scopes: ["mcp"] });
    const { address } = all;
    await using stranger = await connectMcp(address, other.secret);
    const node = { node_id: "edge:2", confirm: true };
    expect(await all.mcp.call("gateway_register_node", node)).toMatchObject({ created: true });
    expect(await all.mcp.call("gateway_register_node", { ...node, version: "2" })).toMatchObject({ created: false });
    expect(await stranger.call("gateway_register_node", node)).toMatchObject({ error: "permission_denied" });
  });

  test("stores the turn of web_send_message with its source", async () => {
    const { session_id } = await all.mcp.call("web_create_session", { name: "by mcp", confirm: true });
    await all.mcp.call("web_send_message", { session_id, content: "who are you?", confirm: true });
    const query = { order: "asc", limit: 10, offset: 0 } as const;
    const { items } = await all.parley.host.get(Sessions).messages(String(session_id), query);
    expect(items).toMatchObject([{ role: "user", source: "mcp", content: "who are you?" }, { role: "assistant" }]);
  });
});

describe("the audit log", () => {
  const rows = async (query: Record<string, string> = {}) => {
    // Events are written in batches; a tool that reads them waits for the flush.
    await all.mcp.call("gateway_query_logs");
    const asked = new URLSearchParams({ source: "mcp", limit: "500", ...query });
    return (await all.api.get<{ items: Record<string, unknown>[] }>(`/api/gateway/logs?${asked}`)).items;
  };

  test("has a row for each changing call, also for rejected ones, and none for reads", async () => {
    await all.mcp.call("gateway_send_message", {
      channel_id: "none",
      conversation_id: "1",
      content: "x",
      confirm: true,
    });
    await all.mcp.call("gateway_send_message", { channel_id: "none", conversation_id: "1", content: "y" });
    await all.mcp.call("gateway_get_status");
    expect((await rows({ tool_name: "gateway_send_message" })).slice(0, 2)).toMatchObject([
      { type: "mcp_tool", status: "confirmation_required", level: "warning", tool_name: "gateway_send_message" },
      { status: "failed", error_code: "not_found", metadata: { high_risk: true, confirm_by: "client" } },
    ]);
    expect(await rows({ tool_name: "gateway_get_status" })).toEqual([]);
  });

  test("shows the caller and no secret, detected by name, format or value", async () => {
    await all.mcp.call("gateway_receive_message", {
      channel_id: "fake",
      raw_event: {
        text: "call me with Bearer abcdefgh12345678 or sk-0123456789abcdef",
        conversation_id: "1",
        password: "hunter2hunter2",
        inner: JSON.stringify({ api_key: "k-123456" }),
        list: [{ name: "Authorization", value: "Basic Zm9vOmJhcg==" }],
      },
      headers: { cookie: "session=1234567" },
      confirm: true,
    });
    const [row] = await rows({ tool_name: "gateway_receive_message" });
    expect(row).toMatchObject({
      status: "completed",
      metadata: { client: "parley-test 1", transport: "streamable-http" },
    });
    const text = JSON.stringify(row);
    for (const secret of ["abcdefgh12345678", "0123456789abcdef", "hunter2", "k-123456", "Zm9vOmJhcg", "1234567"]) {
      expect(text).not.toContain(secret);
    }
  });

  test("is part of the trace and of the unified log", async () => {
    const [call] = await rows({ tool_name: "gateway_send_message", status: "completed" });
    const found = await all.mcp.call("gateway_query_trace", { trace_id: call?.trace_id as string });
    expect(found).toMatchObject({ summary: { mcp_logs_count: 1 } });
    expect(await all.mcp.call("gateway_lookup_id", { id: call?.id as string })).toMatchObject({
      best_guess: { type: "mcp_log_id" },
    });
    const { total } = await all.api.get<{ total: number }>("/api/gateway/logs");
    expect(total).toBeGreaterThan((await rows()).length);
  });
});

test("reading tools need no further confirmation", async () => {
  const { contents } = await off.mcp.client.readResource({ uri: "svc://gateway/capabilities" });
  const { scopes, callable } = JSON.parse((contents as unknown as [{ text: string }])[0].text);
  expect(scopes).toEqual(READ_SCOPES);
  expect(callable.some(isAction)).toBe(false);
  for (const uri of ["status", "stats", "queue/stats", "nodes"]) {
    const read = await off.mcp.client.readResource({ uri: `svc://gateway/${uri}` });
    expect(read.contents).toHaveLength(1);
  }
});
