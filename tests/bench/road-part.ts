// The measured process of road.ts: the service, or a program that only stores and answers. Obeys the messages of its parent.
import { createHook } from "node:async_hooks";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PerformanceObserver } from "node:perf_hooks";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

/** Cost of the work since `begin`. Times in microseconds. */
export interface Cost {
  readonly mainUs: number;
  readonly allUs: number;
  readonly allocatedBytes: number;
  readonly promises: number;
  readonly storageMessages: number;
}

interface Served {
  readonly url: string;
  countStorageMessages(): Promise<number>;
}

const CALIBRATION_TURNS = 200;

if (isMainThread) await main();
else serveFloorStorage();

async function main(): Promise<void> {
  const [kind = "service", api = ""] = process.argv.slice(2);
  const { url, countStorageMessages } = kind === "floor" ? await startFloor(api) : await startService(api);
  const collections = watchCollections();
  let promises = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === "PROMISE") promises += 1;
    },
  });
  let begun = { thread: process.threadCpuUsage(), all: process.cpuUsage(), heap: 0, storage: 0, atMs: 0 };
  const commands: Readonly<Record<string, () => Promise<unknown>>> = {
    calibrate: async () => calibrate(),
    async begin() {
      globalThis.gc?.();
      promises = 0;
      const storage = await countStorageMessages();
      begun = {
        heap: process.memoryUsage().heapUsed,
        storage,
        atMs: performance.now(),
        thread: process.threadCpuUsage(),
        all: process.cpuUsage(),
      };
    },
    async end(): Promise<Cost> {
      const [thread, all] = [process.threadCpuUsage(begun.thread), process.cpuUsage(begun.all)];
      const allocatedBytes = process.memoryUsage().heapUsed - begun.heap;
      return {
        mainUs: thread.user + thread.system,
        allUs: all.user + all.system,
        allocatedBytes: collections.hasRunSince(begun.atMs) ? Number.NaN : allocatedBytes,
        promises,
        storageMessages: (await countStorageMessages()) - begun.storage,
      };
    },
    countPromises: async () => void hook.enable(),
  };
  process.on("message", async (name: string) => process.send?.((await commands[name]?.()) ?? "done"));
  process.on("disconnect", () => process.exit());
  process.send?.(url);
}

/** Returns the CPU time in microseconds of a fixed piece of work on this thread: parsing, hashing and sorting. */
function calibrate(): number {
  const rows = Array.from({ length: 400 }, (_, at) => ({ id: `row_${at}`, text: "a message of some words", at }));
  const before = process.threadCpuUsage();
  for (let turn = 0; turn < CALIBRATION_TURNS; turn += 1) {
    const copy = JSON.parse(JSON.stringify(rows)) as typeof rows;
    copy.sort((a, b) => (a.id < b.id ? 1 : -1));
    createHash("sha256").update(JSON.stringify(copy)).digest("hex");
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / CALIBRATION_TURNS;
}

/** Watches garbage collections; `hasRunSince` is true when one began after that time. */
function watchCollections() {
  let lastMs = 0;
  const note = (entries: readonly { readonly startTime: number }[]) => {
    lastMs = Math.max(lastMs, ...entries.map(({ startTime }) => startTime));
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  return {
    hasRunSince(timeMs: number) {
      note(observer.takeRecords());
      return lastMs > timeMs;
    },
  };
}

/** Starts the service in this process, with its real storage threads. */
async function startService(api: string): Promise<Served> {
  const { startParley } = await import("../harness/parley.ts");
  const config = "[plugin.gateway]\nlimit_user_per_minute = 0\nlimit_channel_per_minute = 0\n";
  const env = { IMB_BOT_TOKEN: "42:secret", IMB_WEBHOOK_SECRET: "bench" };
  const parley = await startParley({ isLimited: true, config, env });
  const client = await parley.signIn();
  await client.put("/api/settings", { gateway: { concurrency: 8 } });
  await client.post("/api/channels/presets/imB", { config: { api_base: api, paced: false } });
  return {
    url: `${parley.address}/api/channels/imB/imB/webhook`,
    async countStorageMessages() {
      const text = await (await fetch(`${parley.address}/metrics`)).text();
      return Number(/^parley_storage_messages_total (\d+)$/m.exec(text)?.[1]);
    },
  };
}

/** The least that keeps the same promises: three durable commits a message, on a thread of their own, and one answer. */
async function startFloor(api: string): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-floor-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const storage = new Worker(new URL(import.meta.url), { workerData: join(folder, "floor.db") });
  const waiting = new Map<number, () => void>();
  storage.on("message", (id: number) => {
    waiting.get(id)?.();
    waiting.delete(id);
  });
  let asked = 0;
  const commit = (step: string, message: string) =>
    new Promise<void>((resolve) => {
      waiting.set(++asked, resolve);
      storage.postMessage([asked, step, message]);
    });
  const answer = async (update: { message: { chat: { id: number }; text: string } }) => {
    const reply = { chat_id: update.message.chat.id, text: `You said: ${update.message.text}` };
    await commit("answered", JSON.stringify(reply));
    await post(`${api}/bot42:secret/sendMessage`, JSON.stringify(reply));
    await commit("delivered", "{}");
  };
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const update = JSON.parse(body);
    await commit("received", body);
    response.end("{}");
    await answer(update);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    countStorageMessages: async () => asked,
  };
}

function post(url: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: "POST", headers: { "content-type": "application/json" } }, (response) => {
      response.resume();
      response.on("end", () => resolve());
    });
    sending.on("error", reject);
    sending.end(body);
  });
}

async function serveFloorStorage(): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(workerData);
  database.exec("pragma journal_mode = wal; pragma synchronous = full; create table steps (step text, message text)");
  const insert = database.prepare("insert into steps values (?, ?)");
  parentPort?.on("message", ([id, step, message]: [number, string, string]) => {
    insert.run(step, message);
    parentPort?.postMessage(id);
  });
}
