import { Gateway, type LiveEvent, LiveEvents, ToolGuard } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { findFreePort } from "../harness/http/free-port.ts";
import { openSocket } from "../harness/http/socket.ts";
import { type McpHttpServer, startMcpHttpServer } from "../harness/mcp/mcp-http-server.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel, type FakeChannel } from "../harness/plugins/fake-channel.ts";

// The offline model calls a tool for the message `/tool name {…}`.

let parley: Parley;
let api: Client;
let remote: McpHttpServer;
let channel: FakeChannel;
let mcpPort: number;

beforeAll(async () => {
  remote = await startMcpHttpServer();
  channel = createFakeChannel("fake", "natural", { supports_tools: true });
  mcpPort = await findFreePort();
  parley = await startParley({
    plugins: [channel.plugin],
    config: `[mcp]\nenabled = true\ntransport = streamable-http\nport = ${mcpPort}\nadmin = true\nsend_message_enabled = true\nconnect_url = ${remote.address}\n`,
  });
  api = await parley.signIn();
  await api.post("/api/mcp-servers/mcp_connect/connect", {});
  await api.put("/api/mcp-servers/mcp_connect", { confirm_tools: ["act"] });
  await api.post("/api/channels", { id: "fake", name: "Fake", type: "fake", transport: "bridge", enabled: true });
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await remote[Symbol.asyncDispose]();
});

interface Answered {
  readonly replies: readonly { readonly content: string; readonly tool_calls: readonly { status: string }[] }[];
}

const session = async () => (await api.post<{ id: string }>("/api/sessions", { name: "tools" })).id;
const say = (id: string, content: string) => api.post<Answered>(`/api/sessions/${id}/chat`, { content });

/** Resolves with the next confirmation request of a session. */
function question(sessionId: string): Promise<LiveEvent> {
  return new Promise((resolve) => {
    const stop = parley.host.get(LiveEvents).subscribe((event) => {
      if (event.type !== "exec_confirm_request" || event.session_id !== sessionId) return;
      stop();
      resolve(event);
    });
  });
}

describe("the tools of another server", () => {
  test("are called by the model, and their answers are marked as data", async () => {
    const { replies } = await say(await session(), "/tool mcp__mcp_connect__look {}");
    expect(replies[0]?.content).toContain('<data source="mcp__mcp_connect__look">\nlook done\n</data>');
    expect(replies[0]?.tool_calls).toMatchObject([{ status: "ok" }]);
  });

  test("require a person's confirmation in the console if configured, and run after it", async () => {
    const id = await session();
    using socket = await openSocket(api);
    await socket.ask({ type: "join_session", session_id: id });
    const asked = question(id);
    const answering = say(id, "/tool mcp__mcp_connect__act {}");
    const { payload } = await asked;
    expect(payload).toMatchObject({ tool: "mcp__mcp_connect__act", summary: expect.any(String) });
    const answer = { type: "confirm_exec", session_id: id, request_id: String(payload.request_id), approved: true };
    expect(await socket.ask(answer)).toMatchObject({ ok: true, approved: true });
    expect((await answering).replies[0]?.tool_calls).toMatchObject([{ status: "ok" }]);
    expect(await socket.ask(answer)).toMatchObject({ ok: false, code: "not_found" });
    const logs = "/api/gateway/logs?source=mcp&tool_name=mcp__mcp_connect__act";
    await eventually(async () => {
      const { items } = await api.get<{ items: object[] }>(logs);
      expect(items[0]).toMatchObject({
        status: "completed",
        metadata: { confirm_by: expect.stringMatching(/^user_/) },
      });
    });
  });

  test("do not run after a person's refusal, typed in the conversation", async () => {
    const id = await session();
    const asked = question(id);
    const before = remote.calls.length;
    const answering = say(id, "/tool mcp__mcp_connect__act {}");
    await asked;
    expect((await say(id, "/deny")).replies).toMatchObject([{ content: "Denied." }]);
    expect((await answering).replies[0]?.tool_calls).toMatchObject([{ status: "denied" }]);
    expect(remote.calls.length).toBe(before);
    expect((await say(id, "/confirm")).replies[0]?.content).toContain("nothing is waiting for approval here");
  });

  test("ask an administrator on a platform as well: not the requester, but a linked account may confirm", async () => {
    const here = { sessionId: "fake:room", conversation: { id: "room", isGroup: false } };
    const asked = question("fake:room");
    await channel.say("room", "/tool mcp__mcp_connect__act {}", here);
    await asked;
    await channel.say("room", "/confirm", { ...here, sender: { id: "8", name: "Mallory", isAdmin: false } });
    await eventually(() => expect(channel.sent.some(({ text }) => text.includes("only an administrator"))).toBe(true));
    const listRejected = () => channel.sent.filter(({ text }) => text.includes("only an administrator")).length;
    await channel.say("room", "/confirm", here);
    await eventually(() => expect(listRejected()).toBe(2));
    const boss = { id: "99", name: "Boss", isAdmin: false };
    await api.post("/api/person-links", { name: "Boss", target_id: "fake:user:99", same_as: "web:user:admin" });
    await channel.say("room", "/confirm", { ...here, sender: boss });
    await parley.host.get(Gateway).idle();
    const texts = channel.sent.map(({ text }) => text);
    expect(texts.find((text) => text.startsWith("An administrator has to allow this:"))).toContain("/confirm");
    expect(texts.some((text) => text.includes("act done"))).toBe(true);
  });

  test("ask the operator alone in an operator's own turn", async () => {
    const sentBefore = channel.sent.length;
    const asked = question("fake:room");
    const answering = say("fake:room", "/tool mcp__mcp_connect__act {}");
    await asked;
    await say("fake:room", "/deny");
    expect((await answering).replies[0]?.tool_calls).toMatchObject([{ status: "denied" }]);
    await parley.host.get(Gateway).idle();
    expect(channel.sent.length).toBe(sentBefore);
  });
});

