import { spawnSync } from "node:child_process";
import { existsSync, globSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import * as core from "@parley/core";
import { AppError, type Localized } from "@parley/core";
import { suggestName } from "../config/config-schema.ts";
import { toErrorMessage } from "../config/configuration.ts";
import { sentence, toSentence, verbatim } from "../sentences.ts";

/** Maximum count of files parsed, because a start waits for it. */
const MAX_PARSED_FILES = 30;

/** Entry file of a package. */
interface PackageFile {
  readonly folder: string;
  readonly file: string;
}

/** Returns the reason a package's entry file cannot be imported; undefined when it is worth trying. */
export function findFileProblem({ folder, file }: PackageFile): Localized | undefined {
  const named = { file: relative(folder, file) };
  if (!existsSync(file)) return sentence("import_unbuilt", named);
  if (statSync(file).isDirectory()) return sentence("import_folder", named);
  const isInstalled = realpathSync(file).split(sep).includes("node_modules");
  return isInstalled && /\.[cm]?ts$/.test(file) ? sentence("import_typescript", named) : undefined;
}

/** Returns the reason an import failed, with the fix for its author. */
export function describeImportProblem(error: unknown, { folder }: PackageFile): Localized {
  if (AppError.is(error)) return toSentence(error);
  const reason = toErrorMessage(error).split("\n")[0] ?? "";
  const missing = /^Cannot find package '([^']+)'/.exec(reason)?.[1];
  if (missing !== undefined) {
    const kind = missing === "@parley/core" ? "peerDependencies" : "dependencies";
    return sentence("import_misses", { missing, kind });
  }
  const lost = describeMissingFile(reason, folder);
  if (lost !== undefined) return verbatim(lost);
  const place = findErrorPlace(error, folder) ?? (error instanceof SyntaxError ? findSyntaxError(folder) : undefined);
  return appendPlace(verbatim(reason), place, suggestExport(reason));
}

/** Suggests the name of a missing export of the contract. */
function suggestExport(reason: string): Localized | undefined {
  const wanted = /'@parley\/core' does not provide an export named '([^']+)'/.exec(reason)?.[1];
  return wanted === undefined ? undefined : suggestName(wanted, Object.keys(core));
}

/** Returns the reason plugin code failed; for a third-party plugin with the place in its package where known. */
export function describeFailure(
  error: unknown,
  { isThirdParty, path }: { isThirdParty: boolean; path: string },
): Localized {
  return appendPlace(toSentence(error), isThirdParty && existsSync(path) ? findErrorPlace(error, path) : undefined);
}

function appendPlace(reason: Localized, place: string | undefined, meant: Localized = verbatim("")): Localized {
  const where = place === undefined ? "" : ` (${place})`;
  return { en: `${reason.en}${where}${meant.en}`, zh: `${reason.zh}${where}${meant.zh}` };
}

/** Describes a missing import inside a package in terms of the package; undefined for other errors. */
function describeMissingFile(reason: string, folder: string): string | undefined {
  const match = /^(Cannot find module|Directory import) '([^']+)' .*imported from (.+)$/.exec(reason);
  const [, what, target = "", from = ""] = match ?? [];
  const [file, importer] = [
    toPackagePath(folder, target),
    toPackagePath(folder, from.replace(/^file:\/\/|\?.*$/g, "")),
  ];
  if (file === undefined || importer === undefined) return undefined;
  const imports = `its ${importer} imports ${file}, which is`;
  if (what === "Directory import") return `${imports} a folder: an import names the file in it`;
  const ending = [".js", ".mjs", ".cjs"].find((one) => existsSync(`${target}${one}`));
  if (ending !== undefined) return `${imports} not there: an import names the whole file, with its ending (${ending})`;
  return `${imports} not there: its folder belongs under "files" in package.json`;
}

/** Returns a file's path in the package; undefined when it is outside. */
function toPackagePath(folder: string, file: string): string | undefined {
  const inside = [folder, realpathSync(folder)].find((one) => file.startsWith(join(one, sep)));
  return inside === undefined ? undefined : relative(inside, file);
}

/** Returns the place of an error as a file of the package and a line. */
function findErrorPlace(error: unknown, folder: string): string | undefined {
  if (!(error instanceof Error) || error.stack === undefined) return undefined;
  // A parse error has its place in the first line of the stack, a thrown error in a frame.
  const places = [...error.stack.matchAll(/(file:\/\/[^\s()]+?|\/[^\s()]+?):(\d+)(?::\d+)?\)?$/gm)];
  for (const [, url = "", line] of places) {
    const file = url.startsWith("file:") ? fileURLToPath(url.replace(/\?.*$/, "")) : url;
    const inside = toPackagePath(folder, file);
    if (inside !== undefined) return `${inside}:${line}`;
  }
  return undefined;
}

/** Returns the first file of a package with a syntax error; Node's own error names none. */
function findSyntaxError(folder: string): string | undefined {
  const files = globSync("**/*.{js,mjs}", { cwd: folder, exclude: (name) => name === "node_modules" });
  for (const file of files.sort().slice(0, MAX_PARSED_FILES)) {
    const { status, stderr } = spawnSync(process.execPath, ["--check", join(folder, file)], { encoding: "utf8" });
    const line = /:(\d+)$/m.exec(stderr.split("\n")[0] ?? "")?.[1];
    if (status !== 0 && line !== undefined) return `${file}:${line}`;
  }
  return undefined;
}
