import type { Database, ItemFailure, StoredTexts } from "@parley/core";
import { isPostgres, MOVE_TABLE, queryRows, type TableShape, tablesIn, withReplacements } from "@parley/core/storage";
import { sql } from "kysely";
import type { Configuration } from "../config/configuration.ts";
import { sentence, toAnswerMessage } from "../sentences.ts";
import type { DeclaredSteps, OwnerSteps } from "./declared-steps.ts";
import { examineTable, type TableFindings } from "./examine-table.ts";
import { readDefinition, type TableDefinition } from "./undeclared-tables.ts";

/** Tables of the migration log; the target fills them itself when the steps run there. */
export const MIGRATION_TABLES = ["migrations", "migration_versions", "migration_expansions"];
const NOT_COPIED = new Set([...MIGRATION_TABLES, MOVE_TABLE]);
/** Tables derived from records for lists; columns that no plugin declares are left out. */
const DERIVED_TABLE = /^records_/;

/** A source database of rows. */
export interface Source {
  readonly database: Database;
  readonly ownTables: readonly string[];
}

/** A table whose rows will be copied. */
export interface PlannedTable extends TableFindings {
  readonly source: Source;
  readonly shape: TableShape;
  /** Space of a passage table; undefined for other tables. */
  readonly space: string | undefined;
  /** Set for a table that no enabled plugin declares: it is created as it is. */
  readonly definition?: TableDefinition;
}

export interface MovePlan {
  readonly tables: readonly PlannedTable[];
  /** Sentences about the reasons nothing can be copied. */
  readonly rejected: readonly string[];
  /** Sentences about tables with rows that no enabled plugin has and the target could not have; the caller decides if that is an obstacle. */
  readonly unknown: readonly ItemFailure[];
}

export interface AppliedStep {
  readonly owner: string;
  readonly id: string;
}

/** Enables all plugins: rows of disabled ones are migrated too. */
export function withAllPlugins(configuration: Configuration): Configuration {
  return { ...configuration, plugins: configuration.plugins.map((one) => ({ ...one, enabled: true })) };
}

/** Reads the steps recorded in a database; none in an empty one. */
export async function readSteps(
  database: Database,
): Promise<readonly (AppliedStep & { readonly applied_at: string })[]> {
  if (!(await tablesIn(database)).has("migrations")) return [];
  return queryRows(
    database,
    sql<AppliedStep & { readonly applied_at: string }>`select owner, id, applied_at from migrations order by owner, id`,
  );
}

export async function readOwners(database: Database): Promise<ReadonlySet<string>> {
  return new Set((await readSteps(database)).map(({ owner }) => owner));
}

/** Plans the copy: tables with rows, and obstacles. Writes nothing. */
export async function planMove(
  sources: readonly Source[],
  { steps, texts }: DeclaredSteps,
  createdTables: ReadonlySet<string>,
  isToPostgres: boolean,
): Promise<MovePlan> {
  const rejected: string[] = [];
  const unknown: ItemFailure[] = [];
  const tables: PlannedTable[] = [];
  const applied = (await Promise.all(sources.map(({ database }) => readSteps(database)))).flat();
  rejected.push(...findUnknownSteps(applied, steps));
  for (const source of sources) {
    const stored = texts?.stored(source.database);
    for (const shape of (await tablesIn(source.database)).values()) {
      const kind = classifyTable(shape.name, source, stored);
      if (kind === "left") continue;
      const found = await examineTable(source.database, shape, isToPostgres && !isPostgres(source.database));
      const isDeclared = createdTables.has(shape.name);
      const definition = isDeclared ? undefined : await readDefinition(source.database, shape);
      if (!isDeclared && !definition) {
        if (found.rows > 0)
          unknown.push(toAnswerMessage(sentence("left_table", { table: shape.name, rows: found.rows })));
        continue;
      }
      rejected.push(...found.rejected);
      tables.push({ ...found, source, shape, space: kind?.space, ...(definition && { definition }) });
    }
  }
  return { tables, rejected, unknown };
}

/** Classifies a table: `left` when it is rebuilt at the target; undefined for ordinary rows. */
export function classifyTable(name: string, { ownTables }: Pick<Source, "ownTables">, stored: StoredTexts | undefined) {
  if (NOT_COPIED.has(name) || ownTables.includes(name)) return "left";
  const kind = stored?.kindOf(name);
  return kind === "derived" ? "left" : kind;
}

/** Returns the ids of the owner's steps that the rows have, as this version names them. */
export function findAppliedSteps(applied: readonly AppliedStep[], { owner, steps }: OwnerSteps): ReadonlySet<string> {
  const ids = applied.filter((one) => one.owner === owner).map(({ id }) => id);
  return withReplacements(ids, steps);
}

/** Finds steps of known owners that this version lacks: the rows are of a later one. */
function findUnknownSteps(applied: readonly AppliedStep[], declared: readonly OwnerSteps[]): readonly string[] {
  const stepsByOwner = Map.groupBy(declared, ({ owner }) => owner);
  const unknown = [...stepsByOwner].flatMap(([owner, all]) => {
    const steps = all.flatMap((one) => one.steps);
    const known = new Set(steps.map(({ id }) => id));
    const found = findAppliedSteps(applied, { owner, steps, file: undefined, isAtFirstUse: false });
    return [...found].filter((id) => !known.has(id)).map((id) => `'${id}' of '${owner}'`);
  });
  return unknown.length === 0 ? [] : [`the rows are of a later version: this one does not know ${unknown[0]}`];
}

/** Returns the common columns, and columns only in the source if that would lose data. */
export function compareColumns(
  from: TableShape,
  to: TableShape,
): { readonly both: readonly string[]; readonly lost: readonly string[] } {
  const there = new Set(to.columns.map(({ name }) => name));
  const names = from.columns.map(({ name }) => name);
  return {
    both: names.filter((name) => there.has(name)),
    lost: DERIVED_TABLE.test(from.name)
      ? []
      : names.filter((name) => !there.has(name)).map((name) => `${from.name}.${name}`),
  };
}
