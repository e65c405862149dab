import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readToolResult, ToolGuard } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { findFreePort } from "../harness/http/free-port.ts";
import { toCommandLinesConfig, toStdioEntry } from "../harness/mcp/mcp-command-lines.ts";
import { type Parley, startParley } from "../harness/parley.ts";

// The example server of the protocol from npm, over both transports.
const SERVER = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));
const FILES = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js"));

const folder = mkdtempSync(join(tmpdir(), "parley-mcp-shared-"));
const EVERYTHING = [process.execPath, SERVER, "stdio"] as const;
const FILES_IN_FOLDER = [process.execPath, FILES, folder] as const;

let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley({
    config: toCommandLinesConfig([EVERYTHING, FILES_IN_FOLDER]),
    env: { PATH: process.env.PATH ?? "" },
  });
  api = await parley.signIn();
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const call = (id: string, tool: string, args: object = {}, progress: (message: string) => void = () => {}) => {
  const signal = new AbortController().signal;
  const context = { signal, traceId: "gw_test", callerId: "user_1", isAdmin: true, progress };
  const caller = { audience: "ai", id: "turn", confirms: false } as const;
  return parley.host.get(ToolGuard).call(`mcp__${id}__${tool}`, args, caller, context);
};

// Its tools do not declare that they only read, and nobody could confirm them.
const TRUSTED = { trusted_tools: ["*"] };

async function callAllTools(id: string): Promise<void> {
  const { items } = await api.get<{ items: { name: string }[] }>(`/api/mcp-servers/${id}/tools?limit=500`);
  expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(["echo", "get-sum", "get-tiny-image"]));
  expect(await call(id, "echo", { message: "hello" })).toBe("Echo: hello");
  expect(await call(id, "get-sum", { a: 2, b: 40 })).toContain("42");
  const signal = AbortSignal.timeout(10_000);
  const { text, pictures } = await readToolResult(
    await call(id, "get-tiny-image"),
    "get-tiny-image",
    undefined,
    signal,
  );
  expect({ text, pictures }).toEqual({
    text: expect.stringMatching(/\[image, image\/png, \d+ KiB: kept as \/static\/files\/\S+\]/),
    pictures: [expect.stringMatching(/^\/static\/files\//)],
  });
  expect(await call(id, "get-structured-content", { location: "New York" })).toContain("temperature");
  const notices: string[] = [];
  await call(id, "trigger-long-running-operation", { duration: 0.4, steps: 2 }, (message) => notices.push(message));
  expect(notices.length).toBeGreaterThan(0);
}

describe("the everything server", () => {
  test("started as a process", async () => {
    await api.post("/api/mcp-servers", { id: "ev1", name: "Everything", ...toStdioEntry(EVERYTHING), ...TRUSTED });
    expect(await api.send("POST", "/api/mcp-servers/ev1/connect", { body: {} })).toMatchObject({ status: 200 });
    await callAllTools("ev1");
  });

  test("over HTTP", async () => {
    const port = await findFreePort();
    const child = spawn(process.execPath, [SERVER, "streamableHttp"], {
      env: { PATH: process.env.PATH, PORT: String(port) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = once(child, "exit");
    await once(child.stderr, "data");
    try {
      const url = `http://127.0.0.1:${port}/mcp`;
      await api.post("/api/mcp-servers", {
        id: "ev2",
        name: "Everything",
        transport: "streamable-http",
        url,
        ...TRUSTED,
      });
      await expect
        .poll(() => api.send("POST", "/api/mcp-servers/ev2/connect", { body: {} }), { timeout: 15_000 })
        .toMatchObject({ status: 200 });
      await callAllTools("ev2");
    } finally {
      await api.send("DELETE", "/api/mcp-servers/ev2");
      child.kill();
      await ended;
    }
  });
});

test("the filesystem server writes only in its folder, and changing calls are in the audit log", async () => {
  await api.post("/api/mcp-servers", { id: "fs", name: "Files", ...toStdioEntry(FILES_IN_FOLDER), ...TRUSTED });
  await api.post("/api/mcp-servers/fs/connect", {});
  await call("fs", "write_file", { path: join(folder, "note.txt"), content: "kept" });
  expect(readFileSync(join(folder, "note.txt"), "utf8")).toBe("kept");
  expect(await call("fs", "list_directory", { path: folder })).toContain("note.txt");
  await expect(call("fs", "read_text_file", { path: "/etc/passwd" })).rejects.toMatchObject({
    code: "upstream_failed",
  });
  await eventually(async () => {
    const { items } = await api.get<{ items: object[] }>("/api/gateway/logs?source=mcp&tool_name=mcp__fs__write_file");
    expect(items).toMatchObject([{ status: "completed", metadata: { high_risk: false } }]);
  });
});
