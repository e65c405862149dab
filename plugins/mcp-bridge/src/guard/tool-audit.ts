import {
  type Clock,
  type Database,
  newId,
  type Redaction,
  type Tool,
  type ToolCaller,
  type ToolContext,
} from "@parley/core";
import { maskSecrets } from "@parley/core/secrets";
import { mcpBridgeTexts } from "../texts.ts";
import type { AuditRow, AuditTables, CallStatus } from "./audit-tables.ts";

const RETENTION_DAYS = 90;
const DAY_MS = 86_400_000;
const MAX_PARAMS = 8192;
const MAX_SUMMARY = 500;

export interface AuditedCall {
  readonly tool: Tool;
  readonly args: unknown;
  readonly caller: ToolCaller;
  readonly context: ToolContext;
  readonly confirmBy?: string;
}

export interface AuditOutcome {
  readonly status: CallStatus;
  readonly result: string;
  readonly summary: string;
  readonly durationMs?: number;
}

/** Writes the audit of tool calls. A row is written before the call, completed once after it, and never changed again. */
export interface ToolAudit {
  /** Writes the row; `unavailable` when it cannot be written, and then the call must not run. */
  begin(call: AuditedCall): Promise<{ complete(outcome: AuditOutcome): Promise<void> }>;
  /** Records a call that was not run. */
  recordRejected(call: AuditedCall, outcome: AuditOutcome): Promise<void>;
  /** Creates the table when it is missing. */
  prepare(): Promise<void>;
  /** Removes rows older than 90 days; returns their number. */
  removeOld(): Promise<number>;
}

export interface ToolAuditDeps {
  /** Resolves to the open database with its tables. */
  readonly database: () => Promise<Database>;
  readonly redaction: Redaction;
  readonly clock: Clock;
  /** Called for each call that ended or was not run. */
  readonly onCallRecorded: (row: AuditRow) => void;
}

export function createToolAudit({ database, redaction, clock, onCallRecorded }: ToolAuditDeps): ToolAudit {
  const tables = async () => (await database()).tables<AuditTables>();
  const maskAndTruncate = (text: string, most: number) => maskSecrets(text, redaction).slice(0, most);
  const toAuditRow = (call: AuditedCall, outcome: AuditOutcome): AuditRow => {
    const { tool, args, caller, context } = call;
    return {
      id: newId("audit", clock.now()),
      time: new Date(clock.now()).toISOString(),
      tool: tool.name,
      high_risk: tool.risk === "high" ? 1 : 0,
      params: (JSON.stringify(maskSecrets(args, redaction)) ?? "null").slice(0, MAX_PARAMS),
      status: outcome.status,
      result: outcome.result,
      summary: maskAndTruncate(outcome.summary, MAX_SUMMARY),
      audience: caller.audience,
      caller: context.callerId,
      transport: caller.via?.transport ?? null,
      mcp_session: caller.via?.session ?? null,
      client: caller.via?.client?.slice(0, 200) ?? null,
      trace_id: context.traceId,
      session_id: context.sessionId ?? null,
      duration_ms: null,
      confirm_by: call.confirmBy ?? null,
    };
  };
  const insert = async (row: AuditRow) => {
    const query = (await tables()).insertInto("mcp_audit").values(row);
    await (await database()).write([{ query, expect: 1 }]);
  };
  return {
    async begin(call) {
      const row = toAuditRow(call, { status: "called", result: "started", summary: "" });
      await insert(row).catch((cause: unknown) => {
        throw mcpBridgeTexts.error("unavailable", "no_audit", {}, { cause });
      });
      return {
        async complete({ status, result, summary, durationMs = 0 }) {
          const change = {
            status,
            result,
            summary: maskAndTruncate(summary, MAX_SUMMARY),
            duration_ms: Math.round(durationMs),
          };
          const query = (await tables()).updateTable("mcp_audit").set(change).where("id", "=", row.id);
          await (await database()).write([{ query: query.where("result", "=", "started"), expect: 1 }]);
          onCallRecorded({ ...row, ...change });
        },
      };
    },
    async recordRejected(call, outcome) {
      const row = toAuditRow(call, outcome);
      await insert(row);
      onCallRecorded(row);
    },
    prepare: async () => void (await database()),
    async removeOld() {
      const before = new Date(clock.now() - RETENTION_DAYS * DAY_MS).toISOString();
      const query = (await tables()).deleteFrom("mcp_audit").where("time", "<", before);
      const [removed] = await (await database()).write([{ query }]);
      return removed?.changes ?? 0;
    },
  };
}
