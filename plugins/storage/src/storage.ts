import { join } from "node:path";
import { type Clock, type Databases, explained, type Logger, type Paths, type Probe } from "@parley/core";
import { type OpenDatabase, openDatabase, type Reading } from "./database.ts";
import { createDatabaseFiles } from "./database-files.ts";
import { closeDatabaseToOthers } from "./database-modes.ts";
import { lockFolder } from "./instance-lock.ts";
import { refuseNewer } from "./newer-schema.ts";
import { storageProbe } from "./probe.ts";
import { createSqlThread } from "./sql-thread.ts";
import { createUpgradeCopies } from "./upgrade-copies.ts";
import { createWriteWatch } from "./write-watch.ts";

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
  /** Of the service; undefined where there is none around. */
  readonly version: () => string | undefined;
  /** Where this process is reached, for who finds the folder taken; "" when nothing listens. */
  readonly address: () => string;
}

export function createStorage({ paths, clock, log, isStarting, version, address }: StorageParts): Storage {
  const files = createDatabaseFiles(paths.data, log);
  const watch = createWriteWatch({ data: paths.data, clock, log });
  const copies = createUpgradeCopies({ data: paths.data, version, clock, log });
  const reading: Reading = { thread: createSqlThread(), isStarting };
  const open = new Map<string, Promise<OpenDatabase>>();
  let main: OpenDatabase | undefined;
  const openIn = async (file: string, isHistory: boolean) => {
    await files.check(file);
    closeDatabaseToOthers(file, log);
    const database = await openDatabase(file, {
      ...reading,
      version: version(),
      isHistory,
      copyFirst: (writer) => copies.make(file, writer),
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
      if (!main) throw explained("unavailable", "storage_closed", {});
      return main;
    },
    open: openOnce,
    async compact() {
      for (const database of open.values()) await (await database).compact();
    },
    probe: storageProbe({ data: paths.data, watch, open, asked: reading.thread.asked }),
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
        const own = version();
        if (own !== undefined) refuseNewer(files.noted(), own, (file) => copies.find(file, own));
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
