import { closeSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Logger } from "@parley/core";
import type { Keyv } from "keyv";

const TABLE = "entries";
/** Short, because a read that waits for another process blocks the event loop. */
const BUSY_TIMEOUT_MS = 250;
/** Suffixes of the database and the files beside it. */
const SUFFIXES = ["", "-wal", "-shm"];
const MEMORY = ":memory:";
/** SQLite's codes for a damaged database, and for a file that is not a database. */
const DAMAGED_CODES: readonly unknown[] = [11, 26];

const REMOVE_EXPIRED = `delete from ${TABLE} where expires <= ?`;
const COUNT = `select count(*) as count from ${TABLE} where key >= ? and key < ?`;
// The plus signs make SQLite use the index of expiry times instead of reading all entries of the cache.
const REMOVE_OLDEST = `delete from ${TABLE} where key in (select key from ${TABLE}
  where expires is not null and +key >= ? and +key < ? order by expires limit ?)`;

/** Age at which the file of another machine is removed, because that machine no longer uses the folder. */
const ABANDONED_MS = 7 * 86_400_000;

/** Returns the path of this process's caches. Nodes may have the folder on a network volume, which SQLite files must not share. */
export function toCachePath(data: string, isShared: boolean): string {
  return join(data, isShared ? `cache-${hostname()}.db` : "cache.db");
}

/** Removes cache files of other machines that were not written for a week; each start of a container has a new name. */
export function removeAbandonedCaches(data: string): void {
  for (const name of readdirSync(data).filter((one) => /^cache-.*\.db$/.test(one))) {
    const { mtimeMs = Date.now() } = statSync(join(data, name), { throwIfNoEntry: false }) ?? {};
    if (name === `cache-${hostname()}.db` || Date.now() - mtimeMs < ABANDONED_MS) continue;
    for (const suffix of SUFFIXES) rmSync(join(data, `${name}${suffix}`), { force: true });
  }
}

/** The open file of the caches. */
export interface OpenCacheFile {
  readonly entries: Keyv;
  /** Removes expired entries, and returns the number of entries whose key has the prefix. */
  count(prefix: string): number;
  /** Removes the oldest entries whose key has the prefix. */
  removeOldest(prefix: string, count: number): void;
}

/** The database file of all caches, opened at its first use and created again when it is damaged. */
export interface CacheFile {
  /** Runs `use` on the open file; resolves to undefined, with one warning, while that is impossible. */
  run<T>(use: (file: OpenCacheFile) => T | Promise<T>): Promise<T | undefined>;
  /** Removes everything; a file is removed as a whole, so that no deleted entry remains in it. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

interface Connection extends OpenCacheFile {
  readonly database: DatabaseSync;
}

export interface CacheFileDeps {
  /** Path of the file; tests use `:memory:`. */
  readonly path: string;
  readonly log: Logger;
}

export function createCacheFile({ path, log }: CacheFileDeps): CacheFile {
  let opening: Promise<Connection> | undefined;
  let isWarned = false;

  const warn = (error: unknown) => {
    if (!isWarned) log.warn("the caches cannot be used", { file: path, error });
    isWarned = true;
  };
  const removeFiles = () => {
    for (const suffix of SUFFIXES) rmSync(`${path}${suffix}`, { force: true });
  };
  const recreate = async () => {
    removeFiles();
    log.warn("the file of the caches was damaged and is created again", { file: path });
    return connect(path, onError);
  };
  const onError = (error: unknown, connection: Connection) => {
    // Several calls may find the same damage.
    if (!connection.database.isOpen) return;
    if (!isDamage(error)) return warn(error);
    connection.database.close();
    opening = recreate();
    opening.catch(() => undefined);
  };
  const close = async () => {
    const last = await opening?.catch(() => undefined);
    opening = undefined;
    if (last?.database.isOpen) last.database.close();
  };
  const open = () => {
    opening ??= connect(path, onError).catch((error) => (isDamage(error) ? recreate() : Promise.reject(error)));
    return opening;
  };
  return {
    async run(use) {
      const connection = await open().catch((error) => {
        opening = undefined;
        warn(error);
      });
      if (!connection) return undefined;
      try {
        return await use(connection);
      } catch (error) {
        onError(error, connection);
        return undefined;
      }
    },
    async clear() {
      await close();
      removeFiles();
    },
    close,
  };
}

async function connect(path: string, onError: (error: unknown, connection: Connection) => void): Promise<Connection> {
  const [{ KeyvSqlite }, { Keyv }] = await Promise.all([import("@keyv/sqlite"), import("keyv")]);
  // The file is created with its mode, which SQLite then also gives to its companion files.
  if (path !== MEMORY) closeSync(openSync(path, "a", 0o600));
  using unused = new DisposableStack();
  const database = unused.use(new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS }));
  // Writes do not wait for the disk, because the cache may be lost or damaged in a power failure.
  database.exec("pragma journal_mode = wal; pragma synchronous = off");
  const query = async (text: string, ...parameters: unknown[]) => database.prepare(text).all(...parameters.map(toSql));
  const store = new KeyvSqlite({
    uri: `sqlite://${path}`,
    table: TABLE,
    driver: { name: "node:sqlite", connect: async () => ({ query, close: async () => database.close() }) },
  });
  await store.ready;
  unused.move();
  const connection: Connection = {
    entries: new Keyv({ store }),
    count(prefix) {
      database.prepare(REMOVE_EXPIRED).run(Date.now());
      return Number(database.prepare(COUNT).get(prefix, toEnd(prefix))?.count ?? 0);
    },
    removeOldest: (prefix, count) => void database.prepare(REMOVE_OLDEST).run(prefix, toEnd(prefix), count),
    database,
  };
  // The library reports a failed read or write by an event.
  for (const source of [store, connection.entries]) source.on("error", (error) => onError(error, connection));
  return connection;
}

function toSql(value: unknown): string | number | null {
  return typeof value === "number" || typeof value === "string" ? value : null;
}

/** Returns the smallest text that sorts after all texts with the prefix. */
function toEnd(prefix: string): string {
  return `${prefix.slice(0, -1)}${String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)}`;
}

function isDamage(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && DAMAGED_CODES.includes(error.errcode);
}
