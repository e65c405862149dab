import Joi from "@hapi/joi";
import { type JobKind, jobKind, type Schedules } from "@parley/core";
import type { JobsConfig } from "./config.ts";
import type { DispatcherDeps } from "./run/dispatcher.ts";
import { jobsTexts } from "./texts.ts";

const DAY_MS = 86_400_000;
export const PRUNE_JOB = "jobs.prune";

type PruneJobDeps = Pick<DispatcherDeps, "clock" | "store" | "rebuildCounts"> & { readonly config: JobsConfig };

/** Creates the job that removes finished jobs which are too old or too many. */
export function createPruneJob({ clock, store, rebuildCounts, config }: PruneJobDeps): JobKind {
  return jobKind({
    kind: PRUNE_JOB,
    titles: { en: "Remove old jobs", zh: "清理旧后台任务" },
    schema: Joi.object({}),
    concurrency: 1,
    async run(_payload, { log }) {
      const now = clock.now();
      const { keep_done_days, keep_dead_days, keep_most } = config;
      const removed = await store.prune(now - keep_done_days * DAY_MS, now - keep_dead_days * DAY_MS, keep_most);
      await rebuildCounts();
      log(jobsTexts.message("removed", { count: removed }));
    },
  });
}

/** Runs the job every hour. */
export async function schedulePruning(schedules: Schedules): Promise<void> {
  await schedules.put({ id: PRUNE_JOB, kind: PRUNE_JOB, payload: {}, everyMs: 3_600_000, madeUpWithinMs: DAY_MS });
}
