import { type Database, type TextIndex, tablesIn, unfinishedMove, type Write } from "@parley/core";
import { sql } from "kysely";
import type { Configuration } from "../configuration.ts";
import { plainly } from "./copy-table.ts";
import { readStored } from "./open-rows.ts";
import { columnsOf, kindOf } from "./plan-move.ts";
import { begunWith } from "./progress.ts";
import type { Row } from "./row-sum.ts";
import { type Pages, pagesOf, passagesOf } from "./table-pages.ts";

/** Every table that `to` has gets the rows that a server has of it at one moment, in place of its own; other tables are left. */
export async function replaceRows(
  configuration: Configuration,
  to: Database,
  texts: TextIndex | undefined,
): Promise<void> {
  await readStored(configuration, async ({ main, ownTables = [] }) => {
    if ((await begunWith(main)) !== undefined) throw unfinishedMove("the database");
    const [there, stored] = [await tablesIn(main), texts?.stored(main)];
    for (const [name, shape] of await tablesIn(to)) {
      const from = there.get(name);
      const kind = kindOf(name, { ownTables }, stored);
      if (!from || kind === "left") continue;
      if (kind && texts) {
        const { adding } = texts.stored(to);
        await copy(passagesOf(texts.stored(main), kind.space), to, (rows) => adding(kind.space, rows as never));
        continue;
      }
      await sql`delete from ${sql.table(name)}`.execute(to.tables());
      const { both } = columnsOf(from, shape);
      await copy(pagesOf(main, from, both), to, (rows) => plainly(to, name, rows, both.length));
    }
  });
}

async function copy(pages: Pages, to: Database, adding: (rows: readonly Row[]) => readonly Write[]): Promise<void> {
  for (let page = await pages(undefined); page; page = await pages(page.last)) await to.write(adding(page.rows));
}
