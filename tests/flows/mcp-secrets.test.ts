import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type McpHttpServer, startMcpHttpServer } from "../harness/mcp/mcp-http-server.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const SECRET = "Bearer very-secret-4711";
const NAME = "MCP_REMOTE_AUTHORIZATION";

let parley: Parley;
let api: Client;
let remote: McpHttpServer;
let other: McpHttpServer;
let count = 0;

beforeAll(async () => {
  [parley, remote, other] = await Promise.all([startParley(), startMcpHttpServer(), startMcpHttpServer()]);
  api = await parley.signIn();
});
afterAll(async () => {
  await Promise.all([remote, other].map((one) => one[Symbol.asyncDispose]()));
  await parley[Symbol.asyncDispose]();
});

async function addServer(more: object = {}): Promise<string> {
  const id = `remote-${++count}`;
  const entry = { id, name: id, transport: "streamable-http", url: remote.address };
  await api.post("/api/mcp-servers", { ...entry, headers_env: { Authorization: NAME }, ...more });
  return id;
}
const connect = (id: string) => api.send("POST", `/api/mcp-servers/${id}/connect`, { body: {} });
const getServer = async (id: string) => {
  const { items } = await api.get<{ items: readonly Record<string, unknown>[] }>("/api/mcp-servers");
  return items.find((one) => one.id === id);
};

test("an entered secret reaches the server, and no answer, export or file shows it", async () => {
  const id = await addServer({ secrets: { [NAME]: SECRET } });
  expect(await connect(id)).toMatchObject({ status: 200 });
  expect(remote.headers.at(-1)?.authorization).toBe(SECRET);
  expect(await getServer(id)).toMatchObject({ kept_secrets: [NAME], headers_env: { Authorization: NAME } });
  expect(JSON.stringify(await getServer(id))).not.toContain("4711");
  expect(filesBelow(parley.root).filter((file) => readFileSync(file).includes("very-secret-4711"))).toEqual([]);
});

test("without a secret the service's variable is used, and its absence is reported", async () => {
  const id = await addServer();
  expect(await getServer(id)).toMatchObject({ kept_secrets: [] });
  expect(await connect(id)).toMatchObject({ status: 503, json: { error: `the variable ${NAME} is not set` } });
});

test("another address does not get the secret of the first one", async () => {
  const id = await addServer({ secrets: { [NAME]: SECRET } });
  const headers_env = { Authorization: NAME };
  await api.put(`/api/mcp-servers/${id}`, { url: other.address, headers_env });
  expect(await connect(id)).toMatchObject({ status: 503 });
  expect(other.headers).toEqual([]);
  await api.put(`/api/mcp-servers/${id}`, { url: remote.address, headers_env });
  expect(await getServer(id)).toMatchObject({ kept_secrets: [] });
});

test("a secret is changed and deleted, also with its server", async () => {
  const id = await addServer({ secrets: { [NAME]: SECRET } });
  await api.put(`/api/mcp-servers/${id}`, { secrets: { [NAME]: "Bearer another" } });
  await connect(id);
  expect(remote.headers.at(-1)?.authorization).toBe("Bearer another");
  await api.put(`/api/mcp-servers/${id}`, { secrets: { [NAME]: null } });
  expect(await getServer(id)).toMatchObject({ kept_secrets: [] });
  await api.put(`/api/mcp-servers/${id}`, { secrets: { [NAME]: SECRET } });
  await api.send("DELETE", `/api/mcp-servers/${id}`);
  await api.post("/api/mcp-servers", {
    ...{ id, name: id, transport: "streamable-http", url: remote.address },
    headers_env: { Authorization: NAME },
  });
  expect(await getServer(id)).toMatchObject({ kept_secrets: [] });
});

test.each([
  ["that no header names", { STRANGE: "x" }],
  ["of several lines", { [NAME]: "a\nb" }],
  ["that is empty", { [NAME]: "" }],
])("a secret %s is rejected", async (_, secrets) => {
  const entry = { name: "x", transport: "streamable-http", url: remote.address, headers_env: { Authorization: NAME } };
  expect(await api.send("POST", "/api/mcp-servers", { body: { ...entry, secrets } })).toMatchObject({ status: 400 });
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile());
}
