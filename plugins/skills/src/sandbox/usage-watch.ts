import { readdir, readFile, readlink, stat } from "node:fs/promises";

const CHECK_INTERVAL_MS = 100;
const PAGE_BYTES = 4_096;
const BLOCK_BYTES = 512;
const MEMORY_FILE = "/memfd:";

export interface UsageLimits {
  readonly memoryBytes: number;
  readonly processes: number;
}

export interface UsageWatch {
  stop(): void;
}

/** Reason to end the program: a limit, or that its usage cannot be read any more. */
export type UsageProblem = "memory" | "processes" | "unreadable";

/**
 * Checks the total usage of a process and its descendants ten times a second, and calls `onProblem` once. System
 * limits apply to each process, and the process limit only where it is counted by namespace.
 */
export function watchUsage(
  pid: number | undefined,
  bounds: UsageLimits,
  onProblem: (what: UsageProblem) => void,
): UsageWatch {
  let timer: NodeJS.Timeout | undefined;
  let isOver = pid === undefined;
  const look = async (root: number) => {
    const what = await findProblem(root, bounds).catch((): UsageProblem => "unreadable");
    if (isOver) return;
    if (what === undefined) timer = setTimeout(() => look(root), CHECK_INTERVAL_MS);
    else onProblem(what);
  };
  if (pid !== undefined) void look(pid);
  return {
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

async function findProblem(root: number, bounds: UsageLimits): Promise<UsageProblem | undefined> {
  const pids = await findDescendants(root, bounds.processes * 2);
  // Bubblewrap itself is two of them, and one sets the limits.
  if (pids.length > bounds.processes + 3) return "processes";
  const mapped = await Promise.all(pids.map(readMemoryBytes));
  const files = new Map((await Promise.all(pids.map(readMemoryFiles))).flat());
  const bytes = [...mapped, ...files.values()].reduce((sum, one) => sum + one, 0);
  return bytes > bounds.memoryBytes ? "memory" : undefined;
}

/** Returns a process and its descendants until there are more than `most`; orphans in a namespace remain below its first process. */
async function findDescendants(root: number, most: number): Promise<readonly number[]> {
  const found = [root];
  for (let at = 0; at < found.length && found.length <= most; at += 1)
    found.push(...(await listChildren(found[at] ?? 0)));
  return found;
}

async function listChildren(pid: number): Promise<readonly number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(recoverIfGone([]));
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, "utf8").catch(recoverIfGone(""))),
  );
  return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
}

/** Returns the bytes of memory of a process, without files; a share of what several processes have in common. */
async function readMemoryBytes(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(recoverIfHidden(""));
  const shares = [...rollup.matchAll(/^(?:Pss_Anon|Pss_Shmem|SwapPss): +(\d+) kB$/gm)].map(([, kib]) => Number(kib));
  if (shares.length > 0) return shares.reduce((sum, one) => sum + one, 0) * 1_024;
  const [, resident = "0"] = (await readFile(`/proc/${pid}/statm`, "utf8").catch(recoverIfGone(""))).split(" ");
  return Number(resident) * PAGE_BYTES;
}

/** Returns the files in memory that a process has open, by inode. They count even if no process maps them. */
async function readMemoryFiles(pid: number): Promise<readonly (readonly [inode: number, bytes: number])[]> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(recoverIfHidden([]));
  const found = names.map(async (name) => {
    const path = `${folder}/${name}`;
    if (!(await readlink(path).catch(recoverIfHidden(""))).startsWith(MEMORY_FILE)) return [];
    const file = await stat(path).catch(recoverIfHidden(undefined));
    return file ? [[file.ino, file.blocks * BLOCK_BYTES] as const] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Creates an error handler that returns a value when the kernel hides a process, such as one with more rights. */
function recoverIfHidden<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  const whenGone = recoverIfGone(value);
  return (error) => (error.code === "EACCES" || error.code === "EPERM" ? value : whenGone(error));
}

/** Creates an error handler that returns a value when the process has ended. */
function recoverIfGone<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code === "ENOENT" || error.code === "ESRCH") return value;
    throw error;
  };
}
