import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";

const INSTALL_FOLDER = "/usr/lib/postgresql";
const USER = "parley";
const START_TIMEOUT_MS = 15_000;

/** A PostgreSQL server in a temporary folder, reachable only by this machine's user. */
export interface PostgresServer extends AsyncDisposable {
  /** Folder of its socket. */
  readonly folder: string;
  pool(): pg.Pool;
  /** Creates a database and returns its URL. */
  makeDatabase(): Promise<string>;
  /** Ends the server at once, as a crash does. */
  interrupt(): Promise<void>;
  /** Restarts the server with its data. */
  resume(): Promise<void>;
}

/** Returns the folder of the server's programs; undefined where PostgreSQL is not installed. */
export function findPostgresPrograms(): string | undefined {
  const versions = existsSync(INSTALL_FOLDER) ? readdirSync(INSTALL_FOLDER) : [];
  const folders = versions.map((version) => join(INSTALL_FOLDER, version, "bin"));
  return folders.findLast((folder) => existsSync(join(folder, "initdb")));
}

/** Name of the variable with the socket folder of the server that flows use on PostgreSQL. */
export const SERVER_FOLDER_VARIABLE = "PARLEY_TEST_POSTGRES";

/** Starts a server; with `isSafe`, commits survive `interrupt`. */
export async function startPostgres(programs: string, { isSafe = false } = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "parley-pg-"));
  const data = join(folder, "data");
  // PostgreSQL refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chmodSync(folder, 0o777);
  }
  const as = isRoot ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"] : [];
  const command = (name: string, ...args: readonly string[]) => {
    const [program = "", ...rest] = [...as, join(programs, name), ...args];
    return { program, rest };
  };
  // Compares texts by their bytes, as SQLite does.
  const init = command("initdb", "-D", data, "-U", USER, "--auth=trust", "--locale=C", "--encoding=UTF8", "--no-sync");
  execFileSync(init.program, init.rest, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const off = isSafe ? [] : ["fsync", "synchronous_commit", "full_page_writes"];
  const more = ["listen_addresses=", "max_connections=300", ...off.map((name) => `${name}=off`)].flatMap((one) => [
    "-c",
    one,
  ]);
  const run = command("postgres", "-D", data, "-k", folder, ...more);
  let server: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  const pools: pg.Pool[] = [];
  const pool = () => {
    const made = new pg.Pool({ host: folder, user: USER, database: "postgres", max: 2 });
    // An interrupted server closes idle connections too.
    made.on("error", () => {});
    pools.push(made);
    return made;
  };
  const resume = async () => {
    server = spawn(run.program, run.rest, { cwd: folder, stdio: "ignore" });
    ended = once(server, "exit");
    const asking = pool();
    // The helpers of the test runner are not available when a server is started for the whole run.
    for (const until = performance.now() + START_TIMEOUT_MS; ; await wait(25)) {
      try {
        await asking.query("select 1");
        return;
      } catch (error) {
        if (performance.now() > until) throw error;
      }
    }
  };
  const stop = async () => {
    for (const one of pools.splice(0)) await one.end();
    server?.kill("SIGINT");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await resume();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    folder,
    pool,
    makeDatabase: () => makeDatabase(folder),
    async interrupt() {
      server?.kill("SIGQUIT");
      await ended;
    },
    resume,
    [Symbol.asyncDispose]: stop,
  };
}

/** Creates a database on the server whose socket is in `folder`; returns its URL. */
export async function makeDatabase(folder: string): Promise<string> {
  const client = new pg.Client({ host: folder, user: USER, database: "postgres" });
  await client.connect();
  try {
    const name = `t_${crypto.randomUUID().replaceAll("-", "")}`;
    await client.query(`create database ${name} template template0`);
    return `postgresql://${USER}@localhost/${name}?host=${encodeURIComponent(folder)}`;
  } finally {
    await client.end();
  }
}
