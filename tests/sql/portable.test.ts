import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";

const repository = dirname(dirname(import.meta.dirname));

/** Files that are specific to SQLite; other storages reimplement or do not need them. */
const OF_SQLITE = new Set([
  "host/src/backup/read-copy.ts",
  "host/src/backup/restore-backup.ts",
  "host/src/doctor/examine-folder.ts",
  // These read the catalog of either engine, each in its own way.
  "host/src/migrate/examine-table.ts",
  "core/src/storage/table-shape.ts",
  "tests/testing/src/memory-database.ts",
  // It reads a folder that no service uses.
  "host/cli/src/doctor/examine-tables.ts",
  // The cache is a SQLite file on every node, with any storage.
  "plugins/records/src/caches/cache-file.ts",
  // It has a statement for either engine, since rows in one JSON text need no parameters of their own.
  "plugins/gateway/src/store/history/log-rows.ts",
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
  // `like` is case-sensitive on one engine only; `contains` is alike on both.
  /"like"/i,
  // PostgreSQL stores these in four bytes, which are too few for a time and truncate a price.
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

/** Returns the lines of a file without comments, which are not sent to a database. */
function lines(path: string): readonly string[] {
  return readFileSync(`${repository}/${path}`, "utf8")
    .split("\n")
    .map((line) => (/^\s*(\/\/|\/?\*)/.test(line) ? "" : line));
}
