import type { Migration } from "@parley/core";

export interface FileRow {
  readonly id: string;
  readonly safe_name: string;
  readonly name: string;
  readonly mime_type: string;
  readonly size: number;
  readonly sha256: string;
  /** 1 for a retained file, which is not removed when it is unused. */
  readonly kept: number;
  /** Time at which the file was stored or last read. */
  readonly used_ms: number;
  readonly created_ms: number;
}

/** Use of a file by a session; an empty session means permanent use. */
export interface FileUseRow {
  readonly safe_name: string;
  readonly session_id: string;
}

export interface FileTables {
  readonly files: FileRow;
  readonly file_uses: FileUseRow;
}

export const FILE_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-as-of-0.1.0",
    replaces: ["001-files", "002-whose", "003-newest"],
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
      await db.schema
        .createTable("file_uses")
        .addColumn("safe_name", "text", (column) => column.notNull())
        .addColumn("session_id", "text", (column) => column.notNull())
        .addPrimaryKeyConstraint("file_uses_key", ["safe_name", "session_id"])
        .execute();
      await db.schema.createIndex("file_uses_session").on("file_uses").column("session_id").execute();
      await db.schema.createIndex("files_newest").on("files").columns(["created_ms", "id"]).execute();
    },
  },
];
