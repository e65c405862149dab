// Measures calls of a tool that does nothing, over each transport; and 2,000 calls over one HTTP connection, after which no resources
// may have accumulated.
// node --expose-gc --conditions=@parley/source tests/bench/mcp.ts
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ToolGuard } from "@parley/core";
import { findFreePort } from "../harness/http/free-port.ts";
import { connectMcp, createMcpCaller, type McpCaller } from "../harness/mcp/mcp.ts";
import { startParley } from "../harness/parley.ts";

// Stays below the guard's limit of 600 calls a minute per caller.
const CALLS = 500;
const SOAK = 2_000;

const port = await findFreePort();
const address = `http://127.0.0.1:${port}/mcp`;
await using parley = await startParley({
  config: `[mcp]\nenabled = true\ntransport = streamable-http\nport = ${port}\n`,
});
const api = await parley.signIn();
const createKey = async (name: string) =>
  (await api.post<{ secret: string }>("/api/api-keys", { name, scopes: ["mcp"] })).secret;

await report("the guard alone", createGuardedCall("bench"));
await api.post("/api/mcp-servers/_builtin_local_mcp/connect", {});
await report("in process", createBuiltinCall());
{
  await using mcp = await connectMcp(address, await createKey("http"));
  await report("streamable HTTP", createTransportCall(mcp));
}
await measureStdio();
await runSoakTest();

type Call = () => Promise<unknown>;

async function report(name: string, call: Call): Promise<void> {
  for (let n = 0; n < 50; n += 1) await call();
  const times: number[] = [];
  const begun = performance.now();
  for (let n = 0; n < CALLS; n += 1) {
    const at = performance.now();
    await call();
    times.push(performance.now() - at);
  }
  const perSecond = CALLS / ((performance.now() - begun) / 1000);
  times.sort((a, b) => a - b);
  const [p50 = 0, p99 = 0] = [times[CALLS * 0.5], times[CALLS * 0.99]];
  console.log(
    `${name.padEnd(16)} ${perSecond.toFixed(0).padStart(6)}/s  p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms`,
  );
}

function createGuardedCall(id: string, name = "roll_dice"): Call {
  const guard = parley.host.get(ToolGuard);
  const context = { signal: new AbortController().signal, callerId: id, progress: () => {} };
  let turn = 0;
  return () => {
    turn += 1;
    // A turn makes few calls, so every hundred calls get another trace id.
    const traceId = `gw_bench_${Math.floor(turn / 100)}`;
    return guard.call(name, { dice: 1 }, { audience: "ai", id: traceId, confirms: false }, { ...context, traceId });
  };
}

function createBuiltinCall(): Call {
  return createGuardedCall("bench", "mcp___builtin_local_mcp__roll_dice");
}

function createTransportCall({ call }: McpCaller): Call {
  return async () => {
    const { ok, message } = await call("roll_dice", { dice: 1 });
    if (!ok) throw new Error(String(message));
  };
}

async function measureStdio(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "parley-bench-"));
  writeFileSync(join(root, "config.ini"), "[log]\nlevel = error\nfile = off\n");
  const main = join(import.meta.dirname, "..", "..", "host", "cli", "src", "main.ts");
  const args = ["--conditions=@parley/source", main, "--mcp-only"];
  const env = { PATH: process.env.PATH ?? "", HOME: root };
  const transport = new StdioClientTransport({ command: process.execPath, args, cwd: root, env, stderr: "ignore" });
  await using mcp = await createMcpCaller(transport);
  const call: Call = async () => {
    const { ok, message } = await mcp.call("gateway_get_queue_stats");
    if (!ok) throw new Error(String(message));
  };
  await report("stdio", call);
  await mcp.client.close();
  rmSync(root, { recursive: true, force: true });
}

/** Runs one HTTP client after another, each within its limit, on sessions of the same service. */
async function runSoakTest(): Promise<void> {
  const heap = () => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed / 1024 / 1024;
  };
  const used: number[] = [];
  for (let made = 0; made < SOAK; made += CALLS) {
    await using mcp = await connectMcp(address, await createKey(`soak ${made}`));
    const call = createTransportCall(mcp);
    for (let n = 0; n < CALLS; n += 1) await call();
    used.push(heap());
  }
  const listeners = process.listenerCount("warning") + process.listenerCount("exit");
  console.log(
    `${SOAK} HTTP calls: heap ${used.map((mib) => mib.toFixed(1)).join(" → ")} MiB, ${listeners} listeners of the process`,
  );
}
