import type { TaskKind, TaskOrder } from "@parley/core";
import type { Runs } from "../runs/runs.ts";
import type { Starter } from "../runs/starter.ts";
import type { RunKind } from "../runs/tables.ts";
import { automationFailure } from "../said-failures.ts";
import { recreateError } from "../stored-failures.ts";

/** Maximum duration of a run; sleeping ones may take days, and the submitter has their id. */
const MAX_RUN_MS = 24 * 3_600_000;

/** Records as the gateway runs them by their ids: an order of another program, from its beginning to its end. */
export function createTaskKinds(starter: Starter, runs: Runs): readonly TaskKind[] {
  const kindFor = (kind: TaskOrder["kind"], runKind: RunKind): TaskKind => ({
    kind,
    has: async (taskId) => (await starter.find(runKind, taskId)) !== undefined,
    async run(taskId, { traceId, runId, signal }) {
      // The same run, however often this is called.
      await starter.start(runKind, taskId, { trigger: "mcp", runId, traceId });
      const { status, error, error_detail } = await runs.wait(runId, MAX_RUN_MS, signal);
      signal.throwIfAborted();
      if (status === "success") return;
      if (error === null) throw automationFailure("conflict", "run_is", { status });
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
