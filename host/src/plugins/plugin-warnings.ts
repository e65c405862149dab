import { type Localized, localizeMessage, type PluginStatus } from "@parley/core";
import type { HostOptions } from "../host-options.ts";
import { createContractWarning } from "../packages/contract-problem.ts";
import { findOwnCore } from "../packages/find-package.ts";
import { sentence } from "../sentences.ts";
import { BUNDLED_PLUGINS, isFirstParty } from "./first-party.ts";
import type { LoadedPlugin } from "./load-plugins.ts";

/** Warns when no bundled plugin is installed, because a host alone serves nothing. */
export function warnNothingInstalled(
  loaded: readonly LoadedPlugin[],
  { plugins = [], packages }: HostOptions,
): readonly Localized[] {
  const isThere = loaded.some(({ entry, path }) => path !== "" && isFirstParty(entry.package));
  if (packages !== undefined || plugins.length > 0 || isThere) return [];
  return [sentence("nothing_installed")];
}

export function warnCoreCopies(loaded: readonly LoadedPlugin[]): readonly Localized[] {
  return loaded.flatMap(({ entry, otherCore }) =>
    otherCore ? [sentence("core_copy", { id: entry.id, theirs: otherCore, ours: findOwnCore() })] : [],
  );
}

/** Warns of plugins built for the previous contract. */
export function warnOldContracts(loaded: readonly LoadedPlugin[]): readonly string[] {
  return loaded.flatMap(({ entry, plugin }) => {
    const warning = plugin && createContractWarning(plugin.contract);
    return warning === undefined ? [] : [`plugin '${entry.id}' ${warning}`];
  });
}

/** Warns of settings for plugins without any. */
export function warnUnusedSettings(loaded: readonly LoadedPlugin[]): readonly Localized[] {
  return loaded.flatMap(({ entry, plugin }) => {
    if (!plugin || plugin.config) return [];
    return Object.keys(entry.settings).map((key) => sentence("no_settings", { id: entry.id, key }));
  });
}

/** Warns of plugins disabled in the console that stay on because the console needs them. */
export function warnForcedOn(loaded: readonly LoadedPlugin[]): readonly Localized[] {
  return loaded.flatMap(({ entry: { id, enabled, isOffInConsole }, required }) =>
    enabled && isOffInConsole && required ? [sentence("kept_on", { id, why: required })] : [],
  );
}

/** Explains failures of packages that replace bundled ones, as the cause of other plugins' missing services. */
export function explainReplacements(plugins: readonly PluginStatus[]): readonly Localized[] {
  return plugins.flatMap(({ id, package: name, failure, failure_detail: detail }) => {
    if (failure === null || !(id in BUNDLED_PLUGINS) || isFirstParty(name)) return [];
    return [sentence("of_package", { id, name, reason: localizeMessage(failure, detail) })];
  });
}
