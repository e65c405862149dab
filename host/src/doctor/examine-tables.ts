import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { FolderCheck, ReadRows } from "@parley/core";
import { type Finding, problem } from "./finding.ts";

/** What plugins say of their tables, in a folder in which no service works. Nothing is written. */
export function examineTables(data: string, checks: readonly FolderCheck[], now: number): readonly Finding[] {
  const file = join(data, "parley.db");
  if (!existsSync(file)) return [];
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const read: ReadRows = <Row>(text: string, ...parameters: readonly (string | number)[]) =>
      database.prepare(text).all(...parameters) as unknown as readonly Row[];
    const named = read<{ readonly name: string }>("select name from sqlite_schema where type = 'table'");
    const tables = new Set(named.map(({ name }) => name));
    return checks
      .filter((check) => check.tables.every((name) => tables.has(name)))
      .map((check) => ({ about: check.id, ...check.examine(read, now) }));
  } catch (error) {
    return [
      problem("tables", `${file} cannot be read: ${(error as Error).message}`, "see what is said of the database"),
    ];
  }
}
