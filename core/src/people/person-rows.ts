import { sql } from "kysely";
import type { PersonTable } from "../points/data/record-lifecycle.ts";
import type { Database, Write } from "../services/storage/database.ts";
import { type TableShape, tablesIn } from "../storage/table-shape.ts";
import type { PersonData } from "./person-data.ts";

type Row = Readonly<Record<string, unknown>>;

const PAGE_SIZE = 500;
/** Tables of the migration engine, without data of people. */
const INTERNAL_TABLES = /^(migrations|migration_\w+|unfinished_move)$/;

/** Options of the search for a person's rows. */
export interface PersonRowsOptions {
  readonly database: Database;
  /** Tables whose rows are not simply deleted with the person. */
  readonly tables: readonly PersonTable[];
  /** Returns true for a table derived from other rows, whose rows are deleted with those. */
  readonly isDerived: (table: string) => boolean;
}

/** Deletes every row that names the person, or removes the person from it where its table requires that. Returns the count of rows by table. */
export async function erasePersonRows(
  options: PersonRowsOptions,
  person: PersonData,
): Promise<Readonly<Record<string, number>>> {
  const { database } = options;
  const counts: Record<string, number> = {};
  for await (const { shape, rule, rows } of findPersonRows(options, person)) {
    await database.write(rows.flatMap((row) => toEraseWrites(database, shape, rule, row)));
    counts[shape.name] = (counts[shape.name] ?? 0) + rows.length;
  }
  return counts;
}

/** Returns the rows that name the person, by table. */
export async function collectPersonRows(
  options: PersonRowsOptions,
  person: PersonData,
): Promise<Readonly<Record<string, readonly Row[]>>> {
  const found: Record<string, readonly Row[]> = {};
  for await (const { shape, rule, rows } of findPersonRows(options, person)) {
    if (rule?.isCache || rule?.isShared || rule?.isInternal) continue;
    found[shape.name] = [...(found[shape.name] ?? []), ...rows];
  }
  return found;
}

interface TableRows {
  readonly shape: TableShape;
  readonly rule: PersonTable | undefined;
  readonly rows: readonly Row[];
}

async function* findPersonRows(
  { database, tables, isDerived }: PersonRowsOptions,
  person: PersonData,
): AsyncIterable<TableRows> {
  for (const shape of (await tablesIn(database)).values()) {
    const rule = tables.find(({ table }) => matchesTable(table, shape.name));
    if (rule?.isKept || INTERNAL_TABLES.test(shape.name) || isDerived(shape.name) || shape.key.length === 0) continue;
    const namesPerson = (row: Row) => {
      if (rule?.isCache) return true;
      const text = Object.values(row)
        .filter((value) => typeof value === "string")
        .join("\n");
      return person.isNamedIn(text) || (rule?.isShared === true && person.isSharedIn(text));
    };
    for await (const page of readPages(database, shape)) {
      const rows = page.filter(namesPerson);
      if (rows.length > 0) yield { shape, rule, rows };
    }
  }
}

async function* readPages(database: Database, { name, key }: TableShape): AsyncIterable<readonly Row[]> {
  const inOrder = sql.join(key.map((one) => sql.ref(one)));
  const tables = database.tables<Readonly<Record<string, Row>>>();
  for (let after: readonly unknown[] | undefined; ; ) {
    const afterLast = after ? sql<boolean>`(${inOrder}) > (${sql.join(after)})` : sql<boolean>`1 = 1`;
    const query = tables.selectFrom(name).selectAll().where(afterLast).limit(PAGE_SIZE);
    const rows: readonly Row[] = await key.reduce((sorted, one) => sorted.orderBy(one), query).execute();
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_SIZE) return;
    after = key.map((one) => last[one]);
  }
}

function toEraseWrites(
  database: Database,
  shape: TableShape,
  rule: PersonTable | undefined,
  row: Row,
): readonly Write[] {
  const hasKey = sql.join(
    shape.key.map((one) => sql`${sql.ref(one)} = ${row[one]}`),
    sql` and `,
  );
  const table = sql.table(shape.name);
  const [id] = shape.key.map((one) => row[one]);
  const parts = (rule?.with ?? []).map(
    ({ table: other, column }) => sql`delete from ${sql.table(other)} where ${sql.ref(column)} = ${id}`,
  );
  const set = Object.entries(rule?.set ?? {}).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const own =
    set.length > 0
      ? sql`update ${table} set ${sql.join(set)} where ${hasKey}`
      : sql`delete from ${table} where ${hasKey}`;
  return [...parts, own].map((query) => ({ query: { compile: () => query.compile(database.tables()) } }));
}

function matchesTable(pattern: string, table: string): boolean {
  return pattern.endsWith("*") ? table.startsWith(pattern.slice(0, -1)) : pattern === table;
}
