import type { Migration } from "@parley/core";

export interface SubscriptionRow {
  readonly id: string;
  readonly endpoint: string;
  /** Encrypted JSON. */
  readonly keys: string;
  /** Id of the session; null for all sessions. */
  readonly session_id: string | null;
  readonly account_id: string;
  readonly username: string;
  /** Id of the login that created the subscription; the subscription ends with it. */
  readonly credential_id: string;
  /** Expiry of that login in epoch milliseconds; null for never. Rows of earlier versions get it at the next start. */
  readonly ends_ms: number | string | null;
  readonly user_agent: string;
  readonly language: string;
  /** In epoch milliseconds, as `last_sent_at`. */
  readonly created_at: number | string;
  readonly last_sent_at: number | string | null;
  /** Number of consecutive failures. */
  readonly failures: number;
}

/** The newest notice of a session. */
export interface NoticeRow {
  readonly session_id: string;
  readonly notice_id: string;
  /** The `NoticeContent` as JSON. */
  readonly about: string;
  readonly at_ms: number | string;
  /** Time of the last push of the session. */
  readonly sent_ms: number | string | null;
  /** Id of the job that sent it. */
  readonly taken_by: string | null;
}

export interface PushTables {
  readonly push_subscriptions: SubscriptionRow;
  readonly push_notices: NoticeRow;
}

/** Forward only; a released step is never changed. */
export const PUSH_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-as-of-0.1.0",
    replaces: ["001-push", "002-ends-with-its-login"],
    async up(db) {
      await createSubscriptions(db);
      await createNotices(db);
    },
  },
];

type SchemaDatabase = Parameters<Migration["up"]>[0];

async function createSubscriptions(db: SchemaDatabase): Promise<void> {
  await db.schema
    .createTable("push_subscriptions")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("endpoint", "text", (column) => column.notNull().unique())
    .addColumn("keys", "text", (column) => column.notNull())
    .addColumn("session_id", "text")
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("username", "text", (column) => column.notNull())
    .addColumn("credential_id", "text", (column) => column.notNull())
    .addColumn("user_agent", "text", (column) => column.notNull())
    .addColumn("language", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("last_sent_at", "bigint")
    .addColumn("failures", "integer", (column) => column.notNull())
    .addColumn("ends_ms", "bigint")
    .execute();
  await db.schema.createIndex("push_subscriptions_account").on("push_subscriptions").column("account_id").execute();
}

async function createNotices(db: SchemaDatabase): Promise<void> {
  await db.schema
    .createTable("push_notices")
    .addColumn("session_id", "text", (column) => column.primaryKey())
    .addColumn("notice_id", "text", (column) => column.notNull())
    .addColumn("about", "text", (column) => column.notNull())
    .addColumn("at_ms", "bigint", (column) => column.notNull())
    .addColumn("sent_ms", "bigint")
    .addColumn("taken_by", "text")
    .execute();
}
