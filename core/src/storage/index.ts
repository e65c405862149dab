// What a storage plugin and its tools need: migrations, table shapes, change feeds.
export {
  applyMigrations,
  createTooOldError,
  type Expansion,
  type MigrationOptions,
  rejectNewerSteps,
  type SharedMigrations,
  type TakenStep,
  withReplacements,
} from "./apply-migrations.ts";
export { type Broadcast, type BroadcastDeps, createBroadcast } from "./broadcast.ts";
export { type ChangeReader, createChangeReader } from "./change-reader.ts";
export { createIncompleteMigrationError, MOVE_TABLE } from "./incomplete-migration.ts";
export { countRows, readPage } from "./read-page.ts";
export { type RecordParts, recordParts } from "./record-parts.ts";
export { createRowExistence, type RowExistence } from "./row-existence.ts";
export { type Column, isPostgres, queryRows, type TableShape, tablesIn } from "./table-shape.ts";
export { findUpgradeCopies, type UpgradeCopy, upgradeCopyName } from "./upgrade-copies.ts";
export { runOnceVersionsMatch } from "./version-barrier.ts";
