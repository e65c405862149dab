import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 2 ** 31;

/**
 * The folder for what tests write, one for each run. Services wait for the disk at each commit, which is most of the time
 * that a run of all tests takes: where there is memory to spare, the folder is in memory. A process that is killed loses
 * nothing there either.
 */
export default function setup(): () => void {
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(join(isRoomy() ? MEMORY : tmpdir(), "parley-run-"));
  // A database server that a test starts runs as somebody else.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
}

function isRoomy(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  const mount = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .find((line) => line.split(" ")[1] === MEMORY);
  const rights = mount?.split(" ")[3]?.split(",") ?? ["noexec"];
  return bavail * bsize >= ENOUGH_BYTES && !rights.includes("noexec");
}
