import { createHash } from "node:crypto";
import { Clock, Databases, HostControl, ProtectedResource } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { findFreePort } from "../harness/http/free-port.ts";
import { approve, createVisitor } from "../harness/mcp/oauth.ts";
import { type Parley, startParley } from "../harness/parley.ts";

// The attacker registers a client, which everybody can, and tries to get more than a person allows.

const REDIRECT = "http://127.0.0.1:33418/callback";
const VERIFIER = "v".repeat(43);
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

let parley: Parley;
let api: Client;
let address: string;
let clientId: string;

beforeAll(async () => {
  const port = await findFreePort();
  address = `http://127.0.0.1:${port}/mcp`;
  parley = await startParley({
    config: `[mcp]\nenabled = true\ntransport = streamable-http\nport = ${port}\n`,
  });
  api = await parley.signIn();
  clientId = await registerClient({ redirect_uris: [REDIRECT, "https://app.example/back?to=1"] });
});
afterAll(() => parley[Symbol.asyncDispose]());

type Fields = Readonly<Record<string, string>>;

async function register(metadata: object, to = parley.address) {
  const answer = await fetch(new URL("/register", to), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(metadata),
  });
  return { status: answer.status, ...((await answer.json()) as { client_id?: string; error?: string }) };
}

async function registerClient(metadata: object, to?: string): Promise<string> {
  const { client_id = "", ...rest } = await register(metadata, to);
  if (client_id === "") throw new Error(JSON.stringify(rest));
  return client_id;
}

function createAuthorizationUrl(more: Fields = {}): URL {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    resource: address,
    ...more,
  });
  return new URL(`/authorize?${query}`, parley.address);
}

const requestCode = async (more: Fields = {}) =>
  (await approve(createVisitor(), createAuthorizationUrl(more), parley.credentials)).searchParams.get("code") ?? "";

async function requestToken(form: Fields) {
  const answer = await fetch(new URL("/token", parley.address), { method: "POST", body: new URLSearchParams(form) });
  const body = (await answer.json()) as { error?: string; access_token?: string; refresh_token?: string };
  return { status: answer.status, ...body };
}

const exchangeCode = (code: string, more: Fields = {}) =>
  requestToken({
    grant_type: "authorization_code",
    ...{ client_id: clientId, code, code_verifier: VERIFIER, redirect_uri: REDIRECT, ...more },
  });

/** Returns whether a token is accepted at the MCP endpoint. */
async function isAccepted(access: string | undefined, at = address): Promise<boolean> {
  const headers = { authorization: `Bearer ${access}`, accept: "text/event-stream" };
  const { status } = await fetch(at, { headers });
  if (status !== 400 && status !== 401) throw new Error(`${status}`);
  return status === 400;
}

describe("an authorization code", () => {
  test.each([
    ["another verifier", { code_verifier: "w".repeat(43) }, "invalid_grant"],
    ["no verifier", { code_verifier: "" }, "invalid_grant"],
    ["another address", { redirect_uri: "https://app.example/back?to=1" }, "invalid_grant"],
    ["another resource", { resource: "https://elsewhere.example/mcp" }, "invalid_grant"],
    ["a client that is not registered", { client_id: "client_0" }, "invalid_client"],
  ])("is invalid with %s, and invalid afterwards", async (_, more, error) => {
    const code = await requestCode();
    expect(await exchangeCode(code, more)).toMatchObject({ error });
    if (error === "invalid_grant") expect(await exchangeCode(code)).toMatchObject({ status: 400, error });
  });

  test("expires after a minute", async () => {
    const code = await requestCode();
    const clock = parley.host.get(Clock);
    const later = vi.spyOn(clock, "now").mockReturnValue(clock.now() + 60_001);
    try {
      expect(await exchangeCode(code)).toMatchObject({ error: "invalid_grant" });
    } finally {
      later.mockRestore();
    }
  });

  test("that is used twice revokes its tokens", async () => {
    const code = await requestCode();
    const { access_token } = await exchangeCode(code);
    expect(await isAccepted(access_token)).toBe(true);
    expect(await exchangeCode(code)).toMatchObject({ error: "invalid_grant" });
    expect(await isAccepted(access_token)).toBe(false);
  });

  test("requested concurrently is issued to one request at most, and stored by none", async () => {
    const code = await requestCode();
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchangeCode(code)));
    const got = answers.filter(({ access_token }) => access_token !== undefined);
    expect(got.length).toBeLessThanOrEqual(1);
    for (const { access_token } of got) expect(await isAccepted(access_token)).toBe(false);
  });
});

