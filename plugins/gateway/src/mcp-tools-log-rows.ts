import type { ToolAuditRow } from "@parley/core";
import type { LogTable } from "./tables.ts";

/** A row of the unified log (contract gateway §4). */
export interface LogRow {
  readonly id: string;
  readonly trace_id: string;
  readonly source: string;
  readonly type: string;
  readonly level: string;
  readonly stage: string;
  readonly action: string;
  readonly status: string;
  readonly message: string;
  readonly tool_name: string | null;
  readonly channel_id: string | null;
  readonly conversation_id: string | null;
  readonly user_id: string | null;
  readonly message_id: string | null;
  readonly delivery_id: string | null;
  readonly queue_item_id: string | null;
  readonly node_id: string | null;
  readonly request_id: string | null;
  readonly parent_id: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly created_at: string;
}

const UNKNOWN = { message_id: null, node_id: null, request_id: null, parent_id: null } as const;

export function logRowOf(row: LogTable): LogRow {
  return { ...UNKNOWN, tool_name: null, ...row, metadata: JSON.parse(row.metadata) };
}

/** An event is a log row of the gateway seen from the message it belongs to. */
export function eventOf(row: LogTable) {
  const { id, trace_id, type, status, stage, action, level, channel_id, conversation_id, user_id, created_at } = row;
  const error = row.error_code ?? row.error_message;
  return {
    id,
    trace_id,
    event_type: type,
    status,
    stage,
    action,
    level,
    channel_id,
    conversation_id,
    user_id,
    message_id: null,
    error,
    metadata: JSON.parse(row.metadata) as object,
    created_at,
  };
}

/** A tool's call as a row of the log. */
export function toolLogRowOf(row: ToolAuditRow): LogRow {
  const isFine = row.result === "ok" || row.result === "started";
  const { params, summary, high_risk, result, audience, transport, mcp_session, client, duration_ms, confirm_by } = row;
  return {
    ...UNKNOWN,
    id: row.id,
    trace_id: row.trace_id,
    source: "mcp",
    type: "mcp_tool",
    level: isFine ? "info" : row.status === "failed" ? "error" : "warning",
    stage: "",
    action: "call",
    status: row.status,
    message: `${row.tool}: ${result}`,
    tool_name: row.tool,
    channel_id: null,
    conversation_id: row.session_id,
    user_id: row.caller,
    delivery_id: null,
    queue_item_id: null,
    metadata: { params, summary, high_risk, result, audience, transport, mcp_session, client, duration_ms, confirm_by },
    error_code: isFine ? null : result,
    error_message: isFine ? null : summary,
    created_at: row.time,
  };
}
