import Joi from "@hapi/joi";
import { type BlobStore, type JobKind, jobKind } from "@parley/core";
import { filesTexts } from "../texts.ts";
import { type BlobMigration, type MigrationRoute, migrateBlobs } from "./blob-migration.ts";

const HOUR_MS = 3_600_000;
export const MIGRATION_JOB = "files.move";

export interface MigrationPayload {
  readonly isBack: boolean;
}

export interface MigrationJobDeps extends Pick<BlobMigration, "findRecords" | "runExclusively"> {
  /** Returns the migration that this process should make; undefined when files are stored in the data folder. */
  getRoute(): (MigrationRoute & MigrationPayload) | undefined;
}

/** Creates the job that moves files to the plugin's storage, or back into the data folder. */
export function createMigrationJob({ getRoute, ...parts }: MigrationJobDeps): JobKind {
  return jobKind<MigrationPayload>({
    kind: MIGRATION_JOB,
    titles: { en: "Move files to the new storage", zh: "将文件移到新的存放位置" },
    schema: Joi.object<MigrationPayload, true>({ isBack: Joi.boolean().default(false) }),
    concurrency: 1,
    timeoutMs: 24 * HOUR_MS,
    retry: { attempts: 100, firstDelayMs: 1_000, maxDelayMs: 300_000 },
    async run({ isBack }, { log, signal }) {
      const own = getRoute();
      if (own?.isBack !== isBack) {
        throw filesTexts.error("unavailable", "kept_elsewhere");
      }
      const { from, to } = own;
      const { count, damaged } = await migrateBlobs({ ...parts, ...own, signal });
      log(filesTexts.message("moved", { count, from: from.place, to: to.place }));
      for (const name of damaged) log(filesTexts.message("stays", { name, from: from.place }));
      if (isBack && damaged.length === 0) log(filesTexts.message("all_back"));
    },
  });
}

export async function hasAnyBlob(blobs: Pick<BlobStore, "names">): Promise<boolean> {
  for await (const names of blobs.names()) if (names.length > 0) return true;
  return false;
}
