import { basename } from "node:path";
import {
  AppError,
  type Backups,
  notFound,
  type RestoreInstructions,
  type StoredBackup,
  safeJoin,
  toItemFailure,
} from "@parley/core";
import { type BackupManifest, listBackups, parseBackupTime, readManifest } from "./backup-manifest.ts";
import { packBackup } from "./download-backup.ts";
import { removeBackup } from "./remove-backup.ts";
import { checkContent } from "./restore-backup.ts";

export interface StoredBackupsDeps {
  readonly version: string;
  /** Runs work exclusively; rejects while a backup is being made. */
  readonly runExclusive: (work: () => Promise<void>) => Promise<void>;
  /** Returns the restore steps of a backup. */
  readonly describeRestore: (backup: string) => RestoreInstructions;
}

/** Creates the service that manages the backups in a folder. */
export function createStoredBackups(
  folder: string,
  { version, runExclusive, describeRestore }: StoredBackupsDeps,
): Backups {
  const find = async (id: string) => {
    const found = (await listBackups(folder)).find((one) => basename(one) === id);
    if (found === undefined) throw notFound("backup", id);
    return safeJoin(folder, id);
  };
  return {
    async list() {
      const all = (await listBackups(folder)).flatMap((one) => {
        const created_at = parseBackupTime(basename(one));
        return created_at === undefined ? [] : [{ id: basename(one), folder: one, created_at }];
      });
      const backups: StoredBackup[] = [];
      for (const one of all) {
        const read = await readManifest(one.folder, version).catch(toAppError);
        const isOurs = !("code" in read);
        backups.push(
          isOurs
            ? toStoredBackup(one, read, describeRestore(one.folder))
            : { ...one, ...UNREADABLE, problem: toItemFailure(read) },
        );
      }
      return backups;
    },
    async check(id) {
      const from = await find(id);
      const failure = await readManifest(from, version)
        .then((manifest) => checkContent(from, manifest))
        .catch(toAppError);
      return failure ? toItemFailure(failure) : null;
    },
    async pack(id) {
      await find(id);
      return packBackup(folder, id);
    },
    async remove(id) {
      const gone = await find(id);
      await runExclusive(() => removeBackup(gone));
    },
  };
}

const UNREADABLE = { product_version: null, files: 0, databases: 0, bytes: 0, missing: [], restore: null } as const;

function toStoredBackup(
  one: Pick<StoredBackup, "id" | "folder" | "created_at">,
  { created_at, product_version, files, outside, missing }: BackupManifest,
  restore: RestoreInstructions,
): StoredBackup {
  const all = [...files, ...outside];
  const databases = files.filter(({ isDatabase }) => isDatabase).length;
  const bytes = all.reduce((sum, { size }) => sum + size, 0);
  const counts = { files: all.length - databases, databases, bytes };
  return { ...one, created_at, problem: null, product_version, ...counts, missing, restore };
}

/** Returns an `AppError` about the backup; rethrows disk and internal errors. */
function toAppError(error: unknown): AppError {
  if (AppError.is(error)) return error;
  throw error;
}
