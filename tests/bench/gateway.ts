// Measures the gateway under load: acknowledgements while the model hangs, a start with 100,000 waiting messages, and constant memory.
// node --conditions=@parley/source tests/bench/gateway.ts [minutes of the soak test; default 0.5]
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { newId, newTraceId } from "@parley/core";
import { HOSTILE_PATTERNS } from "../harness/hostile-patterns.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";
import { measure } from "./rate.ts";

const PASSWORD = "correct horse";
const SECRET = "sesame";
const ROWS = 100_000;
const SOAK_RATE = 50;
const soakMinutes = Number(process.argv[2] ?? 0.5);
const LIMITS =
  "[plugin.gateway]\nlimit_user_per_minute = 0\nlimit_conversation_per_minute = 0\nlimit_channel_per_minute = 0\n";

await measureAcknowledgements();
await measureBacklog();
await runSoakTest(soakMinutes);

async function startService(root: string): Promise<{ readonly running: ParleyProcess; readonly api: Client }> {
  const running = await startProcess({ root, env: { SVC_ADMIN_PASSWORD: PASSWORD, SVC_WEBHOOK_SECRET: SECRET } });
  const open = createClient(running.address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
  return { running, api: open.as(token) };
}

async function addChannel(api: Client, outbound_url: string): Promise<void> {
  const config = { auth: { type: "static", secret_env: "SVC_WEBHOOK_SECRET" }, outbound_url };
  await api.post("/api/channels", { id: "shop", name: "shop", type: "generic", transport: "webhook", config });
}

function createFolder(): string {
  const root = mkdtempSync(join(tmpdir(), "parley-bench-"));
  writeFileSync(join(root, "config.ini"), `${LIMITS}[log]\nlevel = error\nfile = off\n`);
  return root;
}

/** A server that answers everything: the baseline cost of a platform. */
async function startSink(answer: (path: string) => "ok" | "never" = () => "ok") {
  const server = createServer((request, response) => {
    request.resume();
    if (answer(request.url ?? "") === "ok") response.end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.closeAllConnections() ?? server.close(),
  };
}

function createPost(n: number, users: number, text = `message ${n}`): string {
  return JSON.stringify({ event_id: `e${n}`, conversation_id: `c${n % users}`, user_id: `u${n % users}`, text });
}

/** Measures 300 webhooks a second with a hanging model and 50 expensive filter rules. */
async function measureAcknowledgements(): Promise<void> {
  const root = createFolder();
  const model = await startSink(() => "never");
  const out = await startSink();
  const { running, api } = await startService(root);
  const { id } = await api.post<{ id: string }>("/api/ai-models", {
    name: "hangs",
    model: "m",
    base_url: `${model.address}/v1`,
  });
  await api.post(`/api/ai-models/${id}/apply`, {});
  for (const [pattern] of HOSTILE_PATTERNS.slice(0, 50)) {
    await api.post("/api/message-filter", { pattern, type: "regex", action: "strip", filter_target: "user" });
  }
  await addChannel(api, out.address);
  const url = `${running.address}/api/gateway/shop/webhook`;
  const headers = { "x-svc-token": SECRET };
  const load = {
    url,
    headers,
    connections: 32,
    body: (n: number) => createPost(n, 5_000, HOSTILE_PATTERNS[n % 50]?.[1]),
  };
  const paced = await measure({ ...load, requests: 900, pace: 300 });
  console.log(`at 300/s, the model hangs, 50 hostile rules: ack p99 ${paced.p99Ms.toFixed(1)} ms (budget 50)`);
  await end(running, root);
  model.close();
  out.close();
}

/** Measures the start of a service with many waiting messages. */
async function measureBacklog(): Promise<void> {
  const root = createFolder();
  const out = await startSink();
  const first = await startService(root);
  await addChannel(first.api, out.address);
  await first.running.stop();
  const database = new DatabaseSync(join(root, "data", "parley.db"));
  const insert = database.prepare(
    `insert into inbox (id, position, trace_id, channel_id, session_id, message, received_ms, updated_ms, state, runs)
     values (?, ?, ?, 'shop', ?, ?, ?, ?, 'waiting', 0)`,
  );
  database.exec("BEGIN");
  const at = Date.now() - 60_000;
  for (let n = 0; n < ROWS; n += 1) {
    const sessionId = `shop:c${n % 1_000}`;
    const conversation = { id: `c${n % 1_000}`, isGroup: false };
    const sender = { id: "u", name: "u", isAdmin: false };
    const message = {
      channelId: "shop",
      sessionId,
      conversation,
      kind: "message",
      sender,
      text: `message ${n}`,
      attachments: [],
      addressed: true,
      source: "shop",
    };
    insert.run(newId("qi"), n, newTraceId(at), sessionId, JSON.stringify(message), at, at);
  }
  database.exec("COMMIT");
  database.close();
  const began = performance.now();
  const { running, api } = await startService(root);
  const readyMs = performance.now() - began;
  await wait(5_000);
  const { status_breakdown } = await api.get<{ status_breakdown: { completed: number; pending: number } }>(
    "/api/gateway/queue/status",
  );
  console.log(
    `${ROWS} messages waiting: ready and signed in after ${(readyMs / 1000).toFixed(2)} s (budget 5), ${status_breakdown.completed} worked off in 5 s (20 a second), ${status_breakdown.pending} left; RSS ${readRssMb(running)} MB`,
  );
  await end(running, root);
  out.close();
}

/** Runs conversations at a constant rate; memory is measured after the first minutes. */
async function runSoakTest(minutes: number): Promise<void> {
  const root = createFolder();
  const out = await startSink();
  const { running, api } = await startService(root);
  await addChannel(api, out.address);
  const url = `${running.address}/api/gateway/shop/webhook`;
  const samples: { readonly minute: number; readonly mb: number }[] = [];
  const began = performance.now();
  let n = 0;
  while (performance.now() - began < minutes * 60_000) {
    const from = n;
    n += SOAK_RATE * 10;
    await measure({
      url,
      headers: { "x-svc-token": SECRET },
      connections: 8,
      requests: SOAK_RATE * 10,
      pace: SOAK_RATE,
      body: (index: number) => createPost(from + index, 500),
    });
    samples.push({ minute: (performance.now() - began) / 60_000, mb: readRssMb(running) });
  }
  const { worker } = await api.get<{ worker: { processed: number; errors: number } }>("/api/gateway/stats");
  const half = samples.slice(Math.floor(samples.length / 2));
  const grown = (half.at(-1)?.mb ?? 0) - (half[0]?.mb ?? 0);
  console.log(
    `soak: ${minutes} min at ${SOAK_RATE}/s, ${worker.processed} turns, ${worker.errors} errors; RSS ${samples[0]?.mb} MB at first, ${half[0]?.mb} MB half way, ${samples.at(-1)?.mb} MB at the end (second half ${grown >= 0 ? "+" : ""}${grown} MB)`,
  );
  await end(running, root);
  out.close();
}

function readRssMb({ child }: ParleyProcess): number {
  const line = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
  return Math.round(Number(line) / 1024);
}

async function end(running: ParleyProcess, root: string): Promise<void> {
  running.child.kill("SIGKILL");
  await running.ended;
  rmSync(root, { recursive: true, force: true });
}
