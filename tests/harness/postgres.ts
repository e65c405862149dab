import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { soon } from "./soon.ts";

const INSTALLED = "/usr/lib/postgresql";
const USER = "parley";

/** A PostgreSQL server of its own, in a folder that goes with it; nothing but this process reaches it. */
export interface PostgresServer extends AsyncDisposable {
  pool(): pg.Pool;
}

/** Where the server's programs are; undefined where PostgreSQL is not installed. */
export function postgresPrograms(): string | undefined {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED) : [];
  const folders = versions.map((version) => join(INSTALLED, version, "bin"));
  return folders.findLast((folder) => existsSync(join(folder, "initdb")));
}

export async function startPostgres(programs: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "parley-pg-"));
  const data = join(folder, "data");
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chmodSync(folder, 0o777);
  }
  const as = isRoot ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"] : [];
  const command = (name: string, ...args: readonly string[]) => {
    const [program = "", ...rest] = [...as, join(programs, name), ...args];
    return { program, rest };
  };
  // Texts are compared by their bytes, as SQLite compares them.
  const init = command("initdb", "-D", data, "-U", USER, "--auth=trust", "--locale=C", "--encoding=UTF8", "--no-sync");
  execFileSync(init.program, init.rest, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const off = ["fsync", "synchronous_commit", "full_page_writes"].flatMap((name) => ["-c", `${name}=off`]);
  const run = command("postgres", "-D", data, "-k", folder, "-c", "listen_addresses=", ...off);
  const server = spawn(run.program, run.rest, { cwd: folder, stdio: "ignore" });
  const ended = once(server, "exit");
  const pools: pg.Pool[] = [];
  const pool = () => {
    const made = new pg.Pool({ host: folder, user: USER, database: "postgres", max: 2 });
    pools.push(made);
    return made;
  };
  const stop = async () => {
    for (const one of pools) await one.end();
    server.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await soon(async () => void (await pool().query("select 1")));
  } catch (error) {
    await stop();
    throw error;
  }
  return { pool, [Symbol.asyncDispose]: stop };
}
