import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Writes files into a folder; existing ones stay unchanged. Returns a report in lines. */
export function writeFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
): { readonly existing: readonly string[]; readonly lines: readonly string[] } {
  const unwritten = Object.entries(files).flatMap(([name, text]) => (tryWrite(join(folder, name), text) ? [] : [name]));
  const written = Object.keys(files).filter((name) => !unwritten.includes(name));
  return {
    existing: unwritten,
    lines: [
      ...(written.length > 0 ? [`written: ${written.join(", ")}`] : []),
      ...(unwritten.length > 0 ? [`there already, and left as it is: ${unwritten.join(", ")}`] : []),
    ],
  };
}

/** Returns the shell command that enters a folder. */
export function formatEnterCommand(folder: string): string {
  const path = relative(process.cwd(), folder);
  return path === "" ? "" : `cd ${path} && `;
}

/** Converts a folder's name to a valid npm name. */
export function toPackageName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
}

/** Writes a file; returns false where one of this name exists. */
function tryWrite(file: string, text: string): boolean {
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, text, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
