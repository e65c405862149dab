import {
  Accounts,
  ANONYMOUS,
  type Caller,
  Clock,
  Databases,
  Environment,
  type HttpReply,
  LiveEvents,
  RecordStore,
  type RouteRequest,
  RouteTables,
  SCOPES,
  silentLogger,
} from "@parley/core";
import type { List } from "@parley/core/http";
import { hashPassword, isPassword } from "@parley/core/secrets";
import {
  createTestClock,
  memoryDatabases,
  memoryRecordStore,
  recordedEvents,
  type StartedPlugins,
  startPlugins,
} from "@parley/testing";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Credentials } from "./credentials/credentials.ts";
import accounts from "./index.ts";
import { ensureAdministrator } from "./people/administrator.ts";
import {
  ACCOUNTS,
  type Account,
  API_KEYS,
  ENDED_LOGINS,
  type KeyView,
  LOGIN_TOKENS,
  type TokenView,
} from "./records.ts";
import { createVerifiedPasswords } from "./sign-in/verified-passwords.ts";

const clock = createTestClock();
let variables: Record<string, string>;
let records: RecordStore;
const makeRecords = () =>
  memoryRecordStore({
    kinds: () => [],
    documents: () => [ACCOUNTS, LOGIN_TOKENS, API_KEYS, ENDED_LOGINS] as never,
  });
let running: StartedPlugins;

const start = () =>
  startPlugins([accounts], {
    services: [
      [RecordStore as never, records],
      [Databases as never, memoryDatabases()],
      [Environment as never, { get: (name) => variables[name], secret: () => undefined } satisfies Environment],
      [LiveEvents as never, recordedEvents()],
      [Clock as never, clock],
    ],
  });

beforeEach(async () => {
  variables = { SVC_ADMIN_PASSWORD: "correct horse" };
  records = makeRecords();
  running = await start();
});

const rowOf = (method: string, path: string) =>
  running
    .all(RouteTables)
    .flat()
    .find((row) => row.method === method && row.path === path);

/** Calls the login route as a browser at `address` does. */
async function login(
  password: string,
  { username = "admin", address = "10.0.0.1", headers = {}, signal = new AbortController().signal } = {},
): Promise<HttpReply> {
  return (await rowOf("POST", "/api/login")?.run({
    body: { username, password },
    signal,
    address,
    headers,
    origin: "http://127.0.0.1:5000",
  } as unknown as RouteRequest)) as HttpReply;
}

const tokenOf = async (password = "correct horse") => ((await login(password)).data as { token: string }).token;
const who = (secret: string) => running.get(Accounts).authenticate(secret, "10.0.0.1");

