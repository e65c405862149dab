import { hash } from "node:crypto";
import {
  AppError,
  type Database,
  type Databases,
  type ItemFailure,
  isPostgres,
  queryRows,
  type TableShape,
  tablesIn,
} from "@parley/core";
import { sql } from "kysely";
import { copyTable, findDifference, type TableCopy } from "./copy-table.ts";
import type { DeclaredSteps } from "./declared-steps.ts";
import {
  compareColumns,
  MIGRATION_TABLES,
  type MovePlan,
  type PlannedTable,
  planMove,
  readSteps,
  type Source,
} from "./plan-move.ts";
import { type Progress, readMoveIdentity, startMove } from "./progress.ts";
import { createPassagePages, createTablePages } from "./table-pages.ts";

/** Columns by which passages are compared. */
const PASSAGE_COLUMNS = [
  "seq",
  "id",
  "grp",
  "place",
  "title",
  "body",
  "said_at",
  "title_terms",
  "body_terms",
  "label_terms",
];

/** Options of a move, with source and target. */
export interface MoveRowsOptions {
  readonly sources: readonly Source[];
  readonly declared: DeclaredSteps;
  /** Target databases of the rows, by source file; undefined: the main one. */
  readonly target: Databases;
  readonly opened: (file: string) => Promise<Database>;
  /** Called for each copied table with its count of rows. */
  readonly onCopied: (table: string, rows: number) => void;
  /** Called with a sentence for each table no enabled plugin has, which is skipped; absent: such a table prevents the move. */
  readonly onSkipped?: (sentence: ItemFailure) => void;
}

/** Returns the identity of an installation's rows, a hash of the times its tables were created. Rejects with `bad_request` when there are none. */
export async function computeIdentity(sources: readonly Source[]): Promise<string> {
  const steps = await Promise.all(sources.map(({ database }) => readSteps(database)));
  const all = steps.flat().map(({ owner, id, applied_at }) => `${owner} ${id} ${applied_at}`);
  if (all.length === 0)
    throw new AppError("bad_request", "there are no rows to move: the service has never run on them");
  return hash("sha256", all.sort().join("\n"));
}

/** Returns true when the same move was started in the database before, false when it is empty; rejects with `conflict` for any other content. */
export async function rejectUsedDatabase(
  target: Database,
  { ownTables = [] }: Databases,
  identity: string,
): Promise<boolean> {
  const startedIdentity = await readMoveIdentity(target);
  if (startedIdentity === identity) return true;
  const known = new Set([...ownTables, ...MIGRATION_TABLES]);
  const used = [...(await tablesIn(target)).keys()].filter((name) => !known.has(name));
  if (startedIdentity === undefined && used.length === 0) return false;
  const what = startedIdentity === undefined ? `it has the table '${used[0]}'` : "other rows are being moved there";
  throw new AppError(
    "conflict",
    `the database that rows are to be moved to is not empty, ${what}: nothing was changed`,
  );
}

/** Copies all rows and verifies them. An interrupted move continues. */
export async function moveRows(move: MoveRowsOptions): Promise<void> {
  const identity = await computeIdentity(move.sources);
  const { main } = move.target;
  await rejectUsedDatabase(main, move.target, identity);
  const progress = await startMove(main, identity);
  if (await progress.isDone()) return;
  const files = await makeTables(move);
  const progressByDatabase = new Map<Database, Progress>([[main, progress]]);
  for (const file of files) if (file !== main) progressByDatabase.set(file, await startMove(file, identity));
  const targetTables = await findTargetTables(files);
  const plan = await planMove(move.sources, move.declared, new Set(targetTables.keys()), isPostgres(main));
  const { rejected, copies } = planCopies(plan, targetTables, move);
  const problems = [...rejected, ...(move.onSkipped ? [] : plan.unknown.map(({ error }) => error))];
  if (problems.length > 0) throw new AppError("conflict", problems.join("\n"));
  for (const sentence of plan.unknown) move.onSkipped?.(sentence);
  for (const copy of copies) {
    const rows = await copyTable(copy, progressByDatabase.get(copy.to) as Progress);
    move.onCopied(copy.table, rows);
  }
  const differences = (await mapInSequence(copies, findDifference)).flatMap((one) => one ?? []);
  if (differences.length > 0) throw new AppError("conflict", `${differences.join("\n")}\n${START_OVER_ADVICE}`);
  for (const file of files) await copyVersions(move.sources, file);
  await progress.markDone();
}

