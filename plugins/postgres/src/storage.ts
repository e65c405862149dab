import {
  AppError,
  applyMigrations,
  type Clock,
  type Database,
  type Databases,
  type Logger,
  type Probe,
} from "@parley/core";
import type { Compilable, Kysely } from "kysely";
import pg from "pg";
import type { PostgresConfig } from "./config.ts";
import { examineServer } from "./examine-server.ts";
import { known, reasonOf } from "./failures.ts";
import { createKysely } from "./kysely.ts";
import { connectionOptions, createSession } from "./session.ts";
import { createSpeech, type Run, statementOf } from "./statements.ts";
import { createWriteWatch, type WriteWatch } from "./write-watch.ts";
import { createWriter, type Writer } from "./writer.ts";

/** A server that is being started is waited for. */
const STARTING_WITHIN_MS = 15_000;
const IDLE_MS = 60_000;

/** The one database of an installation. */
export interface Storage extends Databases {
  readonly probe: Probe;
  /** Looks whether the server can be used, and takes it; what it returns lets go of it. */
  start(): Promise<() => Promise<void>>;
}

export interface StorageParts {
  readonly config: PostgresConfig;
  /** Throws when there is none. */
  readonly url: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Open {
  readonly version: string;
  readonly main: Database;
  /** The same tables by another connection, whose commits do not wait for the disk. */
  readonly history: Database;
  readonly writers: readonly Writer[];
  readonly close: () => Promise<void>;
}

export function createStorage({ config, url, clock, log }: StorageParts): Storage {
  const watch = createWriteWatch({ clock, log });
  let open: Open | undefined;
  const opened = (): Open => {
    if (!open) throw new AppError("unavailable", "the storage is not open");
    return open;
  };
  return {
    get main() {
      return opened().main;
    },
    // One server keeps all of them: what is history is told apart by its tables.
    open: async (_file, { isHistory = false } = {}) => (isHistory ? opened().history : opened().main),
    probe: probeOf(watch, () => open),
    async start() {
      open = await openServer(connectionOptions(url(), config.statement_timeout_s * 1000), { config, watch, log });
      log.info("rows are kept by PostgreSQL", { version: open.version });
      return async () => {
        const last = open;
        open = undefined;
        await last?.close();
      };
    },
  };
}

interface Parts extends Pick<StorageParts, "config" | "log"> {
  readonly watch: WriteWatch;
}

async function openServer(options: pg.ClientConfig, { config, watch, log }: Parts): Promise<Open> {
  const version = await examineServer(options, STARTING_WITHIN_MS);
  const speech = createSpeech();
  const pool = new pg.Pool({ ...options, max: config.read_connections, idleTimeoutMillis: IDLE_MS });
  pool.on("error", (error) => log.debug("a connection that nobody used has ended", { error }));
  const read: Run = (statement) => speech.say(pool, statement).catch((error) => Promise.reject(known(error)));
  const writerFor = (isHistory: boolean) =>
    createWriter({ session: createSession({ options, isHistory }), speech, watch, isMarked: !isHistory });
  const [main, history] = [writerFor(false), writerFor(true)];
  const close = async () => {
    for (const writer of [history, main]) await writer.close();
    await pool.end();
  };
  try {
    await main.write([]);
  } catch (error) {
    await close();
    const { cause } = error as Error;
    if (!AppError.is(error) || cause === undefined) throw error;
    throw new AppError("unavailable", `the database cannot be written: ${reasonOf(cause)}`, { cause });
  }
  return {
    version,
    main: databaseOf(main, read),
    history: databaseOf(history, read),
    writers: [main, history],
    close,
  };
}

function databaseOf(writer: Writer, read: Run): Database {
  const kysely = createKysely(writer, read);
  return {
    tables: <Tables>() => kysely as unknown as Kysely<Tables>,
    write: async (writes) =>
      writer.write(
        writes.map(({ query, expect, ifChanged }) => ({
          ...statementOf(query.compile()),
          ...(expect !== undefined && { expect }),
          ...(ifChanged && { ifChanged }),
        })),
      ),
    lookup: async <Row>(query: Compilable<Row>) => (await read(statementOf(query.compile()))).rows as readonly Row[],
    migrate: (owner, migrations) => applyMigrations(kysely, owner, migrations),
    async size() {
      const { rows } = await read({ sql: "select pg_database_size(current_database()) as bytes", parameters: [] });
      return Number((rows[0] as { readonly bytes: number } | undefined)?.bytes ?? 0);
    },
  };
}

function probeOf(watch: WriteWatch, open: () => Open | undefined): Probe {
  return {
    id: "storage",
    async health() {
      const trouble = watch.trouble();
      if (trouble !== undefined) return { status: "degraded", detail: trouble };
      const { version } = open() ?? {};
      return { status: "ok", detail: version ? `PostgreSQL ${version}; vectors are compared one by one` : "" };
    },
    async measure() {
      const { main, writers = [] } = open() ?? {};
      const size = await main?.size();
      const sum = (of: (writer: Writer) => number) => [{ value: writers.reduce((all, one) => all + of(one), 0) }];
      return [
        {
          name: "parley_storage_messages_total",
          help: "Commits and transactions.",
          kind: "counter",
          samples: sum((writer) => writer.asked()),
        },
        {
          name: "parley_database_bytes",
          help: "Size of the database on the server.",
          kind: "gauge",
          samples: size === undefined ? [] : [{ value: size }],
        },
        {
          name: "parley_database_writes_waiting",
          help: "Writes that wait for a commit.",
          kind: "gauge",
          samples: sum((writer) => writer.waiting()),
        },
        {
          name: "storage_write_failures_total",
          help: "Commits that the server or the way to it refused since the start.",
          kind: "counter",
          samples: [{ value: watch.failures() }],
        },
      ];
    },
  };
}