describe("an access token", () => {
  test("expires after an hour, and is no refresh token", async () => {
    const { access_token, refresh_token } = await exchangeCode(await requestCode());
    expect(await isAccepted(refresh_token)).toBe(false);
    const clock = parley.host.get(Clock);
    const later = vi.spyOn(clock, "now").mockReturnValue(clock.now() + 3_600_001);
    try {
      expect(await isAccepted(access_token)).toBe(false);
    } finally {
      later.mockRestore();
    }
    expect(await isAccepted(access_token)).toBe(true);
    expect(await isAccepted(`${access_token?.slice(0, 20)}x${access_token?.slice(21)}`)).toBe(false);
  });

  test("is rejected while its owner may not sign in, with everything derived from it", async () => {
    const { access_token } = await exchangeCode(await requestCode());
    const set = (mcp: object) => api.put("/api/settings", { mcp });
    await set({ oauth_enabled: false });
    expect(await isAccepted(access_token)).toBe(false);
    for (const path of [
      "/.well-known/oauth-authorization-server",
      "/.well-known/oauth-protected-resource",
      createAuthorizationUrl().href,
    ])
      expect((await fetch(new URL(path, parley.address))).status).toBe(404);
    expect((await fetch(address)).headers.get("www-authenticate")).toBe("Bearer");
    expect(await register({ redirect_uris: [REDIRECT] })).toMatchObject({ status: 404 });
    await set({ oauth_enabled: true });
    expect(await isAccepted(access_token)).toBe(true);
  });

  test("is refreshed for its own client only, and not with more scopes", async () => {
    const { refresh_token = "" } = await exchangeCode(await requestCode());
    const other = await registerClient({ redirect_uris: [REDIRECT] });
    const renew = (more: Fields) =>
      requestToken({ grant_type: "refresh_token", client_id: clientId, refresh_token, ...more });
    expect(await renew({ client_id: other })).toMatchObject({ error: "invalid_grant" });
    expect(await renew({ scope: "admin" })).toMatchObject({ error: "invalid_scope" });
    expect(await renew({ resource: "https://elsewhere.example/mcp" })).toMatchObject({ error: "invalid_target" });
    expect(await renew({})).toMatchObject({ status: 200 });
  });

  test("is not in the database in clear, nor is a code", async () => {
    const code = await requestCode();
    const { access_token = "", refresh_token = "" } = await exchangeCode(code);
    const tables = parley.host.get(Databases).main.tables<Record<"oauth_codes" | "oauth_grants", object>>();
    const rows = [
      await tables.selectFrom("oauth_codes").selectAll().execute(),
      await tables.selectFrom("oauth_grants").selectAll().execute(),
    ];
    expect(rows.map(({ length }) => length > 0)).toEqual([true, true]);
    for (const secret of [code, access_token, refresh_token]) expect(JSON.stringify(rows)).not.toContain(secret);
  });
});

test("a person who authorizes very many clients does not prevent others from doing so", async () => {
  type Tables = Record<"oauth_codes", Readonly<Record<string, unknown>>>;
  const { main } = parley.host.get(Databases);
  const tables = main.tables<Tables>();
  const expires_at = parley.host.get(Clock).now() + 60_000;
  const fill = async (account_id: string) => {
    const codes = Array.from({ length: 600 }, (_, at) => ({
      ...{ id: `${account_id} ${at}`, client_id: clientId, account_id, username: account_id, scopes: "read" },
      ...{ resource: address, redirect_uri: REDIRECT, challenge: CHALLENGE, ends_by: null, expires_at, grant_id: null },
    }));
    await main.write([{ query: tables.insertInto("oauth_codes").values(codes) }]);
  };
  const { items } = await api.get<{ items: { id: string }[] }>("/api/accounts");
  await fill("user_other");
  expect(await requestCode()).toMatch(/^oac_/);
  await fill(items[0]?.id ?? "");
  await expect(requestCode()).rejects.toThrow("This cannot continue");
  await main.write([{ query: tables.deleteFrom("oauth_codes") }]);
});

