import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Localized } from "@parley/core";

/** Location of a package and its entry file. */
export interface FoundPackage {
  /** Folder of the package; for a single-file plugin, the folder of the file. */
  readonly folder: string;
  readonly isOneFile: boolean;
  readonly file: string;
  readonly version: string;
  readonly required: Localized | undefined;
  readonly manifest: Manifest | undefined;
}

export interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly parley?: {
    /** The loss while the plugin is off; only first-party packages set it. */
    readonly required?: Localized;
    /** Libraries that the plugin uses, by the beginning of their names, and the setting that lists them. */
    readonly packages?: { readonly prefix: string; readonly setting: string };
  };
  readonly exports?: unknown;
  readonly main?: string;
}

/** Returns the folder of packages that `parley add` installs; in a clone it is separate from the workspace. */
export function toPackagesFolder(root: string): string {
  return existsSync(join(root, "pnpm-workspace.yaml")) ? join(root, ".parley", "plugins") : root;
}

/** Finds a package in the operator's folder first, so that it can replace a bundled one, then beside the host. */
export function findPackage(name: string, root: string): FoundPackage | undefined {
  if (name.startsWith(".") || isAbsolute(name)) return readPackageAt(resolve(root, name));
  const inFolder = [toPackagesFolder(root), root].map((folder) => join(folder, "config.ini"));
  for (const from of [...inFolder, resolveProgram(), import.meta.filename]) {
    const manifest = resolveManifest(name, from);
    if (manifest) return readPackage(dirname(manifest));
  }
  return undefined;
}

function resolveProgram(): string {
  const [, program = import.meta.filename] = process.argv;
  return existsSync(program) ? realpathSync(program) : import.meta.filename;
}

function resolveManifest(name: string, from: string): string | undefined {
  try {
    return findPackageJSON(name, pathToFileURL(from));
  } catch {
    // Node reports a package that is not there by throwing.
    return undefined;
  }
}

function readPackageAt(path: string): FoundPackage | undefined {
  if (!existsSync(path)) return undefined;
  if (statSync(path).isDirectory()) return readPackage(path);
  return { folder: dirname(path), isOneFile: true, file: path, version: "", required: undefined, manifest: undefined };
}

function readPackage(folder: string): FoundPackage {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (typeof manifest !== "object" || manifest === null) throw new Error("it holds no object");
  const { exports, main = "index.js", version = "", parley } = manifest;
  const entry = resolveEntry(exports, CONDITIONS) ?? resolveEntry(exports, WITH_REQUIRE) ?? main;
  return { folder, isOneFile: false, file: join(folder, entry), version, required: parley?.required, manifest };
}

const CONDITIONS: ReadonlySet<string> = new Set([
  ...process.execArgv.flatMap((arg) => /^(?:--conditions|-C)=(.+)$/.exec(arg)?.[1] ?? []),
  "node",
  "import",
  "module-sync",
  "default",
]);

// Imports also accept CommonJS, as the last condition.
const WITH_REQUIRE: ReadonlySet<string> = new Set([...CONDITIONS, "require"]);

/** Returns the file that a package's `exports` name for its main entry. */
function resolveEntry(exports: unknown, conditions: ReadonlySet<string>): string | undefined {
  if (typeof exports === "string") return exports;
  if (typeof exports !== "object" || exports === null) return undefined;
  if ("." in exports) return resolveEntry(exports["."], conditions);
  for (const [condition, target] of Object.entries(exports)) {
    if (conditions.has(condition)) return resolveEntry(target, conditions);
  }
  return undefined;
}

/** Finds another copy of the contract in a package. */
export function findOtherCore(folder: string): string | undefined {
  const theirs = resolveManifest("@parley/core", join(folder, "package.json"));
  const ours = resolveManifest("@parley/core", import.meta.filename);
  if (!theirs || !ours || realpathSync(theirs) === realpathSync(ours)) return undefined;
  return dirname(realpathSync(theirs));
}

export function findOwnCore(): string {
  const ours = resolveManifest("@parley/core", import.meta.filename);
  return ours ? dirname(realpathSync(ours)) : "";
}
