// Measures a webhook in and an answer out, everything on disk: rows in files compared to rows on PostgreSQL, one node to two; and the
// cost of a message on the server. Uses two channels, because each channel is owned by one node.
// node --conditions=@parley/source tests/bench/storages.ts [a part of a case's name]
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { createClient } from "../harness/http/client.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";
import { findPostgresPrograms, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";
import { readFirstLine, runLoad, spawnPart, waitUntilSettled } from "./webhook-load.ts";

const MESSAGES = 3_000;
const WARM_UP = 500;
const TURNS = 32;
const PASSWORD = "correct horse";
const CHANNELS = ["imB", "imB-two"];

interface Case {
  readonly name: string;
  readonly nodes: number;
  /** Lines of `[plugin.postgres]`; undefined for rows in files. */
  readonly postgres?: string;
}

const CASES: readonly Case[] = [
  { name: "SQLite, one node", nodes: 1 },
  { name: "PostgreSQL, one that works alone", nodes: 1, postgres: "" },
  { name: "PostgreSQL, one of several nodes", nodes: 1, postgres: "nodes = true\n" },
  { name: "PostgreSQL, two nodes", nodes: 2, postgres: "nodes = true\n" },
];

const sink = spawnPart("sink.mjs");
const api = await readFirstLine(sink);
const server = await startPostgres(findPostgresPrograms() ?? "", { isSafe: true });
try {
  await countStatements(server);
  for (const one of CASES.filter(({ name }) => name.includes(process.argv[2] ?? ""))) await run(one);
} finally {
  await server[Symbol.asyncDispose]();
  sink.kill();
}

/** Makes the server count statements from its next start. */
async function countStatements(postgres: PostgresServer): Promise<void> {
  await postgres.pool().query("alter system set shared_preload_libraries = 'pg_stat_statements'");
  await postgres.interrupt();
  await postgres.resume();
}

async function run({ name, nodes, postgres }: Case): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const url = postgres === undefined ? undefined : await server.makeDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  if (url) await pool.query("create extension pg_stat_statements");
  writeFileSync(join(root, "config.ini"), createConfig(postgres));
  const running: ParleyProcess[] = [];
  try {
    for (let node = 0; node < nodes; node += 1) running.push(await startNode(root, url));
    await prepareChannels(running[0] as ParleyProcess);
    const urls = running.flatMap(({ address }) => CHANNELS.map((id) => `${address}/api/channels/imB/${id}/webhook`));
    const endpoint = { urls, header: "x-telegram-bot-api-secret-token" };
    await runLoad(endpoint, 0, WARM_UP);
    await waitUntilSettled(api, WARM_UP);
    await fetch(`${api}/reset`);
    const before = await readCosts(running, url ? pool : undefined);
    const began = performance.now();
    const { times, rejected } = await runLoad(endpoint, WARM_UP, MESSAGES);
    const accepted = MESSAGES / ((performance.now() - began) / 1_000);
    const { sent, atMs } = await waitUntilSettled(api, MESSAGES);
    const after = await readCosts(running, url ? pool : undefined);
    times.sort((a, b) => a - b);
    const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
    const delivered = sent / ((atMs - began) / 1_000);
    const lost = sent < MESSAGES ? `; ${MESSAGES - sent} not answered` : "";
    console.log(`${name}: accepted ${accepted.toFixed(0)}/s, delivered ${delivered.toFixed(0)}/s${lost}`);
    console.log(`  answer to the webhook p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${rejected} refused for now`);
    for (const [what, count] of Object.entries(after)) {
      const each = (count - (before[what] ?? 0)) / MESSAGES;
      console.log(`  ${what} a message: ${each.toFixed(2)}`);
    }
    if (url) await printSizes(pool);
  } finally {
    for (const { child, ended } of running) {
      child.kill("SIGKILL");
      await ended;
    }
    await pool.end();
    await fetch(`${api}/reset`);
    rmSync(root, { recursive: true, force: true });
  }
}

