import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
beforeAll(async () => {
  parley = await startParley({ config: "[web]\ntrusted_proxies = 127.0.0.1\n" });
});
afterAll(() => parley[Symbol.asyncDispose]());

/** Attempts to sign in from a given address; disconnects after `leavesAfterMs`. */
async function attempt(from: string, username: string, password: string, leavesAfterMs = 20_000) {
  const { status, headers } = await fetch(`${parley.address}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    body: JSON.stringify({ username, password }),
    signal: AbortSignal.timeout(leavesAfterMs),
  });
  return { status, retryAfter: Number(headers.get("retry-after")) };
}

describe("wrong passwords from many addresses", () => {
  test("are rejected before any work, and lock out neither the console nor the right password", async () => {
    const flood = Array.from({ length: 300 }, (_, n) =>
      attempt(`2001:db8:${n}::1`, `u${n}`, "wrong password", n % 2 ? 400 : undefined).catch(() => undefined),
    );
    expect((await fetch(parley.address)).status).toBe(200);
    expect(await attempt("198.51.100.9", "admin", parley.credentials.password)).toMatchObject({ status: 200 });
    const answers = (await Promise.all(flood)).filter((answer) => answer !== undefined);
    expect(answers.filter(({ status, retryAfter }) => status === 429 && retryAfter > 0).length).toBeGreaterThan(50);
    expect(answers.every(({ status }) => status === 429 || status === 401)).toBe(true);
  });

  test("in the administrator's own name do not lock the administrator out", async () => {
    const flood = Array.from({ length: 100 }, (_, n) => attempt(`192.0.2.${n + 1}`, "admin", "wrong password"));
    expect(await attempt("198.51.100.10", "admin", parley.credentials.password)).toMatchObject({ status: 200 });
    await Promise.all(flood);
    expect(await attempt("198.51.100.11", "admin", parley.credentials.password)).toMatchObject({ status: 200 });
  });
});

test("a renamed administrator is the only one", async () => {
  const root = mkdtempSync(join(tmpdir(), "parley-test-"));
  try {
    const { token } = await (async () => {
      await using before = await startParley({ root });
      return await before.signIn();
    })();
    await using after = await startParley({ root, env: { SVC_ADMIN_USER: "boss" } });
    const open = createClient(after.address, "");
    const { password } = after.credentials;
    expect((await open.send("GET", "/api/sessions", { token })).status).toBe(401);
    expect((await open.send("POST", "/api/login", { body: { username: "admin", password } })).status).toBe(401);
    expect((await open.send("POST", "/api/login", { body: { username: "boss", password } })).status).toBe(200);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
