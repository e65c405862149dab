import { hash } from "node:crypto";
import { AppError, type Database, type Databases, type ItemFailure, type Migration } from "@parley/core";
import { isPostgres, queryRows, type TableShape, tablesIn } from "@parley/core/storage";
import { sql } from "kysely";
import { copyTable, findDifference, type TableCopy } from "./copy-table.ts";
import type { DeclaredSteps, OwnerSteps } from "./declared-steps.ts";
import {
  type AppliedStep,
  compareColumns,
  findAppliedSteps,
  MIGRATION_TABLES,
  type MovePlan,
  type PlannedTable,
  planMove,
  readSteps,
  type Source,
} from "./plan-move.ts";
import { type Progress, readMoveIdentity, startMove } from "./progress.ts";
import { createPassagePages, createTablePages } from "./table-pages.ts";
import { createDefinedTable } from "./undeclared-tables.ts";

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
  /** Target databases of the rows, by source file; undefined stands for the main one. */
  readonly target: Databases;
  readonly openFile: (file: string) => Promise<Database>;
  /** Called for each copied table with its count of rows. */
  readonly onCopied: (table: string, rows: number) => void;
  /** Called with a sentence for each skipped table that no enabled plugin has; absent: such a table prevents the move. */
  readonly onSkipped?: (sentence: ItemFailure) => void;
}

/** Returns the identity of an installation's rows, a hash of the times its tables were created. Rejects with `bad_request` when there are none. */
export async function computeIdentity(sources: readonly Source[]): Promise<string> {
  const steps = await Promise.all(sources.map(({ database }) => readSteps(database)));
  const all = steps.flat().map(({ owner, id, applied_at }) => `${owner} ${id} ${applied_at}`);
  if (all.length === 0)
    throw new AppError("bad_request", "existing are no rows to move: the service has never run on them");
  return hash("sha256", all.sort().join("\n"));
}

/** Returns true when the same move was already started in the database, false when it is empty; rejects with `conflict` for any other content. */
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

/**
 * Copies all rows and verifies them, then brings them up to date. An interrupted move continues. Steps that the rows
 * lack are applied after the copy, since some change rows and would find none before it.
 */
export async function moveRows(options: MoveRowsOptions): Promise<void> {
  const move = { ...options, openFile: openOnce(options.openFile) };
  const { main } = move.target;
  const identity = await computeIdentity(move.sources);
  await rejectUsedDatabase(main, move.target, identity);
  const progress = await startMove(main, identity);
  if (await progress.isDone()) return;
  if (!(await progress.isCopied())) {
    await copyRows(move, identity, progress);
    await progress.markCopied();
  }
  const files = await applySteps(move, ({ steps }) => steps);
  await copyUndeclaredSteps(move);
  for (const file of files) await copyVersions(move.sources, file);
  await progress.markDone();
}

async function copyRows(move: MoveRowsOptions, identity: string, progress: Progress): Promise<void> {
  const { main } = move.target;
  const applied = (await mapInSequence(move.sources, ({ database }) => readSteps(database))).flat();
  const files = await applySteps(move, (owner) => {
    const known = findAppliedSteps(applied, owner);
    return owner.steps.filter(({ id }) => known.has(id));
  });
  const progressByDatabase = new Map<Database, Progress>([[main, progress]]);
  for (const file of files) if (file !== main) progressByDatabase.set(file, await startMove(file, identity));
  const targetTables = await findTargetTables(files);
  const plan = await planMove(move.sources, move.declared, new Set(targetTables.keys()), isPostgres(main));
  const { rejected, copies } = planCopies(plan, await addUndeclaredTables(plan, targetTables, main), move);
  const problems = [...rejected, ...(move.onSkipped ? [] : plan.unknown.map(({ error }) => error))];
  if (problems.length > 0) throw new AppError("conflict", problems.join("\n"));
  for (const sentence of plan.unknown) move.onSkipped?.(sentence);
  for (const copy of copies) {
    const rows = await copyTable(copy, progressByDatabase.get(copy.to) as Progress);
    move.onCopied(copy.table, rows);
  }
  const differences = (await mapInSequence(copies, findDifference)).flatMap((one) => one ?? []);
  if (differences.length > 0) throw new AppError("conflict", `${differences.join("\n")}\n${START_OVER_ADVICE}`);
}

const START_OVER_ADVICE =
  "The rows were changed while they were moved: empty the database that they went to, and move them again";

function openOnce(open: MoveRowsOptions["openFile"]): MoveRowsOptions["openFile"] {
  const known = new Map<string, Promise<Database>>();
  return (file) => {
    const opened = known.get(file) ?? open(file);
    known.set(file, opened);
    return opened;
  };
}

/** Applies the chosen steps of each owner; returns all databases of the target. */
async function applySteps(
  { declared, target, openFile }: MoveRowsOptions,
  choose: (owner: OwnerSteps) => readonly Migration[],
): Promise<ReadonlySet<Database>> {
  const files = new Set<Database>([target.main]);
  for (const owner of declared.steps) {
    const database = owner.file === undefined ? target.main : await openFile(owner.file);
    files.add(database);
    const steps = choose(owner);
    if (steps.length > 0) await database.migrate(owner.owner, steps);
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

/** Creates the tables that no enabled plugin declares, whose plugin may come back. */
async function addUndeclaredTables(
  { tables }: MovePlan,
  targetTables: ReadonlyMap<string, TargetTable>,
  database: Database,
): Promise<ReadonlyMap<string, TargetTable>> {
  const added = tables.filter(({ definition }) => definition);
  for (const { shape, definition } of added) if (definition) await createDefinedTable(database, shape.name, definition);
  if (added.length === 0) return targetTables;
  const existing = await tablesIn(database);
  const created = added.flatMap(({ shape: { name } }): (readonly [string, TargetTable])[] => {
    const shape = existing.get(name);
    return shape ? [[name, { database, shape }]] : [];
  });
  return new Map([...targetTables, ...created]);
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

function toTableCopy({ source, shape }: PlannedTable, { database, shape: existing }: TargetTable) {
  const { both, lost } = compareColumns(shape, existing);
  const from = createTablePages(source.database, shape, both);
  const copy: TableCopy = {
    table: shape.name,
    columns: both,
    from,
    to: database,
    copied: createTablePages(database, existing, both),
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
    copied: createPassagePages(to, space),
    toWrites: (rows) => to.adding(space, rows as never),
  };
}

/** Copies the notes of steps of owners that no enabled plugin has: with its plugin back, a table is not created again. */
async function copyUndeclaredSteps({ sources, declared, target: { main } }: MoveRowsOptions): Promise<void> {
  const owners = new Set(declared.steps.map(({ owner }) => owner));
  const existing = await tablesIn(main);
  for (const name of ["migrations", "migration_expansions"]) {
    for (const { database } of sources) {
      if (!existing.has(name) || !(await tablesIn(database)).has(name)) continue;
      const all = await queryRows(database, sql<AppliedStep>`select * from ${sql.table(name)}`);
      const rows = all.filter(({ owner }) => !owners.has(owner));
      const tables = main.tables<Record<string, AppliedStep>>();
      const query = tables.insertInto(name).values(rows);
      if (rows.length > 0)
        await main.write([{ query: query.onConflict((on) => on.columns(["owner", "id"]).doNothing()) }]);
    }
  }
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
