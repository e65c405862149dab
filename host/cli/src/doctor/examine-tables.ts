import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AppError, type Check, isNewerVersion, type ReadRows } from "@parley/core";
import { findUpgradeCopies, rejectNewerSteps, type TakenStep } from "@parley/core/storage";
import { type Finding, fromPluginFinding, toOk, toProblem, untranslated } from "@parley/host/tooling";
import { cliTexts } from "../texts.ts";

const NOTHING_PENDING = cliTexts.localized("tables_ok");

/** Runs the plugins' checks of their tables, in a folder without a running service. Writes nothing. */
export function examineTables(
  data: string,
  checks: readonly Check[],
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
    const found = checks.flatMap(({ id, atRest }) => {
      if (!atRest?.tables.every((name) => tables.has(name))) return [];
      const wrong = atRest.examine(read, now).map(fromPluginFinding);
      return wrong.length > 0 ? wrong : [toOk(id, NOTHING_PENDING)];
    });
    return tables.has("migration_versions") ? [examineVersion(file, read, version), ...found] : found;
  } catch (error) {
    const unread = cliTexts.localized("tables_unread", { file, reason: (error as Error).message });
    return [toProblem("tables", unread, cliTexts.localized("tables_advice"))];
  }
}

/** Checks that a service of this version can use the folder's data. */
function examineVersion(file: string, read: ReadRows, version: string): Finding {
  const copy = findUpgradeCopy(file, version);
  try {
    rejectNewerSteps(
      file,
      read<TakenStep>("select owner, id, version from migration_versions"),
      version,
      copy && `put ${copy} in its place`,
    );
    return toOk("version", cliTexts.localized("version_ok", { version }));
  } catch (error) {
    if (!AppError.is(error)) throw error;
    return toProblem("version", untranslated(error.message), cliTexts.localized("version_newer"));
  }
}

/** Returns the copy made before an upgrade that this version can use; undefined when there is none. */
function findUpgradeCopy(file: string, version: string): string | undefined {
  const backups = join(dirname(file), "backups");
  const names = existsSync(backups) ? readdirSync(backups) : [];
  return findUpgradeCopies(names)
    .filter((one) => isNewerVersion(one.version, version))
    .map(({ name }) => join(backups, name, basename(file)))
    .find((copy) => existsSync(copy));
}
