import { createHash, randomInt, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "@parley/core";
import type pg from "pg";
import { withConnection } from "../connection/connections.ts";
import { toAppError } from "../connection/failures.ts";
import type { Membership } from "./membership-state.ts";

/** Advisory lock of writers: exclusive for a single process, shared by several nodes. */
export const WRITER_LOCK = [1_885_434_476, 1] as const;
/** Lock during a node's start: one node after another, so that each migration runs once. */
const STARTING_LOCK = [1_885_434_476, 2] as const;
/** Lock that is held during migrations. */
export const SCHEMA_LOCK = [1_885_434_476, 3] as const;
/** Class of locks by process; when the lock of a process is free, its previous connection has ended. */
const PROCESS_LOCK_CLASS = 1_885_434_477;
/** Class of locks by name; the second number is a hash of the name. */
export const NAMED_LOCK_CLASS = 1_885_434_478;
/** Limits the wait for a named lock. Keepalives release the lock of a holder whose machine is gone. */
const NAMED_LOCK_SETTINGS = `set lock_timeout = '10s'; set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2;
  set tcp_keepalives_count = 3`;
/** Maximum wait for a lock: the server releases that of a killed service within this time. */
const LOCK_TIMEOUT_MS = 2_000;
const START_TIMEOUT_MS = 120_000;
const LOCK_RETRY_MS = 100;
/** Id of the row of a single-process service. */
export const SINGLE_NODE_ID = "alone";

/** Each commit updates its process's row: a lost outcome can be determined, and a removed process cannot commit. */
const CREATE_TABLE = `create table if not exists processes (id text primary key, note text not null default '',
  version text not null default '', beat bigint not null default 0, joined_at timestamptz not null default now(),
  seen_at timestamptz not null default now(), gone_at timestamptz); drop table if exists last_commit`;
/** Adds missing columns. Running nodes write to the table all the time, so it is locked only if a column is missing. */
const ADD_COLUMNS = `do $$ begin
  if not exists (select from information_schema.columns
    where table_schema = current_schema() and table_name = 'processes' and column_name = 'draining') then
    alter table processes add column address text not null default '', add column lag_ms bigint not null default 0,
      add column draining boolean not null default false, add column ready boolean not null default false;
  end if; end $$`;
/** Releases the starting lock of `enter`, so that the next node may start. */
export const RELEASE_STARTING_LOCK = {
  sql: "select pg_advisory_unlock($1, $2)",
  parameters: [...STARTING_LOCK],
} as const;

/** Returns the application name of a node's connections that read and write tables. */
export function toConnectionName(id: string): string {
  return `parley ${id}`;
}

export function createMembership(isShared: boolean, version = ""): Membership {
  const id = isShared ? randomUUID() : SINGLE_NODE_ID;
  const own = [PROCESS_LOCK_CLASS, randomInt(2 ** 31 - 1)] as const;
  let hasEntered = false;
  const join = async (client: pg.Client) => {
    if (!isShared) {
      await client.query(`${CREATE_TABLE}; ${ADD_COLUMNS}`);
      await client.query("insert into processes (id, version) values ($1, $2) on conflict do nothing", [id, version]);
      return;
    }
    await acquireLock(client, "pg_try_advisory_lock", STARTING_LOCK, START_TIMEOUT_MS, undefined);
    await client.query(`${CREATE_TABLE}; ${ADD_COLUMNS}`);
    await client.query("insert into processes (id, version) values ($1, $2)", [id, version]);
  };
  return {
    id,
    isShared,
    async enter(client, before) {
      await acquireLock(
        client,
        isShared ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock",
        WRITER_LOCK,
        LOCK_TIMEOUT_MS,
        before,
      );
      if (isShared) await acquireLock(client, "pg_try_advisory_lock", own, LOCK_TIMEOUT_MS, before);
      if (!hasEntered) await join(client);
      hasEntered = true;
    },
  };
}

/** Runs work that only one node may do at a time; the lock is released with its connection. */
export async function withSchemaLock<T>(options: pg.ClientConfig, work: () => Promise<T>): Promise<T> {
  return withConnection(options, async (client) => {
    await acquireLock(client, "pg_try_advisory_lock", SCHEMA_LOCK, START_TIMEOUT_MS, undefined);
    return work();
  });
}

/** Runs work that only one node may do at a time per name, in order; the lock ends with its connection. */
export async function withNamedLock<T>(options: pg.ClientConfig, name: string, work: () => Promise<T>): Promise<T> {
  let isAlone = false;
  try {
    return await withConnection({ ...options, statement_timeout: 0 }, async (client) => {
      await client.query(NAMED_LOCK_SETTINGS);
      await client.query("select pg_advisory_lock($1, $2)", [NAMED_LOCK_CLASS, toLockNumber(name)]);
      isAlone = true;
      return work();
    });
  } catch (error) {
    throw isAlone ? error : toAppError(error);
  }
}

function toLockNumber(name: string): number {
  return createHash("sha256").update(name).digest().readInt32BE();
}

type AdvisoryLock = readonly [number, number];

/** Acquires the lock, which is released with its connection; ends a previous connection of this process that still holds it. */
async function acquireLock(
  client: pg.Client,
  how: string,
  lock: AdvisoryLock,
  withinMs: number,
  before: number | undefined,
) {
  for (const until = performance.now() + withinMs; ; ) {
    const { rows } = await client.query(`select ${how}($1, $2) as has`, [...lock]);
    if (rows[0]?.has === 1) return;
    const holder = await findHolder(client, lock);
    if (holder && holder.pid === before) await client.query("select pg_terminate_backend($1)", [before]);
    else if (performance.now() > until) throw createInUseError(holder);
    await wait(LOCK_RETRY_MS);
  }
}

interface LockHolder {
  readonly pid: number;
  readonly address: string;
  readonly since: string;
}

async function findHolder(client: pg.Client, lock: AdvisoryLock): Promise<LockHolder | undefined> {
  const { rows } = await client.query<LockHolder>(
    `select a.pid, coalesce(host(a.client_addr), 'this machine') as address, a.backend_start::text as since
      from pg_locks l join pg_stat_activity a on a.pid = l.pid join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and l.granted and l.classid = $1 and l.objid = $2 and d.datname = current_database()`,
    [...lock],
  );
  return rows[0];
}

function createInUseError(holder: LockHolder | undefined): AppError {
  const who = holder ? ` (connected from ${holder.address} since ${holder.since})` : "";
  return new AppError(
    "unavailable",
    `another Parley${who} uses the database: stop it, give this one another database, or set 'nodes = true' for all of them`,
  );
}
