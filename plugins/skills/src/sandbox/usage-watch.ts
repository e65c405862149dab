import { readdir, readFile } from "node:fs/promises";

const CHECK_INTERVAL_MS = 100;
const PAGE_BYTES = 4_096;

export interface UsageLimits {
  readonly memoryBytes: number;
  readonly processes: number;
}

export interface UsageWatch {
  stop(): void;
}

/**
 * Checks the total usage of a process and its descendants ten times a second, and calls `exceeded` once. System
 * limits apply to each process, and the process limit only where it is counted by namespace.
 */
export function watchUsage(
  pid: number | undefined,
  bounds: UsageLimits,
  onExceeded: (what: "memory" | "processes") => void,
): UsageWatch {
  let timer: NodeJS.Timeout | undefined;
  let isOver = pid === undefined;
  const look = async (root: number) => {
    const pids = await findDescendants(root, bounds.processes * 2);
    const bytes = (await Promise.all(pids.map(readMemoryBytes))).reduce((sum, one) => sum + one, 0);
    if (isOver) return;
    // Bubblewrap itself is two of them, and one sets the limits.
    const what = bytes > bounds.memoryBytes ? "memory" : pids.length > bounds.processes + 3 ? "processes" : undefined;
    if (what === undefined) timer = setTimeout(() => look(root), CHECK_INTERVAL_MS);
    else onExceeded(what);
  };
  if (pid !== undefined) void look(pid);
  return {
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** Returns a process and its descendants, at most `most`; orphans in a namespace remain below its first process. */
async function findDescendants(root: number, most: number): Promise<readonly number[]> {
  const found = [root];
  for (let at = 0; at < found.length && found.length <= most; at += 1)
    found.push(...(await listChildren(found[at] ?? 0)));
  return found;
}

async function listChildren(pid: number): Promise<readonly number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(valueWhenGone([]));
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, "utf8").catch(valueWhenGone(""))),
  );
  return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
}

/** Resident bytes, without what several share. */
async function readMemoryBytes(pid: number): Promise<number> {
  const [, resident = "0", shared = "0"] = (
    await readFile(`/proc/${pid}/statm`, "utf8").catch(valueWhenGone(""))
  ).split(" ");
  return Math.max(0, Number(resident) - Number(shared)) * PAGE_BYTES;
}

/** A process that has ended is none. */
function valueWhenGone<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code === "ENOENT" || error.code === "ESRCH") return value;
    throw error;
  };
}
