import { type Kysely, sql } from "kysely";
import { AppError } from "../errors.ts";
import type { Migration } from "../services/storage/database.ts";
import { isNewerVersion } from "../util/compare-versions.ts";

/** An applied step and the service version that added it; earlier versions cannot use the database. */
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

/** A migration step of a later version that an earlier one can work with. */
export interface Expansion {
  readonly owner: string;
  readonly id: string;
}

const STEPS_TABLE =
  "migrations (owner text not null, id text not null, applied_at text not null, primary key (owner, id))";
const EXPANSIONS_TABLE = "migration_expansions (owner text not null, id text not null, primary key (owner, id))";
const VERSIONS_TABLE =
  "migration_versions (owner text not null, id text not null, version text not null, primary key (owner, id))";

/** Creates the error of a database of a version before 0.1.0: its steps carry no versions, or are incomplete. */
export function createTooOldError(database: string): AppError {
  const advice = "start Parley 0.1.0 with it once, then this version. Nothing was changed";
  return new AppError("conflict", `${database} was written by a Parley older than 0.1.0: ${advice}`);
}

/** Options of applying migrations, with callbacks. */
export interface MigrationOptions {
  /** Version of the service; stored with each step in the table `migration_versions`. */
  readonly version?: string;
  /** Called before the first step that makes the database unusable for the version that used it until now. */
  readonly upgrades?: () => Promise<void>;
  /** Called after each applied step. */
  readonly applied?: () => void;
  /** Present when several services may work on the database at once. */
  readonly shared?: SharedMigrations;
}

/** Rules for services of two versions on one database. */
export interface SharedMigrations {
  /** Throws while a service of another version uses the database; called before a step that does not merely expand tables in use. */
  mayChange(owner: string, step: string): Promise<void>;
}

/**
 * Applies the missing steps of `owner`, each in its own transaction, and records them in the table `migrations`; for
 * providers of a `Database`. In an empty database all steps of an owner are one transaction. Rejects with `conflict`
 * when the database is from a newer version.
 */
export async function applyMigrations(
  kysely: Kysely<unknown>,
  owner: string,
  migrations: readonly Migration[],
  { version, upgrades, applied: onApplied, shared }: MigrationOptions = {},
): Promise<void> {
  const tables = kysely as unknown as Kysely<MigrationTables>;
  const ids = migrations.map(({ id }) => id);
  const { steps: first, wasEmpty } = shared
    ? { steps: undefined, wasEmpty: false }
    : await readInitialSteps(tables, version);
  if (first && hasExactly(withReplacements(first.get(owner), migrations), ids)) return;
  if (first && wasEmpty && !first.has(owner)) {
    await applyTogether(tables, owner, sortById(migrations), version);
    for (const _ of migrations) onApplied?.();
    first.set(owner, new Set(ids));
    return;
  }
  if (shared) await makeTables(tables, version);
  // Read again, because another owner's step may have added rows.
  const applied = withReplacements(
    (await selectRows(tables, "migrations", owner)).map(({ id }) => id),
    migrations,
  );
  const expansions = shared ? await selectRows(tables, "migration_expansions", owner) : [];
  const known = new Set([...ids, ...expansions.map(({ id }) => id)]);
  const newer = [...applied].find((id) => !known.has(id));
  if (newer !== undefined) {
    throw new AppError("conflict", `the database was written by a newer version: '${owner}' has the step '${newer}'`);
  }
  const missing = sortById(migrations).filter(({ id }) => !applied.has(id));
  const isUpgrade = shared
    ? missing.some((step) => !step.expands) && (await hasSteps(tables))
    : first !== undefined && first.size > 0;
  if (isUpgrade && missing.length > 0 && (applied.size > 0 || (await isOlder(tables, version)))) await upgrades?.();
  for (const step of missing) {
    // Tables that do not exist yet are unused.
    if (!step.expands && applied.size > 0) await shared?.mayChange(owner, step.id);
    await applyTogether(tables, owner, [step], version);
    onApplied?.();
  }
  first?.set(owner, new Set(ids));
}

async function hasSteps(tables: Kysely<MigrationTables>): Promise<boolean> {
  return (await tables.selectFrom("migrations").select("id").limit(1).execute()).length > 0;
}

/** Returns true when every step of the database was recorded by an earlier version, or before versions were recorded. */
async function isOlder(tables: Kysely<MigrationTables>, version: string | undefined): Promise<boolean> {
  if (version === undefined) return false;
  const noted = await tables.selectFrom("migration_versions").select("version").distinct().execute();
  return noted.every((one) => isNewerVersion(version, one.version));
}

