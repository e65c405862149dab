import type { Migration } from "@parley/core";
import { sql } from "kysely";

/** Forward only; a released step is never changed. */
export const CHARACTER_MIGRATIONS: readonly Migration[] = [
  {
    id: "001-states-and-relationships",
    async up(db) {
      await db.schema
        .createTable("character_states")
        .addColumn("character_id", "text", (column) => column.notNull())
        .addColumn("scope_id", "text", (column) => column.notNull())
        .addColumn("mood", "text", (column) => column.notNull())
        .addColumn("mood_intensity", sql`double precision`, (column) => column.notNull())
        .addColumn("energy", "integer", (column) => column.notNull())
        .addColumn("scene", "text", (column) => column.notNull())
        .addColumn("turns", "integer", (column) => column.notNull())
        .addColumn("last_active_at", "text")
        .addColumn("updated_at", "text", (column) => column.notNull())
        .addColumn("revision", "integer", (column) => column.notNull())
        .addPrimaryKeyConstraint("character_states_key", ["character_id", "scope_id"])
        .execute();
      await db.schema
        .createIndex("character_states_scope")
        .on("character_states")
        .columns(["scope_id", "character_id"])
        .execute();
      await db.schema
        .createTable("character_relationships")
        .addColumn("character_id", "text", (column) => column.notNull())
        .addColumn("target_id", "text", (column) => column.notNull())
        .addColumn("affection", "integer", (column) => column.notNull())
        .addColumn("trust", "integer", (column) => column.notNull())
        .addColumn("security", "integer", (column) => column.notNull())
        .addColumn("familiarity", "integer", (column) => column.notNull())
        .addColumn("dependency", "integer", (column) => column.notNull())
        .addColumn("jealousy", "integer", (column) => column.notNull())
        .addColumn("updated_at", "text", (column) => column.notNull())
        .addColumn("revision", "integer", (column) => column.notNull())
        .addPrimaryKeyConstraint("character_relationships_key", ["character_id", "target_id"])
        .execute();
    },
  },
];
