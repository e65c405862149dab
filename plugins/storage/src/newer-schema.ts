import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { rejectNewerSteps, type TakenStep } from "@parley/core";

/** Throws for databases with migrations of a version newer than `version`, before anything is opened for writing. */
export function rejectNewerSchema(
  files: readonly string[],
  version: string,
  findCopy: (file: string) => string | undefined,
): void {
  for (const file of files) {
    const copy = findCopy(file);
    rejectNewerSteps(file, readAppliedSteps(file), version, copy && `put ${copy} in its place`);
  }
}

function readAppliedSteps(file: string): readonly TakenStep[] {
  if (!existsSync(file)) return [];
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const table = database.prepare("select 1 from sqlite_schema where name = 'migration_versions'").get();
    const steps = table && database.prepare("select owner, id, version from migration_versions").all();
    return (steps ?? []) as unknown as readonly TakenStep[];
  } catch {
    // Opening the file reports its problems.
    return [];
  }
}
