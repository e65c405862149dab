import Joi from "@hapi/joi";
import { type JobKind, jobKind, type Schedules, type Sessions } from "@parley/core";
import type { Converter } from "./pdf/converter.ts";
import type { FileStore } from "./store/file-store.ts";
import { filesTexts } from "./texts.ts";
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

/** Creates the job that removes files which are no longer used. */
export function createPruneJob({ files, workspaces, converter, sessions }: PruneJobDeps): JobKind {
  return jobKind({
    kind: PRUNE,
    titles: { en: "Remove unused files", zh: "清理未使用的文件" },
    schema: Joi.object({}),
    concurrency: 1,
    async run(_payload, { log }) {
      log(filesTexts.message("pruned", { count: await files.prune() }));
      log(filesTexts.message("swept", { count: await files.sweep() }));
      log(filesTexts.message("trash", { count: await workspaces.trash.removeExpired() }));
      await converter.removeOld();
      log(filesTexts.message("orphans", { count: await removeOrphanWorkspaces(workspaces, sessions()) }));
    },
  });
}

/** Runs the job every six hours. */
export async function schedulePruning(schedules: Schedules): Promise<void> {
  const times = { everyMs: 6 * HOUR_MS, madeUpWithinMs: 24 * HOUR_MS };
  await schedules.put({ id: PRUNE, kind: PRUNE, payload: {}, ...times });
}
