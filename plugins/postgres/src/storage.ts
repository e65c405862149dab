import {
  AppError,
  type Clock,
  type Database,
  type Databases,
  type Logger,
  type Probe,
  type Signals,
} from "@parley/core";
import {
  applyMigrations,
  createIncompleteMigrationError,
  type Expansion,
  MOVE_TABLE,
  rejectNewerSteps,
  type TakenStep,
} from "@parley/core/storage";
import type { Compilable, Kysely } from "kysely";
import pg from "pg";
import {
  createMembership,
  RELEASE_STARTING_LOCK,
  toConnectionName,
  withNamedLock,
  withSchemaLock,
} from "./cluster/membership.ts";
import type { Membership } from "./cluster/membership-state.ts";
import { type OpenNodes, openNodes } from "./cluster/nodes.ts";
import { createOtherVersions, type OtherVersions } from "./cluster/other-versions.ts";
import { type OpenSignals, openSignals } from "./cluster/signals.ts";
import type { PostgresConfig } from "./config.ts";
import { createConnectionOptions, createLazyConnection } from "./connection/connections.ts";
import { examineServer } from "./connection/examine-server.ts";
import { isStalePlan, toAppError, toReason } from "./connection/failures.ts";
import { createKysely } from "./connection/kysely.ts";
import { createRoundTrips, type RoundTrips } from "./connection/round-trips.ts";
import { createSnapshotReads, type SnapshotReads } from "./connection/snapshot-reads.ts";
import { createStatementExecutor, type Run, type StatementExecutor, toStatement } from "./connection/statements.ts";
import { createWriter, type Writer } from "./connection/writer.ts";
import type { OpenServer } from "./open-server.ts";
import { createStorageProbe } from "./probe.ts";
import { postgresTexts } from "./texts.ts";
import { createUpgradeCopies, toRestoreStatement } from "./upgrade-copies.ts";
import { createWriteWatch, type WriteWatch } from "./write-watch.ts";

/** Maximum wait for a starting server. */
const SERVER_START_TIMEOUT_MS = 15_000;
const IDLE_MS = 60_000;
export const OWN_TABLES = ["processes", "signals"] as const;

/** The database of an installation. */
export interface Storage extends Databases {
  readonly probe: Probe;
  /** Returns the recent round trip in milliseconds; undefined before it is known. */
  roundTripMs(): number | undefined;
  readonly signals: Signals;
  /** Nodes of the cluster; throws for a single-process service. */
  readonly nodes: () => OpenNodes;
  /** Called when all plugins have started, so that another node may start. */
  onReady(): Promise<void>;
  /** Checks the server and claims it; the returned function releases it. */
  start(): Promise<() => Promise<void>>;
}

