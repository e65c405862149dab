import { readdir, readFile } from "node:fs/promises";

/** A running process with its start time, since ids are reused. */
export interface RunningProcess {
  readonly pid: number;
  readonly startedAt: string;
}

/** Finds all descendants of a process, also outside its group; empty without /proc. Detached ones, such as daemons, are not found. */
export async function findDescendants(pid: number): Promise<readonly RunningProcess[]> {
  const names = await readdir("/proc").catch(() => []);
  const all = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((name) => readProcess(Number(name))));
  const children = Map.groupBy(
    all.filter((one) => one !== undefined),
    ({ parent }) => parent,
  );
  const found: RunningProcess[] = [];
  for (let level = children.get(pid) ?? []; level.length > 0; ) {
    found.push(...level);
    level = level.flatMap((one) => children.get(one.pid) ?? []);
  }
  return found;
}

/** Kills the processes that still run. */
export async function killAll(processes: readonly RunningProcess[]): Promise<void> {
  for (const { pid, startedAt } of processes) {
    if ((await readProcess(pid))?.startedAt === startedAt) killProcess(pid);
  }
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // It has ended, or its id belongs to another process.
    if (!["ESRCH", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

async function readProcess(pid: number): Promise<(RunningProcess & { readonly parent: number }) | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name is in brackets and may contain anything; state, parent and so on follow the last bracket.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "", parent = ""] = fields;
  return state === "" || state === "Z" ? undefined : { pid, parent: Number(parent), startedAt: fields[19] ?? "" };
}
