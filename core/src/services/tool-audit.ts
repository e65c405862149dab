import { type ServiceKey, serviceKey } from "../extension-point.ts";

export type ToolCallStatus =
  | "called"
  | "completed"
  | "failed"
  | "denied"
  | "validation_failed"
  | "confirmation_required";

/** One call of a tool that changes something (spec 6.3), also a refused one. Secrets are masked. */
export interface ToolAuditRow {
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly time: string;
  readonly tool: string;
  readonly high_risk: boolean;
  /** JSON, at most 8 KiB. */
  readonly params: string;
  readonly status: ToolCallStatus;
  /** `started`, `ok` or the error's code. */
  readonly result: string;
  readonly summary: string;
  readonly audience: string;
  /** The credential's or person's id, or `stdio`. */
  readonly caller: string;
  readonly transport: string | null;
  readonly mcp_session: string | null;
  readonly client: string | null;
  readonly trace_id: string;
  readonly session_id: string | null;
  readonly duration_ms: number | null;
  /** `client`, or the id of the person who confirmed. */
  readonly confirm_by: string | null;
}

export interface ToolAuditQuery {
  readonly id?: string;
  readonly traceId?: string;
  readonly tool?: string;
  readonly status?: string;
  /** ISO 8601 UTC, inclusive. */
  readonly since?: string;
  readonly until?: string;
  /** A part of what was given or of what came of it. */
  readonly text?: string;
  readonly limit: number;
  readonly offset: number;
}

/** What tools did, kept 90 days, for those who show it. */
export interface ToolAudit {
  /** Newest first. */
  rows(query: ToolAuditQuery): Promise<{ readonly items: readonly ToolAuditRow[]; readonly total: number }>;
}
export const ToolAudit: ServiceKey<ToolAudit> = serviceKey("tool-audit");
