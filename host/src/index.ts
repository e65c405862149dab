export { restoreBackup } from "./backup/restore-backup.ts";
export { checkConfiguration, describeConfiguration } from "./config/check-configuration.ts";
export type { Flags } from "./config/configuration.ts";
export { type DashboardFiles, dashboardFiles } from "./dashboards/dashboards-command.ts";
export { type Host, startHost } from "./host.ts";
export type { HostOptions } from "./host-options.ts";
export { readTurn, replayTurn } from "./replay/replay.ts";
export { StartError } from "./start-error.ts";
