import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY_FOLDER = "/dev/shm";
const MIN_FREE_BYTES = 2 ** 31;

/**
 * Creates the folder for everything that a test run writes. Services wait for the disk at each commit, which is most of the time of a
 * run, so the folder is in memory where there is enough of it. A killed process loses nothing there either.
 */
export default function setup(): () => void {
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(join(canUseMemory() ? MEMORY_FOLDER : tmpdir(), "parley-run-"));
  // A database server that a test starts runs as another user.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
}

function canUseMemory(): boolean {
  if (!existsSync(MEMORY_FOLDER)) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  const mount = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .find((line) => line.split(" ")[1] === MEMORY_FOLDER);
  const rights = mount?.split(" ")[3]?.split(",") ?? ["noexec"];
  return bavail * bsize >= MIN_FREE_BYTES && !rights.includes("noexec");
}
