import { fillDetail, LiveEvents } from "@parley/core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { openSocket } from "../harness/http/socket.ts";
import {
  TOOL_SERVER,
  toCommandLinesConfig,
  toStdioEntry,
  toToolServerCommands,
} from "../harness/mcp/mcp-command-lines.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { vaultPlugin } from "../harness/plugins/vault.ts";

let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley({
    plugins: [vaultPlugin],
    config: `[mcp]\nenabled = true\n${toCommandLinesConfig(toToolServerCommands("good"))}`,
    env: { PATH: process.env.PATH ?? "" },
  });
  api = await parley.signIn();
});
afterAll(() => parley[Symbol.asyncDispose]());

async function connectServer(id: string, more: object = {}): Promise<string> {
  const entry = { name: id, ...toStdioEntry([process.execPath, TOOL_SERVER, "good"]) };
  await api.post("/api/mcp-servers", { id, ...entry, ...more });
  await api.post(`/api/mcp-servers/${id}/connect`, {});
  return id;
}
const call = (id: string, body: object, by = api) => by.send("POST", `/api/mcp-servers/${id}/call`, { body });
const tools = async (id: string) => (await api.get<{ items: object[] }>(`/api/mcp-servers/${id}/tools`)).items;
const text = (value: string) => ({ text: value });

test("a tool of another server is called manually; one that may change something needs confirm: true", async () => {
  const id = await connectServer("plain");
  expect(await call(id, { tool: "echo", arguments: text("hi") })).toMatchObject({
    json: { data: { tool: "echo", result: "echo: hi", duration_ms: expect.any(Number) } },
  });
  const write = { tool: "write", arguments: text("x") };
  const asked = await call(id, write);
  expect(asked).toMatchObject({ status: 400, json: { code: "confirmation_required" } });
  expect(fillDetail(JSON.parse(asked.headers.get("x-parley-error") ?? "{}"), "zh")).toBe(
    "write 可能造成更改，需要确认",
  );
  expect(await call(id, { ...write, confirm: true })).toMatchObject({ json: { data: { result: "write: x" } } });
  const logs = await api.get<{ items: object[] }>("/api/gateway/logs?source=mcp&tool_name=mcp__plain__write&limit=1");
  expect(logs.items).toMatchObject([{ status: "completed", metadata: { client: "admin", confirm_by: "client" } }]);
  expect(await call(id, { tool: "none" })).toMatchObject({ status: 404 });
  expect(await call(id, { tool: "echo", arguments: text("fail") })).toMatchObject({
    status: 502,
    json: { error: "it did not work" },
  });
});

test("the allow lists of the entry apply to a person too, whose call is the confirmation", async () => {
  const id = await connectServer("listed", { tool_deny: ["write"], confirm_tools: ["echo"] });
  expect(await tools(id)).toMatchObject([
    { name: "echo", enabled: true, risk: "high", first_description: null },
    { name: "write", enabled: false, risk: "high" },
  ]);
  expect(await call(id, { tool: "write", confirm: true })).toMatchObject({ status: 403 });
  expect(await call(id, { tool: "echo" })).toMatchObject({ json: { code: "confirmation_required" } });
  expect(await call(id, { tool: "echo", confirm: true })).toMatchObject({ status: 200 });
});

test("a changed tool is shown in its former version until somebody accepts the change", async () => {
  const id = await connectServer("moving");
  await call(id, { tool: "echo", arguments: text("grow") });
  await vi.waitFor(async () =>
    expect(await tools(id)).toMatchObject([{ first_description: "Says it again" }, {}, { first_description: null }]),
  );
  await vi.waitFor(async () => {
    const { items } = await api.get<{ items: { id: string; warnings: string[] }[] }>("/api/mcp-servers");
    expect(items.find((one) => one.id === id)?.warnings).toHaveLength(2);
  });
  expect(await api.post(`/api/mcp-servers/${id}/accept-tools`, {})).toMatchObject({ warnings: [] });
  await api.post(`/api/mcp-servers/${id}/disconnect`, {});
  expect(await api.send("POST", `/api/mcp-servers/${id}/accept-tools`)).toMatchObject({ status: 409 });
});

