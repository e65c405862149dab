import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Parley, startParley } from "../harness/parley.ts";

// The protocol's conformance suite as the server, and the service as a client that signs in.
const SUITE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));
const CLIENT = fileURLToPath(import.meta.resolve("../harness/mcp/conformance-client.ts"));

/** Unsupported features with reasons; the suite warns about them. */
const NOT_DONE: Readonly<Record<string, string>> = {
  "auth/basic-cimd": "it registers with each server: a document of its own for all of them needs a public address",
};

let parley: Parley;
const folder = mkdtempSync(join(tmpdir(), "mcp-conformance-client-"));

beforeAll(async () => {
  parley = await startParley();
});
afterAll(async () => {
  await parley?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the output of the suite, whatever its exit code. */
async function suite(args: readonly string[]): Promise<string> {
  const { token } = await parley.signIn();
  const env = { ...process.env, PARLEY: parley.address, PARLEY_TOKEN: token };
  const command = `${process.execPath} ${CLIENT}`;
  return promisify(execFile)(process.execPath, [SUITE, "client", "--command", command, ...args], {
    ...{ cwd: folder, env, encoding: "utf8", maxBuffer: 2 ** 26 },
  }).then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => stdout + stderr,
  );
}

test("signs in as the suite requires", { timeout: 180_000 }, async () => {
  const out = await suite(["--suite", "auth"]);
  expect(out).toMatch(/^Total: \d{3} passed, 0 failed, 1 warnings$/m);
  const wrong = [...out.matchAll(/^✗ (\S+):/gm)].map(([, name = ""]) => name);
  expect(wrong).toEqual(Object.keys(NOT_DONE));
});

test.each([
  "auth/2025-03-26-oauth-metadata-backcompat",
  "auth/2025-03-26-oauth-endpoint-fallback",
  "auth/resource-mismatch",
])("%s", { timeout: 60_000 }, async (scenario) => {
  const out = await suite(["--scenario", scenario]);
  expect(out).toMatch(/OVERALL: PASSED|Passed: \d+\/\d+, 0 failed/);
});
