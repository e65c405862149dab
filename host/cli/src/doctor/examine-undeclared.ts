import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Resource } from "@parley/core";
import {
  type Configuration,
  collectDeclaredSteps,
  type Finding,
  MIGRATION_TABLES,
  toWarning,
  withAllPlugins,
} from "@parley/host/tooling";
import { cliTexts } from "../texts.ts";

/** Owners of tables that are no plugins. */
const OTHER_OWNERS = ["host", "documents"];
const RECORDS = "records";

/**
 * Reports tables with rows that no plugin of the configuration declares, such as those of a package that was removed.
 * The plugins are started briefly only when the database names an owner that is none of theirs.
 */
export async function examineUndeclared(
  configuration: Configuration,
  kinds: readonly Resource[],
): Promise<readonly Finding[]> {
  const file = join(configuration.data, "parley.db");
  if (!existsSync(file)) return [];
  using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  const readNames = (text: string) =>
    database
      .prepare(text)
      .all()
      .map(({ name }) => String(name));
  const tables = readNames(
    "select name from sqlite_schema where type = 'table' and substr(name, 1, 7) <> 'sqlite_' order by name",
  );
  if (!tables.includes("migrations")) return [];
  const owners = readNames("select distinct owner as name from migrations");
  const known = new Set([...OTHER_OWNERS, ...configuration.plugins.map(({ id }) => id)]);
  const knownKinds = new Set(kinds.map(({ kind }) => kind));
  const isKnown = (owner: string) => {
    const [base = "", kind] = owner.split(":");
    return known.has(base) && (base !== RECORDS || kind === undefined || knownKinds.has(kind));
  };
  if (owners.every(isKnown)) return [];
  const declared = await collectDeclaredSteps(withAllPlugins(configuration), new Set(owners));
  const others = tables.filter((name) => !declared.tables.has(name) && !MIGRATION_TABLES.includes(name));
  return others.flatMap((table) => {
    const rows = Number(database.prepare(`select count(*) as rows from "${table}"`).get()?.rows ?? 0);
    if (rows === 0) return [];
    const message = cliTexts.localized("undeclared_table", { table, rows });
    return [toWarning("tables", message, cliTexts.localized("undeclared_advice"))];
  });
}
