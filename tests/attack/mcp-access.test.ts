import { RouteTables } from "@parley/core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import {
  TOOL_SERVER,
  toCommandLinesConfig,
  toStdioEntry,
  toToolServerCommands,
} from "../harness/mcp/mcp-command-lines.ts";
import { type McpHttpServer, startMcpHttpServer } from "../harness/mcp/mcp-http-server.ts";
import { type Parley, startParley } from "../harness/parley.ts";

// The attacker has a key with the scope `write` and one with the scope `admin`, and tries what only an administrator may do.

const OURS = "_builtin_local_mcp";
const GOOD = [process.execPath, TOOL_SERVER, "good"] as const;
const SECRET = "sk-canary-0123456789";

let parley: Parley;
let admin: Client;
let writer: Client;
let program: Client;
let attacker: McpHttpServer;
let friend: McpHttpServer;

beforeAll(async () => {
  [attacker, friend] = await Promise.all([startMcpHttpServer(), startMcpHttpServer()]);
  parley = await startParley({
    config: `[mcp]\nenabled = true\nadmin = true\n${toCommandLinesConfig(toToolServerCommands("good"))}`,
    env: { OPENAI_API_KEY: SECRET, SVC_WEBHOOK_SECRET: SECRET, PATH: process.env.PATH ?? "" },
  });
  admin = await parley.signIn();
  const readKey = async (name: string, scopes: readonly string[]) =>
    admin.as((await admin.post<{ secret: string }>("/api/api-keys", { name, scopes })).secret);
  writer = await readKey("writer", ["write", "chat", "mcp"]);
  program = await readKey("program", ["admin"]);
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await Promise.all([attacker[Symbol.asyncDispose](), friend[Symbol.asyncDispose]()]);
});
afterEach(async () => {
  const { items } = await admin.get<{ items: readonly { id: string; builtin: boolean }[] }>("/api/mcp-servers");
  for (const { id, builtin } of items) if (!builtin) await admin.send("DELETE", `/api/mcp-servers/${id}`);
});

const createRemote = (id: string, more: object = {}) => ({ id, name: id, transport: "streamable-http", ...more });
const formatReceivedHeaders = (server: McpHttpServer) => JSON.stringify(server.headers);
interface Shown {
  readonly url: string;
  readonly headers_env: object;
  readonly env_names: readonly string[];
}