describe("signing in", () => {
  test("returns a token that is valid at once, and a cookie that no script can read", async () => {
    const { data, headers } = await login("correct horse");
    expect(await who((data as { token: string }).token)).toMatchObject({ kind: "login", username: "admin" });
    expect(headers?.["set-cookie"]).toMatch(
      /^svc_auth_token=tok_\S+; HttpOnly; SameSite=Lax; Path=\/; Max-Age=2592000$/,
    );
  });

  test("fails alike for a wrong password and an unknown name", async () => {
    const wrong = await login("wrong").catch((error) => error);
    const unknown = await login("wrong", { username: "nobody" }).catch((error) => error);
    expect(wrong).toMatchObject({ code: "unauthorized" });
    expect(unknown.message).toBe(wrong.message);
  });

  test("is delayed after five failures of one client with one name, and works again when the first expires", async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) await login("wrong").catch(() => {});
    await expect(login("correct horse")).rejects.toMatchObject({ code: "rate_limited", retryAfterS: 300 });
    clock.advance(300_001);
    expect(await login("correct horse")).toBeDefined();
  });

  test("is delayed after twenty failures of one client with many names", async () => {
    for (let attempt = 0; attempt < 20; attempt += 1) await login("wrong", { username: `u${attempt}` }).catch(() => {});
    await expect(login("correct horse")).rejects.toMatchObject({ code: "rate_limited" });
  });

  test("counts the addresses of an IPv6 /64 as one client", async () => {
    for (const host of [1, 2, 3, 4, 5]) await login("wrong", { address: `2001:db8:1:2::${host}` }).catch(() => {});
    await expect(login("correct horse", { address: "2001:db8:1:2:9::9" })).rejects.toMatchObject({
      code: "rate_limited",
    });
    expect(await login("correct horse", { address: "2001:db8:1:3::1" })).toBeDefined();
  });

  test("lets nobody lock a name: failures of others delay its owner by less than a second", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      for (let address = 0; address < 40; address += 1) {
        const left = AbortSignal.abort(new Error("left"));
        await login("wrong", { address: `10.1.0.${address}`, signal: left }).catch(() => {});
      }
      const attempt = login("correct horse", { address: "10.2.0.1" });
      const meanwhile = await Promise.race([attempt, vi.advanceTimersByTimeAsync(0).then(() => "waits")]);
      expect(meanwhile).toBe("waits");
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await attempt).toBeDefined();
    } finally {
      vi.useRealTimers();
    }
  });

  test("allows no more attempts in parallel than one after another", async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => login("wrong")));
    const codes = attempts.map((attempt) => attempt.status === "rejected" && attempt.reason.code);
    expect(codes.filter((code) => code === "unauthorized")).toHaveLength(5);
  });

  test("rejects a flood of attempts before any work, and still accepts the right password", async () => {
    const many = Array.from({ length: 20 }, (_, index) =>
      login("wrong", { username: `u${index}`, address: `10.1.0.${index}` }).catch(({ code }) => code),
    );
    expect(await login("correct horse")).toBeDefined();
    const codes = await Promise.all(many);
    expect(codes.filter((code) => code === "unauthorized")).toHaveLength(10);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(10);
  });

  test("clears earlier failures after a success", async () => {
    for (let attempt = 0; attempt < 4; attempt += 1) await login("wrong").catch(() => {});
    await login("correct horse");
    await expect(login("wrong")).rejects.toMatchObject({ code: "unauthorized" });
  });

  test("beyond the session limit ends the account's least recently used logins, and locks out nobody", async () => {
    const account = { id: "user_ann", role: "reader", made_by: "admin", created_at: "" } as const;
    await records
      .documents(ACCOUNTS)
      .put({ ...account, username: "ann", password_hash: await hashPassword("battery staple") });
    const ofAdmin = await tokenOf();
    const signIn = async () => ((await login("battery staple", { username: "ann" })).data as { token: string }).token;
    const first = await signIn();
    let last = first;
    for (let count = 0; count < 1_100; count += 1) {
      clock.advance(1_000);
      last = await signIn();
    }
    expect(await who(last)).toMatchObject({ username: "ann" });
    expect(await who(await tokenOf())).toMatchObject({ username: "admin" });
    expect(await who(ofAdmin)).toMatchObject({ username: "admin" });
    expect(await who(first)).toBeUndefined();
    const { refusal } = running.get(Accounts) as Credentials;
    expect((await refusal(first))?.detail?.key).toBe("accounts.login_many");
    expect(await records.documents(LOGIN_TOKENS).list()).toHaveLength(102);
  });

  test("is rejected from another site", async () => {
    await expect(login("correct horse", { headers: { origin: "http://evil.example" } })).rejects.toMatchObject({
      code: "permission_denied",
    });
  });

  test("stores no password or token in plain text", async () => {
    const token = await tokenOf();
    const serialized = JSON.stringify([
      await records.documents(ACCOUNTS).list(),
      await records.documents(LOGIN_TOKENS).list(),
    ]);
    expect(serialized).not.toContain("correct horse");
    expect(serialized).not.toContain(token);
  });

  test("ends all logins when the password in the environment changes", async () => {
    const token = await tokenOf();
    variables = { SVC_ADMIN_PASSWORD: "another horse" };
    running = await start();
    expect(await who(token)).toBeUndefined();
    await expect(login("correct horse")).rejects.toMatchObject({ code: "unauthorized" });
    expect(await tokenOf("another horse")).toMatch(/^tok_/);
  });

  test("creates and prints a password once when the environment has none", async () => {
    const lines: string[] = [];
    const store = makeRecords().documents(ACCOUNTS);
    const prepare = async () =>
      ensureAdministrator({
        accounts: store,
        credentials: running.get(Accounts) as Credentials,
        revokeGrantsOf: async () => {},
        environment: { get: () => undefined, secret: () => undefined },
        verifiedPasswords: createVerifiedPasswords(),
        clock,
        log: silentLogger,
        print: (line) => void lines.push(line),
      });
    await prepare();
    await prepare();
    expect(lines).toHaveLength(1);
    const password = /password (\S{20}) /.exec(lines[0] ?? "")?.[1] ?? "";
    expect(await isPassword(password, (await store.list())[0]?.password_hash)).toBe(true);
  });

  test("stops the start when the password is too short", async () => {
    variables = { SVC_ADMIN_PASSWORD: "short" };
    await expect(start()).rejects.toMatchObject({ message: "SVC_ADMIN_PASSWORD: at least 8 characters" });
  });

  test("uses a cookie for TLS alone when the operator configures it", async () => {
    variables = { ...variables, SVC_SECURE_COOKIES: "1" };
    expect((await login("correct horse")).headers?.["set-cookie"]).toMatch(/; Secure$/);
  });

  test("is undone by signing out, which clears the cookie", async () => {
    const token = await tokenOf();
    const caller = await who(token);
    const left = (await rowOf("POST", "/api/logout")?.run({ caller, origin: "http://x" } as never)) as HttpReply;
    expect(left).toMatchObject({ data: { revoked: true } });
    expect(left.headers?.["set-cookie"]).toContain("Max-Age=0");
    expect(await who(token)).toBeUndefined();
  });

  test("is not required for signing out", async () => {
    expect(await running.call("POST /api/logout", { caller: ANONYMOUS })).toEqual({ revoked: false });
  });

  test("follows a changed name in the environment: the old name and its logins end", async () => {
    const token = await tokenOf();
    const { secret } = await running.call<{ secret: string }>("POST /api/api-keys", {
      body: { name: "ci", scopes: ["read"] },
    });
    variables = { ...variables, SVC_ADMIN_USER: "boss" };
    running = await start();
    expect(await who(token)).toBeUndefined();
    await expect(login("correct horse")).rejects.toMatchObject({ code: "unauthorized" });
    expect((await login("correct horse", { username: "Boss" })).data).toMatchObject({ username: "boss" });
    expect(await who(secret)).toMatchObject({ username: "boss", accountId: expect.stringMatching(/^user_/) });
    variables = { SVC_ADMIN_PASSWORD: "correct horse" };
    running = await start();
    expect((await login("correct horse", { username: "boss" })).data).toMatchObject({ username: "boss" });
    expect(await records.documents(ACCOUNTS).list()).toHaveLength(1);
  });

  test("ends a second account of an earlier version, and its logins", async () => {
    const token = await tokenOf();
    const [admin] = await records.documents(ACCOUNTS).list();
    const boss = { ...(admin as Account), id: "user_boss", username: "boss", created_at: "2026-02-01T00:00:00.000Z" };
    await records.documents(ACCOUNTS).put(boss);
    variables = { ...variables, SVC_ADMIN_USER: "boss" };
    running = await start();
    expect(await who(token)).toBeUndefined();
    expect(await records.documents(ACCOUNTS).list()).toMatchObject([{ id: "user_boss" }]);
  });

  test("stops the start when nobody could type the name", async () => {
    variables = { SVC_ADMIN_USER: "the boss", SVC_ADMIN_PASSWORD: "correct horse" };
    await expect(start()).rejects.toMatchObject({ message: "SVC_ADMIN_USER: 1 to 64 letters, digits and . _ @ -" });
  });

  test("continues after a restart with the same password", async () => {
    const token = await tokenOf();
    running = await start();
    expect(await who(token)).toBeDefined();
  });
});

