import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AppError, type FolderCheck, type ReadRows, refuseNewerSteps, type TakenStep } from "@parley/core";
import { type Finding, ok, problem } from "./finding.ts";

/** What plugins say of their tables, in a folder in which no service works. Nothing is written. */
export function examineTables(
  data: string,
  checks: readonly FolderCheck[],
  { version, now }: { readonly version: string; readonly now: number },
): readonly Finding[] {
  const file = join(data, "parley.db");
  if (!existsSync(file)) return [];
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const read: ReadRows = <Row>(text: string, ...parameters: readonly (string | number)[]) =>
      database.prepare(text).all(...parameters) as unknown as readonly Row[];
    const named = read<{ readonly name: string }>("select name from sqlite_schema where type = 'table'");
    const tables = new Set(named.map(({ name }) => name));
    const found = checks
      .filter((check) => check.tables.every((name) => tables.has(name)))
      .map((check) => ({ about: check.id, ...check.examine(read, now) }));
    return tables.has("migration_versions") ? [versionOf(file, read, version), ...found] : found;
  } catch (error) {
    return [
      problem("tables", `${file} cannot be read: ${(error as Error).message}`, "see what is said of the database"),
    ];
  }
}

/** Whether a service of this version could work with what is there. */
function versionOf(file: string, read: ReadRows, version: string): Finding {
  try {
    refuseNewerSteps(file, read<TakenStep>("select owner, id, version from migration_versions"), version);
    return ok("version", `${version}, and nothing in the folder is of a newer one`);
  } catch (error) {
    if (!AppError.is(error)) throw error;
    return problem("version", error.message, "install the newer version again, or restore an older backup");
  }
}
