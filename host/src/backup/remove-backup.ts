import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncToDisk } from "../process/file-system.ts";
import { createUnfinishedName } from "./backup-manifest.ts";

/** In two steps: what is removed is no backup any more, also when it is ended in the middle. */
export async function removeBackup(backup: string): Promise<void> {
  const pendingDeletion = join(dirname(backup), createUnfinishedName(backup));
  await rename(backup, pendingDeletion);
  await syncToDisk(dirname(backup));
  await rm(pendingDeletion, { recursive: true });
}
