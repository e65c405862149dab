import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolGuard } from "@parley/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import {
  TOOL_SERVER,
  toCommandLinesConfig,
  toStdioEntry,
  toToolServerCommands,
} from "../harness/mcp/mcp-command-lines.ts";
import { type Parley, startParley } from "../harness/parley.ts";

// An administrator has connected a third party's server, which tries to get more than it was granted.

const folder = mkdtempSync(join(tmpdir(), "parley-hostile-"));
const PID_FILE = join(folder, "escaped.pid");

let parley: Parley;
let api: Client;

beforeAll(async () => {
  const leaves = [process.execPath, TOOL_SERVER, "escape", PID_FILE];
  parley = await startParley({
    config: toCommandLinesConfig([...toToolServerCommands("good", "names"), leaves]),
    env: { PATH: process.env.PATH ?? "" },
  });
  api = await parley.signIn();
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

interface Listed {
  readonly name: string;
  readonly enabled: boolean;
  readonly is_new: boolean;
  readonly risk: string;
  readonly first_description: string | null;
}

async function connectServer(id: string, manner: string, ...args: readonly string[]): Promise<void> {
  const entry = { id, name: id, ...toStdioEntry([process.execPath, TOOL_SERVER, manner, ...args]) };
  await api.post("/api/mcp-servers", entry);
  await api.post(`/api/mcp-servers/${id}/connect`, {});
}
const getServer = async (id: string) => {
  const { items } = await api.get<{ items: { id: string; connected: boolean; warnings: string[] }[] }>(
    "/api/mcp-servers",
  );
  return items.find((entry) => entry.id === id);
};
const listTools = async (id: string) => {
  const { items } = await api.get<{ items: Listed[] }>(`/api/mcp-servers/${id}/tools`);
  return new Map(items.map((tool) => [tool.name, tool]));
};
/** Calls a tool like one of our models outside a conversation, where no person can confirm. */
const call = (id: string, tool: string, text = "") => {
  const { signal } = new AbortController();
  const context = { signal, traceId: "gw_test", callerId: "user_1", isAdmin: true, progress: () => {} };
  const caller = { audience: "ai", id: `turn ${text}`, confirms: false } as const;
  return parley.host.get(ToolGuard).call(`mcp__${id}__${tool}`, { text }, caller, context);
};
const rejected = { code: "confirmation_required" };

test("a tool runs without confirmation only when it declares itself read-only and not destructive, or is trusted", async () => {
  await connectServer("asks", "good");
  expect(await call("asks", "echo", "hi")).toBe("echo: hi");
  await expect(call("asks", "write")).rejects.toMatchObject(rejected);
  await api.put("/api/mcp-servers/asks", { trusted_tools: ["write"] });
  expect(await call("asks", "write", "x")).toBe("write: x");
  await api.put("/api/mcp-servers/asks", { confirm_tools: ["*"] });
  await expect(call("asks", "write")).rejects.toMatchObject(rejected);
  await expect(call("asks", "echo")).rejects.toMatchObject(rejected);
});

test("a new tool is disabled until somebody reviews it, also after a reconnection", async () => {
  await connectServer("grows", "good");
  await call("grows", "echo", "grow");
  await eventually(async () =>
    expect((await listTools("grows")).get("extra_0")).toMatchObject({ is_new: true, enabled: false }),
  );
  await expect(call("grows", "extra_0")).rejects.toMatchObject({ code: "not_found" });
  const byHand = { body: { tool: "extra_0", confirm: true } };
  expect(await api.send("POST", "/api/mcp-servers/grows/call", byHand)).toMatchObject({ status: 403 });
  await api.post("/api/mcp-servers/grows/accept-tools", { tools: ["extra_0"] });
  expect(await call("grows", "extra_0", "now")).toBe("extra_0: now");
  await api.put("/api/mcp-servers/grows", { tool_deny: ["extra_0"] });
  await expect(call("grows", "extra_0")).rejects.toMatchObject({ code: "not_found" });
});

test("a tool that changes its declaration later needs a confirmation for every call", async () => {
  await connectServer("turns", "good");
  await call("turns", "echo", "calm");
  await eventually(async () =>
    expect((await listTools("turns")).get("write")).toMatchObject({
      risk: "high",
      first_description: "Changes something",
    }),
  );
  await expect(call("turns", "write")).rejects.toMatchObject(rejected);
  await api.post("/api/mcp-servers/turns/accept-tools", {});
  expect((await listTools("turns")).get("write")).toMatchObject({ risk: "read", first_description: null });
});

test("an error of a tool, whatever its code, leaves the server and its other tools available", async () => {
  await connectServer("errs", "good");
  await expect(call("errs", "echo", "refuse")).rejects.toMatchObject({ code: "upstream_failed" });
  expect(await getServer("errs")).toMatchObject({ connected: true });
  expect(await call("errs", "echo", "still here")).toBe("echo: still here");
});

test("tools named like built-in object properties work like others, and invalid ones are omitted", async () => {
  await connectServer("odd", "names");
  const listed = await listTools("odd");
  expect([...listed.keys()].sort()).toEqual(["__proto__", "constructor", "wipe"]);
  for (const name of ["__proto__", "constructor"]) {
    expect(listed.get(name)).toMatchObject({ is_new: false, first_description: null, risk: "read", enabled: true });
  }
  expect(await call("odd", "constructor", "hi")).toBe("constructor: hi");
  await expect(call("odd", "wipe")).rejects.toMatchObject(rejected);
  expect((await getServer("odd"))?.warnings).toEqual([
    expect.stringContaining("'broken' is left out: its inputSchema"),
    expect.stringContaining("left out"),
    expect.stringContaining("left out"),
  ]);
  await api.post("/api/mcp-servers/odd/disconnect", {});
  await api.post("/api/mcp-servers/odd/connect", {});
  expect((await getServer("odd"))?.warnings).toHaveLength(3);
});

test.runIf(existsSync("/proc/self/stat"))("a process that leaves its group ends with its server", async () => {
  await connectServer("runs", "escape", PID_FILE);
  const pid = Number(readFileSync(PID_FILE, "utf8"));
  expect(isRunning(pid)).toBe(true);
  await api.send("DELETE", "/api/mcp-servers/runs");
  await eventually(() => expect(isRunning(pid)).toBe(false));
});

function isRunning(pid: number): boolean {
  // A zombie process counts as ended.
  return existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}
