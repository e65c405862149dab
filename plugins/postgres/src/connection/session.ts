import pg from "pg";
import type { Membership } from "../cluster/membership-state.ts";
import { postgresTexts } from "../texts.ts";
import { TYPE_PARSERS } from "./values.ts";

const CONNECT_TIMEOUT_MS = 5_000;
/** Settings of the writing connection; keepalives let the server detect a gone client and release its lock. */
const WRITER_SETTINGS = `set client_min_messages = warning; set idle_in_transaction_session_timeout = '60s';
  set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3`;

/** A connection that is opened on first use, and again after it broke. */
export interface Session {
  getConnection(): Promise<pg.Client>;
  /** Closes a connection in an unknown state. */
  drop(): void;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly options: pg.ClientConfig;
  /** The membership; undefined for the history, whose commits do not wait for the disk. */
  readonly membership: Membership | undefined;
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

export function createSession({ options, membership }: SessionOptions): Session {
  let current: pg.Client | undefined;
  let opening: Promise<pg.Client> | undefined;
  let before: number | undefined;
  let isClosed = false;
  const drop = () => {
    const broken = current;
    current = undefined;
    opening = undefined;
    if (broken) abandon(broken);
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
      await client.query(WRITER_SETTINGS);
      await client.query(`set synchronous_commit = ${membership ? "on" : "off"}`);
      await membership?.enter(client, before);
    } catch (error) {
      abandon(client);
      throw error;
    }
    before = (client as unknown as { readonly processID: number }).processID;
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

/** Closes a connection and ignores errors. */
function abandon(client: pg.Client): void {
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
