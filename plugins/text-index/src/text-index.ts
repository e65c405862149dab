import {
  AppError,
  type Clock,
  type Database,
  type Logger,
  type TextIndex,
  type TextSpace,
  type VectorComparing,
} from "@parley/core";
import { type Kysely, PostgresAdapter } from "kysely";
import type { Dialect } from "./dialect.ts";
import type { IndexThread } from "./index-thread.ts";
import { createPgVectorTables } from "./pgvector-tables.ts";
import { createPostgresDialect } from "./postgres-dialect.ts";
import { createSqliteDialect } from "./sqlite-dialect.ts";
import { createStoredTexts } from "./stored-texts.ts";
import { createTextSpace } from "./text-space.ts";
import { detectVectorComparison } from "./vector-comparison.ts";
import { createVectorStore, createVectorTable } from "./vectors.ts";

const NAME_PATTERN = /^[a-z][a-z0-9_]{0,30}$/;

export interface TextIndexDeps {
  readonly database: () => Database;
  readonly thread: IndexThread;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Creates the text index, whose spaces are tables of the main database, with the means of its engine. */
export function createTextIndex({ database, thread, clock, log }: TextIndexDeps): TextIndex {
  const spaces = new Map<string, TextSpace>();
  let chosen: Dialect | undefined;
  const tables = () => database().tables<unknown>();
  const dialect = () => {
    chosen ??= createDialect(tables);
    return chosen;
  };
  const write: Database["write"] = (writes) => database().write(writes);
  const comparing = createOnce(async (): Promise<VectorComparing> => detectVectorComparison(tables(), write));
  const createSpace = (name: string): TextSpace => {
    const nearTables = createPgVectorTables({ name, tables, write, log });
    let isNear = false;
    const getPgVectorTables = () => (isNear ? nearTables : undefined);
    const parts = { name, database, dialect, thread, now: () => clock.now() };
    const space = createTextSpace({
      ...parts,
      vectors: createVectorStore({ name, tables, thread, now: parts.now, getPgVectorTables }),
    });
    const ready = createOnce(async () => {
      await prepare(name);
      if ((await comparing()).by === "each") return;
      await nearTables.start();
      isNear = true;
    });
    return {
      ...space,
      prepare: ready,
      replacing: (group, entries) => ready().then(() => space.replacing(group, entries)),
      removing: (groups) => ready().then(() => space.removing(groups)),
      search: (query) => ready().then(() => space.search(query)),
      withoutVector: (vectors, limit) => ready().then(() => space.withoutVector(vectors, limit)),
      entriesOf: (group) => ready().then(() => space.entriesOf(group)),
    };
  };
  const prepare = async (name: string) => {
    const up = async (to: Kysely<unknown>) => {
      await createDialect(() => to).create(to, name);
      await createVectorTable(to, name);
    };
    const first = { id: "001-as-of-0.1.0", replaces: ["001-entries", "002-vectors"], up };
    await database().migrate(`text-index:${name}`, [first]);
  };
  return {
    comparing,
    stored: (of) => createStoredTexts(of, (one) => createDialect(() => one.tables<unknown>())),
    passages: (text) => thread.run<"cut">({ kind: "cut", text }),
    space(name) {
      if (!NAME_PATTERN.test(name)) throw new AppError("bad_request", `text index: '${name}' is no name`);
      const space = spaces.get(name) ?? createSpace(name);
      spaces.set(name, space);
      return space;
    },
  };
}

function createDialect(tables: () => Kysely<unknown>): Dialect {
  const isPostgres = tables().getExecutor().adapter instanceof PostgresAdapter;
  return isPostgres ? createPostgresDialect(tables) : createSqliteDialect(tables);
}

/** Returns a function that runs the work once for all callers; again after a failure. */
function createOnce<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    done ??= work().catch((error) => {
      done = undefined;
      throw error;
    });
    return done;
  };
}
