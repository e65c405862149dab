import type { Database, TextIndex, Write } from "@parley/core";
import { createIncompleteMigrationError, tablesIn } from "@parley/core/storage";
import {
  type Configuration,
  classifyTable,
  compareColumns,
  createPassagePages,
  createTablePages,
  type Pages,
  type Row,
  readMoveIdentity,
  readSnapshot,
  toInsertWrites,
} from "@parley/host/tooling";
import { sql } from "kysely";

/** Replaces the rows of every table in `to` by a snapshot of the server's rows; other tables are unchanged. */
export async function replaceRows(
  configuration: Configuration,
  to: Database,
  texts: TextIndex | undefined,
): Promise<void> {
  await readSnapshot(configuration, async ({ main, ownTables = [] }) => {
    if ((await readMoveIdentity(main)) !== undefined) throw createIncompleteMigrationError("the database");
    const [there, stored] = [await tablesIn(main), texts?.stored(main)];
    for (const [name, shape] of await tablesIn(to)) {
      const from = there.get(name);
      const kind = classifyTable(name, { ownTables }, stored);
      if (!from || kind === "left") continue;
      if (kind && texts) {
        const { adding } = texts.stored(to);
        await copyPages(createPassagePages(texts.stored(main), kind.space), to, (rows) =>
          adding(kind.space, rows as never),
        );
        continue;
      }
      await sql`delete from ${sql.table(name)}`.execute(to.tables());
      const { both } = compareColumns(from, shape);
      await copyPages(createTablePages(main, from, both), to, (rows) => toInsertWrites(to, name, rows, both.length));
    }
  });
}

async function copyPages(
  pages: Pages,
  to: Database,
  adding: (rows: readonly Row[]) => readonly Write[],
): Promise<void> {
  for (let page = await pages(undefined); page; page = await pages(page.last)) await to.write(adding(page.rows));
}
