import { resolve } from "node:path";
import { BlobRows, BlobStore, ConsoleAreas, type HostControl, type PluginStatus, type Redaction } from "@parley/core";
import { keptBackups } from "./backup/kept-backups.ts";
import { makeBackup } from "./backup/make-backup.ts";
import { restoreWay } from "./backup/restore-way.ts";
import { rowsAside } from "./backup/rows-aside.ts";
import { type Configuration, type ConfigurationSource, readConfiguration } from "./configuration.ts";
import { examineMachine } from "./doctor/examine-machine.ts";
import type { HostOptions } from "./host-options.ts";
import type { HttpFront } from "./http/front.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { startedAs } from "./own-command.ts";
import { addedPackage } from "./packages/remove-package.ts";
import type { Reloading } from "./reloading.ts";
import { restartNeeded } from "./restart-needed.ts";
import { keeperElsewhere } from "./rows-elsewhere.ts";
import type { RunningSet } from "./running-set.ts";
import { hostFailure } from "./said-failures.ts";
import { hostVersion } from "./version.ts";

export interface ControlParts {
  readonly startedAt: number;
  readonly source: ConfigurationSource;
  /** What the process has started with. */
  readonly begun: Configuration;
  readonly redaction: Redaction;
  /** What follows is there once something runs. */
  readonly running: () => RunningSet;
  readonly reloading: () => Reloading;
  readonly server: () => HttpFront["server"] | undefined;
  readonly onStop: HostOptions["onStop"];
  readonly restarts: HostOptions["restarts"];
}

/** What plugins may see and ask of the host that runs them. */
export function createControl(parts: ControlParts): HostControl {
  const { startedAt, source, begun, redaction, running, reloading, server, onStop, restarts } = parts;
  const version = hostVersion();
  const alone = oneAtATime(() => hostFailure("conflict", "backup_runs"));
  /** A plugin without an icon has that of its page. */
  const areaIcon = (plugin: string) => {
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
          icon: one.icon ?? areaIcon(one.id),
          add_again: addedPackage(running().configuration().root, one)?.command ?? null,
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
      const isElsewhere = keeperElsewhere(configuration) !== undefined;
      const rows = isElsewhere ? (into: string) => rowsAside(configuration, into) : undefined;
      const { from } = running().generation();
      const blobs = { rows: from.all(BlobRows), store: from.find(BlobStore), problems: [] };
      return alone(() => makeBackup({ data, root, to, keep, version, now: Date.now(), rows, blobs }));
    },
    backups(folder) {
      const configuration = running().configuration();
      const { data, root } = configuration;
      const config = source.flags.config ?? source.env.SVC_CONFIG;
      const parts = { root, data, keeper: keeperElsewhere(configuration), started: startedAs() };
      const named = config ? resolve(source.root, config) : undefined;
      const way = (backup: string) => restoreWay(backup, { ...parts, config: named });
      return keptBackups(folder, { version, alone, way });
    },
    async examine() {
      const configuration = running().configuration();
      const written = readConfiguration(source);
      const loaded = running().loaded();
      const restart = restartNeeded({ begun, running: configuration, written, loaded, version });
      const unended = running().generation().unended();
      return [
        ...restart,
        ...unended,
        ...(await examineMachine(configuration.data, Date.now(), keeperElsewhere(configuration))),
      ];
    },
    stop: (reason, exitCode = 0) => onStop?.(reason, exitCode),
    async restart(reason) {
      const again = restarts?.();
      if (!again) throw hostFailure("conflict", "no_restart");
      await reloading().check();
      again(reason);
    },
  };
}