/** Prints the sizes of the largest tables with their indexes, and the number of open connections. */
async function printSizes(pool: pg.Pool): Promise<void> {
  const tables = `select relname as name, pg_total_relation_size(oid)::int as bytes from pg_class where relkind = 'r'
    and relnamespace = 'public'::regnamespace order by 2 desc limit 8`;
  const { rows } = await pool.query<{ name: string; bytes: number }>(tables);
  const room = rows.map(({ name, bytes }) => `${name} ${(bytes / (MESSAGES + WARM_UP) / 1_000).toFixed(1)} KB`);
  const open =
    "select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
  const [connections] = (await pool.query<{ count: number }>(open)).rows;
  console.log(`  a message takes: ${room.join(", ")}; ${connections?.count} connections`);
}

function createConfig(postgres: string | undefined): string {
  const limits = "[plugin.gateway]\nlimit_user_per_minute = 0\nlimit_channel_per_minute = 0\n";
  const storage =
    postgres === undefined ? "" : `[plugins]\nstorage = @parley/plugin-postgres\n[plugin.postgres]\n${postgres}`;
  return `${storage}${limits}[log]\nlevel = error\nfile = off\n`;
}

function startNode(root: string, url: string | undefined): Promise<ParleyProcess> {
  const env = { SVC_ADMIN_PASSWORD: PASSWORD, IMB_BOT_TOKEN: "42:secret", IMB_WEBHOOK_SECRET: "bench" };
  return startProcess({ root, env: { ...env, ...(url !== undefined && { PARLEY_DATABASE_URL: url }) } });
}

async function prepareChannels({ address }: ParleyProcess): Promise<void> {
  const open = createClient(address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
  const admin = open.as(token);
  await admin.put("/api/settings", { gateway: { concurrency: TURNS } });
  await admin.post("/api/channels/presets/imB", { config: { api_base: api, paced: false, burst: "off" } });
  const { items } = await admin.get<{ items: readonly { id: string; config: object }[] }>("/api/channels");
  const config = items.find(({ id }) => id === CHANNELS[0])?.config;
  await admin.post("/api/channels", { id: CHANNELS[1], name: CHANNELS[1], type: "imB", transport: "webhook", config });
}

type Costs = Readonly<Record<string, number>>;

async function readCosts(running: readonly ParleyProcess[], pool: pg.Pool | undefined): Promise<Costs> {
  const cpu = running.reduce((sum, { child }) => sum + readCpuMs(String(child.pid)), 0);
  const main = running.reduce((sum, { child }) => sum + readCpuMs(`${child.pid}/task/${child.pid}`), 0);
  const ours = { "ms of CPU": cpu, "ms of the main thread": main };
  if (!pool) return ours;
  const kinds = `select coalesce(sum(calls) filter (where query ilike 'commit%'), 0)::int as "commits of several statements",
    coalesce(sum(calls) filter (where query !~* '^(begin|commit|set|rollback)'), 0)::int as "statements",
    coalesce(sum(calls) filter (where query ilike 'select%'), 0)::int as "of them reads",
    coalesce(sum(calls) filter (where query ilike '%pg_notify%' or query ilike 'notify%'), 0)::int as "notifications",
    (select sum(n_tup_ins) from pg_stat_user_tables)::float8 as "rows that are added",
    (select sum(n_tup_upd) from pg_stat_user_tables)::float8 as "rows that are changed",
    pg_database_size(current_database())::float8 as "bytes of the database",
    pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as "bytes of WAL"
    from pg_stat_statements s join pg_database d on d.oid = s.dbid where d.datname = current_database()`;
  const { rows } = await pool.query<Record<string, number>>(kinds);
  return { ...ours, "ms of CPU of the server": readServerMs(), ...rows[0] };
}

/** Returns user and system time of a process, or of one of its threads. */
function readCpuMs(of: string): number {
  const fields = readFileSync(`/proc/${of}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Returns the CPU time of all server processes that exist, whose connections stay open. */
function readServerMs(): number {
  const own = readFileSync(join(server.folder, "data", "postmaster.pid"), "utf8").split("\n")[0];
  return readdirSync("/proc").reduce((sum, pid) => {
    if (!/^\d+$/.test(pid)) return sum;
    try {
      const [, parent] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      return parent === own ? sum + readCpuMs(pid) : sum;
    } catch (error) {
      // The process has ended meanwhile.
      if (!/^(ENOENT|ESRCH)$/.test((error as NodeJS.ErrnoException).code ?? "")) throw error;
      return sum;
    }
  }, 0);
}
