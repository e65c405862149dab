import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDatabase, SERVER_FOLDER_VARIABLE } from "./servers/postgres.ts";

/** File in a test's service folder that contains the URL of its database. */
export const DATABASE_FILE = ".database";

/** False when services store their rows on a server, so that none are in the data folder. */
export const isInFiles = process.env.PARLEY_STORAGE !== "postgres";

/** Storage of a test service: the default, or its database with `PARLEY_STORAGE=postgres`. */
export interface ChosenStorage {
  readonly config: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Prepares the database of a service folder; a restarted service finds its rows again. */
export async function prepareStorage(
  root: string,
  server = process.env[SERVER_FOLDER_VARIABLE],
): Promise<ChosenStorage> {
  if (server === undefined) return { config: "", env: {} };
  const note = join(root, DATABASE_FILE);
  if (!existsSync(note)) writeFileSync(note, await makeDatabase(server));
  const config = "[plugins]\nstorage = @parley/plugin-postgres\n[plugin.postgres]\nread_connections = 3\n";
  return { config, env: { PARLEY_DATABASE_URL: readFileSync(note, "utf8") } };
}

/** Returns the variables that let a command find the rows of a service folder; none when the rows are in the folder. */
export function readStorageEnv(root: string): Readonly<Record<string, string>> {
  const note = join(root, DATABASE_FILE);
  return existsSync(note) ? { PARLEY_DATABASE_URL: readFileSync(note, "utf8") } : {};
}
