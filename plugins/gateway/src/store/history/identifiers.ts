import { type Database, fixedStatement } from "@parley/core";
import type { HistoryTables, MainTables } from "../tables.ts";

/** One of the kinds that an identifier may have. */
export interface IdentifierKind {
  readonly type: string;
  readonly confidence: number;
  readonly source: keyof MainTables | keyof HistoryTables;
  readonly isInMain: boolean;
  readonly where: string;
  readonly tool: string;
  readonly argument: string;
}

const createKind = (
  type: string,
  confidence: number,
  source: IdentifierKind["source"],
  where: string,
  tool = "gateway_query_trace",
  argument = "trace_id",
): IdentifierKind => ({ type, confidence, source, isInMain: source !== "gateway_logs", where, tool, argument });

/** The kinds of identifiers, the most likely first. */
const KINDS: readonly IdentifierKind[] = [
  createKind("trace_id", 0.95, "inbox", "trace_id = ?"),
  // Rejected messages and internal events have no inbox row.
  createKind("trace_id", 0.95, "gateway_logs", "trace_id = ? and source != 'mcp'"),
  createKind("queue_item_id", 0.9, "inbox", "id = ?"),
  createKind("delivery_id", 0.88, "outbox", "id = ?"),
  createKind("delivery_trace_id", 0.85, "outbox", "trace_id = ?"),
  createKind("mcp_log_trace_id", 0.8, "gateway_logs", "trace_id = ? and source = 'mcp'"),
  createKind("log_id", 0.75, "gateway_logs", "id = ? and source != 'mcp'"),
  createKind("mcp_log_id", 0.7, "gateway_logs", "id = ? and source = 'mcp'"),
  createKind("session_id", 0.65, "inbox", "session_id = ?", "web_get_session", "session_id"),
  createKind("message_id", 0.6, "gateway_logs", "message_id = ?", "gateway_query_logs", "q"),
  createKind("channel_id", 0.55, "gateway_logs", "channel_id = ?", "gateway_query_events", "channel_id"),
  createKind("node_id", 0.5, "gateway_nodes", "node_id = ?", "gateway_get_node", "node_id"),
];

/** A kind, and the number of rows that have the value as an identifier of this kind. */
export interface IdentifierMatch {
  readonly type: string;
  readonly source: IdentifierKind["source"];
  readonly count: number;
}

/** Builds a query that counts the matching rows of each kind, up to 1,000. */
function createLookup(kinds: readonly IdentifierKind[], value: string) {
  const counted = kinds.map(
    ({ type, source, where }) =>
      `select '${type}' as type, '${source}' as source, count(*) as count from (select 1 from ${source} where ${where} limit 1000) as found`,
  );
  return fixedStatement<IdentifierMatch>(
    counted.join(" union all "),
    kinds.map(() => value),
  );
}

/** Returns the possible kinds of an identifier, the most likely first. */
export async function identify(
  value: string,
  { main, history }: { readonly main: Database; readonly history: Database },
): Promise<readonly (IdentifierKind & IdentifierMatch)[]> {
  const results = await Promise.all([
    main.lookup(
      createLookup(
        KINDS.filter(({ isInMain }) => isInMain),
        value,
      ),
    ),
    history.lookup(
      createLookup(
        KINDS.filter(({ isInMain }) => !isInMain),
        value,
      ),
    ),
  ]);
  const rows = results.flat();
  return KINDS.flatMap((known) => {
    const count = Number(rows.find(({ type, source }) => type === known.type && source === known.source)?.count ?? 0);
    return count > 0 ? [{ ...known, count }] : [];
  });
}
