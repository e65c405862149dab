import { findPostgresPrograms, SERVER_FOLDER_VARIABLE, startPostgres } from "./servers/postgres.ts";

/** With `PARLEY_STORAGE=postgres`: starts one server for the test run, where all services store their rows. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.PARLEY_STORAGE !== "postgres") return undefined;
  const programs = findPostgresPrograms();
  if (!programs) throw new Error("PARLEY_STORAGE=postgres: PostgreSQL is not installed (apt-get install postgresql)");
  const server = await startPostgres(programs);
  process.env[SERVER_FOLDER_VARIABLE] = server.folder;
  return async () => {
    delete process.env[SERVER_FOLDER_VARIABLE];
    await server[Symbol.asyncDispose]();
  };
}
