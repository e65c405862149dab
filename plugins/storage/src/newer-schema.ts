import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { createTooOldError, rejectNewerSteps, type TakenStep } from "@parley/core/storage";

/** Throws for databases of a version newer than `version` or older than 0.1.0, before anything is opened for writing. */
export function rejectNewerSchema(
  files: readonly string[],
  version: string,
  findCopy: (file: string) => string | undefined,
): void {
  for (const file of files) {
    const copy = findCopy(file);
    const steps = readAppliedSteps(file);
    if (!steps) throw createTooOldError(file);
    rejectNewerSteps(file, steps, version, copy && `put ${copy} in its place`);
  }
}

/** Reads the applied steps with their versions; undefined when versions were not recorded yet. */
function readAppliedSteps(file: string): readonly TakenStep[] | undefined {
  if (!existsSync(file)) return [];
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const named = database.prepare("select name from sqlite_schema where name like 'migration%'").all();
    const tables = new Set(named.map(({ name }) => name));
    if (tables.has("migration_versions"))
      return database
        .prepare("select owner, id, version from migration_versions")
        .all() as unknown as readonly TakenStep[];
    const hasSteps = tables.has("migrations") && database.prepare("select 1 from migrations limit 1").get();
    return hasSteps ? undefined : [];
  } catch {
    // Opening the file reports its problems.
    return [];
  }
}
