import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { findFreePort } from "../harness/http/free-port.ts";
import { createMcpCaller, type McpCaller } from "../harness/mcp/mcp.ts";
import { approve, createTestClient, createVisitor, type TestClient, type Visitor } from "../harness/mcp/oauth.ts";
import { type Parley, startParley } from "../harness/parley.ts";

// A desktop client that knows nothing but the address of the MCP endpoint, and a person with a browser.

let parley: Parley;
let api: Client;
let address: string;

beforeAll(async () => {
  const port = await findFreePort();
  address = `http://127.0.0.1:${port}/mcp`;
  parley = await startParley({
    config: `[mcp]\nenabled = true\ntransport = streamable-http\nport = ${port}\nadmin = true\n`,
  });
  api = await parley.signIn();
});
afterAll(() => parley[Symbol.asyncDispose]());

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly last_used_at: string | null;
}

const listGrants = async () => (await api.get<{ items: readonly Listed[] }>("/api/oauth-grants")).items;
const getTransport = (client: TestClient) =>
  new StreamableHTTPClientTransport(new URL(address), { authProvider: client });

/** Connects a client without access: it registers, and a browser opens. */
async function connectUnauthorized(client: TestClient): Promise<StreamableHTTPClientTransport> {
  const transport = getTransport(client);
  await expect(createMcpCaller(transport as Transport)).rejects.toThrow(UnauthorizedError);
  return transport;
}

async function signInClient(
  client: TestClient,
  level: Readonly<Record<string, string>> = {},
  visitor: Visitor = createVisitor(),
): Promise<McpCaller> {
  const transport = await connectUnauthorized(client);
  const answer = await approve(visitor, client.asked, parley.credentials, level);
  await transport.finishAuth(answer.searchParams.get("code") ?? "");
  return createMcpCaller(getTransport(client) as Transport);
}

/** Sends a request to the token endpoint. */
async function token(form: Readonly<Record<string, string>>) {
  const answer = await fetch(new URL("/token", parley.address), { method: "POST", body: new URLSearchParams(form) });
  const body = (await answer.json()) as { readonly error?: string; readonly access_token?: string };
  return { status: answer.status, ...body };
}

/** Builds a client's token request for its code. */
function getExchange(client: TestClient, answer: URL): Record<string, string> {
  return {
    grant_type: "authorization_code",
    client_id: client.information?.client_id ?? "",
    code: answer.searchParams.get("code") ?? "",
    code_verifier: client.verifier,
    redirect_uri: String(client.redirectUrl),
    resource: address,
  };
}

