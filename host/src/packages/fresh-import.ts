import { createHash } from "node:crypto";
import { globSync, statSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const CHANGED_PARAMETER = "parley-changed";
const CODE_FILES = "**/*.{js,mjs,cjs,ts,mts,cts,json}";

/** Hash of the package's code at the import of each file. Entries are never removed, because Node never removes imported modules either. */
const codeHashByFile = new Map<string, string>();
let areHooksInstalled = false;

interface CodeFile {
  readonly folder: string;
  readonly file: string;
  /** True when no other file of its folder belongs to it. */
  readonly isOneFile: boolean;
}

/** Imports a package's file with its current code, even after a change. Earlier imports stay in memory; CommonJS keeps its first state. */
export async function importFresh(code: CodeFile): Promise<Record<string, unknown>> {
  const url = pathToFileURL(code.file);
  const now = hashCode(code);
  const before = codeHashByFile.get(code.file);
  if (before === undefined) codeHashByFile.set(code.file, now);
  else if (before !== now) {
    installHooks();
    url.searchParams.set(CHANGED_PARAMETER, now);
  }
  return import(url.href);
}

/** Returns a hash of the state of the code. */
function hashCode({ folder, file, isOneFile }: CodeFile): string {
  const isInstalled = (name: string) => name === "node_modules";
  const files = isOneFile
    ? [file]
    : globSync(CODE_FILES, { cwd: folder, exclude: isInstalled }).map((name) => join(folder, name));
  const hash = createHash("sha256");
  for (const one of files.sort()) {
    const { mtimeMs, size } = statSync(one);
    hash.update(`${one}:${mtimeMs}:${size}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

/** Installs hooks that import the neighbours of a reloaded file again. */
function installHooks(): void {
  if (areHooksInstalled) return;
  areHooksInstalled = true;
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const mark = context.parentURL && URL.parse(context.parentURL)?.searchParams.get(CHANGED_PARAMETER);
      if (!mark || !specifier.startsWith(".")) return resolved;
      const url = new URL(resolved.url);
      url.searchParams.set(CHANGED_PARAMETER, mark);
      return { ...resolved, url: url.href };
    },
  });
}
