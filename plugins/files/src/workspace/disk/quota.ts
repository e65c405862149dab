import type { AppError, Clock, WorkspaceArea } from "@parley/core";
import { MEBIBYTE } from "../../store/write-file.ts";
import { filesTexts } from "../../texts.ts";
import type { Folder } from "./folders.ts";
import { EMPTY_SIZE, type FolderSize, measureFolder } from "./items.ts";

/** Maximum content of a workspace. */
export const WORKSPACE_LIMITS = { bytes: 2_048 * MEBIBYTE, files: 10_000, folders: 10_000, depth: 10 } as const;

export type WorkspaceLimits = { readonly [Name in keyof typeof WORKSPACE_LIMITS]: number };

/** Time after which a folder is measured again, because others may have changed it. */
const MEASURE_TTL_MS = 60_000;

/** Checks the remaining capacity of workspaces. */
export interface Quota {
  /** Rejects with `conflict` when the workspace has no room for this much more. */
  checkRoom(area: WorkspaceArea, more: Partial<FolderSize>): Promise<void>;
  add(area: WorkspaceArea, more: Partial<FolderSize>): void;
  /** Makes the next check measure the workspace again. */
  invalidate(area: WorkspaceArea): void;
}

export function createQuota(
  limits: WorkspaceLimits,
  clock: Clock,
  open: (area: WorkspaceArea) => Promise<Folder | undefined>,
): Quota {
  const measures = new Map<string, { readonly at: number; readonly measure: FolderSize }>();
  const keyOf = ({ sessionId }: WorkspaceArea) => sessionId ?? "";
  const getSize = async (area: WorkspaceArea): Promise<FolderSize> => {
    const known = measures.get(keyOf(area));
    if (known && clock.now() - known.at < MEASURE_TTL_MS) return known.measure;
    await using folder = await open(area);
    const measure = folder ? await measureFolder(folder) : EMPTY_SIZE;
    measures.set(keyOf(area), { at: clock.now(), measure });
    return measure;
  };
  return {
    async checkRoom(area, more) {
      const { files, folders, bytes } = await getSize(area);
      if (files + (more.files ?? 0) > limits.files) throw createQuotaExceededError(`${limits.files} files`);
      if (folders + (more.folders ?? 0) > limits.folders) throw createQuotaExceededError(`${limits.folders} folders`);
      if (bytes + (more.bytes ?? 0) > limits.bytes)
        throw createQuotaExceededError(`${Math.floor(limits.bytes / MEBIBYTE)} MiB`);
    },
    add(area, more) {
      const known = measures.get(keyOf(area));
      if (!known) return;
      const { files, folders, bytes, depth } = known.measure;
      const sum = {
        files: files + (more.files ?? 0),
        folders: folders + (more.folders ?? 0),
        bytes: bytes + (more.bytes ?? 0),
        depth,
      };
      measures.set(keyOf(area), { at: known.at, measure: sum });
    },
    invalidate: (area) => void measures.delete(keyOf(area)),
  };
}

function createQuotaExceededError(most: string): AppError {
  return filesTexts.error("conflict", "full", { most });
}
