import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { filesTexts } from "../../texts.ts";
import type { Folder } from "./folders.ts";
import { listEntries, measureFolder } from "./items.ts";
import type { WorkspaceLimits } from "./quota.ts";

const CHECK_INTERVAL_MS = 250;

/** Result of the work, with the files that it changed, by path. */
export interface WorkResult<Result> {
  readonly result: Result;
  readonly written: readonly string[];
  readonly isNew: (path: string) => boolean;
}

/** Runs work in a folder, and aborts it when the folder exceeds its limits. */
export async function runMonitored<Result>(
  folder: Folder,
  limits: WorkspaceLimits,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<WorkResult<Result>> {
  const before = await readStamps(folder);
  const [full, done] = [new AbortController(), new AbortController()];
  const watching = watchQuota(done.signal, folder, limits).catch((error: unknown) => full.abort(error));
  try {
    const result = await work(AbortSignal.any([signal, full.signal]));
    const after = await readStamps(folder);
    const written = [...after].flatMap(([path, stamp]) => (before.get(path) === stamp ? [] : [path]));
    return { result, written, isNew: (path) => !before.has(path) };
  } finally {
    done.abort();
    await watching;
  }
}

/** Checks the folder at intervals until `done` aborts; rejects when it exceeds its limits. */
async function watchQuota(done: AbortSignal, folder: Folder, limits: WorkspaceLimits): Promise<void> {
  while (await pause(CHECK_INTERVAL_MS, true, { signal: done }).catch(() => false)) {
    const { bytes, files } = await measureFolder(folder);
    if (bytes > limits.bytes || files > limits.files) throw filesTexts.error("conflict", "no_room");
  }
}

async function readStamps(folder: Folder): Promise<ReadonlyMap<string, string>> {
  const stamps = new Map<string, string>();
  for (const { parts, isFolder } of await listEntries(folder, [], true)) {
    if (isFolder) continue;
    // Files that people deleted meanwhile do not count as changes of the program.
    const stats = await lstat(join(folder.path, ...parts)).catch(() => undefined);
    if (stats) stamps.set(parts.join("/"), `${stats.size} ${stats.mtimeMs}`);
  }
  return stamps;
}
