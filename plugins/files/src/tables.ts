import type { Migration } from "@parley/core";

export interface FileRow {
  readonly id: string;
  readonly safe_name: string;
  readonly name: string;
  readonly mime_type: string;
  readonly size: number;
  readonly sha256: string;
  /** 1: it belongs to something that stays. */
  readonly kept: number;
  /** When it was stored or last read. */
  readonly used_ms: number;
  readonly created_ms: number;
}

export interface FileTables {
  readonly files: FileRow;
}

export const FILE_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-files",
    async up(db) {
      await db.schema
        .createTable("files")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("safe_name", "text", (column) => column.notNull().unique())
        .addColumn("name", "text", (column) => column.notNull())
        .addColumn("mime_type", "text", (column) => column.notNull())
        .addColumn("size", "bigint", (column) => column.notNull())
        .addColumn("sha256", "text", (column) => column.notNull())
        .addColumn("kept", "integer", (column) => column.notNull())
        .addColumn("used_ms", "bigint", (column) => column.notNull())
        .addColumn("created_ms", "bigint", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("files_unused").on("files").columns(["kept", "used_ms"]).execute();
    },
  },
];
