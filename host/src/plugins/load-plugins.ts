import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type DefinedPlugin, type Localized, schemaProblem } from "@parley/core";
import { type Configuration, computeRevision, type PluginEntry } from "../config/configuration.ts";
import type { PluginLocation } from "../diagnostics/uncaught-errors.ts";
import { findContractProblem } from "../packages/contract-problem.ts";
import { type FoundPackage, findOtherCore, findPackage, toPackagesFolder } from "../packages/find-package.ts";
import { importFresh } from "../packages/fresh-import.ts";
import { describeImportProblem, findFileProblem } from "../packages/import-problem.ts";
import { importWithTimeout, watchImports } from "../packages/import-watch.ts";
import { createError, sentence, toSentence } from "../sentences.ts";
import { isFirstParty } from "./first-party.ts";
import { type PackageIcon, readIcon } from "./package-icon.ts";
import { type PackageTexts, readPackageTexts } from "./package-texts.ts";

/** Timeout of one import, as for a start. */
const IMPORT_WITHIN_MS = 60_000;

/** A configured plugin and its loaded package. */
export interface LoadedPlugin {
  readonly entry: PluginEntry;
  readonly version: string;
  /** The package's folder; "" when it was not found. */
  readonly path: string;
  readonly isThirdParty: boolean;
  /** Undefined when the plugin is disabled or could not be loaded. */
  readonly plugin: DefinedPlugin | undefined;
  /** Reason it could not be loaded. */
  readonly failure: Localized | undefined;
  /** Another copy of the contract than the host's, when its package brings one. */
  readonly otherCore: string | undefined;
  /** Reason it cannot be disabled in the console; undefined when it can. */
  readonly required: Localized | undefined;
  /** Title and description. */
  readonly texts: PackageTexts;
  readonly icon: PackageIcon;
}

export interface LoadOptions {
  /** Timeout of one package's import in milliseconds. Default 60 s. */
  readonly importWithinMs?: number | undefined;
  /** True when the process belongs to this program: a package whose import blocks is named and ends the process. */
  readonly ownsProcess?: boolean | undefined;
  /** Called with a warning about a slow import. */
  readonly onSlowImport?: ((warning: string) => void) | undefined;
}

/** Imports all enabled plugins in parallel. Never throws: failed ones carry their reason. */
export async function loadPlugins(
  { root, plugins }: Pick<Configuration, "root" | "plugins">,
  { importWithinMs = IMPORT_WITHIN_MS, ownsProcess = false, onSlowImport = () => {} }: LoadOptions = {},
): Promise<readonly LoadedPlugin[]> {
  const thirdParty = plugins.filter((entry) => entry.enabled && !isFirstParty(entry.package));
  const places = ownsProcess ? locatePlugins({ root, plugins: thirdParty }) : [];
  using _watch = watchImports(places, importWithinMs, onSlowImport);
  return await Promise.all(plugins.map((entry) => loadPlugin(entry, root, { importWithinMs, onSlowImport })));
}

/** Wraps a plugin that is already loaded, for hosts that are embedded. */
export function toLoadedPlugin(plugin: DefinedPlugin, entry: PluginEntry): LoadedPlugin {
  const failure = entry.enabled ? findShapeProblem(plugin, entry) : undefined;
  return {
    entry,
    version: "",
    path: "",
    isThirdParty: !isFirstParty(entry.package),
    plugin: entry.enabled && !failure ? plugin : undefined,
    failure,
    otherCore: undefined,
    required: undefined,
    texts: readPackageTexts(undefined, entry.id),
    icon: {},
  };
}

interface ImportOptions {
  readonly importWithinMs: number;
  readonly onSlowImport: (warning: string) => void;
}

