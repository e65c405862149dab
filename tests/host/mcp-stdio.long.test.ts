import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { createClient } from "../harness/http/client.ts";
import { runParley, startProcess } from "../harness/process.ts";

let root: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-mcp-"));
  // A plugin that prints to every output it can.
  writeFileSync(join(root, "package.json"), '{ "name": "operator", "type": "module" }\n');
  writeFileSync(join(root, "noisy.mjs"), NOISY);
  writeFileSync(join(root, "config.ini"), "[plugins]\nnoisy = ./noisy.mjs\n");
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

const NOISY = `
import { spawnSync } from "node:child_process";
console.log("imported");
process.stdout.write("written\\n");
export default { contract: 1, id: "noisy", register() { console.info("registered"); }, async start() { console.log("started"); } };
`;
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};
const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };
const list = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/list" });

/** Runs the service until it is ready and has returned this many answers, or has ended. */
async function runSession(args: readonly string[], lines: readonly string[], answers: number, env = {}) {
  const child = runParley({ root, args, env, stdin: "pipe" });
  children.push(child);
  let err = "";
  const ready = Promise.withResolvers<void>();
  child.stderr?.on("data", (text) => {
    err += text;
    if (/^ready /m.test(err)) ready.resolve();
  });
  const out: string[] = [];
  const enough = Promise.withResolvers<void>();
  if (!child.stdout) throw new Error("no stdout");
  createInterface({ input: child.stdout }).on("line", (line) => {
    out.push(line);
    if (out.length === answers) enough.resolve();
  });
  child.stdin?.write(lines.map((line) => `${line}\n`).join(""));
  const ended = once(child, "exit");
  await Promise.race([Promise.all([enough.promise, ready.promise]), ended]);
  return { child, out, err: () => err, ended };
}

test("with --mcp-only stdout contains only messages, and the end of stdin ends the service", async () => {
  const lines = [INITIALIZE, INITIALIZED, list(2)].map((message) => JSON.stringify(message));
  const { child, out, err, ended } = await runSession(
    ["--mcp-only"],
    [...lines, "no message", JSON.stringify(list(3))],
    4,
  );
  child.stdin?.end();
  expect((await ended)[0]).toBe(0);
  const messages = out.map((line) => JSON.parse(line));
  expect(messages.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
  expect(messages.find(({ id }) => id === 1).result.serverInfo).toMatchObject({ name: "svc-gateway" });
  expect(messages.find(({ id }) => id === 3).result.tools.length).toBeGreaterThan(20);
  expect(messages.find(({ error }) => error)).toMatchObject({ error: { code: -32_700 }, id: null });
  for (const word of ["imported", "written", "registered", "started", "ready mcp"]) expect(err()).toContain(word);
});

test("with --mcp the console runs as well: the client is served after a reload, and the service survives the client", async () => {
  const env = { SVC_ADMIN_PASSWORD: "correct horse" };
  const { child, out, err, ended } = await runSession(["--mcp", "--port", "0"], [JSON.stringify(INITIALIZE)], 1, env);
  expect(JSON.parse(out[0] ?? "")).toMatchObject({ id: 1, result: { serverInfo: { name: "svc-gateway" } } });
  const open = createClient(/^ready (http:\S+)/m.exec(err())?.[1] ?? "", "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: "correct horse" });
  await open.as(token).post("/api/system/reload-core", {});
  child.stdin?.write(`${JSON.stringify(list(2))}\n`);
  await eventually(() => expect(out).toHaveLength(2));
  expect(JSON.parse(out[1] ?? "").result.tools.length).toBeGreaterThan(20);
  child.stdin?.end();
  expect((await open.send("GET", "/api/openapi.json")).status).toBe(200);
  child.kill("SIGTERM");
  expect((await ended)[0]).toBe(0);
});

test("with --mcp the service survives a client that stops reading; with --mcp-only it ends with the client", async () => {
  const web = await runSession(["--mcp", "--port", "0"], [JSON.stringify(INITIALIZE)], 1);
  web.child.stdout?.destroy();
  web.child.stdin?.write(`${JSON.stringify(list(2))}\n`);
  const open = createClient(/^ready (http:\S+)/m.exec(web.err())?.[1] ?? "", "");
  for (let time = 0; time < 10; time += 1) expect((await open.send("GET", "/api/openapi.json")).status).toBe(200);
  web.child.kill("SIGTERM");
  expect((await web.ended)[0]).toBe(0);
  expect(web.err()).toMatch(/the service stops\s+reason: "SIGTERM"/);

  const only = await runSession(["--mcp-only"], [JSON.stringify(INITIALIZE)], 1);
  only.child.stdout?.destroy();
  only.child.stdin?.write(`${JSON.stringify(list(2))}\n`);
  expect((await only.ended)[0]).toBe(0);
  expect(only.err()).toMatch(/the service stops\s+reason: "the MCP client has gone"/);
});

test("with --mcp-only beside a running service, that service serves the client and survives it", async () => {
  const service = await startProcess({ root });
  const lines = [INITIALIZE, INITIALIZED, list(2)].map((message) => JSON.stringify(message));
  const clients = await Promise.all([runSession(["--mcp-only"], lines, 2), runSession(["--mcp-only"], lines, 2)]);
  for (const { child, out, err, ended } of clients) {
    expect(err()).toContain(`the service that runs on ${join(root, "data")}`);
    expect(out.map((line) => JSON.parse(line)).find(({ id }) => id === 2).result.tools.length).toBeGreaterThan(20);
    child.stdin?.write(`${JSON.stringify(list(3))}\n`);
    child.stdin?.end();
    expect((await ended)[0]).toBe(0);
    expect(JSON.parse(out.at(-1) ?? "")).toMatchObject({ id: 3 });
  }
  expect(await service.stop()).toBe(0);
});

test("a client beside a running service ends with it, and the next start replaces the lock of a killed one", async () => {
  const service = await startProcess({ root });
  const { ended, err } = await runSession(["--mcp-only"], [JSON.stringify(INITIALIZE)], 1);
  service.child.kill("SIGKILL");
  expect((await ended)[0]).toBe(1);
  expect(err()).toContain("the service has stopped");
  const next = await startProcess({ root });
  expect((await runSession(["--mcp-only"], [JSON.stringify(INITIALIZE)], 1)).out).toHaveLength(1);
  expect(await next.stop()).toBe(0);
});
