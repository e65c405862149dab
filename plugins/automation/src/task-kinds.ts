import type { TaskKind, TaskOrder } from "@parley/core";
import { again } from "./kept-failures.ts";
import type { Runs } from "./runs.ts";
import { automationFailure } from "./said-failures.ts";
import type { Starter } from "./starter.ts";
import type { RunKind } from "./tables.ts";

/** A run that sleeps may take days; who submitted it has its id. */
const LONGEST_MS = 24 * 3_600_000;

/** Records as the gateway runs them by their ids: an order of another program, from its beginning to its end. */
export function taskKinds(starter: Starter, runs: Runs): readonly TaskKind[] {
  const kindFor = (kind: TaskOrder["kind"], own: RunKind): TaskKind => ({
    kind,
    has: async (taskId) => (await starter.find(own, taskId)) !== undefined,
    async run(taskId, { traceId, runId, signal }) {
      // The same run, however often this is called.
      await starter.start(own, taskId, { trigger: "mcp", runId, traceId });
      const { status, error, error_detail } = await runs.wait(runId, LONGEST_MS, signal);
      signal.throwIfAborted();
      if (status === "success") return;
      if (error === null) throw automationFailure("conflict", "run_is", { status });
      throw again("conflict", { error, ...(error_detail && { detail: error_detail }) });
    },
  });
  return [
    kindFor("heartbeat", "heartbeat"),
    kindFor("workflow", "workflow"),
    kindFor("cron", "task"),
    kindFor("custom", "task"),
  ];
}
