import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { AppError, isNewerVersion, type Migration } from "@parley/core";
import { type Kysely, sql } from "kysely";

interface MigrationTables {
  readonly migrations: { readonly owner: string; readonly id: string; readonly applied_at: string };
  /** Which version of the service brought a step: an earlier one does not know it. */
  readonly migration_versions: { readonly owner: string; readonly id: string; readonly version: string };
}

export interface Migrated {
  readonly kysely: Kysely<unknown>;
  /** Of the service. */
  readonly version: string | undefined;
  readonly owner: string;
  readonly migrations: readonly Migration[];
  /** Hears of each step that was taken. */
  applied(): void;
}

/** Applies the steps of `owner` that are missing, each with its note in one transaction. */
export async function migrate({ kysely, version, owner, migrations, applied: told }: Migrated): Promise<void> {
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
  const missing = migrations.filter(({ id }) => !done.has(id)).sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const { id, up } of missing) {
    await tables.transaction().execute(async (transaction) => {
      await up(transaction as unknown as Kysely<unknown>);
      const row = { owner, id, applied_at: new Date().toISOString() };
      await transaction.insertInto("migrations").values(row).execute();
      if (version === undefined) return;
      await sql`create table if not exists migration_versions (owner text not null, id text not null, version text not null, primary key (owner, id))`.execute(
        transaction,
      );
      await transaction.insertInto("migration_versions").values({ owner, id, version }).execute();
    });
    told();
  }
}

/** Refuses databases with steps of a version newer than `version`, before anything is opened for writing. */
export function refuseNewer(files: readonly string[], version: string): void {
  for (const file of files) {
    const step = stepsIn(file).find((one) => isNewerVersion(one.version, version));
    if (!step) continue;
    const what = `it has the step '${step.id}' of '${step.owner}'`;
    const way = `Install ${step.version} or newer, or restore a backup that ${version} made. Nothing was changed`;
    throw new AppError(
      "conflict",
      `${file} was written by Parley ${step.version}, and this is ${version}: ${what}. ${way}`,
    );
  }
}

function stepsIn(file: string): readonly MigrationTables["migration_versions"][] {
  if (!existsSync(file)) return [];
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const table = database.prepare("select 1 from sqlite_schema where name = 'migration_versions'").get();
    const steps = table && database.prepare("select owner, id, version from migration_versions").all();
    return (steps ?? []) as unknown as readonly MigrationTables["migration_versions"][];
  } catch {
    // What is wrong with the file is told when it is opened.
    return [];
  }
}
