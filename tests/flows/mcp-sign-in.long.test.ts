import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillDetail, type LocalizedError } from "@parley/core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { findFreePort } from "../harness/http/free-port.ts";
import { approve, createVisitor } from "../harness/mcp/oauth.ts";
import { type OAuthMcpServer, startOAuthMcpServer } from "../harness/mcp/oauth-mcp-server.ts";
import { type Parley, startParley } from "../harness/parley.ts";

// Sign-in to other MCP servers: to another Parley, and to a test server that can misbehave.

let parley: Parley;
let other: Parley;
let api: Client;
let address: string;
let remote: OAuthMcpServer;
let count = 0;

beforeAll(async () => {
  const port = await findFreePort();
  address = `http://127.0.0.1:${port}/mcp`;
  const config = `[mcp]\nenabled = true\ntransport = streamable-http\nport = ${port}\nadmin = true\n`;
  [parley, other, remote] = await Promise.all([startParley(), startParley({ config }), startOAuthMcpServer()]);
  api = await parley.signIn();
}, 60_000);
afterAll(async () => {
  await remote?.[Symbol.asyncDispose]();
  await Promise.all([parley, other].map((one) => one?.[Symbol.asyncDispose]()));
});

interface Shown {
  readonly sign_in: string;
  readonly connected: boolean;
  readonly tool_count: number;
  readonly last_error: string | null;
}

async function addServer(url: string, more: object = {}): Promise<string> {
  const id = `far-${++count}`;
  await api.post("/api/mcp-servers", { id, name: id, transport: "streamable-http", url, ...more });
  return id;
}
const getServer = async (id: string): Promise<Shown> => {
  const { items } = await api.get<{ items: readonly (Shown & { readonly id: string })[] }>("/api/mcp-servers");
  const found = items.find((one) => one.id === id);
  if (!found) throw new Error(`no server ${id}`);
  return found;
};
const connect = (id: string) => api.send("POST", `/api/mcp-servers/${id}/connect`, { body: {} });
const begin = async (id: string, body: object = {}) =>
  new URL((await api.post<{ authorization_url: string }>(`/api/mcp-servers/${id}/sign-in`, body)).authorization_url);
/** Requests the redirect URL as a browser does. */
const comeBack = async (address: URL, language = "en") => {
  const answer = await fetch(address, { headers: { "accept-language": language } });
  return { status: answer.status, html: await answer.text(), headers: answer.headers };
};
const isConnected = (id: string) =>
  eventually(async () => expect(await getServer(id)).toMatchObject({ connected: true }));
const call = (id: string, tool: string) =>
  api.send("POST", `/api/mcp-servers/${id}/call`, { body: { tool, confirm: true } });

test("a person signs in to another Parley, and its tools are called until access is revoked", async () => {
  const id = await addServer(address, { auto_connect: true });
  await eventually(async () => expect(await getServer(id)).toMatchObject({ sign_in: "needed", connected: false }));
  expect((await getServer(id)).last_error).toContain("sign in first");
  const { items } = await api.get<{ items: readonly { key: string }[] }>("/api/system/findings");
  expect(items.filter(({ key }) => key.startsWith("mcp."))).toMatchObject([{ key: "mcp.sign_in" }]);

  const page = await begin(id);
  expect(page.searchParams.get("code_challenge_method")).toBe("S256");
  expect(page.searchParams.get("resource")).toBe(address);
  const back = await approve(createVisitor(), page, other.credentials, { level: "admin" });
  expect(back.origin).toBe(parley.address);
  expect(await comeBack(back)).toMatchObject({ status: 200, html: expect.stringContaining("You are signed in") });
  await isConnected(id);
  expect(await getServer(id)).toMatchObject({ sign_in: "signed_in", last_error: null });
  expect(await call(id, "roll_dice")).toMatchObject({ status: 200 });

  const theirs = await other.signIn();
  const grants = await theirs.get<{ items: readonly { id: string }[] }>("/api/oauth-grants");
  for (const grant of grants.items) await theirs.send("DELETE", `/api/oauth-grants/${grant.id}`);
  expect(await call(id, "roll_dice")).toMatchObject({ status: 403 });
  await eventually(async () => expect(await getServer(id)).toMatchObject({ sign_in: "again", connected: false }));
  await comeBack(await approve(createVisitor(), await begin(id), other.credentials));
  await isConnected(id);
});

