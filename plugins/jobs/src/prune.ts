import type { Upkeep } from "@parley/core";
import type { JobsConfig } from "./config.ts";
import type { DispatcherDeps } from "./run/dispatcher.ts";
import { jobsTexts } from "./texts.ts";

const DAY_MS = 86_400_000;
export const PRUNE_UPKEEP = "jobs.prune";

type PruneDeps = Pick<DispatcherDeps, "clock" | "store" | "rebuildCounts"> & { readonly config: JobsConfig };

/** Creates the upkeep that removes finished jobs which are too old or too many. */
export function createPruneUpkeep({ clock, store, rebuildCounts, config }: PruneDeps): Upkeep {
  return {
    name: PRUNE_UPKEEP,
    title: { en: "Remove old jobs", zh: "清理旧后台任务" },
    everyMs: 3_600_000,
    async run({ log }) {
      const now = clock.now();
      const { keep_done_days, keep_dead_days, keep_most } = config;
      const removed = await store.prune(now - keep_done_days * DAY_MS, now - keep_dead_days * DAY_MS, keep_most);
      await rebuildCounts();
      log(jobsTexts.message("removed", { count: removed }));
    },
  };
}
