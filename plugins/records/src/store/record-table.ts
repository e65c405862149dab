import { type Database, isTextField, type Migration, orderOf, type Resource, textKey } from "@parley/core";
import { type CreateTableBuilder, type Kysely, sql } from "kysely";

/** A column beside a record's JSON, for queries by its value. */
export interface RecordColumn {
  /** Column name: `f_kind` to filter, `s_name` to sort in lower case, `u_name` unique, `q` with all searchable text in lower case. */
  readonly name: string;
  /** Definition of the value; when it changes, the column is filled again. */
  readonly holds: string;
  readonly type: "text" | "double precision";
  readonly isUnique: boolean;
  readonly isIndexed: boolean;
  read(record: Readonly<Record<string, unknown>>): string | number | null;
}

export interface RecordRow {
  readonly id: string;
  readonly revision: number;
  /** In epoch milliseconds. */
  readonly created_at: number;
  readonly updated_at: number;
  readonly [column: string]: string | number | null;
}
/** The fields of a record as JSON, in a separate table that filters, searches, sorting and counts do not read. */
export interface RecordDataRow {
  readonly id: string;
  readonly data: string;
}
export type RecordDataTables = Readonly<Record<string, RecordDataRow>>;
export type RecordTables = Readonly<Record<string, RecordRow>>;

const BACKFILL_SIZE = 500;

export const toTableName = ({ kind }: Pick<Resource, "kind">): string => `records_${kind}`;
export const toDataTableName = (one: Pick<Resource, "kind">): string => `${toTableName(one)}_data`;

export function listColumns(one: Resource): readonly RecordColumn[] {
  const { fields, filters, search, sort, unique } = one;
  const sorted = sort.map((one) => orderOf(one).name).filter((name) => name in fields);
  const isText = (name: string) => isTextField(one, name);
  const columns: RecordColumn[] = [];
  for (const name of new Set([...filters, ...sorted.filter((one) => !isText(one))])) {
    columns.push(toColumn(`f_${name}`, isText(name), { isIndexed: true }, (record) => toColumnValue(record[name])));
  }
  for (const name of sorted.filter(isText)) {
    columns.push(toColumn(`s_${name}`, true, { isIndexed: true }, (record) => textKey(String(record[name] ?? ""))));
  }
  if (unique) {
    columns.push(toColumn(`u_${unique}`, true, { isUnique: true }, (record) => textKey(String(record[unique] ?? ""))));
  }
  if (search.length > 0) {
    const listWords = (record: Readonly<Record<string, unknown>>) =>
      search.map((name) => toColumnValue(record[name]) ?? "");
    const all = toColumn("q", true, {}, (record) => toSearchText(listWords(record).join("\n")));
    columns.push({ ...all, holds: `q ${search.join(" ")}` });
  }
  return columns;
}

/** Returns the case-insensitive form for searches, in every script. */
export const toSearchText = (text: string): string => text.toLowerCase();

function toColumn(
  name: string,
  isText: boolean,
  { isIndexed = false, isUnique = false },
  read: RecordColumn["read"],
): RecordColumn {
  return { name, holds: name, type: isText ? "text" : "double precision", isIndexed, isUnique, read };
}

/** Returns the column that sorts a list by this field. */
export function getOrderColumn(one: Resource, field: string): string {
  const { name } = orderOf(field);
  if (!(name in one.fields)) return name;
  return `${isTextField(one, name) ? "s" : "f"}_${name}`;
}

export const isListField = ({ fields }: Resource, name: string): boolean =>
  (fields as Readonly<Record<string, { readonly type?: string }>>)[name]?.type === "array";

/** Converts a value for its column: booleans to 1 and 0, lists and objects to JSON. */
export function toColumnValue(value: unknown): string | number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return Number(value);
  return typeof value === "string" || typeof value === "number" ? value : JSON.stringify(value);
}

interface ColumnSetTables {
  readonly record_columns: { readonly kind: string; readonly columns: string };
}

