import pg from "pg";
import type { Membership } from "../cluster/membership-state.ts";
import { postgresTexts } from "../texts.ts";
import { TYPE_PARSERS } from "./values.ts";

const CONNECT_TIMEOUT_MS = 5_000;
/** Settings of connections that write; keepalives let the server detect a gone client and release its advisory lock. */
const WRITER_SETTINGS = `set client_min_messages = warning; set idle_in_transaction_session_timeout = '60s';
  set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3`;

/** A connection that is opened on first use, and again after it broke. */
export interface LazyConnection {
  getConnection(): Promise<pg.Client>;
  /** Closes a connection in an unknown state. */
  drop(): void;
  close(): Promise<void>;
}

export interface LazyConnectionOptions {
  readonly options: pg.ClientConfig;
  /** Registers each new connection in the cluster; undefined for connections that need no registration. */
  readonly membership: Membership | undefined;
  /** True when commits wait for the disk. */
  readonly isDurable: boolean;
}

export function createConnectionOptions(url: string, statementTimeoutMs: number): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: "parley",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    // Timeout for a server that does not respond at all.
    query_timeout: statementTimeoutMs + CONNECT_TIMEOUT_MS,
    types: TYPE_PARSERS as pg.CustomTypesConfig,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
  };
}

export function createLazyConnection({ options, membership, isDurable }: LazyConnectionOptions): LazyConnection {
  let current: pg.Client | undefined;
  let opening: Promise<pg.Client> | undefined;
  let previousProcessId: number | undefined;
  let isClosed = false;
  const drop = () => {
    const broken = current;
    current = undefined;
    opening = undefined;
    if (broken) closeIgnoringErrors(broken);
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
      await client.query(`${WRITER_SETTINGS}; set synchronous_commit = ${isDurable ? "on" : "off"}`);
      await membership?.enter(client, previousProcessId);
    } catch (error) {
      closeIgnoringErrors(client);
      throw error;
    }
    previousProcessId = (client as unknown as { readonly processID: number }).processID;
    current = client;
    return client;
  };
  return {
    getConnection() {
      if (isClosed) return Promise.reject(postgresTexts.error("unavailable", "closed"));
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

function closeIgnoringErrors(client: pg.Client): void {
  client.on("error", () => {});
  client.end().catch(() => {});
}

/** Runs a few queries on a connection, which is closed afterwards. */
export async function withConnection<T>(options: pg.ClientConfig, ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(options);
  // The query that fails reports the end of the connection.
  client.on("error", () => {});
  try {
    await client.connect();
    return await ask(client);
  } finally {
    await client.end();
  }
}
