import type { GatewayLogEntry, LiveEvent } from "@parley/core";
import type { AuditRow } from "./audit-tables.ts";

/** Converts the audit row of a tool call to a row of the unified log. */
export function toLogEntry(row: AuditRow): GatewayLogEntry {
  const { params, summary, high_risk, result, audience, transport, mcp_session, client, duration_ms, confirm_by } = row;
  const isFine = result === "ok";
  return {
    traceId: row.trace_id,
    source: "mcp",
    type: "mcp_tool",
    level: isFine ? "info" : row.status === "failed" ? "error" : "warning",
    action: "call",
    status: row.status,
    message: `${row.tool}: ${result}`,
    toolName: row.tool,
    userId: row.caller,
    ...(row.session_id !== null && { sessionId: row.session_id }),
    ...(!isFine && { error: { code: result, message: summary } }),
    metadata: {
      audit_id: row.id,
      params,
      summary,
      high_risk: high_risk === 1,
      result,
      audience,
      transport,
      mcp_session,
      client,
      duration_ms,
      confirm_by,
    },
  };
}

/** Converts an audit row to an event for live viewers. */
export function toLiveEvent(row: AuditRow): LiveEvent {
  const { id, time, tool, status, result, trace_id, session_id, caller, duration_ms } = row;
  const payload = { event: "tool_call", id, time, tool, status, result, trace_id, session_id, caller, duration_ms };
  return { type: "mcp_event", durable: false, payload };
}
