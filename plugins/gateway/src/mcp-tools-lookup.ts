import type { Channels, Database, Sessions, ToolAudit } from "@parley/core";
import { type Kysely, sql } from "kysely";
import type { Nodes } from "./mcp-tools-nodes.ts";
import type { GatewayTables } from "./tables.ts";

export interface IdMatch {
  readonly type: string;
  readonly count: number;
  readonly source: string;
}

export interface IdLookup {
  readonly input: string;
  readonly matches: readonly IdMatch[];
  readonly best_guess: { readonly type: string; readonly confidence: number };
  readonly next_tools: readonly { readonly tool: string; readonly args: Readonly<Record<string, string>> }[];
}

/** How sure a match makes, best first (contract gateway §5), and what to ask next. */
const KINDS: readonly (readonly [type: string, confidence: number, tool: string, argument: string])[] = [
  ["trace_id", 0.95, "gateway_query_trace", "trace_id"],
  ["queue_item_id", 0.9, "gateway_query_logs", "trace_id"],
  ["delivery_id", 0.88, "gateway_query_deliveries", "trace_id"],
  ["delivery_trace_id", 0.85, "gateway_query_deliveries", "trace_id"],
  ["mcp_log_trace_id", 0.8, "gateway_query_logs", "trace_id"],
  ["log_id", 0.75, "gateway_query_trace", "trace_id"],
  ["mcp_log_id", 0.7, "gateway_query_logs", "trace_id"],
  ["session_id", 0.65, "web_get_session", "session_id"],
  ["message_id", 0.6, "gateway_query_trace", "trace_id"],
  ["channel_id", 0.55, "gateway_query_events", "channel_id"],
  ["node_id", 0.5, "gateway_get_node", "node_id"],
];

export interface LookupParts {
  readonly database: () => Database;
  readonly audit: () => ToolAudit | undefined;
  readonly channels: () => Channels | undefined;
  readonly sessions: () => Sessions;
  readonly nodes: Nodes;
}

/** Says what an identifier is. */
export function createLookup(parts: LookupParts): (value: string) => Promise<IdLookup> {
  return async (value) => {
    const matches = (await Promise.all(searches(parts, value))).flat().filter(({ count }) => count > 0);
    const [best] = KINDS.filter(([type]) => matches.some((match) => match.type === type));
    if (!best) return { input: value, matches: [], best_guess: { type: "unknown", confidence: 0 }, next_tools: [] };
    const [type, confidence, tool, argument] = best;
    const traceId = matches.find((match) => match.type === type)?.traceId ?? value;
    return {
      input: value,
      matches: matches.map(({ traceId: _, ...match }) => match),
      best_guess: { type, confidence },
      next_tools: [{ tool, args: { [argument]: argument === "trace_id" ? traceId : value } }],
    };
  };
}

interface Match extends IdMatch {
  readonly traceId?: string;
}

function searches(parts: LookupParts, value: string): readonly Promise<readonly Match[]>[] {
  const { database, audit, channels, sessions, nodes } = parts;
  const tables: Kysely<GatewayTables> = database().tables<GatewayTables>();
  const rows = async (type: string, table: "inbox" | "outbox" | "gateway_logs", column: string) => {
    const found = await tables
      .selectFrom(table as "inbox")
      .select(["trace_id", ({ fn }) => fn.countAll<number>().as("count")])
      .where(column as "id", "=", value)
      .executeTakeFirst();
    return [
      { type, count: Number(found?.count ?? 0), source: table, ...(found?.trace_id && { traceId: found.trace_id }) },
    ];
  };
  const calls = async (type: string, query: { readonly traceId?: string; readonly id?: string }) => {
    const { items, total } = (await audit()?.rows({ ...query, limit: 1, offset: 0 })) ?? { items: [], total: 0 };
    return [{ type, count: total, source: "mcp_audit", ...(items[0] && { traceId: items[0].trace_id }) }];
  };
  const one = (type: string, source: string, isThere: boolean): readonly Match[] => [
    { type, source, count: isThere ? 1 : 0 },
  ];
  return [
    rows("trace_id", "inbox", "trace_id"),
    rows("trace_id", "gateway_logs", "trace_id"),
    rows("queue_item_id", "inbox", "id"),
    rows("delivery_id", "outbox", "id"),
    rows("delivery_trace_id", "outbox", "trace_id"),
    rows("log_id", "gateway_logs", "id"),
    calls("mcp_log_trace_id", { traceId: value }),
    calls("mcp_log_id", { id: value }),
    messages(tables, value),
    sessions()
      .find(value)
      .then((session) => one("session_id", "sessions", session !== undefined)),
    Promise.resolve(one("channel_id", "channels", channels()?.get(value) !== undefined)),
    nodes.list().then((list) =>
      one(
        "node_id",
        "nodes",
        list.some(({ node_id }) => node_id === value),
      ),
    ),
  ];
}

async function messages(tables: Kysely<GatewayTables>, value: string): Promise<readonly Match[]> {
  const found = await tables
    .selectFrom("inbox")
    .select("trace_id")
    .where(sql<boolean>`message ->> '$.platformMessageId' = ${value}`)
    .limit(100)
    .execute();
  return [
    { type: "message_id", count: found.length, source: "inbox", ...(found[0] && { traceId: found[0].trace_id }) },
  ];
}