describe("a credential's permissions", () => {
  test("are shown to its owner, and the body takes precedence over the header", async () => {
    const token = await tokenOf();
    const reply = await running.call("POST /api/verify-token", { body: { token }, caller: ANONYMOUS });
    expect(reply).toMatchObject({ valid: true, kind: "login", username: "admin", scopes: SCOPES });
    const wrong = running.call("POST /api/verify-token", { body: { token: "tok_wrong" } });
    await expect(wrong).rejects.toMatchObject({ code: "unauthorized" });
  });

  test("are not shown without a credential", async () => {
    const asked = running.call("POST /api/verify-token", { caller: ANONYMOUS });
    await expect(asked).rejects.toMatchObject({ code: "bad_request" });
  });

  test("can be queried 30 times with wrong credentials, then the caller waits", async () => {
    const ask = () => running.call("POST /api/verify-token", { body: { token: "x" } }).catch(({ code }) => code);
    for (let attempt = 0; attempt < 30; attempt += 1) await ask();
    expect(await ask()).toBe("rate_limited");
  });

  test("for tokens, keys and accounts are an administrator's; for one's own logins and password everybody's", () => {
    const rows = running.all(RouteTables).flat();
    const own = rows.filter(({ path }) => path.startsWith("/api/"));
    const open = own.filter(({ scope }) => scope !== "admin").map(({ path }) => path);
    const everybodys = ["/api/account/logins", "/api/account/logins", "/api/account/logins/{token_hash}"];
    const addresses = ["/api/login", "/api/verify-token", "/api/logout"];
    expect([own.length, open]).toEqual([24, [...addresses, ...everybodys, "/api/account/password"]]);
  });
});

