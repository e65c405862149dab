import { readFileSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { AppError, type Clock, type JsonFile, type JsonFileOptions, type JsonFiles, type Logger } from "@parley/core";
import writeFileAtomic from "write-file-atomic";

const MAX_REDONE = 10;

/** Files that people edit too. Writers of one path take turns, whoever opened it. */
export function createJsonFiles(clock: Clock, log: Logger): JsonFiles {
  const last = new Map<string, Promise<unknown>>();
  const inTurn = <T>(path: string, work: () => Promise<T>): Promise<T> => {
    const turn = (last.get(path) ?? Promise.resolve()).then(work, work);
    last.set(path, turn);
    return turn;
  };
  return { open: (options) => createJsonFile(options, { clock, log, inTurn: (work) => inTurn(options.path, work) }) };
}

interface Parts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

function createJsonFile<Content>(options: JsonFileOptions<Content>, { clock, log, inTurn }: Parts): JsonFile<Content> {
  const { path, empty, parse, minCheckMs = 0 } = options;
  let content = empty;
  let identity: string | undefined;
  let problem: string | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;

  const look = () => {
    checkedAt = clock.monotonic();
    const seen = identityOf(path);
    if (seen === identity) return;
    identity = seen;
    if (seen === ABSENT) {
      problem = undefined;
      content = empty;
      return;
    }
    try {
      content = parse(JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, "")));
      problem = undefined;
    } catch (error) {
      problem = (error as Error).message;
      log.error("a file cannot be used; its last good content stays in force", { file: path, problem });
    }
  };
  return {
    read() {
      if (identity === undefined || clock.monotonic() - checkedAt >= minCheckMs) look();
      return content;
    },
    problem() {
      look();
      return problem;
    },
    update: (change) =>
      inTurn(async () => {
        for (let attempt = 0; attempt < MAX_REDONE; attempt += 1) {
          look();
          if (problem !== undefined) throw new AppError("conflict", `the file must be repaired first: ${problem}`);
          const next = change(content);
          // Somebody edited it meanwhile: the change is made again, on what is there now.
          if (identityOf(path) !== identity) continue;
          await store(path, next);
          content = next;
          identity = identityOf(path);
          return next;
        }
        throw new AppError("conflict", "the file is being changed by somebody else all the time");
      }),
  };
}

const ABSENT = "absent";

function identityOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.mtimeNs} ${found.size} ${found.ino}` : ABSENT;
}

async function store(path: string, content: unknown): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, `${JSON.stringify(content, null, 2)}\n`, { fsync: true });
  } catch (cause) {
    throw new AppError("unavailable", "the file cannot be written now", { cause });
  }
}
