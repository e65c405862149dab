import { type Database, isTextField, type Migration, orderOf, type Resource, textKey } from "@parley/core";
import { type CreateTableBuilder, type Kysely, sql } from "kysely";

/** A column beside the JSON of a record: what is asked for by its value. */
export interface RecordColumn {
  /** `f_kind`, `s_name` (sorted by, in small letters), `u_name` (no two alike). */
  readonly name: string;
  readonly type: "text" | "double precision";
  readonly isUnique: boolean;
  readonly isIndexed: boolean;
  read(record: Readonly<Record<string, unknown>>): string | number | null;
}

export interface RecordRow {
  readonly id: string;
  readonly revision: number;
  /** Milliseconds. */
  readonly created_at: number;
  readonly updated_at: number;
  /** JSON of the fields. */
  readonly data: string;
  readonly [column: string]: string | number | null;
}
export type RecordTables = Readonly<Record<string, RecordRow>>;

const BACKFILL = 500;

export const tableOf = ({ kind }: Pick<Resource, "kind">): string => `records_${kind}`;

export function columnsOf(one: Resource): readonly RecordColumn[] {
  const { fields, filters, search, sort, unique } = one;
  const sorted = sort.map((one) => orderOf(one).name).filter((name) => name in fields);
  const isText = (name: string) => isTextField(one, name);
  const columns: RecordColumn[] = [];
  for (const name of new Set([...filters, ...search, ...sorted.filter((one) => !isText(one))])) {
    const isIndexed = filters.includes(name) || sorted.includes(name);
    columns.push(column(`f_${name}`, isText(name), { isIndexed }, (record) => plainOf(record[name])));
  }
  for (const name of sorted.filter(isText)) {
    columns.push(column(`s_${name}`, true, { isIndexed: true }, (record) => textKey(String(record[name] ?? ""))));
  }
  if (unique) {
    columns.push(column(`u_${unique}`, true, { isUnique: true }, (record) => textKey(String(record[unique] ?? ""))));
  }
  return columns;
}

function column(
  name: string,
  isText: boolean,
  { isIndexed = false, isUnique = false },
  read: RecordColumn["read"],
): RecordColumn {
  return { name, type: isText ? "text" : "double precision", isIndexed, isUnique, read };
}

/** As a column holds it: yes and no as 1 and 0, lists and objects as JSON. */
export function plainOf(value: unknown): string | number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return Number(value);
  return typeof value === "string" || typeof value === "number" ? value : JSON.stringify(value);
}

interface ColumnSets {
  readonly record_columns: { readonly kind: string; readonly columns: string };
}

const SETS: readonly Migration[] = [
  {
    id: "001-columns",
    async up(db) {
      await db.schema
        .createTable("record_columns")
        .addColumn("kind", "text", (one) => one.primaryKey())
        .addColumn("columns", "text", (one) => one.notNull())
        .execute();
    },
  },
];

/** Makes the table of a resource, and the columns that its declaration has come to need. */
export async function prepareTable(database: Database, one: Resource): Promise<void> {
  const table = tableOf(one);
  const columns = columnsOf(one);
  await database.migrate("records", SETS);
  await database.migrate(`records:${one.kind}`, [{ id: "001-table", up: (db) => createTable(db, table) }]);
  for (const each of columns) {
    await database.migrate(`records:${one.kind}:${each.name}`, [
      { id: "001-column", up: (db) => addColumn(db, table, each) },
    ]);
  }
  const tables = database.tables<ColumnSets>();
  const [known] = await tables.selectFrom("record_columns").select("columns").where("kind", "=", one.kind).execute();
  const wanted = columns.map(({ name }) => name).sort();
  if (known?.columns === JSON.stringify(wanted)) return;
  const filled = new Set<string>(known ? JSON.parse(known.columns) : []);
  await backfill(
    database,
    table,
    columns.filter(({ name }) => !filled.has(name)),
  );
  const set = { kind: one.kind, columns: JSON.stringify(wanted) };
  const query = tables
    .insertInto("record_columns")
    .values(set)
    .onConflict((conflict) => conflict.column("kind").doUpdateSet({ columns: set.columns }));
  await database.write([{ query }]);
}

async function createTable(db: Kysely<unknown>, table: string): Promise<void> {
  const base: CreateTableBuilder<string, never> = db.schema.createTable(table) as never;
  await base
    .addColumn("id", "text", (one) => one.primaryKey())
    .addColumn("revision", "integer", (one) => one.notNull())
    .addColumn("created_at", "bigint", (one) => one.notNull())
    .addColumn("updated_at", "bigint", (one) => one.notNull())
    .addColumn("data", "text", (one) => one.notNull())
    .execute();
  await db.schema.createIndex(`${table}_created`).on(table).columns(["created_at", "id"]).execute();
  await db.schema.createIndex(`${table}_updated`).on(table).columns(["updated_at", "id"]).execute();
}

async function addColumn(db: Kysely<unknown>, table: string, { name, type, ...one }: RecordColumn): Promise<void> {
  await db.schema
    .alterTable(table)
    .addColumn(name, type === "text" ? "text" : sql`double precision`)
    .execute();
  const index = db.schema.createIndex(`${table}_${name}`).on(table);
  if (one.isUnique) await index.unique().column(name).execute();
  else if (one.isIndexed) await index.columns([name, "id"]).execute();
}

/** Fills columns of records that are older than they. */
async function backfill(database: Database, table: string, columns: readonly RecordColumn[]): Promise<void> {
  if (columns.length === 0) return;
  const tables = database.tables<RecordTables>();
  for (let after = ""; ; ) {
    const rows = await tables
      .selectFrom(table)
      .select(["id", "data"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(BACKFILL)
      .execute();
    const last = rows.at(-1);
    if (!last) return;
    after = last.id as string;
    await database.write(
      rows.map(({ id, data }) => {
        const record = JSON.parse(data as string) as Readonly<Record<string, unknown>>;
        const values = Object.fromEntries(columns.map(({ name, read }) => [name, read(record)]));
        return {
          query: tables
            .updateTable(table)
            .set(values)
            .where("id", "=", id as string),
        };
      }),
    );
  }
}
