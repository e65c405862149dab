import { join } from "node:path";
import {
  type BrokenFile,
  Clock,
  ConfigSections,
  Databases,
  Egress,
  Environment,
  Files,
  HostControl,
  JsonFiles,
  LiveEvents,
  LogFeed,
  type Logger,
  Paths,
  RecordStore,
  Redaction,
  type Resolver,
  Secrets,
  SettingDefinitions,
  TransferSections,
} from "@parley/core";
import { isObject, type JsonObject } from "@parley/core/json";
import { createLogStore } from "./logs/log-store.ts";
import { createSealedSettings } from "./settings/sealed-settings.ts";
import { createSettings } from "./settings/settings.ts";
import { createSettingsCheck } from "./settings/settings-check.ts";
import { KNOWN_VERSIONS, type UpdatesDeps } from "./status/updates.ts";
import { operationsTexts } from "./texts.ts";
import { createImportBackups } from "./transfer/import-backups.ts";
import { createConfigTransfer } from "./transfer/transfer.ts";

/** Interval of checks of `settings.json` in milliseconds. */
export const FILE_CHECK_INTERVAL_MS = 1_000;

/** Creates the services of the plugin: settings and stored logs. */
export function assemble(from: Resolver, log: Logger) {
  const clock = from.get(Clock);
  const { data } = from.get(Paths);
  const logFolder = join(data, "logs");
  const settingsFile = assembleSettingsFile(from, log);
  const definitions = () => from.all(SettingDefinitions);
  const settings = createSettings({
    definitions,
    file: settingsFile,
    environment: from.get(Environment),
    sections: from.get(ConfigSections),
    events: from.get(LiveEvents),
    log,
  });
  return {
    clock,
    data,
    backupFolder: join(data, "backups"),
    logFolder,
    settingsFile,
    settings,
    settingsCheck: createSettingsCheck({ settings, definitions }),
    logs: createLogStore({
      database: () => from.get(Databases).main,
      folder: logFolder,
      clock,
      redaction: from.get(Redaction),
      feed: () => from.get(LogFeed),
    }),
  };
}

function assembleSettingsFile(from: Resolver, log: Logger) {
  const options = { ...toSettingsFileOptions(from), empty: {}, minCheckMs: FILE_CHECK_INTERVAL_MS };
  return createSealedSettings(from.get(JsonFiles).open(options), () => from.find(Secrets), log);
}

export const toSettingsFileOptions = (from: Resolver) => ({
  path: join(from.get(Paths).data, "settings.json"),
  parse: parseSettings,
  page: "/settings",
});

function parseSettings(json: unknown): JsonObject {
  if (isObject(json)) return json;
  throw operationsTexts.error("bad_request", "file_no_object");
}

type Own = ReturnType<typeof assemble>;

/** Returns the settings file if it has an invalid value. */
export function listInvalidFiles(from: Resolver, settings: Own["settings"]): readonly BrokenFile[] {
  const problem = settings.findInvalidValue();
  return problem ? [{ path: toSettingsFileOptions(from).path, problem }] : [];
}

export function assembleUpdates(from: Resolver, { settings, clock }: Own): UpdatesDeps {
  return {
    host: from.get(HostControl),
    settings,
    known: from.get(RecordStore).documents(KNOWN_VERSIONS),
    egress: from.get(Egress),
    clock,
  };
}

export function assembleTransfer(from: Resolver, { backupFolder, clock: { now } }: Own, log: Logger) {
  return createConfigTransfer({
    sections: () => from.all(TransferSections),
    files: () => from.find(Files),
    database: () => from.get(Databases).main,
    environment: from.get(Environment),
    backups: createImportBackups(backupFolder, now),
    version: from.get(HostControl).version,
    now,
    log,
  });
}
