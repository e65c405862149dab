// Compares pages and starts with 10,000 workflows and 1,000,000 runs to those with 100 of each.
// node --conditions=@parley/source tests/bench/automation.ts [runs]
import { loadavg } from "node:os";
import { type Database, Databases, fixedStatement } from "@parley/core";
import type { Client } from "../harness/http/client.ts";
import { startParley } from "../harness/parley.ts";

const RUNS = Number(process.argv[2] ?? 1_000_000);
const RECORDS = RUNS / 100;
const BATCH = 50_000;
const TIMES = 20;
const ROUNDS = 7;
const START_MS = 1_700_000_000_000;
/** A record that owns half of all runs, as the heartbeat does. */
const BUSY = "heartbeat";

/** Pages that skip many others; bounded by the maximum number of records. */
const PASSING = new Set(["workflows with a word", "the last page of workflows"]);

/** A service, and the workflow that all its others are copies of. */
interface Service extends AsyncDisposable {
  readonly api: Client;
  readonly database: Database;
  readonly first: string;
}

const small = await startService();
const large = await startService();
try {
  await fill(small, 100, 100);
  const begun = performance.now();
  await fill(large, RECORDS, RUNS);
  const seconds = (performance.now() - begun) / 1_000;
  const costs = await measure();
  const size = `${RECORDS} records, ${RUNS} runs (filled in ${seconds.toFixed(0)} s) against 100 of each`;
  console.log(`load ${loadavg()[0]?.toFixed(1)}; ${size}; ms of CPU a call, best of ${ROUNDS} rounds in turn`);
  for (const [what, [few, many]] of Object.entries(costs)) {
    const budget = PASSING.has(what) ? 4 : 1.5;
    console.log(
      `${what}: ${few.toFixed(2)} → ${many.toFixed(2)} ms, ratio ${(many / few).toFixed(2)} (budget ${budget})`,
    );
  }
} finally {
  await small[Symbol.asyncDispose]();
  await large[Symbol.asyncDispose]();
}

async function startService(): Promise<Service> {
  const parley = await startParley();
  const api = await parley.signIn();
  const steps = [{ id: "wait", action: "delay", input: { seconds: 1 } }];
  const { id: first } = await api.post<{ id: string }>("/api/workflows", { name: "one", description: "d", steps });
  const database = parley.host.get(Databases).main;
  return { api, database, first, [Symbol.asyncDispose]: () => parley[Symbol.asyncDispose]() };
}

