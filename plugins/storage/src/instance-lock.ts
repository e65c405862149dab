import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AppError } from "@parley/core";
import { toReason } from "./write-watch.ts";

const BUSY_CODES = new Set([5, 6]);

interface LockHolder {
  readonly pid: number;
  /** Address of the process; "" where nothing listens. */
  readonly address: string;
}

/**
 * Locks the folder for this process or throws with the process that holds it; returns the release. An operating
 * system lock, so it ends with the process in any case.
 */
export function lockFolder(folder: string, address: string): () => void {
  const lock = openLock(folder);
  const holder = join(folder, "instance.json");
  const release = () => {
    rmSync(holder, { force: true });
    lock.close();
  };
  try {
    // Earlier versions stored their process id in this file.
    rmSync(join(folder, "parley.lock"), { force: true });
    writeFileSync(holder, JSON.stringify({ pid: process.pid, address } satisfies LockHolder), { mode: 0o600 });
    return release;
  } catch (cause) {
    release();
    throw createUnwritableError(folder, cause);
  }
}

/** Opens the lock: a transaction that never ends. Its file must not be read, copied or removed: closing any other handle would release the lock. */
function openLock(folder: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, "instance.lock");
    lock = new DatabaseSync(file, { timeout: 0 });
    // A journal on disk would remain after a process was killed.
    lock.exec("PRAGMA journal_mode = MEMORY");
    // The lock is not exclusive mode, so that of concurrent attempts one always succeeds and none waits.
    lock.exec("BEGIN IMMEDIATE");
    chmodSync(file, 0o600);
    return lock;
  } catch (cause) {
    lock?.close();
    const { errcode = 0 } = cause as { readonly errcode?: number };
    throw BUSY_CODES.has(errcode & 255) ? createInUseError(folder, cause) : createUnwritableError(folder, cause);
  }
}

function createInUseError(folder: string, cause: unknown): AppError {
  const way = "stop it or choose another --data-dir";
  return new AppError("conflict", `another Parley${describeHolder(folder)} uses ${folder}: ${way}`, { cause });
}

function createUnwritableError(folder: string, cause: unknown): AppError {
  return new AppError(
    "unavailable",
    `the data folder cannot be written: ${toReason(folder, (cause as Error).message)}`,
    {
      cause,
    },
  );
}

/** Describes the process that holds the folder; "" where unknown. */
function describeHolder(folder: string): string {
  try {
    const { pid, address } = JSON.parse(readFileSync(join(folder, "instance.json"), "utf8")) as LockHolder;
    return address === "" ? ` (process ${pid})` : ` (process ${pid}, at ${address})`;
  } catch {
    return "";
  }
}
