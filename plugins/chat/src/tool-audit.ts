import {
  AppError,
  type Clock,
  type Database,
  type Migration,
  newId,
  type Redaction,
  type Tool,
  type ToolCaller,
  type ToolContext,
} from "@parley/core";

const KEPT_DAYS = 90;
const DAY_MS = 86_400_000;
const MAX_PARAMS = 8192;
const MAX_SUMMARY = 500;

export type AuditStatus = "called" | "completed" | "failed" | "denied" | "validation_failed" | "confirmation_required";

/** One call of a tool that changes something (spec 6.3), also a refused one. */
export interface AuditRow {
  readonly id: string;
  readonly time: string;
  readonly tool: string;
  readonly high_risk: number;
  /** JSON, masked. */
  readonly params: string;
  readonly status: AuditStatus;
  /** `started`, `ok` or the error's code. */
  readonly result: string;
  readonly summary: string;
  readonly audience: string;
  readonly caller: string;
  readonly trace_id: string;
  readonly session_id: string | null;
  readonly duration_ms: number | null;
  readonly confirm_by: string | null;
}

interface AuditTables {
  readonly tool_audit: AuditRow;
}

export const auditMigrations: readonly Migration[] = [
  {
    id: "001-tool-audit",
    async up(db) {
      await db.schema
        .createTable("tool_audit")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("time", "text", (column) => column.notNull())
        .addColumn("tool", "text", (column) => column.notNull())
        .addColumn("high_risk", "integer", (column) => column.notNull())
        .addColumn("params", "text", (column) => column.notNull())
        .addColumn("status", "text", (column) => column.notNull())
        .addColumn("result", "text", (column) => column.notNull())
        .addColumn("summary", "text", (column) => column.notNull())
        .addColumn("audience", "text", (column) => column.notNull())
        .addColumn("caller", "text", (column) => column.notNull())
        .addColumn("trace_id", "text", (column) => column.notNull())
        .addColumn("session_id", "text")
        .addColumn("duration_ms", "integer")
        .addColumn("confirm_by", "text")
        .execute();
      await db.schema.createIndex("tool_audit_time").on("tool_audit").columns(["time", "id"]).execute();
    },
  },
];

export interface AuditedCall {
  readonly tool: Tool;
  readonly args: unknown;
  readonly caller: ToolCaller;
  readonly context: ToolContext;
}

export interface AuditOutcome {
  readonly status: AuditStatus;
  readonly result: string;
  readonly summary: string;
  readonly durationMs?: number;
}

/** The record of what tools did. Append-only: a row is written before the call and completed after it. */
export interface ToolAudit {
  /** Writes the row; `unavailable` when it cannot be written, and then the call must not run. */
  begin(call: AuditedCall): Promise<{ complete(outcome: AuditOutcome): Promise<void> }>;
  /** A call that was not run. */
  refused(call: AuditedCall, outcome: AuditOutcome): Promise<void>;
  removeOld(): Promise<void>;
}

export interface ToolAuditParts {
  readonly database: Database;
  readonly redaction: Redaction;
  readonly clock: Clock;
}

export function createToolAudit({ database, redaction, clock }: ToolAuditParts): ToolAudit {
  const tables = () => database.tables<AuditTables>();
  const shown = (text: string, most: number) => redaction.mask(text).slice(0, most);
  const rowOf = ({ tool, args, caller, context }: AuditedCall, outcome: AuditOutcome): AuditRow => ({
    id: newId("audit", clock.now()),
    time: new Date(clock.now()).toISOString(),
    tool: tool.name,
    high_risk: tool.risk === "high" ? 1 : 0,
    params: shown(JSON.stringify(redaction.mask(args)) ?? "null", MAX_PARAMS),
    status: outcome.status,
    result: outcome.result,
    summary: shown(outcome.summary, MAX_SUMMARY),
    audience: caller.audience,
    caller: context.callerId,
    trace_id: context.traceId,
    session_id: context.sessionId ?? null,
    duration_ms: null,
    confirm_by: tool.risk === "high" && outcome.status === "called" ? "client" : null,
  });
  const insert = async (row: AuditRow) => {
    await database.write([{ query: tables().insertInto("tool_audit").values(row), expect: 1 }]);
  };
  return {
    async begin(call) {
      const row = rowOf(call, { status: "called", result: "started", summary: "" });
      await insert(row).catch((cause: unknown) => {
        throw new AppError("unavailable", "the audit row cannot be written, so the tool does not run", { cause });
      });
      return {
        async complete({ status, result, summary, durationMs = 0 }) {
          const change = { status, result, summary: shown(summary, MAX_SUMMARY), duration_ms: Math.round(durationMs) };
          const query = tables().updateTable("tool_audit").set(change).where("id", "=", row.id);
          await database.write([{ query, expect: 1 }]);
        },
      };
    },
    refused: (call, outcome) => insert(rowOf(call, outcome)),
    async removeOld() {
      const before = new Date(clock.now() - KEPT_DAYS * DAY_MS).toISOString();
      await database.write([{ query: tables().deleteFrom("tool_audit").where("time", "<", before) }]);
    },
  };
}
