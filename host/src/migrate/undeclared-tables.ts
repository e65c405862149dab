import type { Database } from "@parley/core";
import { isPostgres, queryRows, type TableShape } from "@parley/core/storage";
import { type RawBuilder, sql } from "kysely";

/** Types of columns that both engines have, and that copied rows keep. */
const PORTABLE_TYPE =
  /^(text|(character varying|varchar)(\(\d+\))?|integer|smallint|bigint|int8|double precision|real)$/;
/** Defaults that both engines understand; PostgreSQL shows them with a type. */
const PORTABLE_DEFAULT = /^('(?:[^']|'')*'|-?\d+(?:\.\d+)?|current_timestamp)(::[a-z ]+)?$/i;

interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly is_filled: number | boolean;
  readonly default_text: string | null;
}

interface IndexColumn {
  readonly index_name: string;
  readonly is_unique: number | boolean;
  /** Null for an expression. */
  readonly column_name: string | null;
}

/** Definition of a table that no enabled plugin declares, enough to create it in another database. */
export interface TableDefinition {
  readonly columns: readonly ColumnDefinition[];
  readonly key: readonly string[];
  readonly indexes: readonly { readonly isUnique: boolean; readonly columns: readonly string[] }[];
}

interface Catalog {
  columns(table: string): RawBuilder<ColumnDefinition>;
  indexes(table: string): RawBuilder<IndexColumn>;
}

const SQLITE: Catalog = {
  columns: (table) => sql`select name, lower(type) as type, "notnull" as is_filled, dflt_value as default_text
    from pragma_table_info(${table}) order by cid`,
  indexes: (table) => sql`select i.name as index_name, i."unique" as is_unique, x.name as column_name
    from pragma_index_list(${table}) i join pragma_index_info(i.name) x
    where i.partial = 0 and i.origin <> 'pk' order by i.name, x.seqno`,
};
const POSTGRES: Catalog = {
  columns: (table) => sql`select a.attname as name, format_type(a.atttypid, null) as type, a.attnotnull as is_filled,
      pg_get_expr(d.adbin, d.adrelid) as default_text
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = to_regclass(quote_ident(${table})) and a.attnum > 0 and not a.attisdropped order by a.attnum`,
  indexes: (table) => sql`select n.relname as index_name, i.indisunique as is_unique, a.attname as column_name
    from pg_index i join pg_class n on n.oid = i.indexrelid
    cross join lateral unnest(i.indkey::int2[]) with ordinality as k(attnum, place)
    left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = to_regclass(quote_ident(${table})) and i.indpred is null and not i.indisprimary
    order by n.relname, k.place`,
};

/** Reads how a table is defined; undefined when the other engine could not have it, or its rows cannot be told apart. */
export async function readDefinition(
  database: Database,
  { name, key }: TableShape,
): Promise<TableDefinition | undefined> {
  const catalog = isPostgres(database) ? POSTGRES : SQLITE;
  const columns = await queryRows(database, catalog.columns(name));
  const isPortable = columns.every(
    ({ type, default_text: text }) => PORTABLE_TYPE.test(type) && (text === null || PORTABLE_DEFAULT.test(text)),
  );
  if (!isPortable || key.length === 0) return undefined;
  const indexes = Map.groupBy(await queryRows(database, catalog.indexes(name)), ({ index_name }) => index_name);
  return {
    columns,
    key,
    indexes: [...indexes.values()].flatMap((parts) => {
      const names = parts.flatMap(({ column_name }) => column_name ?? []);
      // An index of expressions only makes reads faster.
      return names.length < parts.length ? [] : [{ isUnique: Boolean(parts[0]?.is_unique), columns: names }];
    }),
  };
}

/** Creates an empty table with its indexes. */
export async function createDefinedTable(
  database: Database,
  name: string,
  { columns, key, indexes }: TableDefinition,
): Promise<void> {
  const { schema } = database.tables();
  const table = columns.reduce(
    (made, { name: column, type, is_filled, default_text: text }) =>
      made.addColumn(column, sql.raw(type), (one) => {
        const filled = is_filled ? one.notNull() : one;
        return text === null ? filled : filled.defaultTo(sql.raw(text.replace(PORTABLE_DEFAULT, "$1")));
      }),
    schema.createTable(name),
  );
  await table.addPrimaryKeyConstraint(`${name}_pkey`, key as never).execute();
  for (const [at, { isUnique, columns: names }] of indexes.entries()) {
    const index = schema
      .createIndex(`${name}_${at + 1}_idx`)
      .on(name)
      .columns([...names]);
    await (isUnique ? index.unique() : index).execute();
  }
}
