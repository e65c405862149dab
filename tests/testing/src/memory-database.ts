import { DatabaseSync } from "node:sqlite";
import {
  AppError,
  createUndoneError,
  type Database,
  type Databases,
  type Migration,
  type WriteResult,
} from "@parley/core";
import { withReplacements } from "@parley/core/storage";
import {
  type Compilable,
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";

type Parameter = null | number | bigint | string | Uint8Array;

/** Creates an in-memory database with real SQL. `file` stores it on disk instead, for readers of the file. */
export function memoryDatabase(file = ":memory:"): Database {
  const sqlite = new DatabaseSync(file);
  sqlite.exec("PRAGMA foreign_keys = ON");
  const run = ({ sql, parameters }: CompiledQuery): WriteResult => {
    const statement = sqlite.prepare(sql);
    const values = parameters.map((value) => (typeof value === "boolean" ? Number(value) : value)) as Parameter[];
    if (statement.columns().length > 0) {
      const rows = statement.all(...values);
      return { rows, changes: rows.length };
    }
    return { rows: [], changes: Number(statement.run(...values).changes) };
  };
  const connection: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, changes } = run(query);
      return { rows: rows as Row[], numAffectedRows: BigInt(changes) };
    },
    async *streamQuery() {
      yield* [];
      throw new AppError("internal", "a memory database does not stream");
    },
  };
  const kysely = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => connection,
        beginTransaction: async () => sqlite.exec("BEGIN"),
        commitTransaction: async () => sqlite.exec("COMMIT"),
        rollbackTransaction: async () => sqlite.exec("ROLLBACK"),
        releaseConnection: async () => {},
        destroy: async () => sqlite.close(),
      }),
    },
  });
  const appliedByOwner = new Map<string, ReadonlySet<string>>();
  return {
    tables: <Tables>() => kysely as unknown as Kysely<Tables>,
    async write(writes) {
      sqlite.exec("BEGIN IMMEDIATE");
      try {
        let changes = 1;
        const results = writes.map(({ query, expect, ifChanged, ...told }) => {
          if (ifChanged && changes === 0) return { rows: [], changes: 0 };
          const result = run(query.compile());
          changes = result.changes;
          if (expect !== undefined && result.changes !== expect) {
            throw createUndoneError(told, new Error(`${result.changes} rows instead of ${expect}`));
          }
          return result;
        });
        sqlite.exec("COMMIT");
        return results;
      } catch (error) {
        sqlite.exec("ROLLBACK");
        throw error;
      }
    },
    lookup: async <Row>(query: Compilable<Row>) => run(query.compile()).rows as readonly Row[],
    async migrate(owner: string, migrations: readonly Migration[]) {
      const applied = new Set(withReplacements(appliedByOwner.get(owner), migrations));
      appliedByOwner.set(owner, applied);
      for (const { id, up } of migrations) {
        if (applied.has(id)) continue;
        await up(kysely);
        applied.add(id);
      }
    },
    size: async () => 0,
  };
}

/** Creates in-memory databases, one per file name and one as `main`. */
export function memoryDatabases(): Databases {
  const main = memoryDatabase();
  const others = new Map<string, Database>();
  return {
    main,
    async open(file) {
      const database = others.get(file) ?? memoryDatabase();
      others.set(file, database);
      return database;
    },
  };
}
