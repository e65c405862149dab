import { Databases, fixedStatement, type Migration, type Resolver } from "@parley/core";

interface Row {
  readonly name: string;
  readonly times: number;
}

/** Counts events by name in a separate table; without derived ids, so that a repetition is noticed. */
export function createEventCounter(table: string) {
  const one = `insert into ${table} (name, times) values (?, 1) on conflict (name) do update set times = ${table}.times + 1`;
  const migration: Migration = {
    id: "001-tally",
    async up(db) {
      await db.schema
        .createTable(table)
        .addColumn("name", "text", (column) => column.primaryKey())
        .addColumn("times", "integer", (column) => column.notNull())
        .execute();
    },
  };
  return {
    open: (from: Pick<Resolver, "get">) => from.get(Databases).main.migrate(table, [migration]),
    /** Returns the write that counts an event. */
    write: (name: string) => ({ query: fixedStatement(one, [name]) }),
    async read(from: Pick<Resolver, "get">): Promise<Readonly<Record<string, number>>> {
      const rows = await from.get(Databases).main.tables<Record<string, Row>>().selectFrom(table).selectAll().execute();
      return Object.fromEntries(rows.map(({ name, times }) => [name, times]));
    },
  };
}
