import {
  type Database,
  Databases,
  type DefinedPlugin,
  definePlugin,
  type Migration,
  toNumberedParameters,
  type Write,
} from "@parley/core";
import {
  type CompiledQuery,
  type KyselyPlugin,
  PostgresQueryCompiler,
  type RootOperationNode,
  SqliteQueryCompiler,
} from "kysely";
import storage from "../../plugins/storage/src/index.ts";

export interface CompiledText {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** A statement in the form of each engine. */
export interface Statement {
  readonly sqlite: CompiledText;
  readonly postgres: CompiledText;
  readonly isRead: boolean;
}

export interface RecordedWrite extends Omit<Write, "query"> {
  readonly statement: Statement;
  /** Number of changed rows on SQLite. */
  readonly changes: number;
}

/** A storage that records all its statements. */
export interface RecordingStorage {
  readonly plugin: DefinedPlugin;
  /** Statements by their text, with some of their parameters. */
  readonly statements: ReadonlyMap<string, readonly Statement[]>;
  /** All writes, in order. */
  readonly written: readonly (readonly RecordedWrite[])[];
  readonly migrations: readonly { readonly owner: string; readonly steps: readonly Migration[] }[];
  readonly files: ReadonlySet<string>;
}

const MAX_RECORDED = 10;
/** Engine-specific queries of the text index, whose results are compared by another test. */
const ENGINE_SPECIFIC = /\b(?:from|into|update|join)\s+"text_\w+"/i;

export function createRecordingStorage(): RecordingStorage {
  const statements = new Map<string, Statement[]>();
  const written: (readonly RecordedWrite[])[] = [];
  const migrations: { owner: string; steps: readonly Migration[] }[] = [];
  const files = new Set<string>();
  const wrapped = new Map<Database, Database>();
  const note = (statement: Statement) => {
    if (ENGINE_SPECIFIC.test(statement.sqlite.sql)) return statement;
    const known = statements.get(statement.postgres.sql) ?? [];
    statements.set(statement.postgres.sql, known);
    // Keeps the first and the last parameters, because the rows of the first ones may have been deleted.
    if (known.length >= MAX_RECORDED) known.splice(MAX_RECORDED / 2, 1);
    known.push(statement);
    return statement;
  };
  // Parts of a statement are compiled before it in the same way; only the executed one is recorded.
  let built: Statement | undefined;
  const asked = new WeakMap<object, Statement>();
  const builder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      built = compileStatement(node);
      asked.set(queryId, built);
      return node;
    },
    async transformResult({ result, queryId }) {
      const statement = asked.get(queryId);
      if (statement) note(statement);
      return result;
    },
  };
  const compiled = (query: Write["query"]) => {
    built = undefined;
    const text = query.compile();
    return { text, statement: note(built ?? toStatement(text)) };
  };

  const record = (database: Database): Database => {
    const known = wrapped.get(database);
    if (known) return known;
    const recording: Database = {
      ...database,
      tables: <Tables>() => database.tables<Tables>().withPlugin(builder),
      lookup: (query) => {
        compiled(query);
        return database.lookup(query);
      },
      async write(writes) {
        const all = writes.map(({ query, ...how }) => ({ ...compiled(query), how }));
        const batch: RecordedWrite[] = [];
        // Recorded in the order of the calls; a failed write is removed again.
        written.push(batch);
        const results = await database.write(all.map(({ text, how }) => ({ ...how, query: { compile: () => text } })));
        const done = all.map(({ statement, how }, at) => ({ ...how, statement, changes: results[at]?.changes ?? 0 }));
        batch.push(...done.filter(({ statement }) => !ENGINE_SPECIFIC.test(statement.sqlite.sql)));
        return results;
      },
      async migrate(owner, steps) {
        if (!migrations.some((one) => one.owner === owner)) migrations.push({ owner, steps });
        await database.migrate(owner, steps);
      },
    };
    wrapped.set(database, recording);
    return recording;
  };
  const recordAll = (databases: Databases): Databases => ({
    get main() {
      return record(databases.main);
    },
    async open(file, options) {
      files.add(file);
      return record(await databases.open(file, options));
    },
  });
  const plugin = definePlugin({
    ...storage,
    register(context) {
      storage.register({
        ...context,
        provide(key, make) {
          if ((key as unknown) !== Databases) return context.provide(key, make);
          context.provide(Databases, (from) => recordAll(make(from) as Databases));
        },
      });
    },
  });
  return { plugin, statements, written, migrations, files };
}

const ID = { queryId: "recorded" };

function compileStatement(node: RootOperationNode): Statement {
  return {
    sqlite: new SqliteQueryCompiler().compileQuery(node as never, ID as never),
    postgres: new PostgresQueryCompiler().compileQuery(node as never, ID as never),
    isRead: node.kind === "SelectQueryNode",
  };
}

function toStatement({ sql, parameters }: CompiledQuery): Statement {
  return {
    sqlite: { sql, parameters },
    postgres: { sql: toNumberedParameters(sql), parameters },
    isRead: /^\s*select\b/i.test(sql),
  };
}
