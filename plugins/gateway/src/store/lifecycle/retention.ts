import { type Clock, type Database, fixedStatement, newTraceId } from "@parley/core";

const BATCH_ROWS = 1_000;
const DAY_MS = 86_400_000;
const RETENTION_MS = 30 * DAY_MS;
const ERROR_RETENTION_MS = 90 * DAY_MS;
const NODE_RETENTION_MS = 7 * DAY_MS;

/** Deletes of old rows, by cut-off and maximum rows per step. They use an index: trace ids begin with their time. */
const MAIN_DELETES = {
  dedupe: "delete from dedupe where key in (select key from dedupe where first_ms < ? limit ?)",
  drafts: "delete from turn_draft where trace_id in (select trace_id from turn_draft where trace_id < ? limit ?)",
  ledger: "delete from tool_ledger where trace_id in (select trace_id from tool_ledger where trace_id < ? limit ?)",
  elements: `delete from gateway_elements where id in
    (select id from gateway_elements where expires_ms < ? limit ?)`,
  outbox: `delete from outbox where updated_ms < ? and state in ('delivered', 'dead', 'expired', 'cancelled')
    and id in (select id from outbox order by position limit ?)`,
  inbox: `delete from inbox where updated_ms < ? and state not in ('waiting', 'running')
    and id in (select id from inbox order by trace_id limit ?)`,
  nodes: "delete from gateway_nodes where heartbeat_ms < ? and node_id in (select node_id from gateway_nodes limit ?)",
} as const;
const HISTORY_DELETES = {
  logs: `delete from gateway_logs where id in
    (select id from gateway_logs where created_at < ? and level not in ('warning', 'error') limit ?)`,
  errors: `delete from gateway_logs where id in
    (select id from gateway_logs where level in ('warning', 'error') and created_at < ? limit ?)`,
  records: "delete from turn_record where trace_id in (select trace_id from turn_record where trace_id < ? limit ?)",
} as const;

/**
 * Deletes expired rows and returns their number: history and finished rows after 30 days, warnings and errors after 90.
 * Each step of 1,000 rows has its own commit, so that messages do not wait.
 */
export async function prune(
  { main, history }: { readonly main: Database; readonly history: Database | undefined },
  clock: Clock,
  dedupeTtlMs: number,
): Promise<number> {
  const now = clock.now();
  const iso = (ms: number) => new Date(ms).toISOString();
  const oldestTraceId = newTraceId(now - RETENTION_MS);
  const mainCount = await pruneTables(main, MAIN_DELETES, {
    dedupe: now - dedupeTtlMs,
    drafts: oldestTraceId,
    ledger: oldestTraceId,
    elements: now - RETENTION_MS,
    outbox: now - RETENTION_MS,
    inbox: now - RETENTION_MS,
    nodes: now - NODE_RETENTION_MS,
  });
  if (!history) return mainCount;
  const cutoffs = { logs: iso(now - RETENTION_MS), errors: iso(now - ERROR_RETENTION_MS), records: oldestTraceId };
  return mainCount + (await pruneTables(history, HISTORY_DELETES, cutoffs));
}

async function pruneTables<Name extends string>(
  database: Database,
  steps: Readonly<Record<Name, string>>,
  before: Readonly<Record<Name, number | string>>,
): Promise<number> {
  let deleted = 0;
  for (const name of Object.keys(steps) as Name[]) {
    for (let changes = 1; changes > 0; deleted += changes) {
      const [result] = await database.write([{ query: fixedStatement(steps[name], [before[name], BATCH_ROWS]) }]);
      changes = result?.changes ?? 0;
    }
  }
  return deleted;
}