describe("a client that knows only the address", () => {
  test("registers, is authorized by a person who signs in, and calls the allowed tools", async () => {
    const client = createTestClient("Desk");
    await using mcp = await signInClient(client, { level: "admin" });
    expect(client.saved).toMatchObject({ token_type: "Bearer", expires_in: 3600, scope: "read write admin" });
    expect((await mcp.client.listTools()).tools.length).toBeGreaterThan(40);
    expect(await mcp.call("roll_dice")).toMatchObject({ ok: true });
    const name = "Made by a client";
    expect(await mcp.call("web_create_session", { name, confirm: true })).toMatchObject({ ok: true, name });
    const [grant] = (await listGrants()).filter((one) => one.name === "Desk");
    expect(grant).toMatchObject({ scopes: ["read", "write", "admin"], last_used_at: expect.any(String) });
  });

  test("gets its state back, and the issuer", async () => {
    const client = createTestClient();
    await connectUnauthorized(client);
    const answer = await approve(createVisitor(), client.asked, parley.credentials);
    expect(answer.href).toMatch(/^http:\/\/127\.0\.0\.1:33418\/callback\?/);
    expect(answer.searchParams.get("state")).toBe("a state");
    expect(answer.searchParams.get("iss")).toBe(parley.address);
  });

  test("gets read access unless the person grants more, and learns which scope it lacks", async () => {
    const client = createTestClient("Reader");
    const visitor = createVisitor();
    // The client requests every scope, and the person accepts the preselected ones.
    await using mcp = await signInClient(client, {}, visitor);
    expect(client.saved?.scope).toBe("read");
    expect(await mcp.call("gateway_get_status")).toMatchObject({ ok: true });
    // The library would refresh the token first; without a refresh token it requests the scope at once.
    if (client.saved) client.saved = { ...client.saved, refresh_token: undefined };
    client.asked = undefined;
    const change = () => mcp.call("web_create_session", { name: "More", confirm: true });
    // The library handles the rejection by requesting the wider scope.
    await expect(change()).rejects.toThrow();
    const asked = client.asked as URL | undefined;
    expect(asked?.searchParams.get("scope")).toBe("read write");
    const rejected = await fetch(address, {
      method: "POST",
      headers: {
        authorization: `Bearer ${client.saved?.access_token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "web_create_session" } }),
    });
    expect(rejected.status).toBe(403);
    expect(rejected.headers.get("www-authenticate")).toMatch(
      /error="insufficient_scope", scope="read write", resource_metadata="/,
    );
    // For a client that requests more than it has, the page preselects the next scope.
    const answer = await approve(visitor, asked, parley.credentials);
    const tokens = await token(getExchange(client, answer));
    client.saved = { access_token: tokens.access_token ?? "", token_type: "Bearer" };
    // The same session continues with the new scope.
    expect(await change()).toMatchObject({ ok: true });
    expect((await listGrants()).filter(({ name }) => name === "Reader")).toMatchObject([{ scopes: ["read", "write"] }]);
  });

  test("refreshes its expired token, and loses access when a token is used twice", async () => {
    const client = createTestClient("Renewing");
    await using mcp = await signInClient(client);
    const first = client.saved?.refresh_token ?? "";
    if (client.saved) client.saved = { ...client.saved, access_token: "oat_over" };
    expect(await mcp.call("roll_dice")).toMatchObject({ ok: true });
    expect(client.saved?.refresh_token).not.toBe(first);
    const again = { grant_type: "refresh_token", client_id: client.information?.client_id ?? "" };
    expect(await token({ ...again, refresh_token: first })).toMatchObject({ status: 400, error: "invalid_grant" });
    expect(await token({ ...again, refresh_token: client.saved?.refresh_token ?? "" })).toMatchObject({
      error: "invalid_grant",
    });
    expect((await listGrants()).some(({ name }) => name === "Renewing")).toBe(false);
    await expect(mcp.call("roll_dice")).rejects.toThrow(UnauthorizedError);
  });

  test("loses access at once when it is revoked in the console, including open streams", async () => {
    const client = createTestClient("Gone");
    await using mcp = await signInClient(client);
    const headers = {
      authorization: `Bearer ${client.saved?.access_token}`,
      accept: "text/event-stream",
      "mcp-session-id": (mcp.client.transport as StreamableHTTPClientTransport).sessionId ?? "",
    };
    await eventually(async () => expect((await fetch(address, { headers })).status).toBe(409));
    const [grant] = (await listGrants()).filter(({ name }) => name === "Gone");
    expect((await api.send("DELETE", `/api/oauth-grants/${grant?.id}`)).status).toBe(200);
    expect((await fetch(address, { headers })).status).toBe(401);
    client.saved = undefined;
    await expect(mcp.call("roll_dice")).rejects.toThrow();
  });

  test("can revoke its access", async () => {
    const client = createTestClient("Leaving");
    await using _mcp = await signInClient(client);
    const body = new URLSearchParams({ token: client.saved?.refresh_token ?? "" });
    const revoke = () => fetch(new URL("/revoke", parley.address), { method: "POST", body });
    expect((await revoke()).status).toBe(200);
    expect((await listGrants()).some(({ name }) => name === "Leaving")).toBe(false);
    expect((await revoke()).status).toBe(200);
  });

  test("has no access to the rest of the service", async () => {
    const client = createTestClient("Nosy");
    await using _mcp = await signInClient(client);
    const other = api.as(client.saved?.access_token ?? "");
    for (const path of ["/api/sessions", "/api/oauth-grants", "/api/verify-token"]) {
      const answer = await other.send(path.endsWith("token") ? "POST" : "GET", path);
      expect([path, answer.status]).toEqual([path, path.endsWith("token") ? 400 : 401]);
    }
    const shown = await api.send("POST", "/api/verify-token", { body: { token: client.saved?.access_token } });
    expect(shown.status).toBe(401);
  });
});
