import { type Database, Databases, type DefinedPlugin, definePlugin, toSharedError } from "@parley/core";
import storage from "../../../plugins/storage/src/index.ts";

/** A storage that rejects writes on demand. */
export interface RejectingStorage {
  readonly plugin: DefinedPlugin;
  /**
   * Rejects `count` writes to the main database, as if the disk were full for a while: after the next `after` ones, or from the first
   * one that contains `text`.
   */
  reject(from: { readonly after?: number; readonly text?: string; readonly count?: number }): void;
  /** Stops rejecting; returns the statements of each rejected write. */
  end(): readonly string[];
}

export function createRejectingStorage(): RejectingStorage {
  let left = 0;
  let awaited = "";
  let rejections = 0;
  let rejected: string[] = [];
  const rejecting = (database: Database): Database => ({
    ...database,
    async write(writes) {
      const text = writes.map(({ query }) => query.compile().sql).join("; ");
      if (rejections === 0 || !text.includes(awaited) || left-- > 0) return database.write(writes);
      rejections -= 1;
      awaited = "";
      rejected.push(text);
      throw toSharedError("unavailable", "storage_busy", {}, { retryAfterS: 1 });
    },
  });
  const wrap = (databases: Databases): Databases => {
    const main = rejecting(databases.main);
    return Object.defineProperties(Object.create(databases) as Databases, { main: { get: () => main } });
  };
  return {
    plugin: definePlugin({
      ...storage,
      register(context) {
        storage.register({
          ...context,
          provide(key, make) {
            if ((key as unknown) !== Databases) return context.provide(key, make);
            context.provide(Databases, (from) => wrap(make(from) as Databases));
          },
        });
      },
    }),
    reject({ after = 0, text = "", count = 1 }) {
      left = after;
      awaited = text;
      rejections = count;
      rejected = [];
    },
    end() {
      rejections = 0;
      return rejected;
    },
  };
}
