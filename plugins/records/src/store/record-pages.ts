import {
  AppError,
  contains,
  containsLowerCase,
  type Database,
  orderOf,
  type Resource,
  type ResourceQuery,
} from "@parley/core";
import { clampPage, type Page } from "@parley/core/http";
import { type AliasedExpression, type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import {
  getOrderColumn,
  isListField,
  type RecordRow,
  type RecordTables,
  toColumnValue,
  toDataTableName,
  toSearchText,
  toTableName,
} from "./record-table.ts";

/** A row as queries return it: its columns, and its fields as JSON. */
export type StoredRow = Omit<RecordRow, "data"> & { readonly data: string };

/** Number of pages of results that are sorted in memory; with more, the next page is searched in index order. */
const MAX_SORTED_PAGES = 5;

/** Creates the reader of one resource's records; its table must exist. */
export function createRecordPages(one: Resource, database: () => Database) {
  const newQuery = () => database().tables<RecordTables>();
  const selectRecords = () => newQuery().selectFrom(toTableName(one)) as RecordQuery;

  /** Selects the chosen rows with their JSON. */
  const withData = (chosen: RecordQuery, tables: unknown = newQuery()) =>
    (tables as Kysely<{ readonly chosen: RecordRow }>)
      .selectFrom(chosen.selectAll().as("chosen") as unknown as AliasedExpression<RecordRow, "chosen">)
      .select(["id", "revision", "created_at", "updated_at"])
      .select(sql<string>`(select data from ${sql.table(toDataTableName(one))} t where t.id = chosen.id)`.as("data"));

  const count = async (asked?: ResourceQuery): Promise<number> => {
    const [row] = await toCountQuery(asked ? createFilter(one, asked)(selectRecords()) : selectRecords()).execute();
    return Number(row?.count ?? 0);
  };

  /** Reads few results by one scan, sorted and counted in memory; with many, the page is searched in index order. */
  const readSearchPage = async (asked: ResourceQuery, page: Page) => {
    const most = MAX_SORTED_PAGES * (page.offset + page.limit);
    const narrow = createFilter(one, asked);
    const found = sql<number>`(select count(*) from found)`;
    const areFew = sql<boolean>`${found} < ${most}`;
    const tables = newQuery().with(
      (cte) => cte("found").materialized(),
      () => narrow(selectRecords()).selectAll().limit(most),
    );
    const take = (query: RecordQuery, limit: RawBuilder<number>) =>
      newQuery().selectFrom(
        applyOrder(query, one, asked.sort).selectAll().limit(limit).offset(page.offset).as("part"),
      ) as unknown as RecordQuery;
    const few = take(newQuery().selectFrom("found"), sql<number>`case when ${areFew} then ${page.limit} else 0 end`);
    const next = take(narrow(selectRecords()), sql<number>`case when ${areFew} then 0 else ${page.limit} end`);
    const all = toCountQuery(narrow(selectRecords()));
    return applyOrder(withData(few.unionAll(next.selectAll()), tables), one, asked.sort)
      .select(sql<number>`case when ${areFew} then ${found} else (${all}) end`.as("total"))
      .execute();
  };

  /** Reads a page in index order, so that skipped rows are not loaded. */
  const readOrderedPage = async (asked: ResourceQuery, page: Page) => {
    const narrow = createFilter(one, asked);
    const wanted = applyOrder(narrow(selectRecords()), one, asked.sort).limit(page.limit).offset(page.offset);
    // Only a full page can have successors; they are counted in the same round trip.
    const counted = toCountQuery(narrow(selectRecords()));
    return applyOrder(withData(wanted), one, asked.sort)
      .select(sql<number | null>`case when count(*) over () = ${page.limit} then (${counted}) end`.as("total"))
      .execute();
  };

  const read = async (asked: ResourceQuery) => {
    const page = clampPage(asked);
    const rows = await (needsFullScan(one, asked) ? readSearchPage(asked, page) : readOrderedPage(asked, page));
    const isPast = rows.length === 0 && page.offset > 0;
    const total = isPast ? await count(asked) : Number(rows[0]?.total ?? page.offset + rows.length);
    return { rows, total, page };
  };
  return { whole: withData, count, read };
}

type RecordQuery = SelectQueryBuilder<RecordTables, string, object>;

function toCountQuery(query: RecordQuery) {
  return query.select((each) => each.fn.countAll<number>().as("count")) as SelectQueryBuilder<
    RecordTables,
    string,
    { readonly count: number }
  >;
}

/** Creates a filter for the records that a list requests. */
function createFilter(one: Resource, asked: ResourceQuery): (query: RecordQuery) => RecordQuery {
  return (query) => {
    let narrowed = query;
    for (const name of one.filters) {
      const value = asked[name];
      if (value === undefined) continue;
      narrowed = isListField(one, name)
        ? narrowed.where(contains(`f_${name}`, JSON.stringify(value)))
        : narrowed.where(`f_${name}`, "=", toColumnValue(value) as never);
    }
    const { q = "" } = asked;
    if (q === "") return narrowed;
    return narrowed.where(containsLowerCase("q", toSearchText(q)));
  };
}

function applyOrder<Query extends { orderBy: unknown }>(
  query: Query,
  one: Resource,
  asked = one.sort[0] as string,
): Query {
  const way = orderOf(asked).turned ? "desc" : "asc";
  const column = getOrderColumn(one, asked);
  return (query as unknown as RecordQuery).orderBy(column, way).orderBy("id", way) as unknown as Query;
}

/** True when all rows must be scanned, because no index covers a substring or a list value. */
function needsFullScan(one: Resource, asked: ResourceQuery): boolean {
  return Boolean(asked.q) || one.filters.some((name) => asked[name] !== undefined && isListField(one, name));
}

export function getFilterColumn({ kind, filters }: Resource, name: string): string {
  if (!filters.includes(name)) throw new AppError("internal", `${kind} has no filter '${name}'`);
  return `f_${name}`;
}
