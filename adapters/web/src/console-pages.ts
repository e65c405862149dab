import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE_FOLDER = fileURLToPath(new URL("../", import.meta.url));

/** The pages of the console, for areas to name: the folders of its sources, or the list that its build left of them. */
export function listConsolePages(adapter = PACKAGE_FOLDER): readonly string[] {
  const sources = join(adapter, "console", "src", "areas");
  if (existsSync(sources)) return readdirSync(sources).sort();
  const built = join(adapter, "dist", "console", "pages.json");
  return existsSync(built) ? JSON.parse(readFileSync(built, "utf8")) : [];
}
