import type { Kysely, SelectQueryBuilder } from "kysely";
import type { FileTables } from "./tables.ts";

/** Creates the statement that assigns files to another session; `files` selects their names. */
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
