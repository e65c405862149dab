import type { StoredRecords } from "../services/storage/record-store.ts";
import type { ResourceItem } from "./resource.ts";

/** All records of a kind in memory. */
export interface RecordCache<Fields extends object> {
  load(): Promise<void>;
  /** Follows changes of other processes; returns the unsubscribe function. */
  follow(): () => void;
  all(): IterableIterator<ResourceItem<Fields>>;
  get(id: string): ResourceItem<Fields> | undefined;
  readonly size: number;
  /** Caches a record that this process stored, unless the cached one is newer. Returns the given record. */
  hold(item: ResourceItem<Fields>): ResourceItem<Fields>;
  /** Removes a record from the cache that this process deleted. */
  drop(id: string): void;
}

/** Dependencies of cached records. */
export interface RecordCacheDeps<Fields extends object> {
  readonly stored: () => Pick<StoredRecords<Fields>, "all" | "find" | "onElsewhere">;
  readonly changed?: () => void;
  /** Runs before loaded records are used, to prepare their dependencies. */
  readonly prepare?: () => Promise<unknown>;
}

/** Creates a cache of records; it is empty until `load`. */
export function createRecordCache<Fields extends object>({
  stored,
  changed = () => {},
  prepare = async () => {},
}: RecordCacheDeps<Fields>): RecordCache<Fields> {
  let items = new Map<string, ResourceItem<Fields>>();
  /** Count of local changes; records read during a change may be outdated. */
  let changes = 0;
  const take = (change: () => void) => {
    changes += 1;
    change();
    changed();
  };
  const unchanged = async (read: () => Promise<() => void>) => {
    for (;;) {
      const before = changes;
      const change = await read();
      if (changes === before) return take(change);
    }
  };
  const load = () =>
    unchanged(async () => {
      const found = new Map<string, ResourceItem<Fields>>();
      for await (const item of stored().all()) found.set(item.id, item);
      if (found.size > 0) await prepare();
      return () => {
        items = found;
      };
    });
  const readOne = (id: string) =>
    unchanged(async () => {
      const item = await stored().find(id);
      if (item) await prepare();
      return () => void (item ? items.set(id, item) : items.delete(id));
    });
  return {
    load,
    follow: () => stored().onElsewhere((id) => (id === undefined ? load() : readOne(id))),
    all: () => items.values(),
    get: (id) => items.get(id),
    get size() {
      return items.size;
    },
    hold(item) {
      if ((items.get(item.id)?.revision ?? 0) <= item.revision) take(() => void items.set(item.id, item));
      return item;
    },
    drop: (id) => take(() => void items.delete(id)),
  };
}
