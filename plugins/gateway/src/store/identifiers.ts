import { type Database, fixedStatement } from "@parley/core";
import type { HistoryTables, TruthTables } from "../tables.ts";

/** What an identifier may be. */
export interface IdentifierKind {
  readonly type: string;
  readonly confidence: number;
  readonly source: keyof TruthTables | keyof HistoryTables;
  readonly isTruth: boolean;
  readonly where: string;
  readonly tool: string;
  readonly argument: string;
}

const kind = (
  type: string,
  confidence: number,
  source: IdentifierKind["source"],
  where: string,
  tool = "gateway_query_trace",
  argument = "trace_id",
): IdentifierKind => ({ type, confidence, source, isTruth: source !== "gateway_logs", where, tool, argument });

/** What an identifier may be, the likeliest first. */
const KINDS: readonly IdentifierKind[] = [
  kind("trace_id", 0.95, "inbox", "trace_id = ?"),
  // What was refused at the door, and what the service does of itself, was never in the inbox.
  kind("trace_id", 0.95, "gateway_logs", "trace_id = ? and source != 'mcp'"),
  kind("queue_item_id", 0.9, "inbox", "id = ?"),
  kind("delivery_id", 0.88, "outbox", "id = ?"),
  kind("delivery_trace_id", 0.85, "outbox", "trace_id = ?"),
  kind("mcp_log_trace_id", 0.8, "gateway_logs", "trace_id = ? and source = 'mcp'"),
  kind("log_id", 0.75, "gateway_logs", "id = ? and source != 'mcp'"),
  kind("mcp_log_id", 0.7, "gateway_logs", "id = ? and source = 'mcp'"),
  kind("session_id", 0.65, "inbox", "session_id = ?", "web_get_session", "session_id"),
  kind("message_id", 0.6, "gateway_logs", "message_id = ?", "gateway_query_logs", "q"),
  kind("channel_id", 0.55, "gateway_logs", "channel_id = ?", "gateway_query_events", "channel_id"),
  kind("node_id", 0.5, "gateway_nodes", "node_id = ?", "gateway_get_node", "node_id"),
];

/** Rows of one kind that a value may be. */
export interface Identified {
  readonly type: string;
  readonly source: IdentifierKind["source"];
  readonly count: number;
}

/** How many rows of each kind there are. One with very many is as certain as one with a thousand. */
function lookupOf(kinds: readonly IdentifierKind[], value: string) {
  const counted = kinds.map(
    ({ type, source, where }) =>
      `select '${type}' as type, '${source}' as source, count(*) as count from (select 1 from ${source} where ${where} limit 1000) as found`,
  );
  return fixedStatement<Identified>(
    counted.join(" union all "),
    kinds.map(() => value),
  );
}

/** The kinds of rows that a value may be, the likeliest first. */
export async function identified(
  value: string,
  { truth, history }: { readonly truth: Database; readonly history: Database },
): Promise<readonly (IdentifierKind & Identified)[]> {
  const asked = await Promise.all([
    truth.lookup(
      lookupOf(
        KINDS.filter(({ isTruth }) => isTruth),
        value,
      ),
    ),
    history.lookup(
      lookupOf(
        KINDS.filter(({ isTruth }) => !isTruth),
        value,
      ),
    ),
  ]);
  const rows = asked.flat();
  return KINDS.flatMap((known) => {
    const count = Number(rows.find(({ type, source }) => type === known.type && source === known.source)?.count ?? 0);
    return count > 0 ? [{ ...known, count }] : [];
  });
}
