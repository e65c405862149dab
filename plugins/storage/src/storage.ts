import { join } from "node:path";
import { type Clock, type Databases, type Logger, type Paths, type Probe, toSharedError } from "@parley/core";
import { type OpenDatabase, openDatabase, type ReaderDeps } from "./database.ts";
import { createDatabaseFiles } from "./database-files.ts";
import { restrictDatabase } from "./database-modes.ts";
import { lockFolder } from "./instance-lock.ts";
import { rejectNewerSchema } from "./newer-schema.ts";
import { createStorageProbe } from "./probe.ts";
import { createSqlThread } from "./sql-thread.ts";
import { createUpgradeCopies } from "./upgrade-copies.ts";
import { createWriteWatch } from "./write-watch.ts";

/** The open databases of one data folder. */
export interface Storage extends Databases {
  readonly main: OpenDatabase;
  readonly probe: Probe;
  /** Locks the folder and opens `parley.db`; the returned function closes everything. */
  start(): Promise<() => Promise<void>>;
}

export interface StorageDeps {
  readonly paths: Paths;
  readonly clock: Clock;
  readonly log: Logger;
  readonly isStarting: () => boolean;
  /** Version of the service; undefined outside of one. */
  readonly version: () => string | undefined;
  /** Address of this process, shown to another that finds the folder locked; "" when nothing listens. */
  readonly address: () => string;
}

export function createStorage({ paths, clock, log, isStarting, version, address }: StorageDeps): Storage {
  const files = createDatabaseFiles(paths.data, log);
  const watch = createWriteWatch({ data: paths.data, clock, log });
  const copies = createUpgradeCopies({ data: paths.data, version, clock, log });
  const readerDeps: ReaderDeps = { thread: createSqlThread(), isStarting };
  const open = new Map<string, Promise<OpenDatabase>>();
  let main: OpenDatabase | undefined;
  const openFile = async (file: string, isHistory: boolean) => {
    await files.check(file);
    restrictDatabase(file, log);
    const database = await openDatabase(file, {
      ...readerDeps,
      version: version(),
      isHistory,
      copyFirst: (writer) => copies.make(file, writer),
      watch: { onFailed: (failure) => watch.onFailed(file, failure), onCommitted: () => watch.onWorked(file) },
    });
    try {
      await files.register(file);
      return database;
    } catch (error) {
      await database[Symbol.asyncDispose]();
      throw error;
    }
  };
  const openOnce = (file: string, { isHistory = false }: { readonly isHistory?: boolean } = {}) => {
    const database = open.get(file) ?? openFile(file, isHistory);
    open.set(file, database);
    return database;
  };
  return {
    get main() {
      if (!main) throw toSharedError("unavailable", "storage_closed", {});
      return main;
    },
    open: openOnce,
    async compact() {
      for (const database of open.values()) await (await database).compact();
    },
    probe: createStorageProbe({ data: paths.data, watch, open, getMessageCount: readerDeps.thread.getMessageCount }),
    async start() {
      const unlock = lockFolder(paths.data, address());
      const close = async () => {
        for (const database of open.values()) await (await database.catch(() => undefined))?.[Symbol.asyncDispose]();
        await readerDeps.thread[Symbol.asyncDispose]();
        open.clear();
        main = undefined;
        unlock();
      };
      try {
        const own = version();
        if (own !== undefined) rejectNewerSchema(files.listRegistered(), own, (file) => copies.find(file, own));
        copies.prune();
        main = await openOnce(join(paths.data, "parley.db"));
      } catch (error) {
        await close();
        throw error;
      }
      return close;
    },
  };
}
