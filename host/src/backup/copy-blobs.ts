import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type AppError,
  type BlobRows,
  type BlobStore,
  type ItemFailure,
  type Localized,
  type NamedBlob,
  type ReadRows,
  safeJoin,
} from "@parley/core";
import { ignoreMissing } from "../process/file-system.ts";
import { createError, joinAll, type Sentence, sentence, toAnswerMessage, toSentence } from "../sentences.ts";
import { type BackedUpFile, toContentFolder } from "./backup-manifest.ts";
import { copyWithHash, writeWithHash } from "./copy-file.ts";
import { linkIfUnchanged, type PreviousFiles } from "./previous-backup.ts";
import { openReadCopy } from "./read-copy.ts";

const CONCURRENCY = 4;
const MAX_TRIES = 3;
const MAX_NAMES = 3;
/** Error codes of the backup's target disk; a retry would fail the same way. */
const DISK_ERROR_CODES = new Set(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "EIO", "EFBIG", "EMFILE"]);

/** Files that rows refer to, and the storage of those outside the data folder. */
export interface KnownBlobs {
  readonly rows: readonly BlobRows[];
  /** External storage; undefined when all files are in the data folder. */
  readonly store: BlobStore | undefined;
  /** Reasons some plugins could not be registered; one of them may be the external file storage. */
  readonly problems: readonly Localized[];
}

export interface CopyBlobsOptions extends KnownBlobs {
  readonly data: string;
  /** Folder of the unfinished backup. */
  readonly unfinished: string;
  /** Path of the main database in that folder. */
  readonly database: string;
  /** Files already in the backup. */
  readonly files: readonly BackedUpFile[];
  readonly before: PreviousFiles;
  /** True when files in external storage are not copied. */
  readonly isExcluded: boolean;
}

/** Files added to the backup, and the comparison of rows with files. */
export interface CopiedBlobs {
  readonly files: readonly BackedUpFile[];
  /** Count of names in rows; a file named by two rows counts twice. */
  readonly named: number;
  /** Count of files from external storage, copied now or for the previous backup. */
  readonly externalCount: number;
  readonly shared: number;
  /** Sentences about files that are missing from the backup or differ from their rows. */
  readonly warnings: readonly ItemFailure[];
}

/** Result for one file; `local`: it was in the data folder after all. */
type BlobOutcome = "fetched" | "shared" | "local" | "excluded" | "missing" | "damaged";

/** Compares the rows of a backup with its files and adds missing ones. An unreachable storage ends the backup. */
export async function copyBlobs(parts: CopyBlobsOptions): Promise<CopiedBlobs> {
  const known = new Map(parts.files.map(({ path, sha256 }) => [path, sha256]));
  const files: BackedUpFile[] = [];
  const [missing, damaged, changed, excluded] = [
    createNameCounter(),
    createNameCounter(),
    createNameCounter(),
    createNameCounter(),
  ];
  const counts = { named: 0, externalCount: 0, shared: 0 };
  const copyOne = async (blob: NamedBlob, path: string) => {
    const outcome = await copyBlob(blob, path, parts);
    if (outcome === "missing") return missing.add(blob.name);
    if (outcome === "damaged") return damaged.add(blob.name);
    if (outcome === "excluded") return excluded.add(blob.name);
    if (outcome !== "local") counts.externalCount += 1;
    if (outcome === "shared") counts.shared += 1;
    files.push({ path, size: blob.size, sha256: blob.sha256, isDatabase: false });
  };
  using copy = openReadCopy(join(toContentFolder(parts.unfinished), parts.database));
  for (const rows of parts.rows.filter(({ tables }) => tables.every((name) => copy.tables.has(name)))) {
    for (const page of readPages(rows, copy.read)) {
      counts.named += page.length;
      const uncopied = page.filter(({ name, sha256 }) => {
        const found = known.get(`${rows.folder}/${name}`);
        if (found !== undefined && found !== sha256) changed.add(name);
        return found === undefined;
      });
      await runConcurrently(uncopied, (blob) => copyOne(blob, `${rows.folder}/${blob.name}`));
    }
  }
  const place = parts.store?.place ?? "";
  const warnings = [
    ...excluded.toFailures((which) => sentence("left_elsewhere", { ...which, place })),
    ...missing.toFailures((which) => sentence("left_nowhere", which)),
    ...damaged.toFailures((which) => sentence("left_damaged", which)),
    ...changed.toFailures((which) => sentence("left_as_found", which)),
  ];
  return { files, ...counts, warnings };
}

