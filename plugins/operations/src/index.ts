import { join } from "node:path";
import {
  type BrokenFile,
  Channels,
  ChatCommands,
  Checks,
  Clock,
  CORS_ORIGINS,
  Collections,
  ConfigSections,
  ConsoleAreas,
  Databases,
  definePlugin,
  EditedFiles,
  Egress,
  Environment,
  Files,
  HostControl,
  JobKinds,
  JsonFiles,
  LiveEvents,
  LogFeed,
  type Metric,
  Nodes,
  Paths,
  Probes,
  PUBLIC_BASE_URL,
  RecordLifecycle,
  Redaction,
  type Resolver,
  RouteTables,
  Schedules,
  SecretBox,
  Sessions,
  SettingDefinitions,
  Settings,
  serviceKey,
  TIME_ZONE,
  TokenUsage,
  ToolTables,
  TRUSTED_PROXIES,
  TransferSections,
  toMeasurement,
} from "@parley/core";
import { OWN_AREAS } from "./areas.ts";
import { BACKUP_SETTINGS, createBackupJob, scheduleBackups } from "./backup/backup-job.ts";
import { createBackupProbe } from "./backup/backup-probe.ts";
import { backupRoutes } from "./backup/backup-routes.ts";
import { commandRoutes } from "./command-routes.ts";
import { createLogStore, LOG_MIGRATIONS, type LogStore } from "./logs/log-store.ts";
import { createPersonLogFilesPart } from "./logs/person-log-files.ts";
import { createAgentTools } from "./mcp-tools.ts";
import { readMachine } from "./reports/machine.ts";
import { createMessageCounter, createStatistics } from "./reports/statistics.ts";
import { createUsage } from "./reports/usage.ts";
import { logRoutes, settingsRoutes, statisticsRoutes, usageRoutes } from "./routes.ts";
import { operationsFailure } from "./said-failures.ts";
import { applyLogLevels, PLUGIN_LEVELS } from "./settings/log-levels.ts";
import { type SealedFile, sealedSettings } from "./settings/sealed-settings.ts";
import { createSettings, type EditableSettings } from "./settings/settings.ts";
import { createSettingsCheck, type SettingsCheck } from "./settings/settings-check.ts";
import { collectFindings } from "./status/findings.ts";
import { createStartStatus } from "./status/start-status.ts";
import { systemRoutes } from "./status/system-routes.ts";
import {
  createUpdatesCheck,
  createUpdatesJob,
  type KnownVersion,
  scheduleUpdates,
  UPDATE_SETTINGS,
} from "./status/updates.ts";
import { createBackups } from "./transfer/import-backups.ts";
import { transferRoutes } from "./transfer/routes.ts";
import { createSettingsSection } from "./transfer/settings-section.ts";
import { createConfigTransfer } from "./transfer/transfer.ts";

const SettingsFile = serviceKey<SealedFile>("operations.settings-file");
const StoredSettings = serviceKey<EditableSettings>("stored-settings");
const CheckedSettings = serviceKey<SettingsCheck>("operations.settings-check");
const StoredLogs = serviceKey<LogStore>("stored-logs");
const FILE_CHECK_INTERVAL_MS = 1_000;
const ROWS_DROPPED_METRIC: Metric = {
  name: "parley_log_rows_dropped_total",
  help: "Log lines that came faster than they could be stored.",
  kind: "counter",
};
const OFFERED_SETTINGS = [TIME_ZONE, PUBLIC_BASE_URL, TRUSTED_PROXIES, CORS_ORIGINS] as const;

