import { type GatewayLog, type ItemFailure, type LiveEvents, toTraceMessage } from "@parley/core";
import type { RunEnd } from "./run-store.ts";
import type { RunTable } from "./tables.ts";

const MAX_EVENT_RESULT_CHARS = 500;

export interface RunNotifierDeps {
  readonly events: LiveEvents;
  readonly log: () => GatewayLog | undefined;
}

/** Notifies clients and the gateway's log of runs. */
export interface RunNotifier {
  publishStatus(row: RunTable): void;
  /** Publishes the end of a workflow as a durable event. */
  publishWorkflowEnd(row: RunTable): void;
  log(row: RunTable, status: string, message: ItemFailure, error?: RunEnd["error"]): void;
}

export function createRunNotifier({ events, log }: RunNotifierDeps): RunNotifier {
  return {
    publishStatus({ run_id, kind, owner_id, owner_name, status }) {
      const payload = { run_id, kind, owner_id, owner_name, status, step: null };
      events.publish({ type: "task_event", durable: false, payload });
    },
    publishWorkflowEnd({ owner_id: workflow_id, owner_name: workflow_name, run_id, status, result }) {
      const payload = { workflow_id, workflow_name, run_id, status, result: result.slice(0, MAX_EVENT_RESULT_CHARS) };
      events.publish({ type: "workflow_executed", durable: true, payload });
    },
    log(row, status, message, error) {
      const { trace_id: traceId, kind, owner_id, owner_name, run_id, trigger_kind } = row;
      const run = { task_kind: kind, task_id: owner_id, task_name: owner_name, run_id, trigger: trigger_kind };
      log()?.add({
        traceId,
        source: "gateway",
        type: "internal_task",
        status,
        ...toTraceMessage(message),
        channelId: "internal",
        metadata: { what: "run", ...run },
        ...(error && { error: { code: error.code, ...toTraceMessage(error) } }),
      });
    },
  };
}