describe("credentials", () => {
  test("such as tokens are listed newest first, without their secret, and only while they are valid", async () => {
    await running.call("POST /api/login-tokens", { body: { username: "phone", expires_days: 1 } });
    clock.advance(1);
    await running.call("POST /api/login-tokens", { body: { username: "tablet" } });
    const names = async () =>
      (await running.call<List<TokenView>>("GET /api/login-tokens")).items.map(({ username }) => username);
    expect(await names()).toEqual(["tablet", "phone"]);
    clock.advance(86_400_000);
    expect(await names()).toEqual(["tablet"]);
  });

  test("have their last use recorded at most once a minute", async () => {
    const token = await tokenOf();
    const used = async () => (await running.call<List<TokenView>>("GET /api/login-tokens")).items[0]?.last_used_at;
    await who(token);
    const first = await used();
    clock.advance(59_000);
    await who(token);
    expect(await used()).toBe(first);
    clock.advance(1_000);
    await who(token);
    expect(await used()).not.toBe(first);
  });

  test("are valid after a restart", async () => {
    const { secret } = await running.call<{ secret: string }>("POST /api/api-keys", {
      body: { name: "ci", scopes: ["read"] },
    });
    running = await start();
    expect(await who(secret)).toMatchObject({ kind: "api_key" });
  });

  test("created on another node are looked up on first use; invalid ones thirty times a minute at most", async () => {
    const asked: string[] = [];
    const own = records;
    records = {
      ...own,
      documents(kind) {
        const collection = own.documents(kind);
        const stored = (id: string) => {
          asked.push(id);
          return collection.get(id);
        };
        return { ...collection, stored } as never;
      },
    };
    const otherHost = await start();
    const body = { name: "new", scopes: ["read"] };
    const { id, secret } = await otherHost.call<{ id: string; secret: string }>("POST /api/api-keys", { body });
    running = await start();
    const { secret: later } = await otherHost.call<{ secret: string }>("POST /api/api-keys", {
      body: { name: "later", scopes: ["read"] },
    });
    const made = (at: number) => `pky_${String(at).padStart(43, "x")}`;
    expect(await who(secret)).toMatchObject({ kind: "api_key", credentialId: id });
    for (const wrong of ["pky_", "nothing", `${secret}x`]) expect(await who(wrong)).toBeUndefined();
    expect(asked).toHaveLength(0);
    expect(await who(later)).toMatchObject({ kind: "api_key" });
    expect(await who(later)).toMatchObject({ kind: "api_key" });
    expect(asked).toHaveLength(1);
    for (let at = 0; at < 40; at += 1) expect(await who(made(at))).toBeUndefined();
    expect(asked).toHaveLength(30);
    expect(await running.get(Accounts).authenticate(made(99), "10.9.0.1")).toBeUndefined();
    expect(asked).toHaveLength(31);
    expect(await who(later)).toMatchObject({ kind: "api_key" });
  });

  test("that are deleted are invalid at once", async () => {
    const { id, secret } = await running.call<{ id: string; secret: string }>("POST /api/api-keys", {
      body: { name: "ci", scopes: ["read"] },
    });
    expect(await running.call(`DELETE /api/api-keys/${id}`)).toEqual({ id, deleted: true });
    expect(await who(secret)).toBeUndefined();
    await expect(running.call(`GET /api/api-keys/${id}`)).rejects.toMatchObject({ code: "not_found" });
    await expect(running.call(`DELETE /api/api-keys/${id}`)).rejects.toMatchObject({ code: "not_found" });
  });

  test("with the same name that are created at once conflict, and one is rejected", async () => {
    const make = () => running.call("POST /api/api-keys", { body: { name: "ci", scopes: ["read"] } });
    const made = await Promise.allSettled([make(), make()]);
    expect(made.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });

  test("changed twice on the same revision are changed once", async () => {
    const { id } = await running.call<{ id: string }>("POST /api/api-keys", { body: { name: "ci", scopes: ["read"] } });
    const change = (name: string) => running.call(`PUT /api/api-keys/${id}`, { body: { name }, ifMatch: 1 });
    const changed = await Promise.allSettled([change("a"), change("b")]);
    expect(changed.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });

  test("are listed without secrets and can be searched", async () => {
    for (const name of ["ci", "phone"]) await running.call("POST /api/api-keys", { body: { name, scopes: ["read"] } });
    const { items } = await running.call<List<KeyView>>("GET /api/api-keys?q=PHO");
    expect(items.map(({ name }) => name)).toEqual(["phone"]);
    expect(items[0]).not.toHaveProperty("hash");
  });

  test("such as login tokens expire", async () => {
    const token = await tokenOf();
    clock.advance(30 * 86_400_000 + 1);
    expect(await who(token)).toBeUndefined();
  });

  test("that are created at once for the last free place go to one caller", async () => {
    const day = 86_400_000;
    const stored = { token_prefix: "tok_", username: "admin", ip_address: "", created_by: "admin", last_used_at: null };
    const times = { created_at: new Date(0).toISOString(), expires_at: new Date(clock.now() + day).toISOString() };
    for (let at = 1; at < 1_000; at += 1) {
      await records.documents(LOGIN_TOKENS).put({ ...stored, ...times, id: `hash ${at}` });
    }
    await running[Symbol.asyncDispose]();
    running = await start();
    const credentials = running.get(Accounts) as Credentials;
    const issue = () => credentials.issue({ expires_days: 1 }, { username: "admin", credentialId: "hash 1" }, "");
    const tried = await Promise.allSettled([issue(), issue()]);
    expect(tried.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(tried[1]).toMatchObject({ reason: { code: "conflict", message: "there are already 1000 login tokens" } });
  });

  test("that were derived show until when they are valid", async () => {
    const { data } = await login("correct horse");
    const { credentialId = "" } = (await who((data as { token: string }).token)) ?? {};
    const accounts = running.get(Accounts);
    expect(accounts.inForce(credentialId)).toEqual({ expiresAt: expect.stringMatching(/Z$/) });
    expect(accounts.inForce("of nobody")).toBeUndefined();
    clock.advance(31 * 86_400_000);
    expect(accounts.inForce(credentialId)).toBeUndefined();
  });

  test("that are revoked are reported to open sockets", async () => {
    const events: string[] = [];
    running.get(Accounts).onRevoked((id) => events.push(id));
    const { hash_full } = await running.call<{ hash_full: string }>("POST /api/login-tokens", { body: {} });
    await running.call(`DELETE /api/login-tokens/${hash_full.toUpperCase()}`);
    expect(events).toEqual([hash_full]);
    await expect(running.call(`DELETE /api/login-tokens/${hash_full}`)).rejects.toMatchObject({ code: "not_found" });
    await expect(running.call(`DELETE /api/login-tokens/${hash_full.slice(0, 12)}`)).rejects.toMatchObject({
      code: "not_found",
    });
  });

  test("such as API keys have the listed scopes until they are disabled or expire", async () => {
    const expires_at = new Date(clock.now() + 60_000).toISOString();
    const { id, secret } = await running.call<{ id: string; secret: string }>("POST /api/api-keys", {
      body: { name: "ci", scopes: ["read"], expires_at },
    });
    expect(await who(secret)).toMatchObject({ kind: "api_key", credentialId: id, scopes: ["read"] });
    await running.call(`PUT /api/api-keys/${id}`, { body: { enabled: false } });
    expect(await who(secret)).toBeUndefined();
    await running.call(`PUT /api/api-keys/${id}`, { body: { enabled: true } });
    clock.advance(60_001);
    expect(await who(secret)).toBeUndefined();
  });

  test("whose expiry moves forward are reported to derived credentials, a later expiry is not", async () => {
    const events: string[] = [];
    running.get(Accounts).onRevoked((id) => events.push(id));
    const endsIn = (ms: number) => ({ expires_at: new Date(clock.now() + ms).toISOString() });
    const { id } = await running.call<{ id: string }>("POST /api/api-keys", { body: { name: "ci", scopes: ["read"] } });
    const change = (body: object) => running.call(`PUT /api/api-keys/${id}`, { body });
    await change(endsIn(60_000));
    expect(events).toEqual([id]);
    await change(endsIn(120_000));
    await change({ expires_at: null });
    expect(events).toEqual([id]);
    await change(endsIn(30_000));
    await change(endsIn(20_000));
    expect(events).toEqual([id, id, id]);
  });

  test("get no more scopes than their creator has, and no key changes itself", async () => {
    const { id } = await running.call<{ id: string }>("POST /api/api-keys", {
      body: { name: "ci", scopes: ["admin"] },
    });
    const reader = {
      kind: "api_key",
      credentialId: id,
      scopes: ["read"],
      accountId: "",
      username: "",
      rateLimitPerMinute: 0,
    } as const;
    const more = running.call("POST /api/api-keys", { body: { name: "more", scopes: ["write"] }, caller: reader });
    await expect(more).rejects.toMatchObject({ code: "permission_denied" });
    const itself = running.call(`PUT /api/api-keys/${id}`, { body: { name: "x" }, caller: reader });
    await expect(itself).rejects.toMatchObject({ code: "permission_denied" });
  });

  test("derived from an expiring key do not outlive it, nor do their own derivatives", async () => {
    const expires_at = new Date(clock.now() + 60_000).toISOString();
    const first = { name: "that ends", scopes: ["admin"], expires_at };
    const { id } = await running.call<{ id: string }>("POST /api/api-keys", { body: first });
    const child = { kind: "api_key", credentialId: id, accountId: "", username: "admin", scopes: SCOPES } as const;
    const caller = { ...child, expiresAt: expires_at, rateLimitPerMinute: 0 };
    const token = await running.call<{ token: string }>("POST /api/login-tokens", {
      body: { expires_days: 3650 },
      caller,
    });
    expect(token).toMatchObject({ expires_at });
    expect(token).not.toHaveProperty("ends_by");
    const made = (await who(token.token)) as Caller;
    for (const maker of [caller, made]) {
      const body = { name: `of ${maker.kind}`, scopes: ["read"] };
      const key = await running.call<{ id: string }>("POST /api/api-keys", { body, caller: maker });
      expect(key).toMatchObject({ expires_at });
      const later = { body: { expires_at: null }, caller: maker };
      expect(await running.call(`PUT /api/api-keys/${key.id}`, later)).toMatchObject({ expires_at });
      expect(await running.call("POST /api/login-tokens", { body: {}, caller: maker })).toMatchObject({ expires_at });
    }
  });

  test("have names without control and direction characters, measured in characters", async () => {
    const make = (name: string) => running.call("POST /api/api-keys", { body: { name, scopes: ["read"] } });
    expect(await make("🦜".repeat(100))).toBeDefined();
    for (const name of ["a\u001b[1m", "a\u202eb", "🦜".repeat(101)]) {
      await expect(make(name)).rejects.toMatchObject({ code: "bad_request" });
      await expect(running.call("POST /api/login-tokens", { body: { username: name } })).rejects.toMatchObject({
        code: "bad_request",
      });
    }
  });

  test.each([
    ["a name that is taken", { name: "CI", scopes: ["read"] }, "conflict"],
    ["no scopes", { name: "x", scopes: [] }, "bad_request"],
    ["an unknown scope", { name: "x", scopes: ["root"] }, "bad_request"],
    ["a time that is over", { name: "x", scopes: ["read"], expires_at: "2020-01-01T00:00:00Z" }, "bad_request"],
  ])("are rejected when invalid: %s", async (_what, body, code) => {
    await running.call("POST /api/api-keys", { body: { name: "ci", scopes: ["read"] } });
    await expect(running.call("POST /api/api-keys", { body })).rejects.toMatchObject({ code });
  });

  test("are not changed on a stale revision", async () => {
    const { id } = await running.call<{ id: string }>("POST /api/api-keys", { body: { name: "ci", scopes: ["read"] } });
    await expect(running.call(`PUT /api/api-keys/${id}`, { body: { name: "x" }, ifMatch: 9 })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await running.call(`GET /api/api-keys/${id}`)).toMatchObject({ name: "ci", revision: 1 });
  });
});
