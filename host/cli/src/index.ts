export { checkConfiguration, describeConfiguration } from "./check/check-configuration.ts";
export { createDashboardFiles, type DashboardFiles } from "./dashboards/dashboards-command.ts";
export { readTurn, replayTurn } from "./replay/replay.ts";
