import type { AppError, Clock, WorkspaceArea } from "@parley/core";
import { fileFailure } from "../said-failures.ts";
import { MEBIBYTE } from "../write-file.ts";
import type { Folder } from "./folders.ts";
import { type Measure, measured, NOTHING } from "./items.ts";

/** What a workspace holds at most. */
export const WORKSPACE_LIMITS = { bytes: 2_048 * MEBIBYTE, files: 10_000, folders: 10_000, depth: 10 } as const;

export type WorkspaceLimits = { readonly [Name in keyof typeof WORKSPACE_LIMITS]: number };

/** What others do in the folders besides is counted anew after this time. */
const MEASURED_MS = 60_000;

/** How much more the workspaces take. */
export interface Room {
  /** `conflict` where this much more would be too much. */
  refuseMore(area: WorkspaceArea, more: Partial<Measure>): Promise<void>;
  counted(area: WorkspaceArea, more: Partial<Measure>): void;
  /** It is counted anew before the next time. */
  forgotten(area: WorkspaceArea): void;
}

export function createRoom(
  limits: WorkspaceLimits,
  clock: Clock,
  open: (area: WorkspaceArea) => Promise<Folder | undefined>,
): Room {
  const measures = new Map<string, { readonly at: number; readonly measure: Measure }>();
  const keyOf = ({ sessionId }: WorkspaceArea) => sessionId ?? "";
  const measureOf = async (area: WorkspaceArea): Promise<Measure> => {
    const known = measures.get(keyOf(area));
    if (known && clock.now() - known.at < MEASURED_MS) return known.measure;
    await using folder = await open(area);
    const measure = folder ? await measured(folder) : NOTHING;
    measures.set(keyOf(area), { at: clock.now(), measure });
    return measure;
  };
  return {
    async refuseMore(area, more) {
      const { files, folders, bytes } = await measureOf(area);
      if (files + (more.files ?? 0) > limits.files) throw full(`${limits.files} files`);
      if (folders + (more.folders ?? 0) > limits.folders) throw full(`${limits.folders} folders`);
      if (bytes + (more.bytes ?? 0) > limits.bytes) throw full(`${Math.floor(limits.bytes / MEBIBYTE)} MiB`);
    },
    counted(area, more) {
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
    forgotten: (area) => void measures.delete(keyOf(area)),
  };
}

function full(most: string): AppError {
  return fileFailure("conflict", "full", { most });
}