/** Opens the page and returns the redirect URL of its response. */
async function followRedirect(page: URL): Promise<URL> {
  const answer = await fetch(page, { redirect: "manual" });
  return new URL(answer.headers.get("location") ?? "");
}
async function addSignedIn(more: object = {}): Promise<string> {
  const id = await addServer(remote.address, more);
  expect(await comeBack(await followRedirect(await begin(id)))).toMatchObject({ status: 200 });
  await isConnected(id);
  return id;
}
/** Runs a function while the server behaves differently. */
async function runWithManners(manners: Partial<OAuthMcpServer["manners"]>, run: () => Promise<unknown>): Promise<void> {
  const before = { ...remote.manners };
  Object.assign(remote.manners, manners);
  try {
    await run();
  } finally {
    Object.assign(remote.manners, before);
  }
}
const requestSignIn = (id: string) => api.send("POST", `/api/mcp-servers/${id}/sign-in`, { body: {} });

test("an expired token is refreshed during a tool call, unnoticed", async () => {
  const id = await addSignedIn();
  remote.expire();
  const [one, two] = await Promise.all([call(id, "look"), call(id, "act")]);
  expect([one.status, two.status]).toEqual([200, 200]);
  const refreshes = remote.forms.filter(({ grant_type }) => grant_type === "refresh_token");
  expect(refreshes).toMatchObject([{ resource: remote.address }]);
  expect(await getServer(id)).toMatchObject({ sign_in: "signed_in", connected: true });
});

test("a rejected refresh requires a person; a brief failure of the server does not", async () => {
  const id = await addSignedIn({ auto_connect: true });
  await runWithManners({ tokenStatus: 503 }, async () => {
    remote.expire();
    expect(await call(id, "look")).toMatchObject({ status: 502 });
    expect(await getServer(id)).toMatchObject({ sign_in: "signed_in", connected: false });
  });
  await isConnected(id);
  await runWithManners({ rejectsRefresh: true }, async () => {
    remote.expire();
    await call(id, "look");
    expect(await getServer(id)).toMatchObject({
      ...{ sign_in: "again", connected: false },
      last_error: expect.stringContaining("sign in again"),
    });
  });
  const registered = remote.asked.filter((row) => row === "POST /register").length;
  await comeBack(await followRedirect(await begin(id)));
  await isConnected(id);
  // The registration is still valid.
  expect(remote.asked.filter((row) => row === "POST /register")).toHaveLength(registered);
});

