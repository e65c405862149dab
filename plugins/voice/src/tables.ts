import type { Migration } from "@parley/core";

/** A spoken text and its file. */
export interface SpokenRow {
  /** Digest of the text and the options of the speech, 32 hex digits. */
  readonly key: string;
  readonly filename: string;
  readonly text: string;
  readonly voice: string;
  readonly speed: number;
  readonly format: string;
  readonly size: number;
  readonly duration_ms: number | string | null;
  readonly model: string;
  readonly created_ms: number | string;
}

/** A session that uses a spoken text; several may share one. */
export interface SpokenUseRow {
  readonly key: string;
  /** Id of the session; empty for a request outside conversations. */
  readonly session_id: string;
}

/** The transcript of one file of a message. */
export interface TranscriptRow {
  /** Derived from the turn, so that a repeated turn finds the transcript. */
  readonly id: string;
  readonly text: string;
  readonly language: string | null;
  readonly created_ms: number | string;
}

export interface VoiceTables {
  readonly spoken: SpokenRow;
  readonly spoken_uses: SpokenUseRow;
  readonly heard: TranscriptRow;
}

export const VOICE_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-spoken-and-heard",
    async up(db) {
      await db.schema
        .createTable("spoken")
        .addColumn("key", "text", (column) => column.primaryKey())
        .addColumn("filename", "text", (column) => column.notNull().unique())
        .addColumn("text", "text", (column) => column.notNull())
        .addColumn("voice", "text", (column) => column.notNull())
        .addColumn("speed", "double precision", (column) => column.notNull())
        .addColumn("format", "text", (column) => column.notNull())
        .addColumn("size", "bigint", (column) => column.notNull())
        .addColumn("duration_ms", "bigint")
        .addColumn("model", "text", (column) => column.notNull())
        .addColumn("created_ms", "bigint", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("spoken_created").on("spoken").column("created_ms").execute();
      await db.schema
        .createTable("heard")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("text", "text", (column) => column.notNull())
        .addColumn("language", "text")
        .addColumn("created_ms", "bigint", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("heard_created").on("heard").column("created_ms").execute();
    },
  },
  {
    id: "002-spoken-uses",
    async up(db) {
      await db.schema
        .createTable("spoken_uses")
        .addColumn("key", "text", (column) => column.notNull())
        .addColumn("session_id", "text", (column) => column.notNull())
        .addPrimaryKeyConstraint("spoken_uses_key", ["key", "session_id"])
        .execute();
      await db.schema.createIndex("spoken_uses_session").on("spoken_uses").column("session_id").execute();
    },
  },
];
