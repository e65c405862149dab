import {
  Accounts,
  Clock,
  Collections,
  Environment,
  type HttpReply,
  LiveEvents,
  type RouteRequest,
  RouteTables,
} from "@parley/core";
import {
  createTestClock,
  memoryCollections,
  recordedEvents,
  type StartedPlugins,
  startPlugins,
} from "@parley/core/testing";
import { beforeEach, describe, expect, test } from "vitest";
import accounts from "./index.ts";

const clock = createTestClock();
let variables: Record<string, string>;
let collections: Collections;
let running: StartedPlugins;

const start = () =>
  startPlugins([accounts], {
    services: [
      [Collections as never, collections],
      [Environment as never, { get: (name) => variables[name], secret: () => undefined } satisfies Environment],
      [LiveEvents as never, recordedEvents()],
      [Clock as never, clock],
    ],
  });

beforeEach(async () => {
  variables = { SVC_ADMIN_PASSWORD: "correct horse" };
  collections = memoryCollections();
  running = await start();
});

/** Runs the login row as a browser at `address` would. */
async function login(
  password: string,
  { username = "admin", address = "10.0.0.1", headers = {} } = {},
): Promise<HttpReply> {
  const row = running
    .all(RouteTables)
    .flat()
    .find(({ path }) => path === "/api/login");
  return (await row?.run({
    body: { username, password },
    address,
    headers,
    origin: "http://127.0.0.1:5000",
  } as unknown as RouteRequest)) as HttpReply;
}

const tokenOf = async (password = "correct horse") => ((await login(password)).data as { token: string }).token;
const who = (secret: string) => running.get(Accounts).authenticate(secret, "10.0.0.1");

describe("signing in", () => {
  test("gives a token that is known at once, and a cookie no script can read", async () => {
    const { data, headers } = await login("correct horse");
    expect(await who((data as { token: string }).token)).toMatchObject({ kind: "login", username: "admin" });
    expect(headers?.["set-cookie"]).toMatch(
      /^svc_auth_token=tok_\S+; HttpOnly; SameSite=Lax; Path=\/; Max-Age=2592000$/,
    );
  });

  test("says the same for a wrong password and for a name that does not exist", async () => {
    const wrong = await login("wrong").catch((error) => error);
    const unknown = await login("wrong", { username: "nobody" }).catch((error) => error);
    expect(wrong).toMatchObject({ code: "unauthorized" });
    expect(unknown.message).toBe(wrong.message);
  });

  test("waits after five failures of one address or one name, and works again when the first is old", async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) await login("wrong").catch(() => {});
    await expect(login("correct horse")).rejects.toMatchObject({ code: "rate_limited", retryAfterS: 300 });
    await expect(login("correct horse", { username: "other" })).rejects.toMatchObject({ code: "rate_limited" });
    await expect(login("correct horse", { address: "10.0.0.2" })).rejects.toMatchObject({ code: "rate_limited" });
    clock.advance(300_001);
    expect(await login("correct horse")).toBeDefined();
  });

  test("is refused from another site", async () => {
    await expect(login("correct horse", { headers: { origin: "http://evil.example" } })).rejects.toMatchObject({
      code: "permission_denied",
    });
  });

  test("keeps nobody's password or token as it is", async () => {
    const token = await tokenOf();
    const kept = JSON.stringify([
      await collections.open("accounts").list(),
      await collections.open("login-tokens").list(),
    ]);
    expect(kept).not.toContain("correct horse");
    expect(kept).not.toContain(token);
  });

  test("a password that was changed in the environment ends all logins", async () => {
    const token = await tokenOf();
    variables = { SVC_ADMIN_PASSWORD: "another horse" };
    running = await start();
    expect(await who(token)).toBeUndefined();
    await expect(login("correct horse")).rejects.toMatchObject({ code: "unauthorized" });
    expect(await tokenOf("another horse")).toMatch(/^tok_/);
  });

  test("a restart with the same password changes nothing", async () => {
    const token = await tokenOf();
    running = await start();
    expect(await who(token)).toBeDefined();
  });
});

describe("credentials", () => {
  test("a login token ends with its time", async () => {
    const token = await tokenOf();
    clock.advance(30 * 86_400_000 + 1);
    expect(await who(token)).toBeUndefined();
  });

  test("a revoked token is told to those who hold sockets", async () => {
    const told: string[] = [];
    running.get(Accounts).onRevoked((id) => told.push(id));
    const { hash_full } = await running.call<{ hash_full: string }>("POST /api/login-tokens", { body: {} });
    await running.call(`DELETE /api/login-tokens/${hash_full.toUpperCase()}`);
    expect(told).toEqual([hash_full]);
    await expect(running.call(`DELETE /api/login-tokens/${hash_full}`)).rejects.toMatchObject({ code: "not_found" });
    await expect(running.call(`DELETE /api/login-tokens/${hash_full.slice(0, 12)}`)).rejects.toMatchObject({
      code: "not_found",
    });
  });

  test("an API key has what it lists, until it is switched off or its time is over", async () => {
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

  test("nobody gives a key more than they have, and no key changes itself", async () => {
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

  test.each([
    ["a name that is taken", { name: "CI", scopes: ["read"] }, "conflict"],
    ["no scopes", { name: "x", scopes: [] }, "bad_request"],
    ["an unknown scope", { name: "x", scopes: ["root"] }, "bad_request"],
    ["a time that is over", { name: "x", scopes: ["read"], expires_at: "2020-01-01T00:00:00Z" }, "bad_request"],
  ])("%s is refused", async (_what, body, code) => {
    await running.call("POST /api/api-keys", { body: { name: "ci", scopes: ["read"] } });
    await expect(running.call("POST /api/api-keys", { body })).rejects.toMatchObject({ code });
  });

  test("a stale revision changes nothing", async () => {
    const { id } = await running.call<{ id: string }>("POST /api/api-keys", { body: { name: "ci", scopes: ["read"] } });
    await expect(running.call(`PUT /api/api-keys/${id}`, { body: { name: "x" }, ifMatch: 9 })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await running.call(`GET /api/api-keys/${id}`)).toMatchObject({ name: "ci", revision: 1 });
  });
});
