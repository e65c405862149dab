import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

// The offline model calls a tool for the message `/tool name {…}`.

let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley({ config: "[mcp]\nadmin = true\n" });
  api = await parley.signIn();
});
afterAll(() => parley[Symbol.asyncDispose]());

interface ChatAnswer {
  readonly message: string;
  readonly used_tools: readonly { readonly tool: string; readonly ok: boolean }[];
  readonly pending: { readonly tool: string; readonly arguments: object; readonly confirm_id: string } | null;
}
const chat = (message: string, more: object = {}) => api.post<ChatAnswer>("/api/web-agent/chat", { message, ...more });
const execute = (body: object) => api.send("POST", "/api/web-agent/execute", { body });
const session = async () => (await api.post<{ id: string }>("/api/sessions", { name: "talk" })).id;

test("the web agent has the tools of conversations and the service, none of the gateway", async () => {
  const { items } = await api.get<{ items: Record<string, unknown>[] }>("/api/web-agent/tools?limit=500");
  const names = items.map(({ name }) => String(name));
  expect(names).toEqual(expect.arrayContaining(["web_list_sessions", "web_delete_session", "agent_recent_logs"]));
  expect(names.filter((name) => name.startsWith("gateway_"))).toEqual([]);
  expect(items.find(({ name }) => name === "web_delete_session")).toMatchObject({
    permission: "write",
    high_risk: true,
  });
  expect(items.find(({ name }) => name === "web_create_session")).toMatchObject({
    permission: "write",
    high_risk: false,
  });
  const reading = await api.get<{ items: { permission: string }[] }>("/api/web-agent/tools?permission=read&limit=500");
  expect(new Set(reading.items.map(({ permission }) => permission))).toEqual(new Set(["read"]));
});

test("a tool is called manually; one that changes something needs confirm: true", async () => {
  expect(await execute({ tool: "agent_system_status" })).toMatchObject({
    json: { data: { result: { phase: "ready" } } },
  });
  expect(await execute({ tool: "no_such_tool" })).toMatchObject({ status: 404 });
  expect(await execute({ tool: "web_get_session", arguments: { session_id: 5 } })).toMatchObject({ status: 400 });
  const making = { tool: "web_create_session", arguments: { name: "by hand" } };
  expect(await execute(making)).toMatchObject({ status: 400, json: { code: "confirmation_required" } });
  // `confirm` in the arguments has no effect.
  const smuggled = { ...making, arguments: { name: "by hand", confirm: true } };
  expect(await execute(smuggled)).toMatchObject({ json: { code: "confirmation_required" } });
  expect(await execute({ ...making, confirm: true })).toMatchObject({ status: 200 });
  await eventually(async () => {
    const logs = "/api/gateway/logs?source=mcp&tool_name=web_create_session&status=completed";
    const { items } = await api.get<{ items: object[] }>(logs);
    expect(items).toMatchObject([
      {
        user_id: expect.stringMatching(/^user_/),
        metadata: { audience: "web-agent", client: "admin", transport: "rest" },
      },
    ]);
  });
});

test("the agent calls reading tools during a chat", async () => {
  const { message, used_tools, pending } = await chat("/tool web_list_sessions {}");
  expect(used_tools).toMatchObject([{ tool: "web_list_sessions", ok: true }]);
  expect(message).toContain("web_list_sessions answered");
  expect(pending).toBeNull();
});

test("a change waits for confirmation unless the person allowed changes; a deletion always waits", async () => {
  const making = '/tool web_create_session {"name":"by the agent"}';
  expect(await chat(making)).toMatchObject({ used_tools: [], pending: { tool: "web_create_session" } });
  expect(await chat(making, { allow_write: true })).toMatchObject({ used_tools: [{ ok: true }], pending: null });
  const id = await session();
  const { pending } = await chat(`/tool web_delete_session {"session_id":"${id}","confirm":true}`, {
    allow_write: true,
  });
  expect(pending).toMatchObject({ tool: "web_delete_session" });
  expect((await api.send("GET", `/api/sessions/${id}`)).status).toBe(200);
});

test("a confirmation is valid for exactly one call, once", async () => {
  const id = await session();
  const { pending } = await chat(`/tool web_delete_session {"session_id":"${id}"}`);
  const { tool, arguments: args, confirm_id } = pending ?? { tool: "", arguments: {}, confirm_id: "" };
  const other = await session();
  expect(await execute({ tool, arguments: { session_id: other }, confirm_id })).toMatchObject({ status: 409 });
  expect(await execute({ tool, arguments: args, confirm_id })).toMatchObject({ status: 200 });
  expect(await execute({ tool, arguments: args, confirm_id })).toMatchObject({ status: 409 });
  expect((await api.send("GET", `/api/sessions/${id}`)).status).toBe(404);
  expect((await api.send("GET", `/api/sessions/${other}`)).status).toBe(200);
});

test("without the scope in the configuration nothing is changed, whoever calls", async () => {
  await using plain = await startParley();
  const admin = await plain.signIn();
  const body = { tool: "web_create_session", arguments: { name: "x" }, confirm: true };
  expect(await admin.send("POST", "/api/web-agent/execute", { body })).toMatchObject({ status: 403 });
  const asked = await admin.post<ChatAnswer>("/api/web-agent/chat", { message: "/tool web_create_session {}" });
  expect(asked.pending).toBeNull();
  expect(asked.message).toContain("I have no tool named web_create_session");
});
