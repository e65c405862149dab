import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { mkdir, open, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  AppError,
  type BrokenFile,
  type Clock,
  createReadError,
  decodeEdited,
  type JsonFile,
  type JsonFileOptions,
  type JsonFiles,
  type Localized,
  type Logger,
  parseEdited,
  toFileProblem,
} from "@parley/core";
import { createKeyedQueue } from "@parley/core/async";
import { recordsTexts } from "../texts.ts";
import type { LastGood } from "./last-good.ts";

const MAX_RETRIES = 10;
/** File times are coarse: a second edit within this time may change neither time, size nor inode. */
const SETTLED_AFTER_MS = 50;

/** Runs a change of a file while no other process changes that file. */
export type RunExclusively = <T>(path: string, work: () => Promise<T>) => Promise<T>;

export interface JsonFilesDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly alone: RunExclusively;
  readonly lastGood: LastGood;
  /** Notifies other processes that a file was written. */
  readonly notify: (path: string) => Promise<void>;
}

export interface OpenedFiles extends JsonFiles {
  /** Makes the next read check the file on disk; without a path, all files. */
  expire(path?: string): void;
  broken(): readonly BrokenFile[];
  /** Removes temporary files of interrupted writes. */
  clean(): Promise<void>;
}

/** Opens editable JSON files. Writes to the same path are sequential, also from several callers. */
export function createJsonFiles({ clock, log, alone, lastGood, notify }: JsonFilesDeps): OpenedFiles {
  const expiries: { readonly path: string; readonly expire: () => void }[] = [];
  const opened = new Map<string, JsonFile<unknown>>();
  const queue = createKeyedQueue();
  const runInTurn = <T>(path: string, work: () => Promise<T>) => queue(path, () => alone(path, work));
  return {
    open(options) {
      const { path } = options;
      // The first caller defines the format; the host changes only a part of the same file.
      const isFirst = !opened.has(path);
      const file = createJsonFile(options, {
        clock,
        log,
        lastGood: isFirst ? lastGood : { ...lastGood, write() {}, remove() {} },
        inTurn: (work) => runInTurn(path, work),
        notify,
        onExpire: (expire) => void expiries.push({ path, expire }),
      });
      if (isFirst) opened.set(path, file);
      return file;
    },
    expire(path) {
      for (const one of expiries) if (path === undefined || one.path === path) one.expire();
    },
    async clean() {
      for (const path of opened.keys()) await runInTurn(path, () => removeAbandoned(path));
    },
    broken: () =>
      [...opened].flatMap(([path, file]) => {
        const problem = file.problemTexts?.();
        return problem ? [{ path, problem }] : [];
      }),
  };
}

interface JsonFileDeps extends Omit<JsonFilesDeps, "alone"> {
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  readonly onExpire: (expire: () => void) => void;
}