describe("our own tools, by the built-in entry", () => {
  const builtin = "mcp___builtin_local_mcp__";

  test("are available and connected, and cannot be removed", async () => {
    const { items } = await api.get<{ items: Record<string, unknown>[] }>("/api/mcp-servers");
    expect(items[0]).toMatchObject({
      id: "_builtin_local_mcp",
      name: "local MCP service",
      transport: "stdio",
      builtin: true,
      connected: true,
    });
    expect(items[0]?.tool_count).toBeGreaterThan(20);
    const path = "/api/mcp-servers/_builtin_local_mcp";
    expect(await api.send("DELETE", path)).toMatchObject({ status: 400 });
    expect(await api.send("PUT", path, { body: { name: "mine" } })).toMatchObject({ status: 400 });
    expect(await api.send("PUT", path, { body: { tool_deny: ["web_delete_session"] } })).toMatchObject({ status: 200 });
    await api.put(path, { tool_deny: [] });
  });

  test("are called by the model like any", async () => {
    const { replies } = await say(await session(), `/tool ${builtin}gateway_get_status {}`);
    expect(replies[0]?.content).toContain('"storage":"sqlite"');
  });

  test("are not called for people without access: of a channel, or with a key that may only chat", async () => {
    const here = { sessionId: "fake:hall", conversation: { id: "hall", isGroup: false } };
    await channel.say("hall", `/tool ${builtin}web_list_sessions {}`, here);
    await parley.host.get(Gateway).idle();
    expect(channel.sent.at(-1)?.text).toContain("permission_denied");
    const { secret } = await api.post<{ secret: string }>("/api/api-keys", { name: "talker", scopes: ["chat"] });
    const content = `/tool ${builtin}gateway_query_logs {}`;
    const path = `/api/sessions/${await session()}/chat`;
    const { replies } = await api.as(secret).post<Answered>(path, { content });
    expect(replies[0]?.content).toContain("permission_denied");
  });

  test("require a person's confirmation, and ignore the model's own", async () => {
    const victim = await session();
    const id = await session();
    const asked = question(id);
    const answering = say(id, `/tool ${builtin}web_delete_session {"session_id":"${victim}","confirm":true}`);
    expect((await asked).payload).toMatchObject({ tool: "web_delete_session" });
    await say(id, "/deny");
    expect((await answering).replies[0]?.content).toContain("confirmation_required");
    expect((await api.send("GET", `/api/sessions/${victim}`)).status).toBe(200);
  });

  test("are offered once: a server that is this service is not connected, at whatever address", async () => {
    const scopes = ["mcp"];
    const { secret } = await api.post<{ secret: string }>("/api/api-keys", { name: "round about", scopes });
    for (const host of ["127.0.0.1", "localhost"]) {
      const given = {
        id: `self-${host.replaceAll(".", "-")}`,
        name: "self",
        transport: "streamable-http",
        url: `http://${host}:${mcpPort}/mcp`,
      };
      const { id } = await api.post<{ id: string }>("/api/mcp-servers", {
        ...given,
        headers_env: { Authorization: "ROUND_ABOUT_KEY" },
        secrets: { ROUND_ABOUT_KEY: `Bearer ${secret}` },
      });
      const { json } = await api.send("POST", `/api/mcp-servers/${id}/connect`, { body: {} });
      expect(json?.error).toContain("this is Parley itself");
    }
    const names = parley.host
      .get(ToolGuard)
      .list("ai")
      .map(({ name }) => name);
    expect(names.filter((name) => name.includes("gateway_get_status"))).toEqual([`${builtin}gateway_get_status`]);
  });

  test("start no turn within a turn", async () => {
    const id = await session();
    const asked = question(id);
    const answering = say(id, `/tool ${builtin}web_send_message {"session_id":"${id}","content":"again"}`);
    await asked;
    await say(id, "/confirm");
    expect((await answering).replies[0]?.content).toContain("a turn cannot start another one");
  });
});