export interface StorageDeps {
  readonly config: PostgresConfig;
  /** Returns the URL of the database; throws when there is none. */
  readonly url: () => string;
  /** Version of the service; undefined outside of one. */
  readonly version: () => string | undefined;
  /** Returns the address at which this process listens; empty if it does not listen. */
  readonly address: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createStorage({ config, url, version, address, clock, log }: StorageDeps): Storage {
  const watch = createWriteWatch({ clock, log });
  const roundTrips = createRoundTrips();
  let open: OpenServer | undefined;
  const requireOpen = (): OpenServer => {
    if (!open) throw postgresTexts.error("unavailable", "not_open");
    return open;
  };
  return {
    ...(config.nodes && {
      isShared: true as const,
      alone: <T>(name: string, work: () => Promise<T>) => requireOpen().alone(name, work),
    }),
    ownTables: OWN_TABLES,
    get main() {
      return requireOpen().main;
    },
    // One server has all databases; the history is recognized by its tables.
    open: async (_file, { isHistory = false } = {}) => (isHistory ? requireOpen().history : requireOpen().main),
    signals: {
      isShared: true,
      telling: (signals) => requireOpen().signals.telling(signals),
      listen: (topic, listener) => requireOpen().signals.listen(topic, listener),
      catchUp: async () => {
        if (config.nodes) await requireOpen().signals.catchUp();
      },
    },
    nodes() {
      const { nodes } = requireOpen();
      if (!nodes) throw new AppError("internal", "one service works alone");
      return nodes;
    },
    async onReady() {
      if (!config.nodes) return;
      await requireOpen().nodes?.markReady();
      await requireOpen().writers[0]?.write([RELEASE_STARTING_LOCK]);
    },
    probe: createStorageProbe(watch, () => open),
    roundTripMs: roundTrips.getMedianMs,
    async start() {
      open = await openServer(createConnectionOptions(url(), config.statement_timeout_s * 1000), {
        config,
        watch,
        roundTrips,
        clock,
        log,
        address,
        own: version(),
      });
      log.info("data is stored in PostgreSQL", { version: open.version });
      return async () => {
        const last = open;
        open = undefined;
        await last?.close();
      };
    },
  };
}

interface OpenServerDeps extends Pick<StorageDeps, "config" | "clock" | "log" | "address"> {
  readonly watch: WriteWatch;
  readonly roundTrips: RoundTrips;
  /** The version of the service. */
  readonly own: string | undefined;
}

/** Runs single statements on the pool; one whose plan is outdated is run again. */
function createPoolReads(executor: StatementExecutor, pool: pg.Pool): Run {
  return (statement) =>
    executor
      .execute(pool, statement)
      .catch((error) => (isStalePlan(error) ? executor.execute(pool, statement) : Promise.reject(error)))
      .catch((error) => Promise.reject(toAppError(error)));
}

async function openServer(connection: pg.ClientConfig, deps: OpenServerDeps): Promise<OpenServer> {
  const { config, watch, roundTrips, clock, log, own, address } = deps;
  const version = await examineServer(connection, SERVER_START_TIMEOUT_MS);
  const membership = createMembership(config.nodes, own);
  // The connections of a gone node, and their locks, are found by this name.
  const options = config.nodes ? { ...connection, application_name: toConnectionName(membership.id) } : connection;
  const executor = createStatementExecutor();
  const pool = new pg.Pool({ ...options, max: config.read_connections, idleTimeoutMillis: IDLE_MS });
  pool.on("error", (error) => log.debug("an idle connection was closed", { error }));
  const now = createPoolReads(executor, pool);
  let nodes: OpenNodes | undefined;
  const openWriter = (member: Membership | undefined) =>
    createWriter({
      connection: createLazyConnection({ options, membership: member, isDurable: member !== undefined }),
      executor,
      watch,
      processId: member?.id,
      onRejected: () => nodes?.onCommitRejected(),
      onRoundTrip: roundTrips.record,
    });
  const [main, history] = [openWriter(membership), openWriter(undefined)];
  const snapshots = createSnapshotReads({ options, executor, writer: main });
  const read: Run = (statement) => (snapshots.getRun() ?? now)(statement);
  let signals: OpenSignals | undefined;
  const alone: DatabaseDeps["alone"] = (work) => (config.nodes ? withSchemaLock(options, work) : work());
  const others = createOtherVersions(options, own === undefined ? undefined : { id: membership.id, version: own });
  const copies = createUpgradeCopies({ options, excludedTables: OWN_TABLES, clock, log });
  let copied: Promise<void> | undefined;
  const prepareUpgrade = async () => {
    if (own !== undefined) copied ??= copies.make(own);
    await copied;
  };
  const reading: DatabaseDeps = {
    read,
    snapshots,
    own,
    alone,
    upgrades: prepareUpgrade,
    others: config.nodes ? others : undefined,
  };
  const database = createDatabase(main, reading);
  const close = async () => {
    await signals?.close();
    for (const writer of [history, main]) await writer.close();
    await nodes?.close();
    await pool.end();
  };
  try {
    if (own !== undefined) {
      const copy = await copies.find(own);
      const back = copy && `run ${toRestoreStatement(copy)} in it`;
      rejectNewerSteps("the database", await readAppliedSteps(read, config.nodes), own, back);
      if (await hasTable(read, MOVE_TABLE)) throw createIncompleteMigrationError("the database");
    }
    await main.write([]);
    if (own !== undefined) await copies.prune();
    const lagMs = () => signals?.getLagMs() ?? 0;
    if (membership.isShared) nodes = openNodes({ id: membership.id, options, clock, log, address, lagMs });
    signals = await openSignals({ options, database, clock, log });
  } catch (error) {
    await close();
    const { cause } = error as Error;
    if (!AppError.is(error) || cause === undefined) throw error;
    throw new AppError("unavailable", `the database cannot be written: ${toReason(cause)}`, { cause });
  }
  return {
    version,
    main: database,
    signals,
    nodes,
    history: createDatabase(history, reading),
    writers: [main, history],
    alone: (name, work) => withNamedLock(options, name, work),
    close,
  };
}

/** Returns the applied migrations; with `mayExpand`, without those an earlier version can work with. */
async function readAppliedSteps(read: Run, mayExpand: boolean): Promise<readonly TakenStep[]> {
  const readRows = async <Row>(table: string) =>
    (await hasTable(read, table))
      ? ((await read({ sql: `select * from ${table}`, parameters: [] })).rows as Row[])
      : [];
  const steps = await readRows<TakenStep>("migration_versions");
  const expansions = mayExpand ? await readRows<Expansion>("migration_expansions") : [];
  return steps.filter((step) => !expansions.some(({ owner, id }) => owner === step.owner && id === step.id));
}

async function hasTable(read: Run, table: string): Promise<boolean> {
  const { rows } = await read({ sql: "select to_regclass(?) is not null as is_there", parameters: [table] });
  return Boolean((rows[0] as { readonly is_there: number } | undefined)?.is_there);
}

interface DatabaseDeps {
  readonly read: Run;
  readonly snapshots: SnapshotReads;
  readonly own: string | undefined;
  /** Nodes of other versions; undefined for a single service. */
  readonly others: OtherVersions | undefined;
  /** Copies the tables before they are changed. */
  readonly upgrades: () => Promise<void>;
  /** Runs migrations on one node at a time, including those of tables created on first use. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
}

function createDatabase(writer: Writer, { read, snapshots, own, others, upgrades, alone }: DatabaseDeps): Database {
  const kysely = createKysely(writer, read);
  return {
    tables: <Tables>() => kysely as unknown as Kysely<Tables>,
    write: async (writes) =>
      writer.write(
        writes.map(({ query, expect, otherwise, otherwiseDetail, ifChanged }) => ({
          ...toStatement(query.compile()),
          ...(expect !== undefined && { expect }),
          ...(otherwise !== undefined && { otherwise }),
          ...(otherwiseDetail && { otherwiseDetail }),
          ...(ifChanged && { ifChanged }),
        })),
      ),
    lookup: async <Row>(query: Compilable<Row>) => (await read(toStatement(query.compile()))).rows as readonly Row[],
    snapshot: snapshots.snapshot,
    migrate: (owner, migrations) =>
      snapshots.runOutside(() =>
        alone(async () => {
          let hasChanged = false;
          await applyMigrations(kysely, owner, migrations, {
            ...(own && { version: own }),
            ...(others && { shared: others }),
            upgrades,
            applied() {
              hasChanged = true;
              snapshots.onSchemaChanged();
            },
          });
          if (hasChanged) await others?.refreshOthers();
        }),
      ),
    async size() {
      const { rows } = await read({ sql: "select pg_database_size(current_database()) as bytes", parameters: [] });
      return Number((rows[0] as { readonly bytes: number } | undefined)?.bytes ?? 0);
    },
  };
}
