import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "@parley/core";
import pg from "pg";
import { TYPES } from "./values.ts";

/** `pg_advisory_lock` of whoever writes: one service at a time. */
const LOCK = [1_885_434_476, 1] as const;
/** A service that was killed has lost it after an instant. */
const LOCK_WITHIN_MS = 2_000;
const LOCK_EVERY_MS = 100;
const CONNECT_WITHIN_MS = 5_000;
/** The server notices a peer that is gone without a word, and lets go of its lock. */
const OF_A_WRITER = `set client_min_messages = warning; set idle_in_transaction_session_timeout = '60s';
  set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3`;

/** What a commit writes beside its rows: of one whose answer was lost it is known then what became of it. */
const MARKS = `create table if not exists last_commit (id integer primary key, note text not null);
  insert into last_commit (id, note) values (1, '') on conflict do nothing`;

/** A connection that is opened when it is first needed, and again after it broke. */
export interface Session {
  connection(): Promise<pg.Client>;
  /** Gives up a connection of which nobody knows what it is in the middle of. */
  drop(): void;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly options: pg.ClientConfig;
  /** `history`: commits do not wait for the disk, and others may write, too. */
  readonly isHistory: boolean;
}

export function connectionOptions(url: string, statementTimeoutMs: number): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: "parley",
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    statement_timeout: statementTimeoutMs,
    // Of a server that does not answer at all.
    query_timeout: statementTimeoutMs + CONNECT_WITHIN_MS,
    types: TYPES as pg.CustomTypesConfig,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
  };
}

export function createSession({ options, isHistory }: SessionOptions): Session {
  let current: pg.Client | undefined;
  let opening: Promise<pg.Client> | undefined;
  let before: number | undefined;
  let isClosed = false;
  const drop = () => {
    const broken = current;
    current = undefined;
    opening = undefined;
    if (broken) giveUp(broken);
  };
  const open = async () => {
    const client = new pg.Client({ ...options, pipeline: true } as pg.ClientConfig);
    const forget = () => {
      if (current === client) drop();
    };
    client.on("error", forget);
    client.on("end", forget);
    try {
      await client.connect();
      await client.query(OF_A_WRITER);
      if (isHistory) await client.query("set synchronous_commit = off");
      else {
        await client.query("set synchronous_commit = on");
        await takeLock(client, before);
        await client.query(MARKS);
      }
    } catch (error) {
      giveUp(client);
      throw error;
    }
    before = (client as unknown as { readonly processID: number }).processID;
    current = client;
    return client;
  };
  return {
    connection() {
      if (isClosed) return Promise.reject(new AppError("unavailable", "the storage is closed"));
      opening ??= open().catch((error) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    drop,
    async close() {
      isClosed = true;
      const last = await opening?.catch(() => undefined);
      opening = undefined;
      current = undefined;
      await last?.end();
    },
  };
}

/** Nothing is said on it any more; how it ends is of no interest. */
function giveUp(client: pg.Client): void {
  client.on("error", () => {});
  client.end().catch(() => {});
}

/** As long as the connection lives nobody else writes; what our own connection of before has not let go of is ended. */
async function takeLock(client: pg.Client, before: number | undefined): Promise<void> {
  for (const until = performance.now() + LOCK_WITHIN_MS; ; ) {
    const { rows } = await client.query("select pg_try_advisory_lock($1, $2) as has", [...LOCK]);
    if (rows[0]?.has === 1) return;
    const holder = await holderOf(client);
    if (holder && holder.pid === before) await client.query("select pg_terminate_backend($1)", [before]);
    else if (performance.now() > until) throw inUse(holder);
    await wait(LOCK_EVERY_MS);
  }
}

interface Holder {
  readonly pid: number;
  readonly address: string;
  readonly since: string;
}

async function holderOf(client: pg.Client): Promise<Holder | undefined> {
  const { rows } = await client.query<Holder>(
    `select a.pid, coalesce(host(a.client_addr), 'this machine') as address, a.backend_start::text as since
      from pg_locks l join pg_stat_activity a on a.pid = l.pid join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and l.granted and l.classid = $1 and l.objid = $2 and d.datname = current_database()`,
    [...LOCK],
  );
  return rows[0];
}

function inUse(holder: Holder | undefined): AppError {
  const who = holder ? ` (connected from ${holder.address} since ${holder.since})` : "";
  return new AppError(
    "unavailable",
    `another Parley${who} uses the database: stop it, or give this one another database`,
  );
}

/** A connection for a few questions, closed after them. */
export async function briefly<T>(options: pg.ClientConfig, ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(options);
  // Whatever ends it is told by the question that it ends.
  client.on("error", () => {});
  try {
    await client.connect();
    return await ask(client);
  } finally {
    await client.end();
  }
}
