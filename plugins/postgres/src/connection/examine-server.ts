import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "@parley/core";
import type pg from "pg";
import { withConnection } from "./connections.ts";
import { getSqlState, toReason } from "./failures.ts";
import { getMedian } from "./round-trips.ts";

const MIN_VERSION = 14;
const STARTING_UP = "57P03";
const RETRY_MS = 250;
const MEASUREMENTS = 5;

const READ_FACTS = `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
  current_setting('transaction_read_only') = 'on' as is_read_only, current_setting('server_encoding') as encoding,
  'B' < 'a' and 'Z' < '_' and '~' < 'é' as is_by_bytes, coalesce(current_schema(), '') as schema,
  coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create, current_user as user`;

interface ServerFacts {
  readonly version: string;
  readonly number: number;
  readonly is_read_only: number;
  readonly encoding: string;
  readonly is_by_bytes: number;
  readonly schema: string;
  readonly may_create: number;
  readonly user: string;
}

/** Measures the server's round trip in milliseconds; throws as `examineServer` does. */
export async function measureServer(options: pg.ClientConfig): Promise<number> {
  await examineServer(options, 0);
  return withConnection(options, async (client) => {
    const times: number[] = [];
    for (let left = MEASUREMENTS; left > 0; left -= 1) {
      const begunMs = performance.now();
      await client.query("select 1");
      times.push(performance.now() - begunMs);
    }
    return getMedian(times);
  });
}

/** Returns the version of a usable server; throws `unavailable` with the reason and a remedy. */
export async function examineServer(options: pg.ClientConfig, startingWithinMs: number): Promise<string> {
  const place = parseLocation(options.connectionString ?? "");
  for (const until = performance.now() + startingWithinMs; ; ) {
    try {
      const facts = await withConnection(
        options,
        async (client) => (await client.query<ServerFacts>(READ_FACTS)).rows[0],
      );
      const problem = facts ? findProblem(facts, place.database) : "does not say what it is";
      if (facts && problem === undefined) return facts.version;
      throw new AppError("unavailable", `${place.address} ${problem}`);
    } catch (error) {
      if (AppError.is(error)) throw error;
      // The service and the server may be started at the same time.
      if (getSqlState(error) !== STARTING_UP || performance.now() > until) throw createConnectionError(place, error);
      await wait(RETRY_MS);
    }
  }
}

function findProblem(facts: ServerFacts, database: string): string | undefined {
  const create = `createdb --template=template0 --locale=C --encoding=UTF8 ${database}`;
  if (facts.number < MIN_VERSION * 10_000) return `is PostgreSQL ${facts.version}: ${MIN_VERSION} or newer is needed`;
  if (facts.is_read_only) return "cannot be written: it is read-only, or a copy of another server";
  if (facts.encoding !== "UTF8") return `keeps texts in ${facts.encoding}, not in UTF8: make it with ${create}`;
  if (!facts.is_by_bytes) return `sorts texts by the rules of a language: make it with ${create}`;
  if (!facts.may_create) {
    return `gives ${facts.user} no right to make tables: alter database ${database} owner to ${facts.user}`;
  }
  return undefined;
}

interface ServerLocation {
  /** Address of the server without the password. */
  readonly address: string;
  readonly database: string;
}

function parseLocation(url: string): ServerLocation {
  const { hostname = "", port = "", pathname = "", username = "", searchParams } = URL.parse(url) ?? {};
  const database = decodeURIComponent(pathname.slice(1)) || username;
  const host = searchParams?.get("host") ?? (hostname || "localhost");
  return { address: `the database '${database}' at ${host}${port && `:${port}`}`, database };
}

function createConnectionError({ address, database }: ServerLocation, cause: unknown): AppError {
  const ways: Readonly<Record<string, string>> = {
    "3D000": `does not exist: make it with createdb --template=template0 --locale=C --encoding=UTF8 ${database}`,
    "28P01": "refuses the password",
    "28000": "refuses the user",
    "53300": "has no connection left: raise max_connections there, or lower read_connections",
  };
  const why = ways[getSqlState(cause) ?? ""] ?? `cannot be reached: ${toReason(cause)}`;
  return new AppError("unavailable", `${address} ${why}`, { cause });
}
