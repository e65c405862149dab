import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncToDisk } from "../process/file-system.ts";
import { createUnfinishedName } from "./backup-manifest.ts";

/** Removes a backup in two steps, so that it does not count as a backup even after a crash in between. */
export async function removeBackup(backup: string): Promise<void> {
  const pendingDeletion = join(dirname(backup), createUnfinishedName(backup));
  await rename(backup, pendingDeletion);
  await syncToDisk(dirname(backup));
  await rm(pendingDeletion, { recursive: true });
}
