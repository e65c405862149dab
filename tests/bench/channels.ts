// Measures a webhook in and an answer out to a Bot API server: ours with everything on disk, grammY and the Chat SDK with nothing,
// and the Chat SDK with its state in Redis and in PostgreSQL.
// node --conditions=@parley/source tests/bench/channels.ts [ours]   (installs the two from npm into .artefacts once)
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createClient } from "../harness/http/client.ts";
import { startProcess } from "../harness/process.ts";
import { type StateServer, startPostgresState, startRedisState } from "./state-servers.ts";
import { readFirstLine, runLoad, spawnPart, waitUntilSettled } from "./webhook-load.ts";

const MESSAGES = 4_000;
const WARM_UP = 500;
const PASSWORD = "correct horse";
const OUR_STATE = "message before the webhook is answered; turn, reply and log after";
const SDK_STATE = "id of the update before the webhook is answered; id and last 100 messages of the chat after";
const PEER_PACKAGES = [
  "grammy",
  "chat",
  "@chat-adapter/telegram",
  "@chat-adapter/state-memory",
  "@chat-adapter/state-redis",
  "@chat-adapter/state-pg",
];
const repository = dirname(dirname(import.meta.dirname));
const peers = join(repository, ".artefacts", "bench-peers");

interface Result {
  readonly name: string;
  /** Everything that is on disk after a message. */
  readonly stored: string;
  readonly accepted: number;
  readonly delivered: number;
}

interface Bot {
  readonly urls: readonly string[];
  readonly header: string;
  /** Returns main thread time so far in milliseconds, and the number of requests to storage threads. */
  cost?(): Promise<{ readonly mainMs: number; readonly asked: number }>;
  stop(): Promise<void>;
}

const sink = spawnPart("sink.mjs");
const api = await readFirstLine(sink);
fetchPeers();
const peerResults: Result[] = [];
if (process.argv[2] !== "ours") {
  peerResults.push(await run("grammY", "nothing", () => startPeer("grammy.mjs")));
  peerResults.push(await run("Chat SDK", "nothing", () => startPeer("chat-sdk.mjs")));
  await runWithState("Chat SDK with Redis", startRedisState);
  await runWithState("Chat SDK with PostgreSQL", startPostgresState);
}
const ourResults = [
  await run("Parley, 8 turns at once", OUR_STATE, () => startService(8)),
  await run("Parley, 32 turns at once", OUR_STATE, () => startService(32)),
];
for (const result of peerResults) print(result);
for (const result of ourResults) {
  const ratios = peerResults.map((peer) => `${(result.delivered / peer.delivered).toFixed(2)} × ${peer.name}`);
  print(result, ratios);
}
sink.kill();

function print({ name, stored, accepted, delivered }: Result, ratios: readonly string[] = []): void {
  const rates = `accepted ${accepted.toFixed(0)}/s, delivered ${delivered.toFixed(0)}/s`;
  console.log([`${name}: ${rates}`, ...ratios, `on disk: ${stored}`].join("; "));
}

/** Measures the Chat SDK with its state on the server; skips it where the server is not installed. */
async function runWithState(name: string, startState: () => Promise<StateServer | undefined>): Promise<void> {
  await using server = await startState();
  if (!server) {
    console.log(`  ${name}: skipped, the server is not installed`);
    return;
  }
  const { url } = server;
  peerResults.push(await run(name, SDK_STATE, () => startPeer("chat-sdk.mjs", url)));
}

async function run(name: string, stored: string, start: () => Promise<Bot>): Promise<Result> {
  const bot = await start();
  try {
    await runLoad(bot, 0, WARM_UP);
    await waitUntilSettled(api, WARM_UP);
    await fetch(`${api}/reset`);
    const before = await bot.cost?.();
    const began = performance.now();
    const { times, rejected } = await runLoad(bot, WARM_UP, MESSAGES);
    const accepted = MESSAGES / ((performance.now() - began) / 1_000);
    const { sent, atMs } = await waitUntilSettled(api, MESSAGES);
    const delivered = sent / ((atMs - began) / 1_000);
    times.sort((a, b) => a - b);
    const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
    const lost = sent < MESSAGES ? `; ${MESSAGES - sent} of ${MESSAGES} never answered` : "";
    const after = await bot.cost?.();
    if (before && after) {
      const main = ((after.mainMs - before.mainMs) / MESSAGES).toFixed(2);
      const asked = ((after.asked - before.asked) / MESSAGES).toFixed(1);
      console.log(
        `  ${name}: main thread ${main} ms a message (budget 0.7), ${asked} messages to the storage (budget 4)`,
      );
    }
    console.log(
      `  ${name}: answer to the webhook p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${rejected} refused for now${lost}`,
    );
    return { name, stored, accepted, delivered };
  } finally {
    await bot.stop();
    await fetch(`${api}/reset`);
  }
}

async function startPeer(file: string, ...args: string[]): Promise<Bot> {
  const child = spawnPart(file, api, peers, ...args);
  const url = await readFirstLine(child);
  return {
    urls: [url],
    header: "x-telegram-bot-api-secret-token",
    async stop() {
      child.kill();
      await once(child, "exit");
    },
  };
}

async function startService(turns: number): Promise<Bot> {
  const root = mkdtempSync(join(tmpdir(), "parley-bench-"));
  writeFileSync(
    join(root, "config.ini"),
    "[plugin.gateway]\nlimit_user_per_minute = 0\nlimit_channel_per_minute = 0\n[log]\nlevel = error\nfile = off\n",
  );
  const env = { SVC_ADMIN_PASSWORD: PASSWORD, IMB_BOT_TOKEN: "42:secret", IMB_WEBHOOK_SECRET: "bench" };
  const service = await startProcess({ root, env });
  const open = createClient(service.address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
  await open.as(token).put("/api/settings", { gateway: { concurrency: turns } });
  await open.as(token).post("/api/channels/presets/imB", { config: { api_base: api, paced: false, burst: "off" } });
  return {
    urls: [`${service.address}/api/channels/imB/imB/webhook`],
    header: "x-telegram-bot-api-secret-token",
    async cost() {
      const text = await (await fetch(`${service.address}/metrics`)).text();
      const asked = Number(/^parley_storage_messages_total (\d+)$/m.exec(text)?.[1]);
      const { pid } = service.child;
      // User and system time of the main thread, in hundredths of a second.
      const [, , , , , , , , , , , user, system] =
        readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      return { mainMs: (Number(user) + Number(system)) * 10, asked };
    },
    async stop() {
      service.child.kill("SIGKILL");
      await service.ended;
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Installs the packages only this benchmark needs outside the project's dependencies. */
function fetchPeers(): void {
  if (PEER_PACKAGES.every((name) => existsSync(join(peers, "node_modules", name)))) return;
  mkdirSync(peers, { recursive: true });
  writeFileSync(join(peers, "package.json"), '{"private":true}');
  const packages = PEER_PACKAGES.map((name) => (name === "grammy" ? "grammy@1" : `${name}@4`));
  execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", ...packages], {
    cwd: peers,
    stdio: "inherit",
  });
}