test("every route that changes a server, a model or runs the web agent is for administrators", () => {
  const rows = parley.host.all(RouteTables).flat();
  const guarded = /^\/api\/(mcp-servers|web-agent|ai-models|ai-config)(\/|$)/;
  const changing = rows.filter(({ method, path }) => method !== "GET" && guarded.test(path));
  expect(changing.length).toBeGreaterThan(15);
  expect(changing.filter(({ scope }) => scope !== "admin").map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test("a key with the write scope creates, moves, tests and calls no server, and reveals nothing of the environment", async () => {
  await admin.post("/api/mcp-servers", createRemote("theirs", { url: friend.address }));
  const headers_env = { "X-Leak": "OPENAI_API_KEY" };
  for (const [method, path, body] of [
    ["POST", "", createRemote("exfil", { url: attacker.address, headers_env, auto_connect: true })],
    ["PUT", "/theirs", { url: attacker.address, headers_env }],
    ["POST", "/theirs/connect", {}],
    ["POST", "/theirs/test", {}],
    ["POST", "/theirs/disconnect", {}],
    ["POST", "/theirs/accept-tools", {}],
    ["POST", "/theirs/call", { tool: "act", confirm: true }],
    ["POST", `/${OURS}/call`, { tool: "gateway_get_status" }],
    ["DELETE", "/theirs", undefined],
  ] as const) {
    const answer = await writer.send(method, `/api/mcp-servers${path}`, body && { body });
    expect([answer.status, path, answer.json?.code]).toEqual([403, path, "permission_denied"]);
  }
  expect(attacker.headers).toEqual([]);
});

test("a key with the write scope neither reads nor changes anything through the web agent", async () => {
  for (const [path, body] of [
    ["execute", { tool: "agent_get_settings" }],
    ["execute", { tool: "agent_recent_logs" }],
    [
      "execute",
      { tool: "agent_update_settings", arguments: { settings: { allow_private_outbound: true } }, confirm: true },
    ],
    ["chat", { message: "/tool agent_get_settings {}", allow_write: true }],
  ] as const) {
    expect(await writer.send("POST", `/api/web-agent/${path}`, { body })).toMatchObject({ status: 403 });
  }
});

describe("secrets in the environment", () => {
  test.each(["SVC_WEBHOOK_SECRET", "SVC_SECRET_KEY", "WEB_PASSWORD", "PATH"])(
    "named %s are never sent",
    async (name) => {
      const body = createRemote("reserved", { url: attacker.address, headers_env: { "X-A": name } });
      expect(await admin.send("POST", "/api/mcp-servers", { body })).toMatchObject({ status: 400 });
    },
  );

  test("are bound to their address, unless they are entered again for the next one", async () => {
    const headers_env = { Authorization: "OPENAI_API_KEY" };
    await admin.post("/api/mcp-servers", createRemote("moving", { url: friend.address, headers_env }));
    const move = (body: object) => admin.send("PUT", "/api/mcp-servers/moving", { body });
    const stayed = await move({ url: `${friend.address}?version=2` });
    expect(stayed.json).toMatchObject({ data: { headers_env }, message: "" });
    const moved = await move({ url: attacker.address });
    expect(moved.json).toMatchObject({ data: { headers_env: {} }, message: expect.stringContaining("removed") });
    await admin.post("/api/mcp-servers/moving/connect", {});
    expect(attacker.headers.length).toBeGreaterThan(0);
    expect(formatReceivedHeaders(attacker)).not.toContain(SECRET);
    expect((await move({ url: friend.address, headers_env })).json).toMatchObject({ data: { headers_env } });
  });

  test("are bound to their program", async () => {
    const env_names = ["OPENAI_API_KEY"];
    const { id } = await admin.post<{ id: string }>("/api/mcp-servers", {
      ...{ name: "one", transport: "stdio", command: "npx", args: ["one@1.2.3"], env_names },
    });
    const other = await admin.put<Shown>(`/api/mcp-servers/${id}`, { args: ["other@1.2.3"] });
    expect(other.env_names).toEqual([]);
    expect(await admin.put<Shown>(`/api/mcp-servers/${id}`, { args: ["one@1.2.3"], env_names })).toMatchObject({
      env_names,
    });
  });
});

describe("a command of an MCP server", () => {
  const stdio = (command: string, args: readonly string[], more: object = {}) => ({
    ...{ name: "started", transport: "stdio", command, args },
    ...more,
  });

  test.each([
    ["a script that exists", stdio(process.execPath, [TOOL_SERVER])],
    [
      "the package manager, by its file",
      stdio("node", ["/usr/lib/node_modules/npm/bin/npm-cli.js", "exec", "-c", "id"]),
    ],
    ["a module of an interpreter", stdio("python3", ["/usr/lib/python3/timeit.py", "import os"])],
    ["a range of versions", stdio("npx", ["server@1.2"])],
    ["a flag before the package", stdio("npx", ["--registry=http://127.0.0.1", "server@1.2.3"])],
  ])("is rejected even for an administrator: %s", async (_, body) => {
    expect(await admin.send("POST", "/api/mcp-servers", { body })).toMatchObject({ status: 403 });
  });

  test.each(["HOME", "UV_INDEX_URL", "npm_config_registry", "NODE_OPTIONS"])(
    "cannot get %s through an entry",
    async (name) => {
      const body = stdio("npx", ["server@1.2.3"], { env: { [name]: "/tmp" } });
      expect(await admin.send("POST", "/api/mcp-servers", { body })).toMatchObject({ status: 400 });
    },
  );

  test("is a package only after a person's confirmation; a program may use the operator's list", async () => {
    const body = stdio("npx", ["server@1.2.3"], { id: "package" });
    expect(await program.send("POST", "/api/mcp-servers", { body })).toMatchObject({ status: 403 });
    expect(await admin.send("POST", "/api/mcp-servers", { body })).toMatchObject({ status: 200 });
    const change = { body: { args: ["other@1.2.3"] } };
    expect(await program.send("PUT", "/api/mcp-servers/package", change)).toMatchObject({ status: 403 });
    const named = { body: { id: "named", name: "named", ...toStdioEntry(GOOD) } };
    expect(await program.send("POST", "/api/mcp-servers", named)).toMatchObject({ status: 200 });
    expect(await program.send("POST", "/api/mcp-servers/named/connect", { body: {} })).toMatchObject({ status: 200 });
  });
});