const START_OVER_ADVICE =
  "The rows were changed while they were moved: empty the database that they went to, and move them again";

async function makeTables({ declared, target, opened }: MoveRowsOptions): Promise<ReadonlySet<Database>> {
  const files = new Set<Database>([target.main]);
  for (const { file, owner, steps } of declared.steps) {
    const database = file === undefined ? target.main : await opened(file);
    files.add(database);
    await database.migrate(owner, steps);
  }
  return files;
}

interface TargetTable {
  readonly database: Database;
  readonly shape: TableShape;
}

async function findTargetTables(files: ReadonlySet<Database>): Promise<ReadonlyMap<string, TargetTable>> {
  const places = new Map<string, TargetTable>();
  for (const database of files) {
    for (const [name, shape] of await tablesIn(database)) places.set(name, { database, shape });
  }
  return places;
}

function planCopies(
  { tables, rejected }: MovePlan,
  targetTables: ReadonlyMap<string, TargetTable>,
  { declared: { texts } }: MoveRowsOptions,
) {
  const lost: string[] = [];
  const copies = tables.flatMap((planned) => {
    const place = targetTables.get(planned.shape.name);
    if (!place) {
      lost.push(planned.shape.name);
      return [];
    }
    const one = planned.space === undefined ? toTableCopy(planned, place) : undefined;
    if (one) lost.push(...one.lost);
    return [one?.copy ?? toPassageCopy(planned, place, texts)];
  });
  const all = [
    ...rejected,
    ...lost.map((name) => `${name}: this version has no such ${name.includes(".") ? "column" : "table"}`),
  ];
  return { copies, rejected: all };
}

function toTableCopy({ source, shape }: PlannedTable, { database, shape: there }: TargetTable) {
  const { both, lost } = compareColumns(shape, there);
  const from = createTablePages(source.database, shape, both);
  const copy: TableCopy = {
    table: shape.name,
    columns: both,
    from,
    to: database,
    again: createTablePages(database, there, both),
  };
  return { copy, lost };
}

function toPassageCopy(
  { source, shape, space = "" }: PlannedTable,
  { database }: TargetTable,
  texts: DeclaredSteps["texts"],
): TableCopy {
  if (!texts) throw new AppError("unavailable", "no enabled plugin keeps an index of texts");
  const [from, to] = [texts.stored(source.database), texts.stored(database)];
  return {
    table: shape.name,
    columns: PASSAGE_COLUMNS,
    from: createPassagePages(from, space),
    to: database,
    again: createPassagePages(to, space),
    adding: (rows) => to.adding(space, rows as never),
  };
}

/** Copies the versions of the migration steps, so that an earlier version does not start on later data. */
async function copyVersions(sources: readonly Source[], to: Database): Promise<void> {
  const taken = new Set((await readSteps(to)).map(({ owner, id }) => `${owner} ${id}`));
  await sql`create table if not exists migration_versions (owner text not null, id text not null, version text not null, primary key (owner, id))`.execute(
    to.tables(),
  );
  for (const { database } of sources) {
    if (!(await tablesIn(database)).has("migration_versions")) continue;
    const rows = await queryRows(
      database,
      sql<{ owner: string; id: string; version: string }>`select owner, id, version from migration_versions`,
    );
    const known = rows.filter(({ owner, id }) => taken.has(`${owner} ${id}`));
    if (known.length === 0) continue;
    const tables = to.tables<{ migration_versions: { owner: string; id: string; version: string } }>();
    const query = tables
      .insertInto("migration_versions")
      .values(known)
      .onConflict((on) => on.columns(["owner", "id"]).doNothing());
    await to.write([{ query }]);
  }
}

async function mapInSequence<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<readonly R[]> {
  const done: R[] = [];
  for (const one of all) done.push(await work(one));
  return done;
}
