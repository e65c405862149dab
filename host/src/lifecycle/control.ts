import { resolve } from "node:path";
import { BlobRows, BlobStore, ConsoleAreas, type HostControl, type PluginStatus, type Redaction } from "@parley/core";
import { makeBackup } from "../backup/make-backup.ts";
import { createRestoreCommands } from "../backup/restore-commands.ts";
import { exportRowsInWorker } from "../backup/run-export.ts";
import { createStoredBackups } from "../backup/stored-backups.ts";
import { type Configuration, type ConfigurationSource, readConfiguration } from "../config/configuration.ts";
import { findExternalStorage } from "../config/external-storage.ts";
import { findRestartReasons } from "../config/restart-findings.ts";
import { examineMachine } from "../doctor/examine-machine.ts";
import type { HostOptions } from "../host-options.ts";
import type { HttpListener } from "../http/listener/http-listener.ts";
import { findAddedPackage } from "../packages/remove-package.ts";
import { readLaunch } from "../process/launch-command.ts";
import { hostTexts } from "../texts.ts";
import { readHostVersion } from "../version.ts";
import { createExclusive } from "./exclusive.ts";
import type { Reloader } from "./reloader.ts";
import type { RunningSet } from "./running-set.ts";

export interface ControlDeps {
  readonly startedAt: number;
  readonly source: ConfigurationSource;
  /** Configuration at the start of the process. */
  readonly initial: Configuration;
  readonly redaction: Redaction;
  /** Returns the running set; callable once something runs. */
  readonly running: () => RunningSet;
  readonly reloading: () => Reloader;
  readonly server: () => HttpListener["server"] | undefined;
  readonly onStop: HostOptions["onStop"];
  readonly createRestart: HostOptions["createRestart"];
}

/** Creates the host control that plugins use. */
export function createControl(parts: ControlDeps): HostControl {
  const { startedAt, source, initial, redaction, running, reloading, server, onStop, createRestart } = parts;
  const version = readHostVersion();
  const runExclusive = createExclusive(() => hostTexts.error("conflict", "backup_runs"));
  /** Returns the icon of a plugin's page, for a plugin without an icon. */
  const findAreaIcon = (plugin: string) => {
    const { from, contributor } = running().generation();
    if (!["ready", "degraded"].includes(running().phase())) return null;
    return from.all(ConsoleAreas).find(({ id }) => contributor("console area", id) === plugin)?.icon ?? null;
  };
  return {
    version,
    startedAt,
    phase: () => running().phase(),
    plugins: () =>
      running()
        .generation()
        .status()
        .map((one) => ({
          ...(redaction.mask(one) as PluginStatus),
          icon: one.icon ?? findAreaIcon(one.id),
          add_again: findAddedPackage(running().configuration().root, one)?.command ?? null,
        })),
    contributor: (kind, name) => running().generation().contributor(kind, name),
    get server() {
      return server();
    },
    reload: (ids) => reloading().reload(ids),
    reloadConfig: () => reloading().reloadConfig(),
    async backUp(to, keep) {
      const configuration = running().configuration();
      const { data, root } = configuration;
      const isExternal = findExternalStorage(configuration) !== undefined;
      const rows = isExternal ? (into: string) => exportRowsInWorker(configuration, into) : undefined;
      const { from } = running().generation();
      const blobs = { rows: from.all(BlobRows), store: from.find(BlobStore), problems: [] };
      return runExclusive(() => makeBackup({ data, root, to, keep, version, now: Date.now(), rows, blobs }));
    },
    backups(folder) {
      const configuration = running().configuration();
      const { data, root } = configuration;
      const config = source.flags.config ?? source.env.SVC_CONFIG;
      const parts = { root, data, storagePackage: findExternalStorage(configuration), started: readLaunch() };
      const named = config ? resolve(source.root, config) : undefined;
      const describeRestore = (backup: string) => createRestoreCommands(backup, { ...parts, config: named });
      return createStoredBackups(folder, { version, runExclusive, describeRestore: describeRestore });
    },
    async examine() {
      const configuration = running().configuration();
      const written = readConfiguration(source);
      const loaded = running().loaded();
      const restart = findRestartReasons({ initial, running: configuration, onDisk: written, loaded, version });
      const unended = running().generation().unended();
      return [
        ...restart,
        ...unended,
        ...(await examineMachine(configuration.data, Date.now(), findExternalStorage(configuration))),
      ];
    },
    stop: (reason, exitCode = 0) => onStop?.(reason, exitCode),
    async restart(reason) {
      const restart = createRestart?.();
      if (!restart) throw hostTexts.error("conflict", "no_restart");
      await reloading().check();
      restart(reason);
    },
  };
}
