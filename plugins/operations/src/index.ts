import {
  addDocuments,
  Channels,
  ChatCommands,
  Checks,
  CORS_ORIGINS,
  ConsoleAreas,
  Databases,
  definePlugin,
  EditedFiles,
  HostControl,
  JobKinds,
  JsonFiles,
  LiveEvents,
  LogFeed,
  Nodes,
  Probes,
  PUBLIC_BASE_URL,
  RecordLifecycle,
  RecordStore,
  RouteTables,
  Schedules,
  Sessions,
  SettingDefinitions,
  Settings,
  serviceKey,
  TIME_ZONE,
  TokenUsage,
  ToolTables,
  TRUSTED_PROXIES,
  TransferSections,
} from "@parley/core";
import { OWN_AREAS } from "./areas.ts";
import {
  assemble,
  assembleTransfer,
  assembleUpdates,
  FILE_CHECK_INTERVAL_MS,
  listInvalidFiles,
  toSettingsFileOptions,
} from "./assemble.ts";
import { BACKUP_SETTINGS, createBackupJob, scheduleBackups } from "./backup/backup-job.ts";
import { createBackupProbe } from "./backup/backup-probe.ts";
import { createBackupRoutes } from "./backup/backup-routes.ts";
import { createCommandRoutes } from "./command-routes.ts";
import { LOG_MIGRATIONS } from "./logs/log-store.ts";
import { createPersonLogFilesPart } from "./logs/person-log-files.ts";
import { createAgentTools } from "./mcp-tools.ts";
import { createLogsProbe, createSettingsProbe } from "./probes.ts";
import { readMachine } from "./reports/machine.ts";
import { createMessageCounter, createStatistics } from "./reports/statistics.ts";
import { createUsage } from "./reports/usage.ts";
import { createLogRoutes, createSettingsRoutes, createStatisticsRoutes, createUsageRoutes } from "./routes.ts";
import { applyLogLevels, PLUGIN_LEVELS } from "./settings/log-levels.ts";
import { collectFindings } from "./status/findings.ts";
import { createStartStatus } from "./status/start-status.ts";
import { createSystemRoutes } from "./status/system-routes.ts";
import {
  createUpdatesCheck,
  createUpdatesJob,
  KNOWN_VERSIONS,
  scheduleUpdates,
  UPDATE_SETTINGS,
} from "./status/updates.ts";
import { createTransferRoutes } from "./transfer/routes.ts";
import { createSettingsSection } from "./transfer/settings-section.ts";

interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("operations.own");

const SETTING_DEFINITIONS = [
  ...BACKUP_SETTINGS,
  ...UPDATE_SETTINGS,
  PLUGIN_LEVELS,
  TIME_ZONE,
  PUBLIC_BASE_URL,
  TRUSTED_PROXIES,
  CORS_ORIGINS,
];

