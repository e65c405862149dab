import type { TaskKind, TaskOrder } from "@parley/core";
import type { Runs } from "../runs/runs.ts";
import type { Starter } from "../runs/starter.ts";
import type { RunKind } from "../runs/tables.ts";
import { recreateError } from "../stored-failures.ts";
import { automationTexts } from "../texts.ts";

/** Maximum time that the gateway waits for a run; a sleeping run may take days, and the caller has its id. */
const MAX_RUN_MS = 24 * 3_600_000;

/** Creates task kinds by which the gateway runs records by their ids, on the order of another program. */
export function createTaskKinds(starter: Starter, runs: Runs): readonly TaskKind[] {
  const kindFor = (kind: TaskOrder["kind"], runKind: RunKind): TaskKind => ({
    kind,
    has: async (taskId) => (await starter.find(runKind, taskId)) !== undefined,
    async run(taskId, { traceId, runId, signal }) {
      // Repeated calls return the same run.
      await starter.start(runKind, taskId, { trigger: "mcp", runId, traceId });
      const { status, error, error_detail } = await runs.wait(runId, MAX_RUN_MS, signal);
      signal.throwIfAborted();
      if (status === "success") return;
      if (error === null) throw automationTexts.error("conflict", "run_is", { status });
      throw recreateError("conflict", { error, ...(error_detail && { detail: error_detail }) });
    },
  });
  return [
    kindFor("heartbeat", "heartbeat"),
    kindFor("workflow", "workflow"),
    kindFor("cron", "task"),
    kindFor("custom", "task"),
  ];
}
