import { spawnSync } from "node:child_process";
import { existsSync, globSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { reasonOf } from "../configuration.ts";

/** A look into each file takes a moment, and a start waits for it. */
const MOST_PARSED = 30;

/** What is imported of a package. */
interface PackageFile {
  readonly folder: string;
  readonly file: string;
}

/** Why the file that a package names cannot be imported at all; undefined when it may be tried. */
export function fileProblem({ folder, file }: PackageFile): string | undefined {
  const named = relative(folder, file);
  if (!existsSync(file)) {
    return `its package.json names ${named}, which is not there: build it before it is packed, and list its folder under "files"`;
  }
  if (/\.[cm]?ts$/.test(file) && realpathSync(file).split(sep).includes("node_modules")) {
    return `its package.json names ${named}, which is TypeScript: publish the JavaScript that tsc makes of it`;
  }
  return undefined;
}

/** Why an import failed, and what its author does about it. */
export function importProblem(error: unknown, { folder }: PackageFile): string {
  const reason = reasonOf(error).split("\n")[0] ?? "";
  const missing = /^Cannot find package '([^']+)'/.exec(reason)?.[1];
  if (missing !== undefined) {
    const kind = missing === "@parley/core" ? "peerDependencies" : "dependencies";
    return `it needs the package '${missing}', which is not installed beside it: name it under "${kind}" of its package.json`;
  }
  const place = placeOf(error, folder) ?? (error instanceof SyntaxError ? unparsedIn(folder) : undefined);
  return place === undefined ? reason : `${reason} (${place})`;
}

/** Where it went wrong, as a file of the package and a line. */
function placeOf(error: unknown, folder: string): string | undefined {
  if (!(error instanceof Error) || error.stack === undefined) return undefined;
  // What cannot be parsed has its place in the first line of the stack, what was thrown in a frame.
  const places = [...error.stack.matchAll(/(file:\/\/[^\s()]+?|\/[^\s()]+?):(\d+)(?::\d+)?\)?$/gm)];
  for (const [, url = "", line] of places) {
    const file = url.startsWith("file:") ? fileURLToPath(url.replace(/\?.*$/, "")) : url;
    const inside = [folder, realpathSync(folder)].find((one) => file.startsWith(join(one, sep)));
    if (inside !== undefined) return `${relative(inside, file)}:${line}`;
  }
  return undefined;
}

/** The first file of a package that is no JavaScript: Node's own error names none. */
function unparsedIn(folder: string): string | undefined {
  const files = globSync("**/*.{js,mjs}", { cwd: folder, exclude: (name) => name === "node_modules" });
  for (const file of files.sort().slice(0, MOST_PARSED)) {
    const { status, stderr } = spawnSync(process.execPath, ["--check", join(folder, file)], { encoding: "utf8" });
    const line = /:(\d+)$/m.exec(stderr.split("\n")[0] ?? "")?.[1];
    if (status !== 0 && line !== undefined) return `${file}:${line}`;
  }
  return undefined;
}
