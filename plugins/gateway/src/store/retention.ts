import { type Clock, type Database, fixedStatement, newTraceId } from "@parley/core";

const STEP = 1_000;
const DAY_MS = 86_400_000;
const KEPT_MS = 30 * DAY_MS;
const KEPT_ERRORS_MS = 90 * DAY_MS;
const FORGOTTEN_NODE_MS = 7 * DAY_MS;

/**
 * What may go; each statement takes a cut-off and the most rows one step looks at. Each finds its rows by an index: trace ids
 * begin with their time.
 */
const TRUTH = {
  dedupe: "delete from dedupe where key in (select key from dedupe where first_ms < ? limit ?)",
  drafts: "delete from turn_draft where trace_id in (select trace_id from turn_draft where trace_id < ? limit ?)",
  ledger: "delete from tool_ledger where trace_id in (select trace_id from tool_ledger where trace_id < ? limit ?)",
  outbox: `delete from outbox where updated_ms < ? and state in ('delivered', 'dead', 'expired')
    and id in (select id from outbox order by position limit ?)`,
  inbox: `delete from inbox where updated_ms < ? and state not in ('waiting', 'running')
    and id in (select id from inbox order by trace_id limit ?)`,
  nodes: "delete from gateway_nodes where heartbeat_ms < ? and node_id in (select node_id from gateway_nodes limit ?)",
} as const;
const HISTORY = {
  logs: `delete from gateway_logs where id in
    (select id from gateway_logs where created_at < ? and level not in ('warning', 'error') limit ?)`,
  errors: `delete from gateway_logs where id in
    (select id from gateway_logs where level in ('warning', 'error') and created_at < ? limit ?)`,
  records: "delete from turn_record where trace_id in (select trace_id from turn_record where trace_id < ? limit ?)",
} as const;

/**
 * Deletes what is older than kept: history and finished rows 30 days, warnings and errors 90. In steps of 1,000
 * rows, each a commit of its own, so that no message waits behind it. Gives how many rows went.
 */
export async function prune(
  { truth, history }: { readonly truth: Database; readonly history: Database | undefined },
  clock: Clock,
  dedupeTtlMs: number,
): Promise<number> {
  const now = clock.now();
  const iso = (ms: number) => new Date(ms).toISOString();
  const kept = newTraceId(now - KEPT_MS);
  const inTruth = await pruned(truth, TRUTH, {
    dedupe: now - dedupeTtlMs,
    drafts: kept,
    ledger: kept,
    outbox: now - KEPT_MS,
    inbox: now - KEPT_MS,
    nodes: now - FORGOTTEN_NODE_MS,
  });
  if (!history) return inTruth;
  const before = { logs: iso(now - KEPT_MS), errors: iso(now - KEPT_ERRORS_MS), records: kept };
  return inTruth + (await pruned(history, HISTORY, before));
}

async function pruned<Name extends string>(
  database: Database,
  steps: Readonly<Record<Name, string>>,
  before: Readonly<Record<Name, number | string>>,
): Promise<number> {
  let deleted = 0;
  for (const name of Object.keys(steps) as Name[]) {
    for (let changes = 1; changes > 0; deleted += changes) {
      const [result] = await database.write([{ query: fixedStatement(steps[name], [before[name], STEP]) }]);
      changes = result?.changes ?? 0;
    }
  }
  return deleted;
}
