import { AppError } from "@parley/core";
import type { SharedMigrations } from "@parley/core/storage";
import type pg from "pg";
import { withConnection } from "../connection/connections.ts";
import { NAMED_LOCK_CLASS, SCHEMA_LOCK, SINGLE_NODE_ID, toConnectionName } from "./membership.ts";

const READ_OTHERS = `select id, version, address from processes where gone_at is null and id not in ('${SINGLE_NODE_ID}', $1)
  and seen_at > now() - interval '10 seconds' and version <> $2 and version <> '' order by version, address`;
/** Versions that fail for good with statements prepared before a table changed. */
const STALE_PLAN_VERSIONS: ReadonlySet<string> = new Set(["0.1.0", "0.2.0"]);
/** Name of the reading connections of these versions. */
const OLD_CONNECTION_NAME = "parley";
/** Ends connections by name, except those that only hold a lock. */
const END_OTHER_CONNECTIONS = `select pg_terminate_backend(a.pid) from pg_stat_activity a
  where a.datname = current_database() and a.usename = current_user and a.application_name = any($1)
    and not exists (select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory' and l.granted
      and (l.classid = ${NAMED_LOCK_CLASS} or (l.classid = ${SCHEMA_LOCK[0]} and l.objid = ${SCHEMA_LOCK[1]})))`;

/** Handles nodes of other versions on the same database. */
export interface OtherVersions extends SharedMigrations {
  /** Makes nodes of other versions continue after a table has changed. */
  refreshOthers(): Promise<void>;
}

export function createOtherVersions(options: pg.ClientConfig, own: OwnNode | undefined): OtherVersions {
  return {
    mayChange: async (owner, step) => {
      if (own) await rejectOtherVersions(options, own, `'${step}' of '${owner}'`);
    },
    refreshOthers: async () => {
      if (own) await reconnectOthers(options, own);
    },
  };
}

/** This node, among others on the database. */
interface OwnNode {
  readonly id: string;
  readonly version: string;
}

/** Throws while nodes of another version use the database: a migration that is not only additive would remove data they need. */
async function rejectOtherVersions(options: pg.ClientConfig, own: OwnNode, step: string) {
  const others = await withConnection(options, (client) => listOthers(client, own));
  if (others.length === 0) return;
  const named = others
    .map(({ version, address }) => (address === "" ? version : `${version} at ${address}`))
    .join(", ");
  throw new AppError(
    "unavailable",
    `${own.version} changes tables that other versions use (${step}), and nodes of them work on the database: ${named}. Stop those first`,
  );
}

/**
 * Lets nodes of 0.1.0 and 0.2.0 continue after a migration: they reconnect and prepare their statements for the changed
 * tables. Otherwise they fail with "cached plan must not change result type" until they restart; later versions prepare
 * such a statement again.
 */
async function reconnectOthers(options: pg.ClientConfig, own: OwnNode): Promise<void> {
  await withConnection(options, async (client) => {
    const others = (await listOthers(client, own)).filter(({ version }) => STALE_PLAN_VERSIONS.has(version));
    if (others.length === 0) return;
    await client.query(END_OTHER_CONNECTIONS, [[OLD_CONNECTION_NAME, ...others.map(({ id }) => toConnectionName(id))]]);
  });
}

interface OtherNode extends OwnNode {
  readonly address: string;
}

async function listOthers(client: pg.Client, own: OwnNode): Promise<readonly OtherNode[]> {
  return (await client.query<OtherNode>(READ_OTHERS, [own.id, own.version])).rows;
}
