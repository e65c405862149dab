import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { AppError, type DefinedPlugin, type Localized, schemaProblem } from "@parley/core";
import { type Configuration, type PluginEntry, reasonOf } from "./configuration.ts";
import type { PluginPlace } from "./faults.ts";
import { isFirstParty } from "./first-party.ts";
import { type PackageTexts, textsOf } from "./package-texts.ts";
import { contractProblem } from "./packages/contract-problem.ts";
import { freshImport } from "./packages/fresh-import.ts";
import { fileProblem, importProblem } from "./packages/import-problem.ts";
import { within } from "./starting.ts";

const IMPORT_WITHIN_MS = 20_000;

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
  /** Why it cannot be switched off in the console; undefined when it can. */
  readonly required: Localized | undefined;
  /** What it is called, and what it is for. */
  readonly texts: PackageTexts;
}

/** Imports every enabled plugin, at the same time. Never throws: what failed says why. */
export function loadPlugins(
  { root, plugins }: Pick<Configuration, "root" | "plugins">,
  importWithinMs: number = IMPORT_WITHIN_MS,
): Promise<readonly LoadedPlugin[]> {
  return Promise.all(plugins.map((entry) => loadPlugin(entry, root, importWithinMs)));
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
    required: undefined,
    texts: textsOf(undefined, entry.id),
  };
}

async function loadPlugin(wanted: PluginEntry, root: string, importWithinMs: number): Promise<LoadedPlugin> {
  const isThirdParty = !isFirstParty(wanted.package);
  const nothing = { version: "", path: "", isThirdParty, plugin: undefined, failure: undefined };
  const absent = {
    ...nothing,
    entry: wanted,
    otherCore: undefined,
    required: undefined,
    texts: textsOf(undefined, wanted.id),
  };
  let found: Found | undefined;
  try {
    found = findPackage(wanted.package, root);
  } catch (error) {
    return { ...absent, failure: `package '${wanted.package}' cannot be read: its package.json: ${reasonOf(error)}` };
  }
  if (!found) {
    const failure = `package '${wanted.package}' is not installed in ${root}`;
    return { ...absent, ...(wanted.enabled && wanted.isNamed && { failure }) };
  }
  const required = isThirdParty ? undefined : found.required;
  // Whoever needs the console to switch it on again cannot have it switched off there.
  const entry =
    required === undefined ? wanted : { ...wanted, enabled: wanted.enabled || wanted.isOffInConsole === true };
  const texts = textsOf(found.manifest, wanted.id);
  const known = { ...absent, entry, version: found.version, path: found.folder, required, texts };
  if (!entry.enabled) return known;
  const unusable = fileProblem(found);
  if (unusable !== undefined)
    return { ...known, failure: `package '${entry.package}' cannot be imported: ${unusable}` };
  try {
    const imported = imports(entry.package, found);
    const limit = `its import did not end within ${importWithinMs / 1000} s`;
    const plugin = pluginOf(await within(imported, importWithinMs, limit));
    const failure = shapeProblem(plugin, entry);
    return {
      ...known,
      failure,
      plugin: failure ? undefined : (plugin as DefinedPlugin),
      otherCore: otherCoreOf(found.folder),
    };
  } catch (error) {
    return { ...known, failure: `package '${entry.package}' cannot be imported: ${importProblem(error, found)}` };
  }
}

/** The plugin in an installed package; throws what is wrong with it. */
export async function pluginIn(
  name: string,
  root: string,
): Promise<{ readonly id: string; readonly version: string; readonly plugin: DefinedPlugin }> {
  const found = findPackage(name, root);
  if (!found) throw new AppError("not_found", `package '${name}' is not installed in ${packagesFolder(root)}`);
  const plugin = await importPlugin(name, found);
  const { id } = (plugin ?? {}) as Partial<DefinedPlugin>;
  const entry = { id: String(id), package: name, enabled: true, isNamed: true, settings: {} };
  const problem = shapeProblem(plugin, entry);
  if (problem) throw new AppError("bad_request", problem);
  return { id: entry.id, version: found.version, plugin: plugin as DefinedPlugin };
}

async function importPlugin(name: string, found: Found): Promise<unknown> {
  const refuse = (why: string, cause?: unknown) =>
    new AppError("bad_request", `package '${name}' cannot be imported: ${why}`, { cause });
  const unusable = fileProblem(found);
  if (unusable !== undefined) throw refuse(unusable);
  return within(imports(name, found), IMPORT_WITHIN_MS, "its import takes too long").then(pluginOf, (error) => {
    throw refuse(importProblem(error, found), error);
  });
}

/** Ours stay as they are until the process ends: what they hold belongs to it. */
function imports(name: string, found: Found): Promise<Record<string, unknown>> {
  return isFirstParty(name) ? import(pathToFileURL(found.file).href) : freshImport(found);
}

/** A default export; of a package that was compiled to CommonJS that is a level deeper. */
function pluginOf({ default: given }: { readonly default?: unknown }): unknown {
  const inner = (given as { readonly default?: unknown } | null | undefined)?.default;
  return typeof inner === "object" && inner !== null && !("contract" in (given as object)) ? inner : given;
}