function* readPages({ next }: BlobRows, read: ReadRows): Generator<readonly NamedBlob[]> {
  for (let after = ""; ; ) {
    const page = next(read, after);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last.name;
  }
}

async function copyBlob(blob: NamedBlob, path: string, parts: CopyBlobsOptions): Promise<BlobOutcome> {
  const { data, unfinished, before, store, problems, isExcluded } = parts;
  const to = safeJoin(toContentFolder(unfinished), path);
  const copyFromFolder = () => copyIfUnchanged(safeJoin(data, path), to, blob);
  if (await copyFromFolder()) return "local";
  if (!store) {
    if (problems.length === 0) return "missing";
    throw createError("unavailable", sentence("backup_unasked", { problems: joinAll(problems) }));
  }
  if (isExcluded) return "excluded";
  if (await linkIfUnchanged(path, blob.sha256, before, to)) return "shared";
  const outcome = await fetchBlob(blob, to, store);
  // The file may have been moved back into the folder meanwhile.
  return outcome === "missing" && (await copyFromFolder()) ? "local" : outcome;
}

/** Copies the file if it exists with the expected checksum; returns true when it was copied. */
async function copyIfUnchanged(from: string, to: string, { sha256 }: NamedBlob): Promise<boolean> {
  const copied = await copyWithHash(from, to).catch(ignoreMissing);
  if (copied && copied.sha256 !== sha256) await rm(to);
  return copied?.sha256 === sha256;
}

/** Fetches a file; a broken connection is retried instead of restarting the whole backup. */
async function fetchBlob(blob: NamedBlob, to: string, store: BlobStore): Promise<"fetched" | "missing" | "damaged"> {
  for (let tries = 1; ; tries += 1) {
    const { size, sha256, failure } = await writeWithHash(store.read(blob.name), to);
    const isSame = size === blob.size && sha256 === blob.sha256;
    if (isSame && failure === undefined) return "fetched";
    await rm(to, { force: true });
    if (isDiskError(failure)) throw failure;
    if (!isSame && (failure === undefined || size >= blob.size)) return "damaged";
    // When this fails too, the file is requested once more, and that error is reported.
    const isThere = await store.find(blob.name).then(
      (found) => found !== undefined,
      () => true,
    );
    if (!isThere) return "missing";
    if (tries === MAX_TRIES) throw createUnreadableError(store, failure);
  }
}

function createUnreadableError({ place }: BlobStore, cause: unknown): AppError {
  const reason = toSentence(findRootCause(cause));
  return createError("unavailable", sentence("backup_unread", { place, reason }), { cause });
}

/** Returns the innermost cause of an error, which backup operators need to see. */
function findRootCause(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? findRootCause(error.cause) : error;
}

function isDiskError(failure: unknown): boolean {
  return DISK_ERROR_CODES.has(String((failure as NodeJS.ErrnoException | undefined)?.code));
}

/** Runs work concurrently and waits for all of it, so that nothing is still writing after a failure. */
async function runConcurrently<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const remaining = items.toReversed();
  const runNext = async () => {
    try {
      for (let item = remaining.pop(); item !== undefined; item = remaining.pop()) await work(item);
    } catch (error) {
      remaining.length = 0;
      throw error;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: CONCURRENCY }, runNext));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}

/** Count and names of files, localized. */
interface CountedNames {
  readonly files: Localized;
  readonly names: Localized;
}

/** Creates a counter of names that lists the first of them. */
function createNameCounter() {
  const names: string[] = [];
  let count = 0;
  return {
    add(name: string) {
      count += 1;
      // Names arrive in any order and are reported sorted.
      names.push(name);
      names.sort();
      names.length = Math.min(names.length, MAX_NAMES);
    },
    toFailures(format: (which: CountedNames) => Sentence): readonly ItemFailure[] {
      if (count === 0) return [];
      const more = count - names.length;
      const files = { en: count === 1 ? "1 file is" : `${count} files are`, zh: `${count} 个文件` };
      const all = {
        en: names.join(", ") + (more > 0 ? ` and ${more} more` : ""),
        zh: names.join("、") + (more > 0 ? ` 等 ${count} 个` : ""),
      };
      return [toAnswerMessage(format({ files, names: all }))];
    },
  };
}