test("a state that is wrong, used, of another server or late is rejected", async () => {
  const [id, second] = [await addServer(remote.address), await addServer(remote.address)];
  const back = await followRedirect(await begin(id));
  const withParameter = (name: string, value: string) => {
    const url = new URL(back);
    url.searchParams.set(name, value);
    return url;
  };
  const secret = (back.searchParams.get("state") ?? "").split(".")[1];
  const tokens = remote.forms.length;
  for (const state of ["", "x", `${id}.${"A".repeat(43)}`, `${second}.${secret}`, `nobody.${secret}`]) {
    expect(await comeBack(withParameter("state", state)), state).toMatchObject({ status: 400 });
  }
  expect(remote.forms).toHaveLength(tokens);
  const answers = await Promise.all([comeBack(back), comeBack(back)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(await comeBack(back)).toMatchObject({ status: 400 });
  await isConnected(id);
});

test("a sign-in that took more than ten minutes starts again", async () => {
  const now = Date.now();
  using clock = vi.spyOn(Date, "now").mockReturnValue(now);
  const id = await addServer(remote.address);
  const late = await followRedirect(await begin(id));
  const tokens = remote.forms.length;
  clock.mockReturnValue(now + 600_000);
  expect(await comeBack(late)).toMatchObject({ status: 400, html: expect.stringContaining("took too long") });
  expect(await comeBack(late)).toMatchObject({ status: 400, html: expect.stringContaining("is unknown") });
  expect(remote.forms).toHaveLength(tokens);
  const again = await followRedirect(await begin(id));
  clock.mockReturnValue(now + 1_199_999);
  expect(await comeBack(again)).toMatchObject({ status: 200 });
});

test("a response with another issuer is rejected", async () => {
  const id = await addServer(remote.address);
  const back = await followRedirect(await begin(id));
  back.searchParams.set("iss", "https://elsewhere.example");
  expect(await comeBack(back)).toMatchObject({
    status: 400,
    html: expect.stringContaining("a different server answered"),
  });
});

test("a denial is reported to the person in their language, and the server's text is shown as text", async () => {
  const id = await addServer(remote.address);
  await runWithManners({ error: "access_denied" }, async () => {
    const back = await followRedirect(await begin(id));
    back.searchParams.set("error_description", "<script>alert(1)</script>");
    const { status, html, headers } = await comeBack(back, "zh-CN,zh;q=0.9");
    expect(status).toBe(400);
    expect(html).toContain("登录失败");
    expect(html).toContain("access_denied: &lt;script&gt;");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(await comeBack(back)).toMatchObject({ status: 400 });
  });
  expect(await getServer(id)).toMatchObject({ connected: false });
});

test.each([
  ["metadata in another's name", { issuer: "https://elsewhere.example" }, "refers to another server"],
  ["an authorization server in a private network", { authorizationServer: "http://10.0.0.7/" }, ""],
  ["an authorization server that is a cloud's", { authorizationServer: "http://169.254.169.254/latest" }, ""],
  ["an authorization server that is no web address", { authorizationServer: "ftp://127.0.0.1/" }, ""],
])("%s redirects nobody", async (_, manners, message) => {
  const id = await addServer(remote.address);
  const registered = remote.asked.filter((row) => row === "POST /register").length;
  await runWithManners(manners, async () => {
    const rejected = await requestSignIn(id);
    expect([400, 502]).toContain(rejected.status);
    expect(JSON.stringify(rejected.json)).toContain(message);
  });
  expect(remote.asked.filter((row) => row === "POST /register")).toHaveLength(registered);
});

test("a redirect to an arbitrary address is not followed", async () => {
  await using hidden = await startOAuthMcpServer();
  await runWithManners(
    { redirect: hidden.address.replace("/mcp", "/.well-known/oauth-protected-resource/mcp") },
    async () => {
      const page = await begin(await addServer(remote.address));
      expect(page.origin).toBe(new URL(remote.address).origin);
    },
  );
  expect(hidden.asked).toEqual([]);
});

test("a server that requires another scope is shown, and that scope is requested", async () => {
  const id = await addSignedIn();
  await runWithManners({ neededScope: "files:write" }, async () => {
    expect(await call(id, "look")).toMatchObject({
      status: 403,
      json: { error: expect.stringContaining("files:write") },
    });
  });
  expect(await getServer(id)).toMatchObject({ sign_in: "again" });
  expect((await begin(id)).searchParams.get("scope")).toBe("files:write");
});

test("a manually registered client is used where a server offers no registration", async () => {
  const id = await addServer(remote.address);
  await runWithManners({ hasRegistration: false }, async () => {
    expect(await requestSignIn(id)).toMatchObject({ status: 502 });
    const page = await begin(id, {
      client: { client_id: "by-hand", client_secret: "by-hand-secret-8812" },
      scope: "all",
    });
    expect(Object.fromEntries(page.searchParams)).toMatchObject({ client_id: "by-hand", scope: "all" });
    await comeBack(await followRedirect(page));
    await isConnected(id);
    expect(remote.forms.at(-1)).toMatchObject({ client_id: "by-hand", client_secret: "by-hand-secret-8812" });
  });
});

test("signing out revokes access; another address gets nothing, and nothing shows a token", async () => {
  const id = await addSignedIn();
  const [access = "", refresh = ""] = [
    String(remote.headers.at(-1)?.authorization).slice(7),
    remote.forms.at(-1)?.code_verifier,
  ];
  expect(access).toMatch(/^at_/);
  for (const path of ["/api/mcp-servers", "/api/gateway/logs?limit=500", "/api/config-transfer/export"]) {
    const { text } = await api.send("GET", path);
    expect([path, text.includes(access), text.includes(refresh)]).toEqual([path, false, false]);
  }
  expect(filesBelow(parley.root).filter((file) => /[ar]t_[0-9a-f]{8}-/.test(readFileSync(file, "latin1")))).toEqual([]);

  const otherServer = await startOAuthMcpServer();
  await api.put(`/api/mcp-servers/${id}`, { url: otherServer.address });
  await connect(id);
  expect(otherServer.headers.every(({ authorization }) => authorization === undefined)).toBe(true);
  expect(await getServer(id)).toMatchObject({ sign_in: "needed" });
  await otherServer[Symbol.asyncDispose]();

  const other = await addSignedIn();
  expect(await api.send("DELETE", `/api/mcp-servers/${other}/sign-in`)).toMatchObject({ status: 200 });
  await eventually(() => expect(remote.revoked.at(-1)).toMatch(/^rt_/));
  await connect(other);
  expect(await getServer(other)).toMatchObject({ sign_in: "needed", connected: false });
});

const REVOKE = "mcp-bridge.revoke";
interface RevocationJob {
  readonly id: string;
  readonly status: string;
  readonly error: LocalizedError | null;
}

test("nobody waits for a server that does not revoke: retries continue after a restart, and nobody can read the credentials", async () => {
  const root = mkdtempSync(join(tmpdir(), "parley-sign-out-"));
  const start = () => startParley({ root, config: "[plugin.jobs]\ndrain_s = 0\n" });
  const lists = async (client: Client) =>
    (await client.get<{ items: readonly { id: string }[] }>("/api/mcp-servers")).items.map(({ id }) => id);
  let service = await start();
  try {
    let mine = await service.signIn();
    const entry = { id: "mute", name: "mute", transport: "streamable-http", url: remote.address };
    await mine.post("/api/mcp-servers", entry);
    const { authorization_url } = await mine.post<{ authorization_url: string }>("/api/mcp-servers/mute/sign-in", {});
    await comeBack(await followRedirect(new URL(authorization_url)));
    const before = remote.revoked.length;
    await runWithManners({ revocationStatus: undefined }, async () => {
      expect(await mine.send("DELETE", "/api/mcp-servers/mute")).toMatchObject({ status: 200 });
      expect(await lists(mine)).not.toContain("mute");
      // The request is still pending.
      await eventually(() => expect(remote.waiting.size).toBe(1));
      const [job] = (await mine.get<{ items: readonly RevocationJob[] }>(`/api/jobs?kind=${REVOKE}`)).items;
      expect(job).toMatchObject({ status: "running", error: null });
      const { payload } = await mine.get<{ payload: object }>(`/api/jobs/${job?.id}`);
      expect(payload).toEqual({ server_id: "mute", sealed_token: "***" });
      const [token = ""] = remote.waiting;
      await service[Symbol.asyncDispose]();
      expect(filesBelow(root).filter((file) => readFileSync(file, "latin1").includes(token))).toEqual([]);
    });
    service = await start();
    mine = await service.signIn();
    expect(await lists(mine)).not.toContain("mute");
    await eventually(() => expect(remote.revoked.slice(before)).toEqual([expect.stringMatching(/^rt_/)]));
  } finally {
    await service[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  }
});

const getPayload = async (job: RevocationJob | undefined) =>
  (await api.get<{ payload: object }>(`/api/jobs/${job?.id}`)).payload;
test.each([
  [503, "waiting", "upstream_failed", "is tried again with what it needs", ["server_id", "sealed_token"], 200],
  [400, "dead", "permission_denied", "is over, and what it needed is not kept", ["server_id"], 409],
])(
  "a revocation answered with %i is %s with %s: it %s",
  async (revocationStatus, status, code, _what, remaining, retried) => {
    const id = await addSignedIn();
    const jobs = async () => (await api.get<{ items: readonly RevocationJob[] }>(`/api/jobs?kind=${REVOKE}`)).items;
    const before = remote.revoked.length;
    let job: RevocationJob | undefined;
    await runWithManners({ revocationStatus }, async () => {
      expect(await api.send("DELETE", `/api/mcp-servers/${id}/sign-in`)).toMatchObject({ status: 200 });
      await eventually(async () => {
        [job] = await jobs();
        expect(job).toMatchObject({ status, error: { code } });
      });
    });
    expect(fillDetail(job?.error?.detail ?? {}, "zh")).toMatch(
      new RegExp(`^\\S+ 撤销授权时返回了 ${revocationStatus}$`),
    );
    expect(Object.keys(await getPayload(job))).toEqual(remaining);
    // A manual retry runs at once.
    expect(await api.send("POST", `/api/jobs/${job?.id}/retry`, { body: {} })).toMatchObject({ status: retried });
    await eventually(() => expect(remote.revoked.slice(before)).toHaveLength(retried === 200 ? 1 : 0));
    if (retried === 200)
      await eventually(async () => expect(Object.keys(await getPayload(job))).toEqual(["server_id"]));
  },
);

test("a new address revokes access at the former one", async () => {
  const id = await addSignedIn();
  const before = remote.revoked.length;
  await using otherServer = await startOAuthMcpServer();
  await api.put(`/api/mcp-servers/${id}`, { url: otherServer.address });
  await eventually(() => expect(remote.revoked.slice(before)).toHaveLength(1));
  expect(otherServer.revoked).toEqual([]);
});

test("behind a proxy the browser returns to the public address", async () => {
  await api.put("/api/settings", { web: { public_base_url: "https://bot.example" } });
  const page = await begin(await addServer(remote.address));
  expect(page.searchParams.get("redirect_uri")).toBe("https://bot.example/api/mcp-servers/oauth/callback");
  await api.put("/api/settings", { web: { public_base_url: null } });
});

test.each([
  ["a program", { transport: "stdio", command: "npx", args: ["some-server@1.0.0"] }],
  ["a server whose key is given", { url: "http://127.0.0.1:9/mcp", headers_env: { Authorization: "SOME_KEY" } }],
])("there is no sign-in to %s", async (_, entry) => {
  const id = `no-${++count}`;
  await api.post("/api/mcp-servers", { id, name: id, transport: "streamable-http", ...entry });
  expect(await requestSignIn(id)).toMatchObject({ status: 409 });
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile());
}