test("subscribers of MCP receive each call and each change of a connection, others do not", async () => {
  using watching = await openSocket(api);
  using other = await openSocket(api);
  await watching.ask({ type: "subscribe", topics: ["mcp"] });
  const id = await connectServer("watched");
  await call(id, { tool: "write", arguments: text("x"), confirm: true });
  await call(id, { tool: "write", arguments: text("fail"), confirm: true });
  await api.post(`/api/mcp-servers/${id}/disconnect`, {});
  const listEvents = () => watching.frames.filter(({ type }) => type === "mcp_event");
  await watching.next(
    ({ type, event, connected }) => type === "mcp_event" && event === "server" && connected === false,
  );
  expect(listEvents().filter(({ event }) => event === "tool_call")).toMatchObject([
    { tool: "mcp__watched__write", status: "completed", result: "ok", caller: expect.any(String) },
    { tool: "mcp__watched__write", status: "failed", result: "upstream_failed" },
  ]);
  expect(listEvents().filter(({ event, connected }) => event === "server" && connected === true)).toMatchObject([
    { id },
  ]);
  other.send({ type: "ping" });
  await other.next(({ type }) => type === "pong");
  expect(other.frames.filter(({ type }) => type === "mcp_event")).toEqual([]);
});

test("our own tools are called like clients call them", async () => {
  const ours = "_builtin_local_mcp";
  expect(await call(ours, { tool: "gateway_get_status" })).toMatchObject({
    json: { data: { result: { storage: "sqlite" } } },
  });
  expect(await call(ours, { tool: "web_create_session", arguments: {}, confirm: true })).toMatchObject({ status: 403 });
});

test("the service shows its effective MCP settings", async () => {
  const service = await api.get<{ tools: object[]; resources: object[]; prompts: object[] }>("/api/mcp-service");
  expect(service).toMatchObject({
    enabled: true,
    transport: "stdio",
    address: null,
    admin: false,
    switches: { send_message_enabled: false },
    client: {
      stdio_enabled: true,
      allowed_commands: ["npx", "uvx"],
      command_lines: [{ name: "line0", words: [process.execPath, TOOL_SERVER, "good"] }],
    },
  });
  const findTool = (name: string) => service.tools.find((tool) => (tool as { name: string }).name === name);
  expect(findTool("web_list_sessions")).toMatchObject({ scope: "gateway.read", risk: "read", refused: null });
  expect(findTool("web_delete_session")).toMatchObject({ needs_confirm: true, deletes: true, refused: "scope" });
  expect(findTool("gateway_send_message")).toMatchObject({ switch: "send_message_enabled", refused: "switch" });
  expect(service.resources).toContainEqual({
    uri: "svc://gateway/queue/stats",
    name: "What waits",
    help: { en: "Waiting messages", zh: "等待的内容" },
    mime_type: "application/json",
    scope: "queue.read",
    refused: null,
  });
  expect(service.resources).toContainEqual(expect.objectContaining({ uri: "vault://key", refused: "scope" }));
  expect(service.prompts).toContainEqual({
    name: "inspect_node_health",
    description: "Look at a node and its recent failures",
    help: { en: "Look at a node and its recent failures", zh: "查看节点及其最近的故障" },
    arguments: [{ name: "node_id", description: "The node", help: { en: "The node", zh: "节点" }, required: true }],
  });
});

test("pending confirmations are listed, and answered once", async () => {
  const id = await connectServer("asking", { confirm_tools: ["*"] });
  const session = (await api.post<{ id: string }>("/api/sessions", {})).id;
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const stop = parley.host.get(LiveEvents).subscribe(({ type }) => type === "exec_confirm_request" && resolve());
  const answering = api.post<{ replies: { content: string }[] }>(`/api/sessions/${session}/chat`, {
    content: `/tool mcp__${id}__echo {"text":"hello"}`,
  });
  await asked;
  stop();
  const { items } = await api.get<{ items: { id: string }[] }>("/api/confirmations");
  expect(items).toMatchObject([{ session_id: session, tool: `mcp__${id}__echo`, expires_at: expect.any(String) }]);
  const path = `/api/confirmations/${items[0]?.id}`;
  expect(await api.post(path, { approved: true })).toMatchObject({ approved: true });
  expect((await answering).replies[0]?.content).toContain("echo: hello");
  expect(await api.send("POST", path, { body: { approved: true } })).toMatchObject({ status: 404 });
  expect(await api.get("/api/confirmations")).toMatchObject({ total: 0 });
});
