import { PostgresAdapter, type RawBuilder, sql } from "kysely";
import type { Database } from "../services/storage/database.ts";

/** Name and type of a column. */
export interface Column {
  readonly name: string;
  readonly type: string;
}

/** The shape of a database table. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Columns that identify a row, in order; empty when none do. */
  readonly key: readonly string[];
}

interface ColumnRow extends Column {
  readonly table_name: string;
  readonly is_filled: number;
}

/** A column of a key; null for an expression. */
interface KeyRow {
  readonly table_name: string;
  /** Name of the index; "" for the primary key. */
  readonly index_name: string;
  readonly column_name: string | null;
}

interface Catalog {
  readonly columns: RawBuilder<ColumnRow>;
  readonly keys: RawBuilder<KeyRow>;
}

const SQLITE_CATALOG: Catalog = {
  columns: sql`select m.name as table_name, c.name, lower(c.type) as type, c."notnull" as is_filled
    from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table' and substr(m.name, 1, 7) <> 'sqlite_'
    order by m.name, c.cid`,
  keys: sql`select m.name as table_name, '' as index_name, c.name as column_name, c.pk as place
      from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table' and c.pk > 0
    union all select m.name, i.name, x.name, x.seqno from sqlite_schema m join pragma_index_list(m.name) i
      join pragma_index_info(i.name) x where m.type = 'table' and i."unique" = 1 and i.partial = 0 and i.origin <> 'pk'
    order by 1, 2, 4`,
};
const POSTGRES_CATALOG: Catalog = {
  columns: sql`select c.relname as table_name, a.attname as name, format_type(a.atttypid, null) as type,
      a.attnotnull as is_filled
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by c.relname, a.attnum`,
  keys: sql`select c.relname as table_name, case when i.indisprimary then '' else n.relname end as index_name,
      a.attname as column_name, k.place
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_class n on n.oid = i.indexrelid
    cross join lateral unnest(i.indkey::int2[]) with ordinality as k(attnum, place)
    left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
    where i.indisunique and i.indpred is null and c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
    order by 1, 2, 4`,
};

/** Returns true for a database on a PostgreSQL server. */
export function isPostgres(database: Database): boolean {
  return database.tables().getExecutor().adapter instanceof PostgresAdapter;
}

/** Runs a query by `Database.lookup`, on its read-only connection. */
export function queryRows<T>(database: Database, query: RawBuilder<T>): Promise<readonly T[]> {
  return database.lookup<T>({ compile: () => query.compile(database.tables()) });
}

/** Returns the shapes of all tables of a database, by name. */
export async function tablesIn(database: Database): Promise<ReadonlyMap<string, TableShape>> {
  const catalog = isPostgres(database) ? POSTGRES_CATALOG : SQLITE_CATALOG;
  const keys = Map.groupBy(await queryRows(database, catalog.keys), ({ table_name }) => table_name);
  const found = Map.groupBy(await queryRows(database, catalog.columns), ({ table_name }) => table_name);
  const shapes = [...found].map(([name, columns]): [string, TableShape] => {
    const shape = { name, columns: columns.map((one) => ({ name: one.name, type: one.type })) };
    return [name, { ...shape, key: chooseKey(keys.get(name) ?? [], columns) }];
  });
  return new Map(shapes);
}

/** Returns the columns of the primary key, or of another unique index without nulls. */
function chooseKey(rows: readonly KeyRow[], columns: readonly ColumnRow[]): readonly string[] {
  const filled = new Set<string | null>(columns.flatMap(({ name, is_filled }) => (is_filled ? [name] : [])));
  const keys = [...Map.groupBy(rows, ({ index_name }) => index_name)];
  const chosen = keys.find(([index, parts]) => index === "" || parts.every((one) => filled.has(one.column_name)));
  return chosen?.[1].flatMap(({ column_name }) => column_name ?? []) ?? [];
}
