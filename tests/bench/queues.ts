// Compares messages of many conversations, each in strict order, through PostgreSQL: our inbox with partitions and pg-boss 12 with the
// policy key_strict_fifo. The messages are not processed: storing, claiming and finishing are measured.
// node --conditions=@parley/source tests/bench/queues.ts   (installs pg-boss from npm into .artefacts once)
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { type InboundMessage, newId, newTraceId, silentLogger, systemClock, type TurnOutcome } from "@parley/core";
import pg from "pg";
import { MAIN_MIGRATIONS } from "../../plugins/gateway/src/migrations.ts";
import { createGatewayStore } from "../../plugins/gateway/src/store/gateway-store.ts";
import { createStorage } from "../../plugins/postgres/src/storage.ts";
import { findPostgresPrograms, startPostgres } from "../harness/servers/postgres.ts";

const MESSAGES = 5_000;
const CONVERSATIONS = 500;
const SENDERS = 32;
const TAKERS = 8;
const AT_ONCE = 32;
const peers = join(dirname(dirname(import.meta.dirname)), ".artefacts", "bench-peers");

/** The part of pg-boss that is used here. */
interface Boss {
  start(): Promise<unknown>;
  stop(options: object): Promise<void>;
  createQueue(name: string, options: object): Promise<void>;
  send(name: string, data: object, options: object): Promise<string | null>;
  fetch(
    name: string,
    options: object,
  ): Promise<readonly { readonly id: string; readonly data: { readonly n: number } }[]>;
  complete(name: string, ids: readonly string[]): Promise<unknown>;
}

const server = await startPostgres(findPostgresPrograms() ?? "", { isSafe: true });
try {
  for (const round of ["to warm up", "measured"]) {
    await measureQueue(`our inbox, ${round}`, runOurs);
    await measureQueue(`pg-boss, ended together, ${round}`, (url, ended) => runBoss(url, ended, true));
    await measureQueue(`pg-boss, ended one by one as turns are, ${round}`, (url, ended) => runBoss(url, ended, false));
  }
} finally {
  await server[Symbol.asyncDispose]();
}

type Run = (url: string, ended: (n: number) => void) => Promise<() => Promise<void>>;

async function measureQueue(what: string, run: Run): Promise<void> {
  const url = await server.makeDatabase();
  const asking = new pg.Client({ connectionString: url });
  await asking.connect();
  const written = async () =>
    Number((await asking.query("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes")).rows[0].bytes);
  const last = new Map<number, number>();
  let [count, wrong] = [0, 0];
  const bytes = await written();
  const began = performance.now();
  const stop = await run(url, (n) => {
    const conversation = n % CONVERSATIONS;
    if ((last.get(conversation) ?? -1) >= n) wrong += 1;
    last.set(conversation, n);
    count += 1;
  });
  const seconds = (performance.now() - began) / 1_000;
  const wal = ((await written()) - bytes) / MESSAGES;
  console.log(
    `${what}: ${(count / seconds).toFixed(0)} messages/s, ${wal.toFixed(0)} bytes of WAL a message, ${wrong} out of order`,
  );
  await stop();
  await asking.end();
}

/** Sends all messages with `SENDERS` in parallel, in order within each conversation. */
async function sendAll(send: (n: number) => Promise<unknown>): Promise<void> {
  await Promise.all(
    Array.from({ length: SENDERS }, async (_, sender) => {
      for (let n = sender; n < MESSAGES; n += SENDERS) await send(n);
    }),
  );
}

async function runOurs(url: string, ended: (n: number) => void) {
  const config = { url_env: "", read_connections: 4, statement_timeout_s: 30, nodes: true };
  const parts = {
    config,
    url: () => url,
    version: () => undefined,
    address: () => "",
    clock: systemClock,
    log: silentLogger,
  };
  const storage = createStorage(parts);
  const close = await storage.start();
  await storage.main.migrate("gateway", MAIN_MIGRATIONS);
  const node = () => storage.nodes().id;
  const store = createGatewayStore({ main: () => storage.main, history: () => undefined, clock: systemClock, node });
  const { partitions } = store;
  if (!partitions) throw new Error("no homes");
  await partitions.prepare();
  const sending = sendAll((n) =>
    store.insert([
      {
        id: newId("qi"),
        traceId: newTraceId(n),
        message: createMessage(n),
        dedupeKey: `k${n}`,
        dedupeTtlMs: 60_000,
      },
    ]),
  );
  const waits = new Map<string, Promise<void>>();
  let taken = 0;
  while (taken < MESSAGES) {
    const { items } = await partitions.takeWork();
    taken += items.length;
    for (const row of items) {
      const { text } = JSON.parse(row.message) as InboundMessage;
      const item = {
        id: row.id,
        traceId: row.trace_id,
        channelId: "web",
        sessionId: row.session_id,
        sinceMs: 0,
        isFirst: false,
      };
      const work = async () => {
        const { fence } = await store.claim(item, node());
        const outcome = {
          traceId: row.trace_id,
          state: "completed",
          replies: [],
          ruleIds: [],
        } as unknown as TurnOutcome;
        await store.finish({ itemId: row.id, fence, state: "done", outcome });
        ended(Number(text));
      };
      waits.set(row.session_id, (waits.get(row.session_id) ?? Promise.resolve()).then(work));
    }
    if (items.length === 0) await wait(2);
  }
  await sending;
  await Promise.all(waits.values());
  return close;
}

async function runBoss(url: string, ended: (n: number) => void, isTogether: boolean) {
  const { PgBoss } = await import(pathToFileURL(join(installPeers(), "dist", "index.js")).href);
  const queue: Boss = new PgBoss({ connectionString: url, max: SENDERS, supervise: false, schedule: false });
  await queue.start();
  await queue.createQueue("in", { policy: "key_strict_fifo" });
  const sending = sendAll((n) =>
    queue.send("in", { n, message: createMessage(n) }, { singletonKey: `c${n % CONVERSATIONS}` }),
  );
  let done = 0;
  const taker = async () => {
    while (done < MESSAGES) {
      const jobs = await queue.fetch("in", { batchSize: AT_ONCE });
      if (jobs.length === 0) {
        await wait(2);
        continue;
      }
      for (const { data } of jobs) ended(data.n);
      done += jobs.length;
      const ids = jobs.map(({ id }) => id);
      if (isTogether) await queue.complete("in", ids);
      else await Promise.all(ids.map((id) => queue.complete("in", [id])));
    }
  };
  await Promise.all([sending, ...Array.from({ length: TAKERS }, taker)]);
  return () => queue.stop({ graceful: false });
}

function createMessage(n: number): InboundMessage {
  const id = `c${n % CONVERSATIONS}`;
  return {
    channelId: "web",
    sessionId: `web:${id}`,
    conversation: { id, isGroup: false },
    kind: "message",
    sender: { id, name: "Eve", isAdmin: false },
    text: String(n),
    attachments: [],
    addressed: true,
    source: "web",
  };
}

/** Installs the package only this benchmark needs outside the project's dependencies. */
function installPeers(): string {
  const folder = join(peers, "node_modules", "pg-boss");
  if (existsSync(folder)) return folder;
  mkdirSync(peers, { recursive: true });
  if (!existsSync(join(peers, "package.json"))) writeFileSync(join(peers, "package.json"), '{"private":true}');
  execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "pg-boss@12"], {
    cwd: peers,
    stdio: "inherit",
  });
  return folder;
}
