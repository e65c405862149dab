import { type Database, Databases, type DefinedPlugin, definePlugin, explained } from "@parley/core";
import storage from "../../../plugins/storage/src/index.ts";

/** The storage, which refuses writes when a test wants it to. */
export interface RefusingStorage {
  readonly plugin: DefinedPlugin;
  /**
   * Refuses `count` writes to the main database, as a disk that is full for a moment: after the next `after` ones, or
   * from the first one on that contains `text`.
   */
  refuse(from: { readonly after?: number; readonly text?: string; readonly count?: number }): void;
  /** Refuses nothing any more; returns the statements of each write that was refused. */
  end(): readonly string[];
}

export function createRefusingStorage(): RefusingStorage {
  let left = 0;
  let awaited = "";
  let refusals = 0;
  let refused: string[] = [];
  const refusing = (database: Database): Database => ({
    ...database,
    async write(writes) {
      const text = writes.map(({ query }) => query.compile().sql).join("; ");
      if (refusals === 0 || !text.includes(awaited) || left-- > 0) return database.write(writes);
      refusals -= 1;
      awaited = "";
      refused.push(text);
      throw explained("unavailable", "storage_busy", {}, { retryAfterS: 1 });
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
    refuse({ after = 0, text = "", count = 1 }) {
      left = after;
      awaited = text;
      refusals = count;
      refused = [];
    },
    end() {
      refusals = 0;
      return refused;
    },
  };
}
