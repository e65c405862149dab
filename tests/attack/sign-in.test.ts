import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../harness/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

/** Far less than a page may take; the wrong passwords of the flood alone would take longer. */
const SOON_MS = 5_000;

let parley: Parley;
beforeAll(async () => {
  parley = await startParley({ config: "[web]\ntrusted_proxies = 127.0.0.1\n" });
});
afterAll(() => parley[Symbol.asyncDispose]());

/** A try from an address of its own; leaves after `leavesAfterMs`. */
async function attempt(from: string, username: string, password: string, leavesAfterMs = 20_000) {
  const { status, headers } = await fetch(`${parley.address}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    body: JSON.stringify({ username, password }),
    signal: AbortSignal.timeout(leavesAfterMs),
  });
  return { status, retryAfter: Number(headers.get("retry-after")) };
}

async function took(what: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await what();
  return performance.now() - before;
}

describe("wrong passwords from many addresses", () => {
  test("keep neither the console nor the right password waiting, and are refused before any work", async () => {
    const flood = Array.from({ length: 300 }, (_, n) =>
      attempt(`2001:db8:${n}::1`, `u${n}`, "wrong password", n % 2 ? 400 : undefined).catch(() => undefined),
    );
    const page = await took(async () => expect((await fetch(parley.address)).status).toBe(200));
    const right = await took(async () =>
      expect(await attempt("198.51.100.9", "admin", parley.credentials.password)).toMatchObject({ status: 200 }),
    );
    expect(Math.max(page, right)).toBeLessThan(SOON_MS);
    const answers = (await Promise.all(flood)).filter((answer) => answer !== undefined);
    expect(answers.filter(({ status, retryAfter }) => status === 429 && retryAfter > 0).length).toBeGreaterThan(100);
    expect(answers.every(({ status }) => status === 429 || status === 401)).toBe(true);
  });

  test("in the administrator's own name do not lock the administrator out", async () => {
    const flood = Array.from({ length: 100 }, (_, n) => attempt(`192.0.2.${n + 1}`, "admin", "wrong password"));
    const right = await took(async () =>
      expect(await attempt("198.51.100.10", "admin", parley.credentials.password)).toMatchObject({ status: 200 }),
    );
    expect(right).toBeLessThan(SOON_MS);
    await Promise.all(flood);
  });
});

test("an administrator of a new name is the only one", async () => {
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
