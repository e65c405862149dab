import type { Database } from "@parley/core";
import { isPostgres, queryRows, type TableShape } from "@parley/core/storage";
import { type RawBuilder, sql } from "kysely";

export interface TableFindings {
  readonly rows: number;
  /** Count of texts with U+0000, which PostgreSQL cannot store. */
  readonly nuls: number;
  /** Sentences about values that the other engine's columns cannot store. */
  readonly rejected: readonly string[];
}

const TEXT_TYPE = /^(text|character varying|varchar)/;
/** Checks of values against PostgreSQL column types, by declared type. */
const TYPE_CHECKS: readonly (readonly [RegExp, (column: RawBuilder<unknown>) => RawBuilder<unknown>])[] = [
  [/^integer$/, (one) => sql`typeof(${one}) <> 'integer' or abs(${one}) > 2147483647`],
  [/^(bigint|int8)$/, (one) => sql`typeof(${one}) <> 'integer'`],
  [/^(double precision|real)/, (one) => sql`typeof(${one}) not in ('integer', 'real')`],
  [TEXT_TYPE, (one) => sql`typeof(${one}) <> 'text'`],
];

/** Examines all rows of a table before they are copied to PostgreSQL or SQLite. */
export async function examineTable(
  from: Database,
  { name, columns }: TableShape,
  isToPostgres: boolean,
): Promise<TableFindings> {
  if (isPostgres(from) || !isToPostgres) {
    const [found] = await queryRows(from, sql<{ rows: number }>`select count(*) as rows from ${sql.table(name)}`);
    return { rows: Number(found?.rows ?? 0), nuls: 0, rejected: [] };
  }
  const counts = (condition: RawBuilder<unknown>) => sql`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`;
  const texts = columns.filter(({ type }) => TEXT_TYPE.test(type));
  const nuls = counts(
    sql.join([sql`false`, ...texts.map((one) => sql`instr(${sql.ref(one.name)}, char(0)) > 0`)], sql` or `),
  );
  const wrong = columns.flatMap((column, at) => {
    const is = TYPE_CHECKS.find(([type]) => type.test(column.type))?.[1];
    const ref = sql.ref(column.name);
    const count = is && counts(sql`${ref} is not null and (${is(ref)})`);
    return count ? [sql`${count} as ${sql.ref(`wrong_${at}`)}`] : [];
  });
  const [found = {}] = await queryRows(
    from,
    sql<
      Record<string, number>
    >`select ${sql.join([sql`count(*) as rows`, sql`${nuls} as nuls`, ...wrong])} from ${sql.table(name)}`,
  );
  const rejected = columns.flatMap(({ name: column, type }, at) => {
    const count = Number(found[`wrong_${at}`] ?? 0);
    return count > 0 ? [`${name}.${column} has ${count} values that a column of ${type} does not hold`] : [];
  });
  return { rows: Number(found.rows ?? 0), nuls: Number(found.nuls ?? 0), rejected };
}
