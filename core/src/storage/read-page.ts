import type { SelectQueryBuilder } from "kysely";
import { clampPage, type List, type Page } from "../http/list.ts";

/** A query with its columns and its order. */
interface OrderedRows<Row> {
  limit(limit: number): { offset(offset: number): { execute(): Promise<Row[]> } };
}

/** Counts the rows of a query that selects no columns yet. */
export async function countRows<Tables, Table extends keyof Tables>(
  rows: SelectQueryBuilder<Tables, Table, object>,
): Promise<number> {
  const counted = rows.select(({ fn }) => fn.countAll<number>().as("count")).$castTo<{ readonly count: number }>();
  // PostgreSQL counts in bigint, which arrives as a text.
  return Number((await counted.executeTakeFirst())?.count ?? 0);
}

/**
 * Reads one page of the filtered `rows`, with the count of all of them. `select` chooses the columns and the order, which must
 * leave no two rows equal, because pages would overlap.
 */
export async function readPage<Tables, Table extends keyof Tables, Row>(
  rows: SelectQueryBuilder<Tables, Table, object>,
  requested: Page,
  select: (rows: SelectQueryBuilder<Tables, Table, object>) => OrderedRows<Row>,
): Promise<List<Row>> {
  const page = clampPage(requested);
  const [items, total] = await Promise.all([
    select(rows).limit(page.limit).offset(page.offset).execute(),
    countRows(rows),
  ]);
  return { items, total, ...page };
}