async function loadPlugin(wanted: PluginEntry, root: string, parts: ImportOptions): Promise<LoadedPlugin> {
  const isThirdParty = !isFirstParty(wanted.package);
  const nothing = { version: "", path: "", isThirdParty, plugin: undefined, failure: undefined };
  const absent = {
    ...nothing,
    entry: wanted,
    otherCore: undefined,
    required: undefined,
    texts: readPackageTexts(undefined, wanted.id),
    icon: {},
  };
  let found: FoundPackage | undefined;
  try {
    found = findPackage(wanted.package, root);
  } catch (error) {
    return { ...absent, failure: sentence("package_unread", { name: wanted.package, reason: toSentence(error) }) };
  }
  if (!found) {
    const failure = sentence("not_installed", { name: wanted.package, root });
    return { ...absent, ...(wanted.enabled && wanted.isNamed && { failure }) };
  }
  const required = isThirdParty ? undefined : found.required;
  // The console cannot disable a plugin that it needs to enable it again.
  const entry =
    required === undefined ? wanted : { ...wanted, enabled: wanted.enabled || wanted.isOffInConsole === true };
  const texts = readPackageTexts(found.manifest, wanted.id);
  const icon = readIcon(found.manifest, found.folder);
  const known = { ...absent, entry, version: found.version, path: found.folder, required, texts, icon };
  if (!entry.enabled) return known;
  return { ...known, ...(await importAndCheck(entry, found, parts)) };
}

/** Imports a package's plugin and validates it; returns the plugin or the failure. */
async function importAndCheck(
  entry: PluginEntry,
  found: FoundPackage,
  { importWithinMs, onSlowImport }: ImportOptions,
): Promise<Partial<Pick<LoadedPlugin, "plugin" | "failure" | "otherCore">>> {
  const unusable = findFileProblem(found);
  if (unusable !== undefined) return { failure: sentence("import_failed", { name: entry.package, reason: unusable }) };
  try {
    const warning = `plugin '${entry.id}' is still being imported: it is given up after ${importWithinMs / 1000} s`;
    const imported = importModule(entry.package, found);
    const plugin = readDefaultExport(await importWithTimeout(imported, importWithinMs, () => onSlowImport(warning)));
    const failure = findShapeProblem(plugin, entry);
    if (failure !== undefined) return { failure, otherCore: findOtherCore(found.folder) };
    return { plugin: plugin as DefinedPlugin, otherCore: findOtherCore(found.folder) };
  } catch (error) {
    return { failure: sentence("import_failed", { name: entry.package, reason: describeImportProblem(error, found) }) };
  }
}

/** Imports the plugin of an installed package; throws when it is unusable. */
export async function importInstalledPlugin(
  name: string,
  root: string,
  { ownsProcess = false }: Pick<LoadOptions, "ownsProcess"> = {},
): Promise<{ readonly id: string; readonly version: string; readonly plugin: DefinedPlugin }> {
  const found = findPackage(name, root);
  if (!found) throw createError("not_found", sentence("not_installed", { name, root: toPackagesFolder(root) }));
  const places = ownsProcess
    ? [{ id: found.manifest?.name ?? name, path: realpathSync(found.folder), isThirdParty: true }]
    : [];
  using _watch = watchImports(places, IMPORT_WITHIN_MS, (line) => process.stderr.write(`${line}\n`));
  const plugin = await importPlugin(name, found);
  const { id } = (plugin ?? {}) as Partial<DefinedPlugin>;
  const entry = {
    id: String(id),
    package: name,
    enabled: true,
    isNamed: true,
    settings: {},
    revision: computeRevision(),
  };
  const problem = findShapeProblem(plugin, entry);
  if (problem) throw createError("bad_request", problem);
  return { id: entry.id, version: found.version, plugin: plugin as DefinedPlugin };
}

async function importPlugin(name: string, found: FoundPackage): Promise<unknown> {
  const createRejection = (reason: Localized, cause?: unknown) =>
    createError("bad_request", sentence("import_failed", { name, reason }), { cause });
  const unusable = findFileProblem(found);
  if (unusable !== undefined) throw createRejection(unusable);
  const warn = () => process.stderr.write(`its import takes long: it is given up after ${IMPORT_WITHIN_MS / 1000} s\n`);
  return importWithTimeout(importModule(name, found), IMPORT_WITHIN_MS, warn).then(readDefaultExport, (error) => {
    throw createRejection(describeImportProblem(error, found), error);
  });
}

