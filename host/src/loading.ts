import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CONTRACT_VERSION, type DefinedPlugin } from "@parley/core";
import { type Configuration, type PluginEntry, reasonOf } from "./configuration.ts";
import { isFirstParty } from "./first-party.ts";

/** A configured plugin and what its package gave. */
export interface LoadedPlugin {
  readonly entry: PluginEntry;
  readonly version: string;
  /** The package's folder; "" when it was not found. */
  readonly path: string;
  readonly isThirdParty: boolean;
  /** Undefined when it is switched off or could not be loaded. */
  readonly plugin: DefinedPlugin | undefined;
  /** Why it could not be loaded. */
  readonly failure: string | undefined;
  /** Another copy of the contract than the host's, when its package brings one. */
  readonly otherCore: string | undefined;
}

/** Imports every enabled plugin, at the same time. Never throws: what failed says why. */
export function loadPlugins({ root, plugins }: Configuration): Promise<readonly LoadedPlugin[]> {
  return Promise.all(plugins.map((entry) => loadPlugin(entry, root)));
}

/** A plugin that is at hand already, for hosts that are embedded. */
export function givenPlugin(plugin: DefinedPlugin, entry: PluginEntry): LoadedPlugin {
  const failure = entry.enabled ? shapeProblem(plugin, entry) : undefined;
  return {
    entry,
    version: "",
    path: "",
    isThirdParty: !isFirstParty(entry.package),
    plugin: entry.enabled && !failure ? plugin : undefined,
    failure,
    otherCore: undefined,
  };
}

async function loadPlugin(entry: PluginEntry, root: string): Promise<LoadedPlugin> {
  const isThirdParty = !isFirstParty(entry.package);
  const absent = {
    entry,
    version: "",
    path: "",
    isThirdParty,
    plugin: undefined,
    failure: undefined,
    otherCore: undefined,
  };
  let found: Found | undefined;
  try {
    found = findPackage(entry.package, root);
    if (!found)
      return {
        ...absent,
        ...(entry.enabled && entry.isNamed && { failure: `package '${entry.package}' is not installed in ${root}` }),
      };
    const known = { ...absent, version: found.version, path: found.folder };
    if (!entry.enabled) return known;
    const { default: plugin } = await import(pathToFileURL(found.file).href);
    const failure = shapeProblem(plugin, entry);
    return { ...known, failure, plugin: failure ? undefined : plugin, otherCore: otherCoreOf(found.folder) };
  } catch (error) {
    const at = found ? { version: found.version, path: found.folder } : {};
    return { ...absent, ...at, failure: `package '${entry.package}' cannot be imported: ${reasonOf(error)}` };
  }
}

interface Found {
  readonly folder: string;
  readonly file: string;
  readonly version: string;
}

interface Manifest {
  readonly version?: string;
  readonly exports?: unknown;
  readonly main?: string;
}

// The operator's folder first, then the host's own: an operator can replace what comes along.
function findPackage(name: string, root: string): Found | undefined {
  if (name.startsWith(".") || isAbsolute(name)) return foundAt(resolve(root, name));
  for (const from of [join(root, "config.ini"), import.meta.filename]) {
    const manifest = packageFrom(name, from);
    if (manifest) return foundIn(dirname(manifest));
  }
  return undefined;
}

function packageFrom(name: string, from: string): string | undefined {
  try {
    return findPackageJSON(name, pathToFileURL(from));
  } catch {
    // Node reports a package that is not there by throwing.
    return undefined;
  }
}

function foundAt(path: string): Found | undefined {
  if (!existsSync(path)) return undefined;
  if (statSync(path).isDirectory()) return foundIn(path);
  return { folder: dirname(path), file: path, version: "" };
}

function foundIn(folder: string): Found {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const entry = entryOf(manifest.exports) ?? manifest.main ?? "index.js";
  return { folder, file: join(folder, entry), version: manifest.version ?? "" };
}

const CONDITIONS = new Set([
  ...process.execArgv.flatMap((arg) => /^(?:--conditions|-C)=(.+)$/.exec(arg)?.[1] ?? []),
  "node",
  "import",
  "module-sync",
  "default",
]);

/** The file that a package's `exports` name for its main entry. */
function entryOf(exports: unknown): string | undefined {
  if (typeof exports === "string") return exports;
  if (typeof exports !== "object" || exports === null) return undefined;
  if ("." in exports) return entryOf(exports["."]);
  for (const [condition, target] of Object.entries(exports)) {
    if (CONDITIONS.has(condition)) return entryOf(target);
  }
  return undefined;
}

function shapeProblem(plugin: unknown, { id, package: name }: PluginEntry): string | undefined {
  if (typeof plugin !== "object" || plugin === null) return `package '${name}' has no plugin as its default export`;
  const { id: own, register, contract } = plugin as Partial<DefinedPlugin>;
  if (contract !== undefined && contract !== CONTRACT_VERSION) {
    return `package '${name}' was built for contract ${contract}, this host has contract ${CONTRACT_VERSION}`;
  }
  if (contract === undefined || typeof own !== "string" || typeof register !== "function") {
    return `package '${name}' has a default export that was not made with definePlugin`;
  }
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(own)) return `package '${name}': '${own}' is no kebab-case id`;
  if (own !== id) return `package '${name}' is the plugin '${own}', but config.ini names it '${id}'`;
  return undefined;
}

function otherCoreOf(folder: string): string | undefined {
  const theirs = packageFrom("@parley/core", join(folder, "package.json"));
  const ours = packageFrom("@parley/core", import.meta.filename);
  if (!theirs || !ours || realpathSync(theirs) === realpathSync(ours)) return undefined;
  return dirname(realpathSync(theirs));
}

export function ownCore(): string {
  const ours = packageFrom("@parley/core", import.meta.filename);
  return ours ? dirname(realpathSync(ours)) : "";
}
