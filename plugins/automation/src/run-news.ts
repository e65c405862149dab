import type { GatewayLog, LiveEvents } from "@parley/core";
import { whyOf } from "./kept-failures.ts";
import type { RunEnd } from "./run-store.ts";
import type { RunTable } from "./tables.ts";

const RESULT_IN_EVENT = 500;

export interface RunNewsParts {
  readonly events: LiveEvents;
  readonly log: () => GatewayLog | undefined;
}

/** What is told of runs: to whoever looks on, and in the records of the gateway. */
export interface RunNews {
  tell(row: RunTable): void;
  /** A workflow that ended; told for good. */
  tellWorkflow(row: RunTable): void;
  note(row: RunTable, status: string, message: string, error?: RunEnd["error"]): void;
}

export function createRunNews({ events, log }: RunNewsParts): RunNews {
  return {
    tell({ run_id, kind, owner_id, owner_name, status }) {
      const payload = { run_id, kind, owner_id, owner_name, status, step: null };
      events.publish({ type: "task_event", durable: false, payload });
    },
    tellWorkflow({ owner_id: workflow_id, owner_name: workflow_name, run_id, status, result }) {
      const payload = { workflow_id, workflow_name, run_id, status, result: result.slice(0, RESULT_IN_EVENT) };
      events.publish({ type: "workflow_executed", durable: true, payload });
    },
    note(row, status, message, error) {
      const { trace_id: traceId, kind, owner_id, owner_name, run_id, trigger_kind } = row;
      const run = { task_kind: kind, task_id: owner_id, task_name: owner_name, run_id, trigger: trigger_kind };
      log()?.add({
        traceId,
        source: "gateway",
        type: "internal_task",
        status,
        message,
        channelId: "internal",
        metadata: { what: "run", ...run, ...(error && { why: whyOf(error) }) },
        ...(error && { error: { code: error.code, message: error.error } }),
      });
    },
  };
}
