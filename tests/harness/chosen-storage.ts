import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDatabase, SERVER_FOLDER } from "./postgres.ts";

/** What a service of a test is told of the storage: nothing, or, with `PARLEY_STORAGE=postgres`, its database. */
export interface ChosenStorage {
  readonly config: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The database of an operator's folder: a service that goes on in it finds its rows again. */
export async function storageFor(root: string): Promise<ChosenStorage> {
  const server = process.env[SERVER_FOLDER];
  if (server === undefined) return { config: "", env: {} };
  const note = join(root, ".database");
  if (!existsSync(note)) writeFileSync(note, await makeDatabase(server));
  const config = "[plugins]\nstorage = @parley/plugin-postgres\n[plugin.postgres]\nread_connections = 3\n";
  return { config, env: { PARLEY_DATABASE_URL: readFileSync(note, "utf8") } };
}
