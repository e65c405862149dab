import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";

const repository = dirname(dirname(import.meta.dirname));

/** Files that are specific to SQLite; other storages reimplement or do not need them. */
const OF_SQLITE = new Set([
  "host/src/backup/read-copy.ts",
  "host/src/backup/restore-backup.ts",
  "host/src/doctor/examine-folder.ts",
  // They look at a database of either kind, by the means of each.
  "host/src/migrate/examine-table.ts",
  "core/src/storage/table-shape.ts",
  "tests/testing/src/memory-database.ts",
  // It reads a folder in which no service works.
  "host/cli/src/doctor/examine-tables.ts",
  "plugins/gateway/src/legacy-migrations.ts",
  "plugins/gateway/src/legacy-import.ts",
  // The cache is a file on every node, beside any storage.
  "plugins/records/src/caches/cache-file.ts",
  // It knows the question of Keyv that it does not pass on.
  "plugins/records/src/collections.ts",
  "plugins/text-index/src/pgvector-tables.ts",
  "plugins/text-index/src/postgres-dialect.ts",
  "plugins/text-index/src/sqlite-dialect.ts",
]);
const FORBIDDEN: readonly RegExp[] = [
  /\browid\b/i,
  /\blast_insert_rowid|\bchanges\(\)|\bsqlite_|\bPRAGMA\b/i,
  /\binsert or (ignore|replace|abort|fail|rollback)\b|\breplace into\b|\.or(Ignore|Replace)\(|\.replaceInto\(/i,
  /\b(instr|ifnull|iif|group_concat|strftime|julianday|unixepoch|printf|glob)\(/i,
  /\bjsonb?_\w+\(|->>/i,
  /\bautoIncrement\(/,
  // Capitals count on one engine and not on the other: `contains` finds alike.
  /"like"/i,
  // Four bytes there: a time does not fit, a price is cut.
  /_(ms|at)", "integer"|, "real"/,
];

const sources = globSync("{core,host,plugins/*,adapters/*}/src/**/*.ts", { cwd: repository })
  .filter((path) => !path.endsWith(".test.ts") && !/^plugins\/(storage|postgres)\//.test(path) && !OF_SQLITE.has(path))
  .sort();

test("only the storage plugins and their substitutes use SQL of one engine", () => {
  expect(sources.length).toBeGreaterThan(300);
  const found = sources.flatMap((path) =>
    lines(path).flatMap((line, index) =>
      FORBIDDEN.filter((word) => word.test(line)).map(() => `${path}:${index + 1} ${line.trim()}`),
    ),
  );
  expect(found).toEqual([]);
});

/** Without comments: what they name is not said to a database. */
function lines(path: string): readonly string[] {
  return readFileSync(`${repository}/${path}`, "utf8")
    .split("\n")
    .map((line) => (/^\s*(\/\/|\/?\*)/.test(line) ? "" : line));
}
