import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE_FOLDER = fileURLToPath(new URL("../", import.meta.url));

/** Returns the names of the console's pages: the folders of its sources, or the list from its build. */
export function listConsolePages(adapter = PACKAGE_FOLDER): readonly string[] {
  const sources = join(adapter, "console", "src", "areas");
  if (existsSync(sources)) return readdirSync(sources).sort();
  const built = join(adapter, "dist", "console", "pages.json");
  return existsSync(built) ? JSON.parse(readFileSync(built, "utf8")) : [];
}