/** The operations plugin: settings, logs, usage, statistics and reload. */
export default definePlugin({
  id: "operations",
  requires: [RecordStore, Databases, JsonFiles],
  register({ log, provide, contribute }) {
    addDocuments({ contribute }, KNOWN_VERSIONS);
    provide(Own, (from) => assemble(from, log));
    provide(Settings, (from) => from.get(Own).settings);
    for (const setting of SETTING_DEFINITIONS) contribute(SettingDefinitions, () => setting);
    for (const area of OWN_AREAS) contribute(ConsoleAreas, () => area);
    contribute(EditedFiles, toSettingsFileOptions);
    contribute(RecordLifecycle, (from) =>
      createPersonLogFilesPart(from.get(Own).logFolder, () => from.get(Own).logs.flush()),
    );
    contribute(JobKinds, (from) =>
      createBackupJob(() => ({ ...from.get(Own), host: from.get(HostControl), events: from.get(LiveEvents) })),
    );
    contribute(JobKinds, (from) => createUpdatesJob(() => assembleUpdates(from, from.get(Own))));
    contribute(Checks, (from) => createUpdatesCheck(() => assembleUpdates(from, from.get(Own))));
    contribute(Checks, (from) => from.get(Own).settingsCheck);
    contribute(TransferSections, (from) => createSettingsSection(from.get(Own).settings));
    contribute(RouteTables, (from) =>
      createBackupRoutes(() => from.get(HostControl).backups(from.get(Own).backupFolder), from.get(LiveEvents)),
    );
    contribute(RouteTables, (from) =>
      createTransferRoutes(assembleTransfer(from, from.get(Own), log), from.get(Own).clock.now),
    );
    contribute(RouteTables, (from) => createSettingsRoutes(from.get(Own).settings));
    contribute(RouteTables, (from) => createLogRoutes(from.get(Own).logs, from.get(Own).clock.now));
    contribute(RouteTables, (from) => {
      const [sessions, usage] = [from.find(Sessions), from.find(TokenUsage)];
      if (!sessions || !usage) return [];
      const { settings, clock } = from.get(Own);
      return createUsageRoutes(createUsage({ usage, settings, clock, ...createMessageCounter(sessions, clock) }));
    });
    contribute(RouteTables, (from) => {
      const sessions = from.find(Sessions);
      if (!sessions) return [];
      const { settings, clock } = from.get(Own);
      const [channels, host] = [from.find(Channels), from.get(HostControl)];
      const probes = () => from.all(Probes);
      return createStatisticsRoutes(createStatistics({ sessions, channels, probes, host, settings, clock }));
    });
    contribute(RouteTables, (from) => {
      const { clock, data } = from.get(Own);
      const host = from.get(HostControl);
      const probes = () => from.all(Probes);
      const findings = () => collectFindings({ host, probes, checks: () => from.all(Checks) });
      const isDraining = () => from.find(Nodes)?.isDraining() ?? false;
      const status = createStartStatus({ host, clock, probes, isDraining });
      const listBrokenFiles = () => from.get(JsonFiles).broken?.() ?? [];
      return createSystemRoutes({
        host,
        status,
        findings,
        machine: () => readMachine(data),
        listBrokenFiles,
        listInvalidFiles: () => listInvalidFiles(from, from.get(Own).settings),
        now: clock.now,
      });
    });
    contribute(RouteTables, (from) => {
      const channels = () => (from.find(Channels)?.list() ?? []).map(({ id }) => id);
      return createCommandRoutes(() => from.all(ChatCommands), channels);
    });
    contribute(ToolTables, (from) =>
      createAgentTools({ ...from.get(Own), host: from.get(HostControl), probes: () => from.all(Probes) }),
    );
    contribute(Probes, (from) => createLogsProbe(from.get(Own).logs));
    contribute(Probes, (from) => createSettingsProbe(from.get(Own).settings));
    contribute(Probes, (from) => createBackupProbe(from.get(Own).backupFolder, from.get(Own).clock));
  },
  async start({ get, defer }) {
    await get(Databases).main.migrate("operations", LOG_MIGRATIONS);
    const { settingsFile, settings, logs } = get(Own);
    await settingsFile.sealAll();
    const timer = setInterval(() => settings.checkFile(), FILE_CHECK_INTERVAL_MS);
    defer(() => clearInterval(timer));
    defer(() => logs.flush());
    defer(get(LogFeed).subscribe((row) => logs.add(row)));
    defer(applyLogLevels(settings, get(LogFeed)));
  },
  async ready({ get, find, log, defer }) {
    const { settings, settingsCheck } = get(Own);
    settingsCheck.markStarted();
    settings.logUnknownKeys();
    const schedules = find(Schedules);
    if (!schedules) return;
    const failed = (what: string) => (error: unknown) =>
      log.error("a schedule could not be planned", { schedule: what, error });
    defer(await scheduleBackups(schedules, settings, failed("backups")));
    defer(await scheduleUpdates(schedules, settings, failed("updates")));
  },
});
