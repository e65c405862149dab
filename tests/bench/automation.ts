// What pages and starts cost with 10,000 workflows and 1,000,000 runs, beside what they cost with 100 of each.
// node --conditions=@parley/source tests/bench/automation.ts [runs]
import { loadavg } from "node:os";
import { type Database, Databases, fixedStatement } from "@parley/core";
import { startParley } from "../harness/parley.ts";

const RUNS = Number(process.argv[2] ?? 1_000_000);
const RECORDS = RUNS / 100;
const BATCH = 2_000;
const TIMES = 100;

const parley = await startParley();
const api = await parley.signIn();
const database = parley.host.get(Databases).main;
const steps = [{ id: "wait", action: "delay", input: { seconds: 1 } }];
const body = { name: "one", description: "d", steps };
const { id: first } = await api.post<{ id: string }>("/api/workflows", body);

try {
  await fill(0, 100, 100);
  const few = await measure();
  await fill(100, RECORDS, RUNS);
  const many = await measure();
  console.log(
    `load ${loadavg()[0]?.toFixed(1)}; ${RECORDS} records, ${RUNS} runs against 100 of each; ms of CPU a call`,
  );
  for (const [what, ms] of Object.entries(many)) {
    const before = few[what] ?? ms;
    console.log(`${what}: ${before.toFixed(2)} → ${ms.toFixed(2)} ms, ratio ${(ms / before).toFixed(2)} (budget 1.5)`);
  }
} finally {
  await parley[Symbol.asyncDispose]();
}

/** Copies of one workflow, and runs spread over all of them. */
async function fill(from: number, records: number, runs: number): Promise<void> {
  const [row] = await rowsOf(database, "records_workflow", first);
  const [text] = await rowsOf(database, "records_workflow_data", first);
  for (let at = from; at < records; at += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, records - at) }, (_, n) => idOf("wf", at + n));
    await database.write(
      ids.flatMap((id) => [
        insert("records_workflow", { ...row, id }),
        insert("records_workflow_data", { ...text, id }),
      ]),
    );
    await database.write(
      ids.map((id) => insert("automation_states", { id, kind: "workflow", last_nr: Math.ceil(runs / records) })),
    );
  }
  for (let at = from; at < runs; at += BATCH) {
    const some = Array.from({ length: Math.min(BATCH, runs - at) }, (_, n) => at + n);
    await database.write(
      some.map((n) =>
        insert("automation_runs", {
          run_id: idOf("run", n),
          kind: "workflow",
          owner_id: idOf("wf", n % records),
          owner_name: "one",
          nr: Math.floor(n / records) + 1,
          status: n % 10 === 0 ? "failed" : "success",
          trigger_kind: "cron",
          order_json: "{}",
          depth: 0,
          created_ms: 1_700_000_000_000 + n,
          started_ms: 1_700_000_000_000 + n,
          finished_ms: 1_700_000_000_000 + n + 50,
          result: "r".repeat(200),
          trace_id: `gw_${n}`,
        }),
      ),
    );
  }
}

async function measure(): Promise<Readonly<Record<string, number>>> {
  const { items } = await api.get<{ items: readonly { run_id: string }[] }>("/api/runs?limit=50");
  const last = items.at(-1)?.run_id ?? "";
  const calls: Readonly<Record<string, string>> = {
    "a page of workflows": "/api/workflows?limit=50",
    "a page of runs": "/api/runs?limit=50",
    "the next page of runs": `/api/runs?limit=50&before=${last}`,
    "runs that failed": "/api/runs?limit=50&status=failed",
    "runs of one": `/api/runs?limit=50&owner_id=${idOf("wf", 7)}`,
    "one run": `/api/runs/${last}`,
    "the task center": "/api/task-center?limit=50",
  };
  const found: Record<string, number> = {};
  for (const [what, path] of Object.entries(calls)) found[what] = await cpuOf(() => api.get(path));
  found["switching one on"] = await cpuOf(() => api.post(`/api/workflows/${first}/toggle`, { enabled: true }));
  return found;
}

/** Milliseconds of CPU of the whole process, a call. */
async function cpuOf(call: () => Promise<unknown>): Promise<number> {
  for (let time = 0; time < 20; time += 1) await call();
  const cpu = process.cpuUsage();
  for (let time = 0; time < TIMES; time += 1) await call();
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / 1_000 / TIMES;
}

function idOf(prefix: string, n: number): string {
  return `${prefix}_${String(n).padStart(20, "0")}`;
}

function insert(table: string, row: Readonly<Record<string, unknown>>) {
  const names = Object.keys(row);
  const text = `insert into ${table} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`;
  return { query: fixedStatement(text, Object.values(row)) };
}

async function rowsOf(from: Database, table: string, id: string) {
  return from.lookup<Readonly<Record<string, unknown>>>(fixedStatement(`select * from ${table} where id = ?`, [id]));
}
