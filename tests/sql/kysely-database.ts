import { AppError, type Database, type Migration, type Write } from "@parley/core";
import type { Kysely } from "kysely";

/** Creates as much of a database on PostgreSQL as a text index needs. */
export function createKyselyDatabase(db: Kysely<unknown>): Database {
  const done = new Set<string>();
  return {
    tables: <Tables>() => db as unknown as Kysely<Tables>,
    write: (writes: readonly Write[]) =>
      db.transaction().execute(async (to) => {
        const results = [];
        for (const { query } of writes) {
          const { rows, numAffectedRows } = await to.executeQuery(query.compile());
          results.push({ rows, changes: Number(numAffectedRows ?? rows.length) });
        }
        return results;
      }),
    lookup: async (query) => (await db.executeQuery(query)).rows,
    async migrate(owner: string, steps: readonly Migration[]) {
      if (done.has(owner)) return;
      done.add(owner);
      for (const { up } of steps) await up(db);
    },
    size: async () => {
      throw new AppError("unavailable", "nobody asks");
    },
  };
}
