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
import { comparingOn } from "./comparing.ts";
import type { Dialect } from "./dialect.ts";
import type { IndexThread } from "./index-thread.ts";
import { createNearTables } from "./near-tables.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { storedTexts } from "./stored-texts.ts";
import { createTextSpace } from "./text-space.ts";
import { createVectors, vectorMigrations } from "./vectors.ts";

const NAME = /^[a-z][a-z0-9_]{0,30}$/;

export interface TextIndexParts {
  readonly database: () => Database;
  readonly thread: IndexThread;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Spaces in tables of the main database, by the means of the engine that it runs on. */
export function createTextIndex({ database, thread, clock, log }: TextIndexParts): TextIndex {
  const spaces = new Map<string, TextSpace>();
  let chosen: Dialect | undefined;
  const tables = () => database().tables<unknown>();
  const dialect = () => {
    chosen ??= dialectOf(tables);
    return chosen;
  };
  const write: Database["write"] = (writes) => database().write(writes);
  const comparing = once(async (): Promise<VectorComparing> => comparingOn(tables(), write));
  const made = (name: string): TextSpace => {
    const nearTables = createNearTables({ name, tables, write, log });
    let isNear = false;
    const near = () => (isNear ? nearTables : undefined);
    const parts = { name, database, dialect, thread, now: () => clock.now() };
    const space = createTextSpace({ ...parts, vectors: createVectors({ name, tables, thread, now: parts.now, near }) });
    const ready = once(async () => {
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
    const entries = { id: "001-entries", up: (to: Kysely<unknown>) => dialectOf(() => to).create(to, name) };
    await database().migrate(`text-index:${name}`, [entries, ...vectorMigrations(name)]);
  };
  return {
    comparing,
    stored: (of) => storedTexts(of, (one) => dialectOf(() => one.tables<unknown>())),
    passages: (text) => thread.ask<"cut">({ kind: "cut", text }),
    space(name) {
      if (!NAME.test(name)) throw new AppError("bad_request", `text index: '${name}' is no name`);
      const space = spaces.get(name) ?? made(name);
      spaces.set(name, space);
      return space;
    },
  };
}

function dialectOf(tables: () => Kysely<unknown>): Dialect {
  const isPostgres = tables().getExecutor().adapter instanceof PostgresAdapter;
  return isPostgres ? postgresDialect(tables) : sqliteDialect(tables);
}

/** Done by whoever needs it first; one that failed is begun again. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    done ??= work().catch((error) => {
      done = undefined;
      throw error;
    });
    return done;
  };
}
