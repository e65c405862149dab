import type { Kysely, SelectQueryBuilder } from "kysely";
import type { FileTables } from "./tables.ts";

/** Creates the statement that records that a session uses files; `files` selects their names. */
export function addUsesQuery(
  tables: Kysely<FileTables>,
  files: SelectQueryBuilder<FileTables, keyof FileTables, { readonly safe_name: string }>,
  sessionId: string,
) {
  return tables
    .insertInto("file_uses")
    .columns(["safe_name", "session_id"])
    .expression(files.select((select) => select.val(sessionId).as("session_id")))
    .onConflict((conflict) => conflict.doNothing());
}
