import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { findFreePort } from "../harness/http/free-port.ts";
import { connectMcp } from "../harness/mcp/mcp.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let api: Client;
let address: string;
let key: string;

beforeAll(async () => {
  const port = await findFreePort();
  address = `http://127.0.0.1:${port}/mcp`;
  parley = await startParley({
    config: `[mcp]\nenabled = true\ntransport = streamable-http\nport = ${port}\nadmin = true\nallowed_hosts = tools.example, more.example\n[web]\ncors_origins = https://tool.example\n`,
  });
  api = await parley.signIn();
  key = (await api.post<{ secret: string }>("/api/api-keys", { name: "mcp", scopes: ["mcp"] })).secret;
});
afterAll(() => parley[Symbol.asyncDispose]());

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

interface Raw {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly token?: string;
}

/** Sends a request with any headers, including those that `fetch` forbids. */
async function send({ method = "POST", headers = {}, body, token = key }: Raw = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    const sent = request(address, {
      method,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    sent.on("error", reject);
    sent.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        text += chunk;
      });
      const done = () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      response.on("end", done);
    });
    sent.end(body ?? (method === "POST" ? JSON.stringify(INITIALIZE) : undefined));
  });
}

describe("a client with an API key", () => {
  test("initializes, lists tools and calls one", async () => {
    await using mcp = await connectMcp(address, key);
    expect(mcp.client.getServerVersion()).toMatchObject({ name: "svc-gateway" });
    const names = (await mcp.client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain("roll_dice");
    expect(await mcp.call("roll_dice", { dice: 2 })).toMatchObject({
      ok: true,
      shown: [expect.any(Number), expect.any(Number)],
    });
  });

  test("gets a plain response at once, and a stream when it requests progress", async () => {
    const begun = await send();
    expect(begun.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(begun.text)).toMatchObject({ id: 1, result: { protocolVersion: "2025-11-25" } });
    const headers = { "mcp-session-id": String(begun.headers["mcp-session-id"]) };
    const call = (meta: object) =>
      send({
        headers,
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 2,
          method: "tools/call",
          params: { name: "roll_dice", arguments: {}, ...meta },
        }),
      });
    expect((await call({})).headers["content-type"]).toBe("application/json");
    const streamed = await call({ _meta: { progressToken: "p" } });
    expect(streamed.headers["content-type"]).toBe("text/event-stream");
    expect(streamed.text).toMatch(/^event: message\ndata: \{.*"id":2/);
  });

  test("that listens has one stream for notifications, not two", async () => {
    const id = String((await send()).headers["mcp-session-id"]);
    const headers = { accept: "text/event-stream", "mcp-session-id": id, authorization: `Bearer ${key}` };
    const leave = new AbortController();
    const listening = await fetch(address, { headers, signal: leave.signal });
    expect(listening.headers.get("content-type")).toBe("text/event-stream");
    expect((await send({ method: "GET", headers: { "mcp-session-id": id } })).status).toBe(409);
    leave.abort();
    await expect
      .poll(async () => (await fetch(address, { headers, signal: AbortSignal.timeout(2000) })).status, {
        timeout: 15_000,
      })
      .toBe(200);
  });

  test("can end its session, which is then unknown", async () => {
    const begun = await send();
    const id = String(begun.headers["mcp-session-id"]);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    const headers = { "mcp-session-id": id };
    expect((await send({ method: "DELETE", headers })).status).toBe(200);
    const again = await send({ headers, body: '{"jsonrpc":"2.0","id":2,"method":"ping"}' });
    expect(again).toMatchObject({ status: 404, text: expect.stringContaining("-32001") });
  });

  test("loses its sessions when its key is revoked", async () => {
    const other = await api.post<{ id: string; secret: string }>("/api/api-keys", { name: "short", scopes: ["mcp"] });
    await using mcp = await connectMcp(address, other.secret);
    expect(await mcp.call("roll_dice")).toMatchObject({ ok: true });
    await api.send("DELETE", `/api/api-keys/${other.id}`);
    await expect(mcp.call("roll_dice")).rejects.toThrow(/401|Unauthorized|API key/);
  });

  test("cannot use the session of another key", async () => {
    const other = await api.post<{ secret: string }>("/api/api-keys", { name: "other", scopes: ["mcp"] });
    const id = String((await send()).headers["mcp-session-id"]);
    const headers = { "mcp-session-id": id };
    const body = '{"jsonrpc":"2.0","id":2,"method":"tools/list"}';
    expect((await send({ headers, body, token: other.secret })).status).toBe(404);
    expect((await send({ headers, body })).status).toBe(200);
  });
});

