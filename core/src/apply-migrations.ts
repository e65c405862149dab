import { type Kysely, sql } from "kysely";
import { AppError } from "./errors.ts";
import { isNewerVersion } from "./newer-version.ts";
import type { Migration } from "./services/database.ts";

/** A step that was taken, and the version of the service that brought it: an earlier one cannot work with it. */
export interface TakenStep {
  readonly owner: string;
  readonly id: string;
  readonly version: string;
}

interface MigrationTables {
  readonly migrations: { readonly owner: string; readonly id: string; readonly applied_at: string };
  readonly migration_versions: TakenStep;
  readonly migration_expansions: Expansion;
}

/** A step of a later version with which an earlier one goes on working. */
export interface Expansion {
  readonly owner: string;
  readonly id: string;
}

const EXPANSIONS =
  "create table if not exists migration_expansions (owner text not null, id text not null, primary key (owner, id))";

/** What steps of a database are noted with, and who hears of them. */
export interface MigrationOptions {
  /** Of the service; it is noted with each step in the table `migration_versions`. */
  readonly version?: string;
  /** Hears of each step that was taken. */
  readonly applied?: () => void;
  /** Several services may work on the database at once. */
  readonly shared?: SharedMigrations;
}

/** What holds where services of two versions work on one database beside each other. */
export interface SharedMigrations {
  /** Throws while a service of another version works there: asked before a step that does not expand tables in use. */
  mayChange(owner: string, step: string): Promise<void>;
}

/**
 * Applies the steps of `owner` that are missing, each in a transaction of its own, and notes them in the table
 * `migrations`: for those who provide a `Database`. `conflict` when the database is from a newer version.
 */
export async function applyMigrations(
  kysely: Kysely<unknown>,
  owner: string,
  migrations: readonly Migration[],
  { version, applied: told, shared }: MigrationOptions = {},
): Promise<void> {
  const tables = kysely as unknown as Kysely<MigrationTables>;
  await sql`create table if not exists migrations (owner text not null, id text not null, applied_at text not null, primary key (owner, id))`.execute(
    kysely,
  );
  await sql.raw(EXPANSIONS).execute(kysely);
  const applied = await tables.selectFrom("migrations").select("id").where("owner", "=", owner).execute();
  const expansions = await tables.selectFrom("migration_expansions").select("id").where("owner", "=", owner).execute();
  const known = new Set([...migrations, ...(shared ? expansions : [])].map(({ id }) => id));
  const newer = applied.find(({ id }) => !known.has(id));
  if (newer) {
    throw new AppError(
      "conflict",
      `the database was written by a newer version: '${owner}' has the step '${newer.id}'`,
    );
  }
  const done = new Set(applied.map(({ id }) => id));
  const missing = migrations.filter(({ id }) => !done.has(id)).sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const step of missing) {
    // Tables that are not there yet nobody works with.
    if (!step.expands && applied.length > 0) await shared?.mayChange(owner, step.id);
    await take(tables, owner, step, version);
    told?.();
  }
}

async function take(
  tables: Kysely<MigrationTables>,
  owner: string,
  { id, up, expands }: Migration,
  version: string | undefined,
): Promise<void> {
  await tables.transaction().execute(async (transaction) => {
    await up(transaction as unknown as Kysely<unknown>);
    const row = { owner, id, applied_at: new Date().toISOString() };
    await transaction.insertInto("migrations").values(row).execute();
    if (expands) await transaction.insertInto("migration_expansions").values({ owner, id }).execute();
    if (version === undefined) return;
    await sql`create table if not exists migration_versions (owner text not null, id text not null, version text not null, primary key (owner, id))`.execute(
      transaction,
    );
    await transaction
      .insertInto("migration_versions")
      .values({ owner, id, version })
      .onConflict((one) => one.columns(["owner", "id"]).doUpdateSet({ version }))
      .execute();
  });
}

/** Throws `conflict` for a database with a step of a version newer than `version`: to be asked before anything is written. */
export function refuseNewerSteps(database: string, steps: readonly TakenStep[], version: string): void {
  const step = steps.find((one) => isNewerVersion(one.version, version));
  if (!step) return;
  const what = `it has the step '${step.id}' of '${step.owner}'`;
  const way = `Install ${step.version} or newer, or restore a backup that ${version} made. Nothing was changed`;
  throw new AppError(
    "conflict",
    `${database} was written by Parley ${step.version}, and this is ${version}: ${what}. ${way}`,
  );
}
