import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AppError, makeFolder } from "@parley/core";
import { reasonFor } from "./write-watch.ts";

const BUSY = new Set([5, 6]);

interface Holder {
  readonly pid: number;
  /** Where it is reached; "" when nothing listens. */
  readonly address: string;
}

/**
 * Takes the folder for this process, or says which process has it. Returns the release.
 * What is held is a lock of the operating system: it ends with its process, however that one ends.
 */
export function lockFolder(folder: string, address: string): () => void {
  const lock = acquire(folder);
  const holder = join(folder, "instance.json");
  const release = () => {
    rmSync(holder, { force: true });
    lock.close();
  };
  try {
    // Of versions that kept the number of their process in it.
    rmSync(join(folder, "parley.lock"), { force: true });
    writeFileSync(holder, JSON.stringify({ pid: process.pid, address } satisfies Holder), { mode: 0o600 });
    return release;
  } catch (cause) {
    release();
    throw unwritable(folder, cause);
  }
}

/** A transaction that is never ended. Its file is never read, copied or removed: closing any other handle would undo the lock. */
function acquire(folder: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    makeFolder(folder);
    const file = join(folder, "instance.lock");
    lock = new DatabaseSync(file, { timeout: 0 });
    // A journal on disk would outlive a process that was killed.
    lock.exec("PRAGMA journal_mode = MEMORY");
    // Not exclusive: of several that try at once one always has it, and none waits.
    lock.exec("BEGIN IMMEDIATE");
    chmodSync(file, 0o600);
    return lock;
  } catch (cause) {
    lock?.close();
    const { errcode = 0 } = cause as { readonly errcode?: number };
    throw BUSY.has(errcode & 255) ? inUse(folder, cause) : unwritable(folder, cause);
  }
}

function inUse(folder: string, cause: unknown): AppError {
  const way = "stop it or choose another --data-dir";
  return new AppError("conflict", `another Parley${nameOf(folder)} uses ${folder}: ${way}`, { cause });
}

function unwritable(folder: string, cause: unknown): AppError {
  return new AppError(
    "unavailable",
    `the data folder cannot be written: ${reasonFor(folder, (cause as Error).message)}`,
    {
      cause,
    },
  );
}

/** Who says to have the folder; it may not have said so yet. */
function nameOf(folder: string): string {
  try {
    const { pid, address } = JSON.parse(readFileSync(join(folder, "instance.json"), "utf8")) as Holder;
    return address === "" ? ` (process ${pid})` : ` (process ${pid}, at ${address})`;
  } catch {
    return "";
  }
}