test.each(["tools.example", "more.example:8443"])("a host name in allowed_hosts is accepted: %s", async (host) => {
  expect((await send({ headers: { host } })).status).toBe(200);
});

describe("a rejected request", () => {
  test.each<[string, Raw, number]>([
    ["by its host", { headers: { host: "evil.example" } }, 403],
    ["by its origin", { headers: { origin: "https://evil.example" } }, 403],
    ["without a key", { token: "" }, 401],
    ["with a wrong key", { token: "pky_wrong" }, 401],
    ["by its method", { method: "PUT" }, 405],
    ["by what it sends", { headers: { "content-type": "text/plain; application/json" } }, 415],
    ["by what it takes", { headers: { accept: "application/json" } }, 406],
    ["without a session", { body: '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' }, 400],
    ["by its session", { headers: { "mcp-session-id": "f".repeat(32) } }, 404],
    ["as no JSON", { body: "{" }, 400],
    ["as too deep", { body: "[".repeat(40) + "]".repeat(40) }, 400],
    ["as too large", { body: JSON.stringify({ text: "x".repeat(1024 * 1024) }) }, 413],
    ["as a batch", { headers: { "mcp-protocol-version": "2025-06-18" }, body: "[]" }, 400],
  ])("%s", async (_, raw, status) => {
    const answer = await send(raw);
    expect({ status: answer.status, body: JSON.parse(answer.text) }).toMatchObject({
      status,
      body: { jsonrpc: "2.0", error: { message: expect.any(String) } },
    });
    if (status !== 401) return;
    // Tells a client where to sign in.
    expect(answer.headers["www-authenticate"]).toMatch(
      /^Bearer (error="invalid_token", )?resource_metadata="http:\/\/127\.0\.0\.1:\d+\/\.well-known\/oauth-protected-resource\/mcp"$/,
    );
  });

  test("is rejected by host before it is read, whatever else is wrong", async () => {
    expect((await send({ headers: { host: "evil.example" }, token: "", method: "PUT" })).status).toBe(403);
  });

  test("with a key that lacks the scope", async () => {
    const { secret } = await api.post<{ secret: string }>("/api/api-keys", { name: "reads", scopes: ["read"] });
    expect((await send({ token: secret })).status).toBe(401);
  });
});

test("requests of other machines require that everybody needs a key, and that one exists", async () => {
  const section = "[mcp]\nenabled = true\ntransport = streamable-http\nhost = 0.0.0.0\nport = 0\n";
  await expect(startParley({ config: section })).rejects.toThrow("make an API key with scope mcp first");
  await expect(startParley({ config: `${section}http_auth = off_on_loopback\n` })).rejects.toThrow("http_auth");
  await expect(startParley({ config: `${section}transport = carrier pigeon\n` })).rejects.toThrow("[mcp] transport");
});

test("a page of an allowed origin may send requests, and read the session id and where to sign in", async () => {
  const origin = "https://tool.example";
  const asked = await send({ method: "OPTIONS", headers: { origin }, token: "" });
  expect(asked).toMatchObject({ status: 204, headers: { "access-control-allow-origin": origin } });
  const answer = await send({ headers: { origin } });
  expect(answer.headers["access-control-expose-headers"]).toBe("mcp-session-id, www-authenticate");
});
