import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** Lifetime and size of a cache. */
export interface CacheOptions {
  /** Age in milliseconds at which an entry expires. */
  readonly ttlMs: number;
  /** Maximum count of entries. The oldest ones make room for new ones. */
  readonly max: number;
}

/**
 * Values that may be lost at any time, by key. Nothing rejects: an entry that cannot be read is missing, and one that
 * cannot be written is dropped. Keys may be any text, and only their hashes are stored; values are JSON.
 */
export interface Cache<Value> {
  get(key: string): Promise<Value | undefined>;
  /** Returns the entries that exist, by key. */
  getMany(keys: readonly string[]): Promise<ReadonlyMap<string, Value>>;
  set(key: string, value: Value): Promise<void>;
  setMany(entries: ReadonlyMap<string, Value>): Promise<void>;
  delete(key: string): Promise<void>;
}

/**
 * Caches on disk, for results that cost time or money. Each process has its own, whatever the database: a result that other processes must
 * see, or that must not be lost, belongs in a table. Backups and moves leave caches out, and the erasure of a person clears them all.
 */
export interface Caches {
  /** Opens the cache of this name, without reading the disk. A name can be opened once. */
  open<Value>(name: string, options: CacheOptions): Cache<Value>;
}
export const Caches: ServiceKey<Caches> = serviceKey("caches");