describe("the authorization page", () => {
  test.each([
    ["a client nobody knows", { client_id: "client_0" }],
    ["an address that was not registered", { redirect_uri: "https://evil.example/" }],
    ["an address that begins like a registered one", { redirect_uri: `${REDIRECT}/../x` }],
    ["an address with a person in it", { redirect_uri: "http://127.0.0.1:1@evil.example/callback" }],
    ["an https address with another port", { redirect_uri: "https://app.example:444/back?to=1" }],
  ])("redirects nowhere for %s", async (_, more) => {
    const { status, html, location } = await createVisitor().open(createAuthorizationUrl(more));
    expect([status, location]).toEqual([400, ""]);
    expect(html).not.toContain("href=");
  });

  test.each([
    ["no proof", { code_challenge: "" }, "invalid_request"],
    ["a plain proof", { code_challenge_method: "plain" }, "invalid_request"],
    ["a token at once", { response_type: "token" }, "unsupported_response_type"],
    ["a resource of somebody else", { resource: "https://elsewhere.example/mcp" }, "invalid_target"],
    ["a resource on another port of this machine", { resource: "http://127.0.0.1:1/mcp" }, "invalid_target"],
    ["a right that there is not", { scope: "admin" }, "invalid_scope"],
  ])("explains what is wrong with %s, and redirects nobody automatically", async (_, more, error) => {
    const { status, html, location } = await createVisitor().open(createAuthorizationUrl(more));
    expect([status, location]).toEqual([400, ""]);
    expect(html).toContain(`error=${error}`);
  });

  test("accepts any port of a program on this machine", async () => {
    const redirect_uri = "http://127.0.0.1:50505/callback";
    const answer = await approve(createVisitor(), createAuthorizationUrl({ redirect_uri }), parley.credentials);
    expect(answer.href).toContain(redirect_uri);
  });

  test("shows client data as text, in the reader's language", async () => {
    const name = `"><script src="//evil.example"></script><b>&`;
    const hostile = await registerClient({ client_name: name, redirect_uris: [REDIRECT] });
    const url = createAuthorizationUrl({ client_id: hostile, state: `"><img src=x onerror=alert(1)>` });
    const visitor = createVisitor("zh-CN,zh;q=0.9");
    const first = await visitor.open(url);
    expect(first.html).toContain('lang="zh"');
    const signedIn = await visitor.submit(first, url, parley.credentials);
    const { html, headers } = await visitor.open(new URL(signedIn.location, url));
    for (const page of [first.html, html]) expect(page).not.toMatch(/<script|<img|<b>&/);
    expect(html).toContain("&lt;script src=&quot;//evil.example&quot;&gt;");
    expect(html).toContain("允许");
    expect(headers.get("x-frame-options")).toBe("DENY");
    const policy = headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' http://127.0.0.1:33418;");
  });

  test("accepts a decision only from its own form, for the same login, site and request", async () => {
    const visitor = createVisitor();
    const url = createAuthorizationUrl();
    await visitor.submit(await visitor.open(url), url, parley.credentials);
    const page = await visitor.open(url);
    const decided = (typed: Fields, headers: Fields = {}) =>
      visitor.submit(page, url, { decision: "allow", ...typed }, headers);
    expect((await decided({}, { origin: "https://evil.example" })).status).toBe(403);
    expect((await decided({}, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await decided({ proof: "x" })).status).toBe(403);
    expect((await decided({ state: "another" })).status).toBe(403);
    expect((await decided({ level: "admin" })).status).toBe(400);
    const other = createVisitor();
    await other.submit(await other.open(url), url, parley.credentials);
    expect((await other.submit(page, url, { decision: "allow" })).status).toBe(403);
    const rejected = await decided({ decision: "deny" });
    expect(new URL(rejected.location).searchParams.get("error")).toBe("access_denied");
    const stranger = await createVisitor().submit(page, url, { decision: "allow" });
    expect([stranger.status, stranger.location]).toEqual([200, ""]);
  });

  test("counts wrong passwords like the console does", async () => {
    const visitor = createVisitor();
    const url = createAuthorizationUrl();
    const page = await visitor.open(url);
    const wrong = async () => (await visitor.submit(page, url, { username: "mallory", password: "wrong" })).status;
    const tries: number[] = [];
    for (let n = 0; n < 6; n += 1) tries.push(await wrong());
    expect(tries).toEqual([401, 401, 401, 401, 401, 429]);
    const foreign = await visitor.submit(page, url, parley.credentials, { origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
  });
});

test("a client that requests only the address learns where to sign in, under the requested name", async () => {
  const { port } = new URL(address);
  const answer = await fetch(`http://localhost:${port}/mcp`);
  expect(answer.status).toBe(401);
  const metadataUrl = `http://localhost:${port}/.well-known/oauth-protected-resource/mcp`;
  expect(answer.headers.get("www-authenticate")).toBe(`Bearer resource_metadata="${metadataUrl}"`);
  expect(await (await fetch(metadataUrl)).json()).toMatchObject({
    resource: `http://localhost:${port}/mcp`,
    authorization_servers: [parley.address],
    // config.ini limits every grant to this scope.
    scopes_supported: ["read"],
  });
});

test("behind a proxy every URL has the public address", async () => {
  const port = await findFreePort();
  await using other = await startParley({
    config: `[mcp]\nenabled = true\ntransport = streamable-http\nport = ${port}\n[web]\npublic_base_url = https://bot.example.org/\n`,
  });
  expect(other.host.get(HostControl).phase()).toBe("ready");
  expect(other.host.get(ProtectedResource).address).toBe("https://bot.example.org/mcp");
  const { headers } = await fetch(`http://127.0.0.1:${port}/mcp`);
  expect(headers.get("www-authenticate")).toBe(
    `Bearer resource_metadata="https://bot.example.org/.well-known/oauth-protected-resource/mcp"`,
  );
  const json = async (path: string) => (await fetch(new URL(path, other.address))).json();
  expect(await json("/.well-known/oauth-protected-resource/mcp")).toMatchObject({
    resource: "https://bot.example.org/mcp",
    authorization_servers: ["https://bot.example.org"],
  });
  expect(await json("/.well-known/oauth-authorization-server")).toMatchObject({
    issuer: "https://bot.example.org",
    token_endpoint: "https://bot.example.org/token",
  });
});

describe("client registration", () => {
  test.each([
    ["http to somewhere", ["http://app.example/"]],
    ["a scheme of its own", ["app://back"]],
    ["a script", ["javascript:alert(1)"]],
    ["a fragment", ["https://app.example/#x"]],
    ["a person", ["https://me@app.example/"]],
    ["what ends a header's rule", ["https://a;script-src.example/"]],
    ["none", []],
    ["too many", Array.from({ length: 11 }, (_, at) => `https://app.example/${at}`)],
  ])("accepts no address with %s", async (_, redirect_uris) => {
    expect(await register({ redirect_uris })).toMatchObject({ status: 400, error: "invalid_redirect_uri" });
  });

  test("accepts no name with direction characters", async () => {
    expect(await register({ client_name: "a\u202eb", redirect_uris: [REDIRECT] })).toMatchObject({
      error: "invalid_client_metadata",
    });
  });

  test("is limited for each network, and reports the delay", async () => {
    await using flooded = await startParley({
      config: `[mcp]\nenabled = true\ntransport = streamable-http\nport = ${await findFreePort()}\n`,
    });
    const statuses: number[] = [];
    for (let n = 0; n < 14; n += 1)
      statuses.push((await register({ redirect_uris: [REDIRECT] }, flooded.address)).status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(statuses.slice(10)).toEqual([429, 429, 429, 429]);
  });
});
