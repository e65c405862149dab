import { statfs } from "node:fs/promises";
import { availableParallelism, freemem, loadavg, totalmem } from "node:os";
import { answerFields, shape } from "@parley/core/http";

export interface Machine {
  readonly cores: number;
  /** Load of the last minute, where 1 means that all cores are busy; 0 if the system does not report it. */
  readonly load: number;
  /** CPU use of the service since its process started, where 1 means one core. */
  readonly process_cpu: number;
  /** In bytes. */
  readonly memory: { readonly total: number; readonly free: number; readonly process: number };
  /** Bytes on the disk of the data folder; null if the system does not report it. */
  readonly disk: { readonly total: number; readonly free: number } | null;
}

const { count, number, orNull } = answerFields;

export const machineData = shape<Machine>(
  {
    cores: count,
    load: number,
    process_cpu: number,
    memory: shape({ total: count, free: count, process: count }),
    disk: orNull(shape({ total: count, free: count })),
  },
  "Machine",
);

export async function readMachine(data: string): Promise<Machine> {
  const cores = availableParallelism();
  const { user, system } = process.cpuUsage();
  // Some file systems do not report their size.
  const disk = await statfs(data).catch(() => null);
  return {
    cores,
    load: (loadavg()[0] ?? 0) / cores,
    process_cpu: (user + system) / 1e6 / process.uptime(),
    memory: { total: totalmem(), free: freemem(), process: process.memoryUsage.rss() },
    disk: disk && { total: disk.blocks * disk.bsize, free: disk.bavail * disk.bsize },
  };
}
