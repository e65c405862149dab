import Joi from "@hapi/joi";
import { type JobKind, jobKind, type Schedules, type Sessions } from "@parley/core";
import type { Converter } from "./pdf/converter.ts";
import { fileLine } from "./said-lines.ts";
import type { FileStore } from "./store/file-store.ts";
import { removeOrphanWorkspaces } from "./workspace/upkeep.ts";
import type { WorkspaceStore } from "./workspace/workspaces.ts";

const HOUR_MS = 3_600_000;
const PRUNE = "files.prune";

export interface PruneJobDeps {
  readonly files: Pick<FileStore, "prune" | "sweep">;
  readonly workspaces: WorkspaceStore;
  readonly converter: Pick<Converter, "removeOld">;
  readonly sessions: () => Pick<Sessions, "find"> | undefined;
}

/** Creates the job that removes files which nothing uses any more. */
export function createPruneJob({ files, workspaces, converter, sessions }: PruneJobDeps): JobKind {
  return jobKind({
    kind: PRUNE,
    titles: { en: "Remove unused files", zh: "清理未使用的文件" },
    schema: Joi.object({}),
    concurrency: 1,
    async run(_payload, { log }) {
      log(fileLine("pruned", { count: await files.prune() }));
      log(fileLine("swept", { count: await files.sweep() }));
      log(fileLine("trash", { count: await workspaces.trash.removeExpired() }));
      await converter.removeOld();
      log(fileLine("orphans", { count: await removeOrphanWorkspaces(workspaces, sessions()) }));
    },
  });
}

/** Runs the job every six hours. */
export async function schedulePruning(schedules: Schedules): Promise<void> {
  const times = { everyMs: 6 * HOUR_MS, madeUpWithinMs: 24 * HOUR_MS };
  await schedules.put({ id: PRUNE, kind: PRUNE, payload: {}, ...times });
}
