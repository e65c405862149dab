export { checkConfiguration, describeConfiguration } from "./check/check-configuration.ts";
export { type DashboardFiles, dashboardFiles } from "./dashboards/dashboards-command.ts";
export { readTurn, replayTurn } from "./replay/replay.ts";
