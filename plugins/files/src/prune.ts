import type { Sessions, Upkeep } from "@parley/core";
import type { Converter } from "./pdf/converter.ts";
import type { FileStore } from "./store/file-store.ts";
import { filesTexts } from "./texts.ts";
import { removeOrphanWorkspaces } from "./workspace/upkeep.ts";
import type { WorkspaceStore } from "./workspace/workspaces.ts";

const HOUR_MS = 3_600_000;

export interface PruneDeps {
  readonly files: Pick<FileStore, "prune" | "sweep">;
  readonly workspaces: WorkspaceStore;
  readonly converter: Pick<Converter, "removeOld">;
  readonly sessions: () => Pick<Sessions, "find"> | undefined;
}

/** Creates the upkeep that removes files which are no longer used. */
export function createPruneUpkeep({ files, workspaces, converter, sessions }: PruneDeps): Upkeep {
  return {
    name: "files.prune",
    title: { en: "Remove unused files", zh: "清理未使用的文件" },
    everyMs: 6 * HOUR_MS,
    async run({ log }) {
      log(filesTexts.message("pruned", { count: await files.prune() }));
      log(filesTexts.message("swept", { count: await files.sweep() }));
      log(filesTexts.message("trash", { count: await workspaces.trash.removeExpired() }));
      await converter.removeOld();
      log(filesTexts.message("orphans", { count: await removeOrphanWorkspaces(workspaces, sessions()) }));
    },
  };
}
