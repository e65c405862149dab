import type { AppError, Clock, WorkspaceArea } from "@parley/core";
import { MEBIBYTE } from "../../store/write-file.ts";
import { filesTexts } from "../../texts.ts";
import type { Folder } from "./folders.ts";
import { EMPTY_SIZE, type FolderSize, measureFolder } from "./items.ts";

/** Maximum content of a workspace. */
export const WORKSPACE_LIMITS = { bytes: 2_048 * MEBIBYTE, files: 10_000, folders: 10_000, depth: 10 } as const;

export type WorkspaceLimits = { readonly [Name in keyof typeof WORKSPACE_LIMITS]: number };

/** Milliseconds after which a folder is measured again, because others may change it. */
const MEASURE_TTL_MS = 60_000;

/** Remaining capacity of workspaces. */
export interface Quota {
  /** `conflict` where this much more would be too much. */
  checkRoom(area: WorkspaceArea, more: Partial<FolderSize>): Promise<void>;
  add(area: WorkspaceArea, more: Partial<FolderSize>): void;
  /** Forces a new measurement before the next use. */
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
      if (files + (more.files ?? 0) > limits.files) throw quotaExceededError(`${limits.files} files`);
      if (folders + (more.folders ?? 0) > limits.folders) throw quotaExceededError(`${limits.folders} folders`);
      if (bytes + (more.bytes ?? 0) > limits.bytes)
        throw quotaExceededError(`${Math.floor(limits.bytes / MEBIBYTE)} MiB`);
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

function quotaExceededError(most: string): AppError {
  return filesTexts.error("conflict", "full", { most });
}