const COLUMN_SET_MIGRATIONS: readonly Migration[] = [
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

/** Creates the table of a resource, and the columns its declaration requires. */
export async function prepareTable(database: Database, one: Resource): Promise<void> {
  const table = toTableName(one);
  const columns = listColumns(one);
  await database.migrate("records", COLUMN_SET_MIGRATIONS);
  await database.migrate(`records:${one.kind}`, [
    {
      id: "001-as-of-0.1.0",
      replaces: ["001-table", "002-data-apart"],
      up: (db) => createTables(db, table, toDataTableName(one)),
    },
  ]);
  for (const each of columns) {
    await database.migrate(`records:${one.kind}:${each.name}`, [
      { id: "001-column", up: (db) => addColumn(db, table, each) },
    ]);
  }
  const order = getOrderColumn(one, one.sort[0] as string);
  for (const name of one.filters.filter((name) => !isListField(one, name))) {
    // Index for lists filtered by one value in their default order.
    await database.migrate(`records:${one.kind}:f_${name}:${order}`, [
      { id: "001-order", up: (db) => createOrderIndex(db, table, `f_${name}`, order) },
    ]);
  }
  const tables = database.tables<ColumnSetTables>();
  const [known] = await tables.selectFrom("record_columns").select("columns").where("kind", "=", one.kind).execute();
  const wanted = columns.map(({ holds }) => holds).sort();
  if (known?.columns === JSON.stringify(wanted)) return;
  const filled = new Set<string>(known ? JSON.parse(known.columns) : []);
  const missing = columns.filter(({ holds }) => !filled.has(holds));
  await backfill(database, one, missing);
  const set = { kind: one.kind, columns: JSON.stringify(wanted) };
  const query = tables
    .insertInto("record_columns")
    .values(set)
    .onConflict((conflict) => conflict.column("kind").doUpdateSet({ columns: set.columns }));
  await database.write([{ query }]);
}

async function createTables(db: Kysely<unknown>, table: string, dataTable: string): Promise<void> {
  const base: CreateTableBuilder<string, never> = db.schema.createTable(table) as never;
  await base
    .addColumn("id", "text", (one) => one.primaryKey())
    .addColumn("revision", "integer", (one) => one.notNull())
    .addColumn("created_at", "bigint", (one) => one.notNull())
    .addColumn("updated_at", "bigint", (one) => one.notNull())
    .execute();
  await db.schema.createIndex(`${table}_created`).on(table).columns(["created_at", "id"]).execute();
  await db.schema.createIndex(`${table}_updated`).on(table).columns(["updated_at", "id"]).execute();
  await db.schema
    .createTable(dataTable)
    .addColumn("id", "text", (one) => one.primaryKey())
    .addColumn("data", "text", (one) => one.notNull())
    .execute();
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

async function createOrderIndex(db: Kysely<unknown>, table: string, name: string, order: string): Promise<void> {
  await db.schema.dropIndex(`${table}_${name}`).ifExists().execute();
  await db.schema.createIndex(`${table}_${name}_${order}`).on(table).columns([name, order, "id"]).execute();
}

/** Fills new columns of existing records. */
async function backfill(database: Database, one: Resource, columns: readonly RecordColumn[]): Promise<void> {
  if (columns.length === 0) return;
  const tables = database.tables<RecordTables>();
  const texts = database.tables<RecordDataTables>();
  for (let after = ""; ; ) {
    const query = texts.selectFrom(toDataTableName(one)).select(["id", "data"]).where("id", ">", after).orderBy("id");
    const rows = await query.limit(BACKFILL_SIZE).execute();
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
    await database.write(
      rows.map(({ id, data }) => {
        const record = JSON.parse(data) as Readonly<Record<string, unknown>>;
        const values = Object.fromEntries(columns.map(({ name, read }) => [name, read(record)]));
        return { query: tables.updateTable(toTableName(one)).set(values).where("id", "=", id) };
      }),
    );
  }
}
