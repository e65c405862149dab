import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Localized } from "@parley/core";

/** Where a package lies, and the file that is imported of it. */
export interface FoundPackage {
  /** Of its package; of a plugin of one file the one that it lies in. */
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
  /** What only packages of ours say of themselves. */
  readonly parley?: { readonly required?: Localized };
  readonly exports?: unknown;
  readonly main?: string;
}

/** What `parley add` installs in a clone lies apart from the clone's own workspace. */
export function toPackagesFolder(root: string): string {
  return existsSync(join(root, "pnpm-workspace.yaml")) ? join(root, ".parley", "plugins") : root;
}

/**
 * Looks in the operator's folder first, then at what the started program and the host depend on: an operator can replace what
 * comes along.
 */
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

// An import takes CommonJS too; it is the last choice.
const WITH_REQUIRE: ReadonlySet<string> = new Set([...CONDITIONS, "require"]);

/** The file that a package's `exports` name for its main entry. */
function resolveEntry(exports: unknown, conditions: ReadonlySet<string>): string | undefined {
  if (typeof exports === "string") return exports;
  if (typeof exports !== "object" || exports === null) return undefined;
  if ("." in exports) return resolveEntry(exports["."], conditions);
  for (const [condition, target] of Object.entries(exports)) {
    if (conditions.has(condition)) return resolveEntry(target, conditions);
  }
  return undefined;
}

/** Another copy of the contract than the host's, when a package brings one. */
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
