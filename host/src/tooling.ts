/**
 * The parts of the host that its command-line package uses. They are not part of the contract and may change with any version, because
 * both packages are released together.
 */
export { type BackedUpFile, type BackupManifest, toContentFolder } from "./backup/backup-manifest.ts";
export type { KnownBlobs } from "./backup/copy-blobs.ts";
export { copyWithHash } from "./backup/copy-file.ts";
export { exportRows, toExportPath } from "./backup/export-rows.ts";
export { DATABASES_FILE, MAIN_DATABASE, makeBackup } from "./backup/make-backup.ts";
export { type Restored, type RestoreOptions, restoreBackup } from "./backup/restore-backup.ts";
export { suggestName } from "./config/config-schema.ts";
export { type Configuration, type PluginEntry, readConfiguration, toErrorMessage } from "./config/configuration.ts";
export { findExternalStorage } from "./config/external-storage.ts";
export { readLanguages, warnMissingTexts } from "./config/languages.ts";
export { enablePlugin } from "./config/plugin-changes.ts";
export { createLogging } from "./diagnostics/logging.ts";
export { createRedaction } from "./diagnostics/redaction.ts";
export { examineFolder } from "./doctor/examine-folder.ts";
export { type Finding, fromPluginFinding, toOk, toProblem, toWarning, untranslated } from "./doctor/finding.ts";
export { createEgress } from "./egress/egress.ts";
export { loadConfiguredPlugins } from "./host-options.ts";
export { listHostRouteNames, listHostRoutes } from "./http/host-routes.ts";
export { HOST_METRICS } from "./http/metrics.ts";
export { describeApi } from "./http/openapi/describe-api.ts";
export { createGeneration, type Generation } from "./lifecycle/generation.ts";
export { createHostServices, toHostService } from "./lifecycle/host-services.ts";
export { createIdleControl } from "./lifecycle/idle-control.ts";
export { createLiveEvents } from "./lifecycle/live-events.ts";
export { toInsertWrites } from "./migrate/copy-table.ts";
export {
  collectDeclaredSteps,
  createTextSpaces,
  type DeclaredSteps,
  type OwnerSteps,
} from "./migrate/declared-steps.ts";
export { computeIdentity, moveRows, rejectUsedDatabase } from "./migrate/move-rows.ts";
export { type OpenRows, openRows, readSnapshot } from "./migrate/open-rows.ts";
export {
  classifyTable,
  compareColumns,
  MIGRATION_TABLES,
  planMove,
  readOwners,
  type Source,
  withAllPlugins,
} from "./migrate/plan-move.ts";
export { readMoveIdentity } from "./migrate/progress.ts";
export type { Row } from "./migrate/row-checksum.ts";
export {
  openFiles,
  openPostgres,
  openSource,
  openSources,
  POSTGRES,
  rejectExistingFiles,
  type Target,
  withStorage,
} from "./migrate/storages.ts";
export { createPassagePages, createTablePages, type Pages } from "./migrate/table-pages.ts";
export { insertListed, insertPlugin, replacePackage } from "./packages/config-edits.ts";
export { findPackage, toPackagesFolder } from "./packages/find-package.ts";
export { readDependencies, runNpm } from "./packages/npm.ts";
export { disableInConfig, findRemovablePackage, uninstall } from "./packages/remove-package.ts";
export { BUNDLED_PLUGINS, isFirstParty } from "./plugins/first-party.ts";
export { importInstalledPlugin, type LoadedPlugin } from "./plugins/load-plugins.ts";
export type { PartialStart } from "./plugins/partial-start.ts";
export { warnCoreCopies, warnForcedOn, warnNothingInstalled, warnUnusedSettings } from "./plugins/plugin-warnings.ts";
export { makeFolder } from "./process/file-system.ts";
export { connectToService } from "./process/local-connections.ts";
export { isProcessAlive } from "./process/process-alive.ts";
export { sentence, toSentence, UNDECLARED_TABLE, verbatim } from "./sentences.ts";
export { readHostVersion } from "./version.ts";
