import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding, Localized } from "@parley/core";
import type { LoadedPlugin } from "../plugins/load-plugins.ts";
import { warnUnusedSettings } from "../plugins/plugin-warnings.ts";
import { joinAll } from "../sentences.ts";
import { hostTexts } from "../texts.ts";
import { readHostVersion } from "../version.ts";
import type { Configuration } from "./configuration.ts";

const MAX_UNREAD = 20;

export interface RestartFindingsOptions {
  /** Configuration at the start of the process. */
  readonly initial: Configuration;
  /** Configuration of the running plugins, which may have been reloaded. */
  readonly running: Configuration;
  /** Configuration on disk. */
  readonly onDisk: Configuration;
  readonly loaded: readonly LoadedPlugin[];
  readonly version: string;
}

/** Finds differences between disk and process: changes that need a restart, that would prevent one, or that are likely typing mistakes. */
export function findRestartReasons(deps: RestartFindingsOptions): readonly Finding[] {
  const { initial, running, onDisk, loaded, version } = deps;
  if (onDisk.problems.length > 0) return [createUnusableFinding(joinAll(onDisk.problems))];
  // Host and port may come from flags and are fixed at the start, like logging.
  const places = (["host", "port"] as const).filter((key) => initial[key] !== onDisk[key]).map((key) => `web.${key}`);
  const keys = [
    ...findChangedKeys(running, onDisk).filter((key) => !/^(env\..*|web\.(host|port))$/.test(key)),
    ...findChangedKeys(initial, onDisk).filter((key) => key.startsWith("log.")),
    ...places,
  ];
  const packages = loaded.flatMap((one) => {
    const installedVersion = one.path === "" ? undefined : readVersion(one.path);
    return installedVersion === undefined || installedVersion === one.version
      ? []
      : [`${one.entry.package} ${installedVersion}`];
  });
  const own = readHostVersion();
  return [
    ...(keys.length > 0 ? [createChangedFinding([...new Set(keys)].toSorted())] : []),
    ...(own === version ? [] : [createInstalledFinding("host.version", [`Parley ${own}`])]),
    ...(packages.length > 0 ? [createInstalledFinding("host.packages", [...new Set(packages)])] : []),
    ...[...onDisk.warnings, ...onDisk.unknown, ...warnUnusedSettings(loaded)]
      .slice(0, MAX_UNREAD)
      .map(createSuspectFinding),
  ];
}

/** Returns the names of changed keys: `web.port`, `plugin.filter`, `env.NAME`. */
export function findChangedKeys(old: Configuration, next: Configuration): readonly string[] {
  const flat = ({ sections, plugins, environment }: Configuration) => [
    ...Object.entries(sections).flatMap(([name, section]) =>
      Object.entries(section).map(([key, value]) => [`${name}.${key}`, value] as const),
    ),
    ...plugins.map(({ id, ...entry }) => [`plugin.${id}`, JSON.stringify(entry)] as const),
    ...Object.entries(environment).map(([name, value]) => [`env.${name}`, value ?? ""] as const),
  ];
  const [before, after] = [new Map(flat(old)), new Map(flat(next))];
  return [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key)).sort();
}

/** Returns the installed version; undefined while it is being replaced. */
function readVersion(folder: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly version?: string }).version;
  } catch {
    return undefined;
  }
}

function createUnusableFinding({ en, zh }: Localized): Finding {
  const reason = en.slice(0, 2_000);
  return {
    key: "host.configuration",
    level: "warning",
    said: hostTexts.localized("configuration_unusable", { reason: { en: reason, zh: zh.slice(0, 2_000) } }),
    advice: hostTexts.localized("configuration_repair"),
    parameters: { reason },
  };
}

/** Creates a finding about a likely mistake in the configuration. */
function createSuspectFinding(message: Localized): Finding {
  return {
    key: "host.unread",
    level: "warning",
    said: message,
    advice: hostTexts.localized("setting_suspect_advice"),
    page: "/plugins",
  };
}

function createChangedFinding(keys: readonly string[]): Finding {
  const keyList = keys.slice(0, 20).join(", ");
  return {
    key: "host.restart",
    level: "warning",
    said: hostTexts.localized("restart_needed", { keys: keyList }),
    advice: hostTexts.localized("restart_or_reload"),
    parameters: { keys: keyList },
    page: "/plugins",
  };
}

function createInstalledFinding(key: string, packages: readonly string[]): Finding {
  const packageList = packages.slice(0, 20).join(", ");
  return {
    key,
    level: "warning",
    said: hostTexts.localized("installed_not_running", { packages: packageList }),
    advice: hostTexts.localized("restart_service"),
    parameters: { packages: packageList },
    page: "/plugins",
  };
}
