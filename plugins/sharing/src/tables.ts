import type { Migration } from "@parley/core";

export interface PublicationRow {
  readonly session_id: string;
  readonly public_id: string;
  /** The `ShareOptions` as JSON. */
  readonly options: string;
  /** The `Snapshot` as JSON. */
  readonly snapshot: string;
  readonly password_hash: string | null;
  readonly view_count: number;
  /** Milliseconds. */
  readonly created_at: number | string;
  readonly updated_at: number | string;
  readonly expires_at: number | string;
}

export interface SharingTables {
  readonly publications: PublicationRow;
}

export const SHARING_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-publications",
    async up(db) {
      await db.schema
        .createTable("publications")
        .addColumn("session_id", "text", (column) => column.primaryKey())
        .addColumn("public_id", "text", (column) => column.notNull().unique())
        .addColumn("options", "text", (column) => column.notNull())
        .addColumn("snapshot", "text", (column) => column.notNull())
        .addColumn("password_hash", "text")
        .addColumn("view_count", "integer", (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addColumn("updated_at", "bigint", (column) => column.notNull())
        .addColumn("expires_at", "bigint", (column) => column.notNull())
        .execute();
    },
  },
];
