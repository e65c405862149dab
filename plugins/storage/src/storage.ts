import { join } from "node:path";
import { AppError, type Clock, type Databases, type Logger, type Paths, type Probe } from "@parley/core";
import { type OpenDatabase, openDatabase, type Reading } from "./database.ts";
import { createDatabaseFiles } from "./database-files.ts";
import { closeDatabaseToOthers } from "./database-modes.ts";
import { lockFolder } from "./instance-lock.ts";
import { createSqlThread } from "./sql-thread.ts";
import { createWriteWatch, freeBytes } from "./write-watch.ts";

/** The open databases of one data folder. */
export interface Storage extends Databases {
  readonly main: OpenDatabase;
  readonly probe: Probe;
  /** Locks the folder and opens `parley.db`; what it returns closes everything. */
  start(): Promise<() => Promise<void>>;
}

export interface StorageParts {
  readonly paths: Paths;
  readonly clock: Clock;
  readonly log: Logger;
  readonly isStarting: () => boolean;
  /** Where this process is reached, for who finds the folder taken; "" when nothing listens. */
  readonly address: () => string;
}

export function createStorage({ paths, clock, log, isStarting, address }: StorageParts): Storage {
  const files = createDatabaseFiles(paths.data, log);
  const watch = createWriteWatch({ data: paths.data, clock, log });
  const reading: Reading = { thread: createSqlThread(), isStarting };
  const open = new Map<string, Promise<OpenDatabase>>();
  let main: OpenDatabase | undefined;
  const openIn = async (file: string, isHistory: boolean) => {
    await files.check(file);
    closeDatabaseToOthers(file, log);
    const database = await openDatabase(file, {
      ...reading,
      isHistory,
      watch: { failed: (failure) => watch.failed(file, failure), worked: () => watch.worked(file) },
    });
    try {
      await files.note(file);
      return database;
    } catch (error) {
      await database[Symbol.asyncDispose]();
      throw error;
    }
  };
  const openOnce = (file: string, { isHistory = false }: { readonly isHistory?: boolean } = {}) => {
    const database = open.get(file) ?? openIn(file, isHistory);
    open.set(file, database);
    return database;
  };
  return {
    get main() {
      if (!main) throw new AppError("unavailable", "the storage is not open");
      return main;
    },
    open: openOnce,
    probe: {
      id: "storage",
      async health() {
        const trouble = watch.trouble();
        return trouble === undefined ? { status: "ok", detail: "" } : { status: "degraded", detail: trouble };
      },
      async measure() {
        const databases = await Promise.all(
          [...open].map(async ([file, database]) => ({ file, database: await database })),
        );
        const samples = await Promise.all(
          databases.map(async ({ file, database }) => ({
            labels: { file: file.split("/").at(-1) ?? file },
            value: await database.size(),
          })),
        );
        const waiting = databases.reduce((sum, { database }) => sum + database.waiting(), 0);
        const asked = databases.reduce((sum, { database }) => sum + database.asked(), reading.thread.asked());
        return [
          {
            name: "parley_storage_messages_total",
            help: "Messages to the threads of the storage.",
            kind: "counter",
            samples: [{ value: asked }],
          },
          { name: "parley_database_bytes", help: "Size of the databases on disk.", kind: "gauge", samples },
          {
            name: "parley_database_writes_waiting",
            help: "Writes that wait for a commit.",
            kind: "gauge",
            samples: [{ value: waiting }],
          },
          {
            name: "storage_write_failures_total",
            help: "Commits that the disk or the database refused since the start.",
            kind: "counter",
            samples: [{ value: watch.failures() }],
          },
          {
            name: "storage_disk_free_bytes",
            help: "Room that is left on the disk of the data folder.",
            kind: "gauge",
            samples: [freeBytes(paths.data) ?? []].flat().map((value) => ({ value })),
          },
        ];
      },
    },
    async start() {
      const unlock = lockFolder(paths.data, address());
      const close = async () => {
        for (const database of open.values()) await (await database.catch(() => undefined))?.[Symbol.asyncDispose]();
        await reading.thread[Symbol.asyncDispose]();
        open.clear();
        main = undefined;
        unlock();
      };
      try {
        main = await openOnce(join(paths.data, "parley.db"));
      } catch (error) {
        await close();
        throw error;
      }
      return close;
    },
  };
}