/** Where the code of each configured plugin lies, links resolved as in a stack; without those that are not there. */
export function placesOf({ root, plugins }: Pick<Configuration, "root" | "plugins">): readonly PluginPlace[] {
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

interface Found {
  /** Of its package; of a plugin of one file the one that it lies in. */
  readonly folder: string;
  readonly isOneFile: boolean;
  readonly file: string;
  readonly version: string;
  readonly required: Localized | undefined;
  readonly manifest: Manifest | undefined;
}

interface Manifest {
  readonly version?: string;
  /** What only packages of ours say of themselves. */
  readonly parley?: { readonly required?: Localized };
  readonly exports?: unknown;
  readonly main?: string;
}

/** What `parley add` installs in a clone lies apart from the clone's own workspace. */
export function packagesFolder(root: string): string {
  return existsSync(join(root, "pnpm-workspace.yaml")) ? join(root, ".parley", "plugins") : root;
}

// The operator's folder first, then what the started program and the host depend on: an operator can replace what comes along.
function findPackage(name: string, root: string): Found | undefined {
  if (name.startsWith(".") || isAbsolute(name)) return foundAt(resolve(root, name));
  const inFolder = [packagesFolder(root), root].map((folder) => join(folder, "config.ini"));
  for (const from of [...inFolder, startedProgram(), import.meta.filename]) {
    const manifest = packageFrom(name, from);
    if (manifest) return foundIn(dirname(manifest));
  }
  return undefined;
}

function startedProgram(): string {
  const [, program = import.meta.filename] = process.argv;
  return existsSync(program) ? realpathSync(program) : import.meta.filename;
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
  return { folder: dirname(path), isOneFile: true, file: path, version: "", required: undefined, manifest: undefined };
}

function foundIn(folder: string): Found {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { exports, main = "index.js", version = "", parley } = manifest;
  const entry = entryOf(exports, CONDITIONS) ?? entryOf(exports, WITH_REQUIRE) ?? main;
  return { folder, isOneFile: false, file: join(folder, entry), version, required: parley?.required, manifest };
}

const CONDITIONS: ReadonlySet<string> = new Set([
  ...process.execArgv.flatMap((arg) => /^(?:--conditions|-C)=(.+)$/.exec(arg)?.[1] ?? []),
  "node",
  "import",
  "module-sync",
  "default",
]);

// An import takes CommonJS too; it is the last choice.
const WITH_REQUIRE: ReadonlySet<string> = new Set([...CONDITIONS, "require"]);

/** The file that a package's `exports` name for its main entry. */
function entryOf(exports: unknown, conditions: ReadonlySet<string>): string | undefined {
  if (typeof exports === "string") return exports;
  if (typeof exports !== "object" || exports === null) return undefined;
  if ("." in exports) return entryOf(exports["."], conditions);
  for (const [condition, target] of Object.entries(exports)) {
    if (conditions.has(condition)) return entryOf(target, conditions);
  }
  return undefined;
}

const WRITE = "export default definePlugin({ … }) in the file that its package.json names";

function shapeProblem(plugin: unknown, { id, package: name }: PluginEntry): string | undefined {
  if (typeof plugin !== "object" || plugin === null) {
    return `package '${name}' has no plugin as its default export: write ${WRITE}`;
  }
  const { id: own, register, contract, requires = [], config, start, ready } = plugin as Partial<DefinedPlugin>;
  const otherContract = typeof contract === "number" ? contractProblem(contract) : undefined;
  if (otherContract !== undefined) return `package '${name}' ${otherContract}`;
  if (typeof contract !== "number")
    return `package '${name}' has a default export that was not made with definePlugin: write ${WRITE}`;
  if (typeof own !== "string") return `the plugin of package '${name}' has no id: definePlugin({ id: 'acme', … })`;
  if (typeof register !== "function")
    return `the plugin of package '${name}' has no register: definePlugin({ …, register({ contribute }) { … } })`;
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(own)) return `package '${name}': '${own}' is no kebab-case id`;
  if (own !== id) return `package '${name}' is the plugin '${own}', but config.ini names it '${id}'`;
  if (!Array.isArray(requires) || requires.some((key) => key?.kind !== "service")) {
    return `package '${name}': requires must be a list of services, and ${describe(requires)} is none`;
  }
  const problem = config === undefined ? undefined : schemaProblem(config);
  if (problem) return `package '${name}': config ${problem}`;
  if (start !== undefined && typeof start !== "function") return `package '${name}': start is no function`;
  if (ready !== undefined && typeof ready !== "function") return `package '${name}': ready is no function`;
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

function describe(requires: unknown): string {
  if (!Array.isArray(requires)) return String(requires);
  const at = requires.findIndex((key) => key?.kind !== "service");
  return `requires[${at}] (${requires[at] === undefined ? "undefined: is its name spelled as in @parley/core?" : typeof requires[at]})`;
}
