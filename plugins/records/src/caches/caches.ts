import { hash } from "node:crypto";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { AppError, type Cache, type CacheOptions, type Caches } from "@parley/core";
import { type CacheFile, type CacheFileDeps, createCacheFile } from "./cache-file.ts";

/** Number of entries that are read or written before other work may continue. */
const BATCH_SIZE = 100;
/** Share of the entries that a full cache removes at once, so that not every new entry needs a removal. */
const FREED_SHARE = 0.05;
const NAME = /^[a-z][a-z0-9-]{0,40}$/;

export interface OwnCaches extends Caches {
  /** Removes the entries of all caches. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Creates all caches of a process, which share one file. */
export function createCaches(deps: CacheFileDeps): OwnCaches {
  const file = createCacheFile(deps);
  const names = new Set<string>();
  return {
    open<Value>(name: string, options: CacheOptions) {
      if (!NAME.test(name)) throw new AppError("internal", `'${name}' is no name of a cache`);
      if (names.has(name)) throw new AppError("internal", `the cache '${name}' is open already`);
      names.add(name);
      return createCache<Value>(file, `${name}:`, options);
    },
    clear: file.clear,
    close: file.close,
  };
}

function createCache<Value>(file: CacheFile, prefix: string, { ttlMs, max }: CacheOptions): Cache<Value> {
  const toStoredKey = (key: string) => `${prefix}${hash("sha256", key, "base64url")}`;
  /** Upper bound of the number of entries; undefined before the first write. */
  let count: number | undefined;

  const makeRoom = (added: number) =>
    file.run((open) => {
      count = (count ?? open.count(prefix)) + added;
      if (count <= max) return;
      // Replaced and expired entries were counted as well.
      count = open.count(prefix) + added;
      if (count <= max) return;
      const surplus = Math.max(count - max, Math.ceil(max * FREED_SHARE));
      open.removeOldest(prefix, surplus);
      count -= surplus;
    });
  const getMany = async (keys: readonly string[]) => {
    const found = new Map<string, Value>();
    for await (const batch of toBatches([...new Set(keys)])) {
      const values = await file.run(({ entries }) => entries.getMany<Value>(batch.map(toStoredKey)));
      for (const [index, key] of batch.entries()) {
        const value = values?.[index];
        if (value !== undefined) found.set(key, value);
      }
    }
    return found;
  };
  const setMany = async (all: ReadonlyMap<string, Value>) => {
    for await (const batch of toBatches([...all].slice(-max))) {
      await makeRoom(batch.length);
      const stored = batch.map(([key, value]) => ({ key: toStoredKey(key), value, ttl: ttlMs }));
      await file.run(({ entries }) => entries.setMany(stored));
    }
  };
  return {
    getMany,
    setMany,
    get: async (key) => (await getMany([key])).get(key),
    set: (key, value) => setMany(new Map([[key, value]])),
    delete: async (key) => void (await file.run(({ entries }) => entries.delete(toStoredKey(key)))),
  };
}

/** Yields between batches, since the file is read and written on this thread. */
async function* toBatches<T>(all: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < all.length; at += BATCH_SIZE) {
    if (at > 0) await yieldToOthers();
    yield all.slice(at, at + BATCH_SIZE);
  }
}
