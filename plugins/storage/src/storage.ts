import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError, type Databases, type Environment, type Paths, type Probe, type SecretBox } from "@parley/core";
import { type OpenDatabase, type OpenOptions, openDatabase, type Reading } from "./database.ts";
import { lockFolder } from "./instance-lock.ts";
import { createSecretBox, secretKey } from "./secret-box.ts";
import { createSqlThread } from "./sql-thread.ts";

/** The open databases of one data folder. */
export interface Storage extends Databases {
  readonly main: OpenDatabase;
  readonly secrets: SecretBox;
  readonly probe: Probe;
  /** Locks the folder and opens `parley.db`; what it returns closes everything. */
  start(): Promise<() => Promise<void>>;
}

export interface StorageParts {
  readonly paths: Paths;
  readonly environment: Environment;
  readonly isStarting: () => boolean;
}

export function createStorage({ paths, environment, isStarting }: StorageParts): Storage {
  const reading: Reading = { thread: createSqlThread(), isStarting };
  const open = new Map<string, Promise<OpenDatabase>>();
  let main: OpenDatabase | undefined;
  let key: Buffer | undefined;
  const openOnce = (file: string, options?: OpenOptions) => {
    const database = open.get(file) ?? openIn(file, reading, options);
    open.set(file, database);
    return database;
  };
  return {
    get main() {
      if (!main) throw new AppError("unavailable", "the storage is not open");
      return main;
    },
    open: openOnce,
    secrets: createSecretBox(() => {
      key ??= secretKey(environment.get("SVC_SECRET_KEY"), join(paths.data, "keys", "data.key"));
      return key;
    }),
    probe: {
      id: "storage",
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
        return [
          { name: "parley_database_bytes", help: "Size of the databases on disk.", kind: "gauge", samples },
          {
            name: "parley_database_writes_waiting",
            help: "Writes that wait for a commit.",
            kind: "gauge",
            samples: [{ value: waiting }],
          },
        ];
      },
    },
    async start() {
      const unlock = lockFolder(paths.data);
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

async function openIn(file: string, reading: Reading, options?: OpenOptions): Promise<OpenDatabase> {
  mkdirSync(dirname(file), { recursive: true });
  return openDatabase(file, reading, options);
}
