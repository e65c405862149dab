import type { Migration } from "@parley/core";

/** PostgreSQL returns 64-bit numbers as text. */
type DbTime = number | string;

/** A program that registered itself, as any program may. It has no access until a person grants it. */
export interface ClientRow {
  readonly id: string;
  readonly name: string;
  /** The redirect URIs as JSON. */
  readonly redirect_uris: string;
  readonly created_at: DbTime;
  /** Time of the last grant; null if there was none. */
  readonly granted_at: DbTime | null;
  /** Digest of the network from which it registered; null for older rows. */
  readonly network: string | null;
}

/** A person's consent, waiting for the client's token request. */
export interface CodeRow {
  /** SHA-256 of the code, in hex. */
  readonly id: string;
  readonly client_id: string;
  readonly account_id: string;
  readonly username: string;
  /** Scopes separated by blanks. */
  readonly scopes: string;
  readonly resource: string;
  readonly redirect_uri: string;
  readonly challenge: string;
  /** Expiry of the login that granted access. */
  readonly ends_by: DbTime | null;
  readonly expires_at: DbTime;
  /** Id of the grant for which it was exchanged; null before that. */
  readonly grant_id: string | null;
}

/** A grant: one for each client and account. */
export interface GrantRow {
  readonly id: string;
  readonly client_id: string;
  readonly client_name: string;
  readonly account_id: string;
  readonly username: string;
  readonly scopes: string;
  readonly resource: string;
  /** SHA-256 of the current tokens, in hex. An earlier token is recognised by its grant id, but its hash does not match. */
  readonly access_hash: string;
  readonly access_expires_at: DbTime;
  readonly refresh_hash: string;
  readonly expires_at: DbTime;
  readonly ends_by: DbTime | null;
  readonly last_used_at: DbTime | null;
  readonly last_used_ip: string | null;
  readonly created_at: DbTime;
  readonly updated_at: DbTime;
  readonly revision: number;
}

export interface OAuthTables {
  readonly oauth_clients: ClientRow;
  readonly oauth_codes: CodeRow;
  readonly oauth_grants: GrantRow;
}

/** Forward only; a released step is never changed. */
export const OAUTH_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-oauth",
    async up(db) {
      await db.schema
        .createTable("oauth_clients")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("name", "text", (column) => column.notNull())
        .addColumn("redirect_uris", "text", (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addColumn("granted_at", "bigint")
        .execute();
      await db.schema
        .createTable("oauth_codes")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("client_id", "text", (column) => column.notNull())
        .addColumn("account_id", "text", (column) => column.notNull())
        .addColumn("username", "text", (column) => column.notNull())
        .addColumn("scopes", "text", (column) => column.notNull())
        .addColumn("resource", "text", (column) => column.notNull())
        .addColumn("redirect_uri", "text", (column) => column.notNull())
        .addColumn("challenge", "text", (column) => column.notNull())
        .addColumn("ends_by", "bigint")
        .addColumn("expires_at", "bigint", (column) => column.notNull())
        .addColumn("grant_id", "text")
        .execute();
      await db.schema
        .createTable("oauth_grants")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("client_id", "text", (column) => column.notNull())
        .addColumn("client_name", "text", (column) => column.notNull())
        .addColumn("account_id", "text", (column) => column.notNull())
        .addColumn("username", "text", (column) => column.notNull())
        .addColumn("scopes", "text", (column) => column.notNull())
        .addColumn("resource", "text", (column) => column.notNull())
        .addColumn("access_hash", "text", (column) => column.notNull())
        .addColumn("access_expires_at", "bigint", (column) => column.notNull())
        .addColumn("refresh_hash", "text", (column) => column.notNull())
        .addColumn("expires_at", "bigint", (column) => column.notNull())
        .addColumn("ends_by", "bigint")
        .addColumn("last_used_at", "bigint")
        .addColumn("last_used_ip", "text")
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addColumn("updated_at", "bigint", (column) => column.notNull())
        .addColumn("revision", "integer", (column) => column.notNull())
        .addUniqueConstraint("oauth_grants_of", ["client_id", "account_id"])
        .execute();
    },
  },
  {
    id: "002-network-of-clients",
    expands: true,
    async up(db) {
      await db.schema.alterTable("oauth_clients").addColumn("network", "text").execute();
    },
  },
];
