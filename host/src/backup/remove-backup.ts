import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { settled } from "../on-disk.ts";
import { unfinishedName } from "./backup-manifest.ts";

/** In two steps: what is removed is no backup any more, also when it is ended in the middle. */
export async function removeBackup(backup: string): Promise<void> {
  const doomed = join(dirname(backup), unfinishedName(backup));
  await rename(backup, doomed);
  await settled(dirname(backup));
  await rm(doomed, { recursive: true });
}
