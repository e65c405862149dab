import { type Kysely, sql } from "kysely";
import { AppError } from "./errors.ts";
import type { Migration } from "./services/database.ts";

interface MigrationTables {
  readonly migrations: { readonly owner: string; readonly id: string; readonly applied_at: string };
}

/**
 * Applies the steps of `owner` that are missing, each in a transaction of its own, and notes them in the table
 * `migrations`: for those who provide a `Database`. `conflict` when the database is from a newer version.
 */
export async function applyMigrations(
  kysely: Kysely<unknown>,
  owner: string,
  migrations: readonly Migration[],
): Promise<void> {
  const tables = kysely as unknown as Kysely<MigrationTables>;
  await sql`create table if not exists migrations (owner text not null, id text not null, applied_at text not null, primary key (owner, id))`.execute(
    kysely,
  );
  const applied = await tables.selectFrom("migrations").select("id").where("owner", "=", owner).execute();
  const known = new Set(migrations.map(({ id }) => id));
  const newer = applied.find(({ id }) => !known.has(id));
  if (newer) {
    throw new AppError(
      "conflict",
      `the database was written by a newer version: '${owner}' has the step '${newer.id}'`,
    );
  }
  const done = new Set(applied.map(({ id }) => id));
  for (const { id, up } of [...migrations].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    if (done.has(id)) continue;
    await tables.transaction().execute(async (transaction) => {
      await up(transaction as unknown as Kysely<unknown>);
      const row = { owner, id, applied_at: new Date().toISOString() };
      await transaction.insertInto("migrations").values(row).execute();
    });
  }
}