/** The operations plugin: settings, logs, usage, statistics and reload. */
export default definePlugin({
  id: "operations",
  requires: [Collections, Databases, JsonFiles],
  register({ log, provide, contribute }) {
    provide(SettingsFile, (from) => {
      const file = from
        .get(JsonFiles)
        .open({ ...toSettingsFileOptions(from), empty: {}, minCheckMs: FILE_CHECK_INTERVAL_MS });
      return sealedSettings(file, () => from.find(SecretBox), log);
    });
    contribute(EditedFiles, toSettingsFileOptions);
    provide(StoredSettings, (from) =>
      createSettings({
        definitions: () => from.all(SettingDefinitions),
        file: from.get(SettingsFile),
        environment: from.get(Environment),
        sections: from.get(ConfigSections),
        events: from.get(LiveEvents),
        log,
      }),
    );
    provide(Settings, (from) => from.get(StoredSettings));
    provide(StoredLogs, (from) =>
      createLogStore({
        database: () => from.get(Databases).main,
        folder: join(from.get(Paths).data, "logs"),
        clock: from.get(Clock),
        redaction: from.get(Redaction),
        feed: () => from.get(LogFeed),
      }),
    );
    contribute(RecordLifecycle, (from) =>
      createPersonLogFilesPart(join(from.get(Paths).data, "logs"), () => from.get(StoredLogs).flush()),
    );
    for (const area of OWN_AREAS) contribute(ConsoleAreas, () => area);
    for (const offered of [...BACKUP_SETTINGS, ...UPDATE_SETTINGS, PLUGIN_LEVELS])
      contribute(SettingDefinitions, () => offered);
    contribute(JobKinds, (from) =>
      createBackupJob(() => ({
        host: from.get(HostControl),
        settings: from.get(StoredSettings),
        data: from.get(Paths).data,
        events: from.get(LiveEvents),
      })),
    );
    contribute(RouteTables, (from) => {
      const folder = join(from.get(Paths).data, "backups");
      return backupRoutes(() => from.get(HostControl).backups(folder), from.get(LiveEvents));
    });
    contribute(JobKinds, (from) => createUpdatesJob(() => toUpdatesDeps(from)));
    contribute(Checks, (from) => createUpdatesCheck(() => toUpdatesDeps(from)));
    provide(CheckedSettings, (from) =>
      createSettingsCheck({
        settings: from.get(StoredSettings),
        definitions: () => from.all(SettingDefinitions),
      }),
    );
    contribute(Checks, (from) => from.get(CheckedSettings));
    for (const offered of OFFERED_SETTINGS) contribute(SettingDefinitions, () => offered);
    contribute(TransferSections, (from) => createSettingsSection(from.get(StoredSettings)));
    contribute(RouteTables, (from) => {
      const { now } = from.get(Clock);
      const transfer = createConfigTransfer({
        sections: () => from.all(TransferSections),
        files: () => from.find(Files),
        database: () => from.get(Databases).main,
        environment: from.get(Environment),
        backups: createBackups(join(from.get(Paths).data, "backups"), now),
        version: from.get(HostControl).version,
        now,
        log,
      });
      return transferRoutes(transfer, now);
    });
    contribute(RouteTables, (from) => settingsRoutes(from.get(StoredSettings)));
    contribute(RouteTables, (from) => logRoutes(from.get(StoredLogs), from.get(Clock).now));
    contribute(RouteTables, (from) => {
      const [sessions, usage] = [from.find(Sessions), from.find(TokenUsage)];
      if (!sessions || !usage) return [];
      const parts = { usage, settings: from.get(StoredSettings), clock: from.get(Clock) };
      return usageRoutes(createUsage({ ...parts, ...createMessageCounter(sessions, parts.clock) }));
    });
    contribute(RouteTables, (from) => {
      const sessions = from.find(Sessions);
      if (!sessions) return [];
      return statisticsRoutes(
        createStatistics({
          sessions,
          channels: from.find(Channels),
          probes: () => from.all(Probes),
          host: from.get(HostControl),
          settings: from.get(StoredSettings),
          clock: from.get(Clock),
        }),
      );
    });
    contribute(RouteTables, (from) => {
      const host = from.get(HostControl);
      const clock = from.get(Clock);
      const probes = () => from.all(Probes);
      const findings = () => collectFindings({ host, probes, checks: () => from.all(Checks) });
      const isDraining = () => from.find(Nodes)?.isDraining() ?? false;
      const status = createStartStatus({ host, clock, probes, isDraining });
      const files = { listBrokenFiles: () => listBrokenFiles(from), listInvalidFiles: () => listInvalidFiles(from) };
      const machine = () => readMachine(from.get(Paths).data);
      return systemRoutes({ host, status, findings, machine, ...files, now: clock.now });
    });
    contribute(RouteTables, (from) => {
      const channels = () => (from.find(Channels)?.list() ?? []).map(({ id }) => id);
      return commandRoutes(() => from.all(ChatCommands), channels);
    });
    contribute(ToolTables, (from) => {
      const stored = { logs: from.get(StoredLogs), settings: from.get(StoredSettings) };
      return createAgentTools({ ...stored, host: from.get(HostControl), probes: () => from.all(Probes) });
    });
    contribute(Probes, (from) => ({
      id: "logs",
      metrics: [ROWS_DROPPED_METRIC],
      measure: async () => [toMeasurement(ROWS_DROPPED_METRIC, from.get(StoredLogs).getDroppedCount())],
    }));
    contribute(Probes, (from) => createBackupProbe(join(from.get(Paths).data, "backups"), from.get(Clock)));
    contribute(Probes, (from) => ({
      id: "settings",
      async health() {
        const problem = from.get(StoredSettings).getFileError();
        return problem ? { status: "degraded", detail: `settings.json: ${problem}` } : { status: "ok", detail: "" };
      },
    }));
  },
  async start({ get, defer }) {
    await get(Databases).main.migrate("operations", LOG_MIGRATIONS);
    await get(SettingsFile).sealAll();
    const settings = get(StoredSettings);
    const timer = setInterval(() => settings.checkFile(), FILE_CHECK_INTERVAL_MS);
    defer(() => clearInterval(timer));
    const logs = get(StoredLogs);
    defer(() => logs.flush());
    defer(get(LogFeed).subscribe((row) => logs.add(row)));
    defer(applyLogLevels(settings, get(LogFeed)));
  },
  async ready({ get, find, log, defer }) {
    get(CheckedSettings).markStarted();
    get(StoredSettings).logUnknownKeys();
    const schedules = find(Schedules);
    if (!schedules) return;
    const failed = (what: string) => (error: unknown) => log.error(`${what} could not be planned`, { error });
    defer(await scheduleBackups(schedules, get(StoredSettings), failed("the backups")));
    defer(await scheduleUpdates(schedules, get(StoredSettings), failed("the look for updates")));
  },
});

const toUpdatesDeps = (from: Resolver) => ({
  host: from.get(HostControl),
  settings: from.get(StoredSettings),
  known: from.get(Collections).open<KnownVersion>("known-versions"),
  egress: from.get(Egress),
  clock: from.get(Clock),
});

const listBrokenFiles = (from: Resolver) => from.get(JsonFiles).broken?.() ?? [];

function listInvalidFiles(from: Resolver): readonly BrokenFile[] {
  const problem = from.get(StoredSettings).findInvalidValue();
  return problem ? [{ path: toSettingsFileOptions(from).path, problem }] : [];
}

const toSettingsFileOptions = (from: Resolver) => ({
  path: join(from.get(Paths).data, "settings.json"),
  parse: parseObject,
  page: "/settings",
});

function parseObject(json: unknown): Readonly<Record<string, unknown>> {
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as Record<string, unknown>;
  throw operationsFailure("bad_request", "file_no_object");
}
