import { type CachedRecords, createRecordCache, type Resource, type StoredRecords, toRecordPage } from "@parley/core";

/** Cached records, which follow changes of other processes until `end` is called. */
export interface OwnCachedRecords extends CachedRecords<object> {
  end(): void;
}

/** Creates the cache of a resource's stored records, written through. */
export function createCachedRecords(one: Resource, stored: StoredRecords<object>): OwnCachedRecords {
  const listeners = new Set<() => void>();
  const cache = createRecordCache<object>({
    stored: () => stored,
    changed: () => {
      for (const listener of listeners) listener();
    },
  });
  let stop = () => {};
  let loading: Promise<void> | undefined;
  const start = async () => {
    // Follows first, so that no change between reading and following is missed.
    stop = cache.follow();
    await cache.load();
  };
  return {
    page: async (query) => toRecordPage(one, [...cache.all()], query),
    find: stored.find,
    get: stored.get,
    create: async (draft, request) => cache.hold(await stored.create(draft, request)),
    change: async (id, patch, request) => cache.hold(await stored.change(id, patch, request)),
    async remove(id, request) {
      await stored.remove(id, request);
      cache.drop(id);
    },
    load() {
      loading ??= start().catch((error) => {
        stop();
        loading = undefined;
        throw error;
      });
      return loading;
    },
    reload: cache.load,
    values: cache.all,
    peek: cache.get,
    get size() {
      return cache.size;
    },
    onChanged(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    end: () => stop(),
  };
}