function createJsonFile<Content>(
  options: JsonFileOptions<Content>,
  { clock, log, lastGood, inTurn, notify, onExpire }: JsonFileDeps,
): JsonFile<Content> {
  const { path, empty, parse, minCheckMs = 0 } = options;
  let content = empty;
  let identity: string | undefined;
  let digest = "";
  let isSettled = false;
  let hasGood = false;
  let problem: Localized | undefined;
  let copyProblem: Localized | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;

  /** Uses the last valid content from an earlier start. Returns the reason where it is invalid; undefined on success, and where none was stored. */
  const useLastGood = (): Localized | undefined => {
    try {
      const text = lastGood.read(path);
      if (text === undefined) return undefined;
      content = parseEdited(text, parse);
      hasGood = true;
      return undefined;
    } catch (error) {
      return toFileProblem(error);
    }
  };
  const applyText = (text: string) => {
    const found = hashText(text);
    if (found === digest) return;
    digest = found;
    content = parseEdited(text, parse);
    problem = undefined;
    copyProblem = undefined;
    hasGood = true;
    lastGood.write(path, text);
  };
  const checkFile = () => {
    const isFirst = identity === undefined;
    checkedAt = clock.monotonic();
    const seen = readIdentity(path);
    if (seen === identity && isSettled) return;
    identity = seen;
    isSettled = seen === ABSENT || isOlderThanSettleTime(path);
    if (seen === ABSENT) {
      problem = undefined;
      content = empty;
      digest = "";
      hasGood = false;
      lastGood.remove(path);
      return;
    }
    try {
      applyText(readUnlessBroken());
    } catch (error) {
      if (isFirst) copyProblem = useLastGood();
      const before = problem?.en;
      problem = copyProblem
        ? recordsTexts.localized("copy_broken", { problem: toFileProblem(error), copy: copyProblem })
        : toFileProblem(error);
      if (problem.en === before) return;
      const facts = { file: path, problem: problem.en };
      if (hasGood) log.error("a file cannot be used; its last valid content still applies", facts);
      else log.error("a file cannot be used; none of it applies", facts);
    }
  };
  const readUnlessBroken = () => {
    try {
      return decodeEdited(readFileSync(path));
    } catch (error) {
      // Cleared, so that restoring the earlier content counts as a change.
      digest = "";
      throw AppError.is(error) ? error : createReadError(error);
    }
  };
  onExpire(() => {
    checkedAt = Number.NEGATIVE_INFINITY;
  });
  return {
    read() {
      if (identity === undefined || clock.monotonic() - checkedAt >= minCheckMs) checkFile();
      return content;
    },
    problem() {
      checkFile();
      return problem?.en;
    },
    problemTexts() {
      checkFile();
      return problem;
    },
    update: (change) =>
      inTurn(async () => {
        for (let attempt = 0; attempt < MAX_RETRIES; attempt += 1) {
          checkFile();
          if (problem !== undefined) throw createFileBrokenError(problem);
          const next = change(content);
          const text = `${JSON.stringify(next, null, 2)}\n`;
          // The file was edited meanwhile, so the change is applied to its current content.
          if (!(await replaceFile(path, text, identity ?? ABSENT))) continue;
          content = next;
          digest = hashText(text);
          hasGood = true;
          lastGood.write(path, text);
          identity = readIdentity(path);
          isSettled = false;
          await notify(path);
          return next;
        }
        throw recordsTexts.error("conflict", "file_contested");
      }),
  };
}

function createFileBrokenError(problem: Localized): AppError {
  return recordsTexts.error("conflict", "file_broken", { problem });
}

const ABSENT = "absent";

function readIdentity(path: string): string {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found ? `${found.mtimeNs} ${found.size} ${found.ino}` : ABSENT;
  } catch (error) {
    // The reader reports why the file cannot be read.
    return `closed ${(error as NodeJS.ErrnoException).code}`;
  }
}

function isOlderThanSettleTime(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && Date.now() - found.mtimeMs > SETTLED_AFTER_MS;
  } catch {
    return false;
  }
}

function hashText(text: string): string {
  return createHash("sha1").update(text).digest("base64");
}

/** Matches temporary files, which lie beside the file that they replace. */
const TEMPORARY = /^\.[0-9a-f]{12}\.tmp$/;

/** Removes temporary files of an interrupted write. The caller must be the only writer of the file. */
async function removeAbandoned(path: string): Promise<void> {
  const target = existsSync(path) ? realpathSync(path) : path;
  const folder = dirname(target);
  const names = existsSync(folder) ? await readdir(folder) : [];
  const beside = names.filter((name) => name.startsWith(basename(target)));
  const left = beside.filter((name) => TEMPORARY.test(name.slice(basename(target).length)));
  for (const name of left) await rm(join(folder, name), { force: true });
}

/** Replaces a file atomically; resolves to false, without a change, when it is not the version that was read. */
async function replaceFile(path: string, text: string, identity: string): Promise<boolean> {
  const there = statSync(path, { throwIfNoEntry: false });
  // Preserves symbolic links.
  const target = there ? realpathSync(path) : path;
  const temporary = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await mkdir(dirname(target), { recursive: true });
    const handle = await open(temporary, "wx", 0o600);
    try {
      // Preserves the mode of the file regardless of the umask, because other users may need to read it.
      if (there) await handle.chmod(there.mode & 0o777);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Synchronous check and rename, with nothing in between.
    const isUntouched = readIdentity(path) === identity;
    if (isUntouched) renameSync(temporary, target);
    else rmSync(temporary);
    await syncFolder(dirname(target));
    return isUntouched;
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw recordsTexts.error("unavailable", "file_locked", {}, { cause });
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