/** Imports a module; first-party ones keep their first code for the lifetime of the process, which owns their state. */
function importModule(name: string, found: FoundPackage): Promise<Record<string, unknown>> {
  return isFirstParty(name) ? import(pathToFileURL(found.file).href) : importFresh(found);
}

/** Returns the default export; in a package compiled to CommonJS it is one level deeper. */
function readDefaultExport({ default: given }: { readonly default?: unknown }): unknown {
  const inner = (given as { readonly default?: unknown } | null | undefined)?.default;
  return typeof inner === "object" && inner !== null && !("contract" in (given as object)) ? inner : given;
}

/** Returns the code locations of the configured plugins, with links resolved as in stacks; missing ones are left out. */
export function locatePlugins({ root, plugins }: Pick<Configuration, "root" | "plugins">): readonly PluginLocation[] {
  return plugins.flatMap(({ id, package: name }) => {
    try {
      const found = findPackage(name, root);
      const path = found && realpathSync(found.isOneFile ? found.file : found.folder);
      return path === undefined ? [] : [{ id, path, isThirdParty: !isFirstParty(name) }];
    } catch {
      // A package that cannot be read has not been loaded either.
      return [];
    }
  });
}

const DEFINE_PLUGIN_HINT = "export default definePlugin({ … }) in the file that its package.json names";

function findShapeProblem(plugin: unknown, entry: PluginEntry): Localized | undefined {
  const { contract } = Object(plugin) as Partial<DefinedPlugin>;
  const name = entry.package;
  const otherContract = typeof contract === "number" ? findContractProblem(contract) : undefined;
  if (otherContract) return sentence("plugin_of_package", { name, reason: otherContract });
  const problem = describeShapeProblem(plugin, entry);
  return problem === undefined ? undefined : sentence("plugin_shape", { problem });
}

/** Describes a plugin's deviation from the contract for its author; undefined when there is none. */
function describeShapeProblem(plugin: unknown, { id, package: name }: PluginEntry): string | undefined {
  if (typeof plugin !== "object" || plugin === null) {
    return `package '${name}' has no plugin as its default export: write ${DEFINE_PLUGIN_HINT}`;
  }
  const { id: own, register, contract, requires = [], config, start, ready } = plugin as Partial<DefinedPlugin>;
  if (typeof contract !== "number")
    return `package '${name}' has a default export that was not made with definePlugin: write ${DEFINE_PLUGIN_HINT}`;
  if (typeof own !== "string") return `the plugin of package '${name}' has no id: definePlugin({ id: 'acme', … })`;
  if (typeof register !== "function")
    return `the plugin of package '${name}' has no register: definePlugin({ …, register({ contribute }) { … } })`;
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(own)) return `package '${name}': '${own}' is no kebab-case id`;
  if (own !== id) return `package '${name}' is the plugin '${own}', but config.ini names it '${id}'`;
  if (!Array.isArray(requires) || requires.some((key) => key?.kind !== "service")) {
    return `package '${name}': requires must be a list of services, and ${describeRequires(requires)} is none`;
  }
  const problem = config === undefined ? undefined : schemaProblem(config);
  if (problem) return `package '${name}': config ${problem}`;
  if (start !== undefined && typeof start !== "function") return `package '${name}': start is no function`;
  if (ready !== undefined && typeof ready !== "function") return `package '${name}': ready is no function`;
  return undefined;
}

function describeRequires(requires: unknown): string {
  if (!Array.isArray(requires)) return String(requires);
  const at = requires.findIndex((key) => key?.kind !== "service");
  return `requires[${at}] (${requires[at] === undefined ? "undefined: is its name spelled as in @parley/core?" : typeof requires[at]})`;
}