/** Fills the service with copies of a workflow and with runs: every second run belongs to the busy record, the others are spread over the copies. */
async function fill({ database, first }: Service, records: number, runs: number): Promise<void> {
  for (const table of ["records_workflow", "records_workflow_data"]) {
    const [row] = await database.lookup<object>(fixedStatement(`select * from ${table} where id = ?`, [first]));
    const others = Object.keys(row ?? {}).filter((name) => name !== "id");
    await insertRows(database, records, (rows) => ({
      text: `insert into ${table} (id, ${others}) ${rows.text} select ${formatIdSql("wf", "i")}, ${others.map((name) => `t.${name}`)}
        from n, ${table} t where t.id = ?`,
      values: [...rows.values, first],
    }));
  }
  await insertRows(database, records, (rows) => ({
    text: `insert into automation_states (id, kind) ${rows.text} select ${formatIdSql("wf", "i")}, 'workflow' from n`,
    values: rows.values,
  }));
  await insertRows(database, runs, (rows) => ({
    text: `insert into automation_runs (run_id, kind, owner_id, owner_name, nr, status, trigger_kind, order_json, depth,
        created_ms, started_ms, finished_ms, result, trace_id) ${rows.text}
      select ${formatIdSql("run", "i")}, case when i % 2 = 0 then 'heartbeat' else 'workflow' end,
        case when i % 2 = 0 then '${BUSY}' else ${formatIdSql("wf", `((i / 2) % ${records})`)} end, 'one', i + 1,
        case when i < 100 and i % 10 < 2 then 'failed' else 'success' end, 'cron', '{}', 0, ${START_MS} + i, ${START_MS} + i,
        ${START_MS} + 50 + i, '${"r".repeat(200)}', ${formatIdSql("gw", "i")} from n`,
    values: rows.values,
  }));
  const last = "(select coalesce(max(nr), 0) from automation_runs where owner_id = automation_states.id)";
  await database.write([{ query: fixedStatement(`update automation_states set last_nr = ${last}`, []) }]);
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Lets the database generate rows, in transactions of `BATCH` rows. */
async function insertRows(database: Database, to: number, statement: (rows: Statement) => Statement): Promise<void> {
  for (let at = 0; at < to; at += BATCH) {
    const numbers = "with recursive n(i) as (select cast(? as integer) union all select i + 1 from n where i + 1 < ?)";
    const { text, values } = statement({ text: numbers, values: [at, Math.min(to, at + BATCH)] });
    await database.write([{ query: fixedStatement(moveNumbersFirst(text), values) }]);
  }
}

/** Moves the recursive numbers in front of the insert. */
function moveNumbersFirst(text: string): string {
  const at = text.indexOf("with recursive");
  const end = text.indexOf("select", text.indexOf("where i + 1 < ?)"));
  return `${text.slice(at, end)} ${text.slice(0, at)} ${text.slice(end)}`;
}

/** Measures the cost of each call in a small and a large service. */
async function measure(): Promise<Readonly<Record<string, readonly [few: number, many: number]>>> {
  const [few, many] = [await prepareCalls(small), await prepareCalls(large)];
  const found: Record<string, readonly [number, number]> = {};
  for (const [what, call] of Object.entries(few)) found[what] = await measureCpuMs(call, many[what] ?? call);
  return found;
}

async function prepareCalls({ api, first }: Service): Promise<Readonly<Record<string, () => Promise<unknown>>>> {
  const { items } = await api.get<{ items: readonly { run_id: string }[] }>("/api/runs?limit=50");
  const last = items.at(-1)?.run_id ?? "";
  const { total } = await api.get<{ total: number }>("/api/workflows?limit=1");
  const pages: Readonly<Record<string, string>> = {
    "a page of workflows": "/api/workflows?limit=50",
    "workflows that are on": "/api/workflows?limit=50&enabled=true",
    "workflows with a word": "/api/workflows?limit=50&q=nothing+of+it",
    "the last page of workflows": `/api/workflows?limit=50&offset=${total - 50}`,
    "a page of runs": "/api/runs?limit=50",
    "the next page of runs": `/api/runs?limit=50&before=${last}`,
    "runs that failed": "/api/runs?limit=50&status=failed",
    "runs of one kind": "/api/runs?limit=50&kind=workflow",
    "runs of one kind that failed": "/api/runs?limit=10&kind=heartbeat&status=failed",
    "runs of the busy one": `/api/runs?limit=50&owner_id=${BUSY}`,
    "runs of the busy one that failed": `/api/runs?limit=10&owner_id=${BUSY}&status=failed`,
    "one run": `/api/runs/${last}`,
    "the task center": "/api/task-center?limit=50",
  };
  const read = Object.entries(pages).map(([what, path]) => [what, () => api.get(path)] as const);
  const toggle = () => api.post(`/api/workflows/${first}/toggle`, { enabled: true });
  return { ...Object.fromEntries(read), "switching one on": toggle };
}

/**
 * Returns the CPU milliseconds of the whole process per call, for two calls measured in turn: both meet the same heap and compiled code,
 * and the best round contains the least of what else the machine does.
 */
async function measureCpuMs(
  ...calls: readonly [() => Promise<unknown>, () => Promise<unknown>]
): Promise<[number, number]> {
  const best: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const call of calls) for (let time = 0; time < TIMES; time += 1) await call();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const at of [0, 1] as const) {
      const cpu = process.cpuUsage();
      for (let time = 0; time < TIMES; time += 1) await calls[at]();
      const { user, system } = process.cpuUsage(cpu);
      best[at] = Math.min(best[at], (user + system) / 1_000 / TIMES);
    }
  }
  return best;
}

/** Returns a SQL expression of an id. */
function formatIdSql(prefix: string, number: string): string {
  return `'${prefix}_' || substr('00000000000000000000' || ${number}, -20)`;
}
