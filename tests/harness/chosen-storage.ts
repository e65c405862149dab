import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDatabase, SERVER_FOLDER_VARIABLE } from "./servers/postgres.ts";

/** In an operator's folder of a test: the address of its database. */
export const DATABASE_FILE = ".database";

/** False where services keep their rows on a server: then nothing of them is in the data folder. */
export const isInFiles = process.env.PARLEY_STORAGE !== "postgres";

/** Storage of a test service: the default, or its database with `PARLEY_STORAGE=postgres`. */
export interface ChosenStorage {
  readonly config: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The database of an operator's folder: a service that goes on in it finds its rows again. */
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

/** The variables by which a command finds the rows of an operator's folder; none where they are in it. */
export function readStorageEnv(root: string): Readonly<Record<string, string>> {
  const note = join(root, DATABASE_FILE);
  return existsSync(note) ? { PARLEY_DATABASE_URL: readFileSync(note, "utf8") } : {};
}
