import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Client, createClient } from "../../harness/http/client.ts";
import { type ParleyProcess, startProcess } from "../../harness/process.ts";
import { type AdministratorStats, workAsAdministrator } from "./administrator.ts";
import { FLOODS, type Flood } from "./kinds.ts";
import type { FloodOrder, FloodResult } from "./sender.ts";

const SECONDS = Number(process.env.FLOOD_SECONDS ?? 5);
const RECOVERY_TIMEOUT_MS = 60_000;
/** Descriptors of sockets that are still closing, and of the administrator. */
const SPARE_DESCRIPTORS = 20;
const MAX_P99_MS = 2_000;

let root: string;
let parley: ParleyProcess;
let api: Client;
let session: string;
let first: Usage;
const lines: string[] = [];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-floods-"));
  const limits = "[plugin.gateway]\nlimit_user_per_minute = 0\nlimit_conversation_per_minute = 0\n";
  writeFileSync(join(root, "config.ini"), `[log]\nlevel = error\n${limits}`);
  const body = { username: "admin", password: "correct horse" };
  parley = await startProcess({ root, env: { SVC_ADMIN_PASSWORD: body.password } });
  const open = createClient(parley.address, "");
  api = open.as((await open.post<{ token: string }>("/api/login", body)).token);
  session = (await api.post<{ id: string }>("/api/sessions", {})).id;
  const warm = performance.now() + 2_000;
  await workAsAdministrator(api, session, () => performance.now() > warm);
  first = readUsage();
}, 60_000);

afterAll(async () => {
  await parley.stop();
  rmSync(root, { recursive: true });
  const head =
    "flood                                                sent   median     p99   rss before/most/after   fds";
  process.stdout.write(`\n${head}\n${lines.join("\n")}\n`);
});

test.each(FLOODS)("$name", { timeout: 180_000 + SECONDS * 1_000 }, async (flood) => {
  const before = readUsage();
  let most = before;
  const sending = runFlood(flood);
  let isOver = false;
  void sending.then(() => {
    isOver = true;
  });
  const meanwhile = await workAsAdministrator(api, session, () => {
    const now = readUsage();
    most = { rss: Math.max(most.rss, now.rss), fds: Math.max(most.fds, now.fds) };
    return isOver;
  });
  const { sent: count } = await sending;
  const delay = await readLoopDelay();
  const isBack = await isRecovered(before);
  const after = readUsage();
  lines.push(formatLine(flood, count, meanwhile, { before, most, after }, delay));

  expect(count).toBeGreaterThan(0);
  expect(meanwhile.rejected).toEqual([]);
  expect(meanwhile.p99Ms).toBeLessThan(MAX_P99_MS);
  expect({ isBack, fds: after.fds <= before.fds + SPARE_DESCRIPTORS }).toEqual({ isBack: true, fds: true });
});

test("after all of them the service holds what it held before", { timeout: RECOVERY_TIMEOUT_MS * 2 }, async () => {
  expect(await isRecovered(first)).toBe(true);
});

interface Usage {
  /** Resident memory in MB. */
  readonly rss: number;
  readonly fds: number;
}

/** Returns the memory and descriptors of the service as the system reports them. */
function readUsage(): Usage {
  const process = `/proc/${parley.child.pid}`;
  const [, kb = "0"] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`${process}/status`, "utf8")) ?? [];
  return { rss: Math.round(Number(kb) / 1_024), fds: readdirSync(`${process}/fd`).length };
}

async function runFlood(flood: Flood): Promise<FloodResult> {
  const workerData: FloodOrder = { flood, address: parley.address, seconds: SECONDS };
  const [result] = await once(new Worker(new URL("sender.ts", import.meta.url), { workerData }), "message");
  return result as FloodResult;
}

/** Polls until memory and descriptors are back at their initial values. */
function isRecovered(before: Usage): Promise<boolean> {
  const look = () => {
    const now = readUsage();
    expect(now.rss).toBeLessThan(before.rss * 1.5);
    expect(now.fds).toBeLessThanOrEqual(before.fds + SPARE_DESCRIPTORS);
  };
  return vi.waitFor(look, { timeout: RECOVERY_TIMEOUT_MS, interval: 250 }).then(
    () => true,
    () => false,
  );
}

async function readLoopDelay(): Promise<string> {
  const { text } = await api.send("GET", "/metrics");
  const [, seconds = "?"] = /^nodejs_eventloop_delay_seconds\{quantile="1"\} (\S+)/m.exec(text) ?? [];
  return `${Math.round(Number(seconds) * 1_000)} ms`;
}

function formatLine(
  { name }: Flood,
  count: number,
  { medianMs, p99Ms, rejected }: AdministratorStats,
  { before, most, after }: Readonly<Record<"before" | "most" | "after", Usage>>,
  delay: string,
): string {
  const memory = `${before.rss}/${most.rss}/${after.rss} MB`.padStart(22);
  const open = `${before.fds}/${most.fds}/${after.fds}`;
  const times = `${String(medianMs).padStart(6)} ms${String(p99Ms).padStart(6)} ms`;
  return `${name.padEnd(50)}${String(count).padStart(7)} ${times} ${memory}   ${open}, longest wait of the loop so far ${delay}, refused ${rejected.length}`;
}
