import { AppError, type Database, Databases, type DefinedPlugin, definePlugin } from "@parley/core";
import storage from "../../../plugins/storage/src/index.ts";

/** The storage, which refuses writes when a test wants it to. */
export interface RefusingStorage {
  readonly plugin: DefinedPlugin;
  /** Refuses `count` writes to the main database after the next `after` ones, as a disk that is full for a moment. */
  refuse(after: number, count?: number): void;
  /** Refuses nothing any more; returns the statements of each write that was refused. */
  end(): readonly string[];
}

export function createRefusingStorage(): RefusingStorage {
  let left = Number.POSITIVE_INFINITY;
  let refusals = 0;
  let refused: string[] = [];
  const refusing = (database: Database): Database => ({
    ...database,
    async write(writes) {
      left -= 1;
      if (left >= 0 || refusals === 0) return database.write(writes);
      refusals -= 1;
      refused.push(writes.map(({ query }) => query.compile().sql).join("; "));
      throw new AppError("unavailable", "the storage is busy", { retryAfterS: 1 });
    },
  });
  const wrap = (databases: Databases): Databases => {
    const main = refusing(databases.main);
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
    refuse(after, count = 1) {
      left = after;
      refusals = count;
      refused = [];
    },
    end() {
      left = Number.POSITIVE_INFINITY;
      refusals = 0;
      return refused;
    },
  };
}