/** Returns the applied steps, with each that replaces earlier ones in their place. Throws `conflict` for a database with only some of the earlier ones. */
export function withReplacements(
  applied: Iterable<string> = [],
  migrations: readonly Migration[],
): ReadonlySet<string> {
  const found = new Set(applied);
  for (const { id, replaces = [] } of migrations) {
    const count = replaces.filter((one) => found.has(one)).length;
    if (count === 0) continue;
    if (count < replaces.length) throw createTooOldError("the database");
    for (const one of replaces) found.delete(one);
    found.add(id);
  }
  return found;
}

function sortById(migrations: readonly Migration[]): readonly Migration[] {
  return migrations.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

interface Steps {
  /** True when no step had been applied on opening, so that the database contains only data of steps. */
  readonly wasEmpty: boolean;
  /** Ids of applied steps by owner. */
  readonly steps: Map<string, Set<string>>;
}

/** Migration steps of databases with a single service, read once and updated locally. */
const exclusiveSteps = new WeakMap<object, Promise<Steps>>();

function readInitialSteps(tables: Kysely<MigrationTables>, version: string | undefined): Promise<Steps> {
  const known = exclusiveSteps.get(tables);
  if (known) return known;
  const read = readAppliedSteps(tables, version);
  exclusiveSteps.set(tables, read);
  read.catch(() => exclusiveSteps.delete(tables));
  return read;
}

async function readAppliedSteps(tables: Kysely<MigrationTables>, version: string | undefined): Promise<Steps> {
  await makeTables(tables, version);
  const rows = await tables.selectFrom("migrations").select(["owner", "id"]).execute();
  const steps = Map.groupBy(rows, ({ owner }) => owner);
  const idsOf = new Map([...steps].map(([owner, some]) => [owner, new Set(some.map(({ id }) => id))]));
  return { wasEmpty: rows.length === 0, steps: idsOf };
}

async function makeTables(tables: Kysely<MigrationTables>, version: string | undefined): Promise<void> {
  const needed = [STEPS_TABLE, EXPANSIONS_TABLE, ...(version === undefined ? [] : [VERSIONS_TABLE])];
  for (const table of needed) await sql.raw(`create table if not exists ${table}`).execute(tables);
}

function selectRows(
  tables: Kysely<MigrationTables>,
  table: "migrations" | "migration_expansions",
  owner: string,
): Promise<readonly { readonly id: string }[]> {
  return tables.selectFrom(table).select("id").where("owner", "=", owner).execute();
}

function hasExactly(taken: ReadonlySet<string> | undefined, ids: readonly string[]): boolean {
  return taken !== undefined && taken.size === new Set(ids).size && ids.every((id) => taken.has(id));
}

/** Applies all steps in one transaction. */
async function applyTogether(
  tables: Kysely<MigrationTables>,
  owner: string,
  steps: readonly Migration[],
  version: string | undefined,
): Promise<void> {
  if (steps.length === 0) return;
  await tables.transaction().execute(async (transaction) => {
    for (const { up } of steps) await up(transaction as unknown as Kysely<unknown>);
    const applied_at = new Date().toISOString();
    const rows = steps.map(({ id }) => ({ owner, id, applied_at }));
    await transaction.insertInto("migrations").values(rows).execute();
    const expansions = steps.filter(({ expands }) => expands).map(({ id }) => ({ owner, id }));
    if (expansions.length > 0) await transaction.insertInto("migration_expansions").values(expansions).execute();
    if (version === undefined) return;
    await transaction
      .insertInto("migration_versions")
      .values(steps.map(({ id }) => ({ owner, id, version })))
      .onConflict((one) => one.columns(["owner", "id"]).doUpdateSet({ version }))
      .execute();
  });
}

/**
 * Throws `conflict` for a database with a step of a version newer than `version`; call it before anything is written. `recovery`
 * says how to return to the database as it was before the upgrade.
 */
export function rejectNewerSteps(
  database: string,
  steps: readonly TakenStep[],
  version: string,
  recovery?: string,
): void {
  const step = steps.find((one) => isNewerVersion(one.version, version));
  if (!step) return;
  const reason = `it has the step '${step.id}' of '${step.owner}'`;
  const other =
    recovery === undefined ? `restore a backup that ${version} made` : `${recovery}, as it was before the upgrade`;
  const advice = `Install ${step.version} or newer, or ${other}. Nothing was changed`;
  throw new AppError(
    "conflict",
    `${database} was written by Parley ${step.version}, and this is ${version}: ${reason}. ${advice}`,
  );
}
