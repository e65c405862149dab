import type { Database, StoredTexts } from "@parley/core";
import type { Dialect } from "./dialect.ts";

/** Matches the tables of a space: `text_notes` has the passages of `notes`; other tables derive from it. */
const TABLE_PATTERN = /^text_([a-z][a-z0-9_]*?)(_vectors|(?:_words|_counts|_near)(?:_.*)?)?$/;

/** Creates access to the tables of the index in any database, as rows that all engines have in common. */
export function createStoredTexts(database: Database, dialectOf: (database: Database) => Dialect): StoredTexts {
  const dialect = dialectOf(database);
  return {
    kindOf(table) {
      const [, space, rest] = TABLE_PATTERN.exec(table) ?? [];
      if (space === undefined || rest === "_vectors") return undefined;
      return rest === undefined ? { space } : "derived";
    },
    passages: (space, after, limit) => dialect.readStored(space, after, limit),
    adding: (space, passages) => dialect.restoreWrites(space, JSON.stringify(passages)),
  };
}
