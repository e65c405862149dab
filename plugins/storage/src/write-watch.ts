import { statfsSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock, Logger } from "@parley/core";
import type { SqlFailure } from "./sqlite-worker.ts";

const CANNOT_OPEN_CODE = 14;
const LOW_BYTES = 100 * 1024 * 1024;

/** Reports when commits start to fail and when they succeed again, once each. */
export interface WriteWatch {
  onFailed(file: string, failure: SqlFailure): void;
  onWorked(file: string): void;
  /** Returns the number of failures since the start. */
  getFailureCount(): number;
  /** Returns the current problem as a sentence; undefined when there is none. */
  getProblem(): string | undefined;
}

interface Outage {
  readonly since: number;
  readonly reason: string;
  rejected: number;
}

export function createWriteWatch({
  data,
  clock,
  log,
}: {
  readonly data: string;
  readonly clock: Clock;
  readonly log: Logger;
}): WriteWatch {
  const outages = new Map<string, Outage>();
  let failures = 0;
  return {
    onFailed(file, { message }) {
      failures += 1;
      const outage = outages.get(file);
      if (outage) {
        outage.rejected += 1;
        return;
      }
      const reason = toReason(file, message);
      outages.set(file, { since: clock.monotonic(), reason, rejected: 1 });
      log.warn("nothing can be stored", {
        reason,
        file,
        free_bytes: getFreeBytes(file) ?? getFreeBytes(dirname(file)),
      });
    },
    onWorked(file) {
      const outage = outages.get(file);
      if (!outage) return;
      outages.delete(file);
      const seconds = Math.round((clock.monotonic() - outage.since) / 1000);
      log.warn("storing works again", { file, seconds, refused: outage.rejected });
    },
    getFailureCount: () => failures,
    getProblem() {
      const [outage] = outages.values();
      if (outage) return `nothing can be stored: ${outage.reason}`;
      const free = getFreeBytes(data);
      return free !== undefined && free < LOW_BYTES
        ? `the disk of ${data} is nearly full (${free} bytes free)`
        : undefined;
    },
  };
}

/** Describes a failed write: the file, the reason, and the free space. */
export function toReason(file: string, message: string): string {
  // A folder may be a separate disk.
  const free = getFreeBytes(file) ?? getFreeBytes(dirname(file));
  return `${file}: ${message}${free === undefined ? "" : ` (${free} bytes free)`}`;
}

/** Explains why a file cannot be opened, where SQLite only reports that it cannot. */
export async function toOpenReason(file: string, { code, message }: SqlFailure): Promise<string> {
  if (code !== CANNOT_OPEN_CODE) return toReason(file, message);
  try {
    await (await open(file, "r+")).close();
    return toReason(file, message);
  } catch (error) {
    return `${file}: ${message} (${(error as NodeJS.ErrnoException).code})`;
  }
}

/** Returns the free bytes for this user on the disk of a file or folder. */
export function getFreeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    // The folder is missing or inaccessible: unknown.
    return undefined;
  }
}
