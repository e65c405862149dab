import { join } from "node:path";
import {
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
  measured,
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
} from "@parley/core";
import { OWN_AREAS } from "./areas.ts";
import { BACKUP_SETTINGS, backupJob, scheduleBackups } from "./backup-job.ts";
import { backupProbe } from "./backup-probe.ts";
import { backupRoutes } from "./backup-routes.ts";
import { commandRoutes } from "./command-routes.ts";
import { findingsOf } from "./findings.ts";
import { followLevels, PLUGIN_LEVELS } from "./log-levels.ts";
import { createLogStore, LOG_MIGRATIONS, type LogStore } from "./log-store.ts";
import { machineOf } from "./machine.ts";
import { agentTools } from "./mcp-tools.ts";
import { personPart } from "./person-part.ts";
import { logRoutes, settingsRoutes, statisticsRoutes, usageRoutes } from "./routes.ts";
import { operationsFailure } from "./said-failures.ts";
import { type SealedFile, sealedSettings } from "./sealed-settings.ts";
import { createSettings, type EditableSettings } from "./settings.ts";
import { type SettingsCheck, settingsCheck } from "./settings-check.ts";
import { createStartStatus } from "./start-status.ts";
import { createStatistics, messageCounts } from "./statistics.ts";
import { systemRoutes } from "./system-routes.ts";
import { createBackups } from "./transfer/backups.ts";
import { transferRoutes } from "./transfer/routes.ts";
import { settingsSection } from "./transfer/settings-section.ts";
import { createConfigTransfer } from "./transfer/transfer.ts";
import { type KnownVersion, scheduleUpdates, UPDATE_SETTINGS, updatesCheck, updatesJob } from "./updates.ts";
import { createUsage } from "./usage.ts";

const SettingsFile = serviceKey<SealedFile>("operations.settings-file");
const StoredSettings = serviceKey<EditableSettings>("stored-settings");
const CheckedSettings = serviceKey<SettingsCheck>("operations.settings-check");
const StoredLogs = serviceKey<LogStore>("stored-logs");
const LOOK_EVERY_MS = 1_000;
const ROWS_DROPPED: Metric = {
  name: "parley_log_rows_dropped_total",
  help: "Log lines that came faster than they could be stored.",
  kind: "counter",
};
const OFFERED = [TIME_ZONE, PUBLIC_BASE_URL, TRUSTED_PROXIES, CORS_ORIGINS] as const;

/** What an operator needs: settings, logs, usage, statistics, reload. */
export default definePlugin({
  id: "operations",
  requires: [Collections, Databases, JsonFiles],
  register({ log, provide, contribute }) {
    provide(SettingsFile, (from) => {
      const file = from.get(JsonFiles).open({ ...settingsFile(from), empty: {}, minCheckMs: LOOK_EVERY_MS });
      return sealedSettings(file, () => from.find(SecretBox), log);
    });
    contribute(EditedFiles, settingsFile);
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
      personPart(join(from.get(Paths).data, "logs"), () => from.get(StoredLogs).flush()),
    );
    for (const area of OWN_AREAS) contribute(ConsoleAreas, () => area);
    for (const offered of [...BACKUP_SETTINGS, ...UPDATE_SETTINGS, PLUGIN_LEVELS])
      contribute(SettingDefinitions, () => offered);
    contribute(JobKinds, (from) =>
      backupJob(() => ({
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
    contribute(JobKinds, (from) => updatesJob(() => updatesParts(from)));
    contribute(Checks, (from) => updatesCheck(() => updatesParts(from)));
    provide(CheckedSettings, (from) =>
      settingsCheck({
        settings: from.get(StoredSettings),
        definitions: () => from.all(SettingDefinitions),
      }),
    );
    contribute(Checks, (from) => from.get(CheckedSettings));
    for (const offered of OFFERED) contribute(SettingDefinitions, () => offered);
    contribute(TransferSections, (from) => settingsSection(from.get(StoredSettings)));
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
      return usageRoutes(createUsage({ ...parts, ...messageCounts(sessions, parts.clock) }));
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
      const findings = () => findingsOf({ host, probes, checks: () => from.all(Checks) });
      const isDraining = () => from.find(Nodes)?.isDraining() ?? false;
      const machine = () => machineOf(from.get(Paths).data);
      const status = createStartStatus({ host, clock, probes, isDraining });
      const broken = () => from.get(JsonFiles).broken?.() ?? [];
      return systemRoutes({ host, status, findings, machine, broken, now: clock.now });
    });
    contribute(RouteTables, (from) => {
      const channels = () => (from.find(Channels)?.list() ?? []).map(({ id }) => id);
      return commandRoutes(() => from.all(ChatCommands), channels);
    });
    contribute(ToolTables, (from) => {
      const stored = { logs: from.get(StoredLogs), settings: from.get(StoredSettings) };
      return agentTools({ ...stored, host: from.get(HostControl), probes: () => from.all(Probes) });
    });
    contribute(Probes, (from) => ({
      id: "logs",
      metrics: [ROWS_DROPPED],
      measure: async () => [measured(ROWS_DROPPED, from.get(StoredLogs).dropped())],
    }));
    contribute(Probes, (from) => backupProbe(join(from.get(Paths).data, "backups"), from.get(Clock)));
    contribute(Probes, (from) => ({
      id: "settings",
      async health() {
        const problem = from.get(StoredSettings).problem();
        return problem ? { status: "degraded", detail: `settings.json: ${problem}` } : { status: "ok", detail: "" };
      },
    }));
  },
  async start({ get, defer }) {
    await get(Databases).main.migrate("operations", LOG_MIGRATIONS);
    await get(SettingsFile).sealAll();
    const settings = get(StoredSettings);
    const timer = setInterval(() => settings.look(), LOOK_EVERY_MS);
    defer(() => clearInterval(timer));
    const logs = get(StoredLogs);
    defer(() => logs.flush());
    defer(get(LogFeed).subscribe((row) => logs.add(row)));
    defer(followLevels(settings, get(LogFeed)));
  },
  async ready({ get, find, log, defer }) {
    get(CheckedSettings).remember();
    get(StoredSettings).warnOfStrangers();
    const schedules = find(Schedules);
    if (!schedules) return;
    const failed = (what: string) => (error: unknown) => log.error(`${what} could not be planned`, { error });
    defer(await scheduleBackups(schedules, get(StoredSettings), failed("the backups")));
    defer(await scheduleUpdates(schedules, get(StoredSettings), failed("the look for updates")));
  },
});

const updatesParts = (from: Resolver) => ({
  host: from.get(HostControl),
  settings: from.get(StoredSettings),
  known: from.get(Collections).open<KnownVersion>("known-versions"),
  egress: from.get(Egress),
  clock: from.get(Clock),
});

const settingsFile = (from: Resolver) => ({
  path: join(from.get(Paths).data, "settings.json"),
  parse: objectOnly,
  page: "/settings",
});

function objectOnly(json: unknown): Readonly<Record<string, unknown>> {
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as Record<string, unknown>;
  throw operationsFailure("bad_request", "file_no_object");
}
