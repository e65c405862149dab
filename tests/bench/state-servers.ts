// Servers that keep the state of the other frameworks on disk, each in a folder of its own.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findPostgresPrograms, startPostgres } from "../harness/servers/postgres.ts";

const REDIS = "redis-server";

export interface StateServer extends AsyncDisposable {
  readonly url: string;
}

/** Starts Redis with an append-only file that is synced after every write; returns undefined where it is not installed. */
export async function startRedisState(): Promise<StateServer | undefined> {
  if (spawnSync(REDIS, ["--version"]).status !== 0) return;
  const folder = mkdtempSync(join(tmpdir(), "parley-redis-"));
  const port = await findFreePort();
  const address = ["--bind", "127.0.0.1", "--port", String(port)];
  const storage = ["--dir", folder, "--save", "", "--appendonly", "yes", "--appendfsync", "always"];
  const child = spawn(REDIS, [...address, ...storage], { stdio: ["ignore", "pipe", "ignore"] });
  const stop = async () => {
    if (child.exitCode === null && child.kill()) await once(child, "exit");
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `redis://127.0.0.1:${port}`, [Symbol.asyncDispose]: stop };
}

/** Starts PostgreSQL with durable commits; returns undefined where it is not installed. */
export async function startPostgresState(): Promise<StateServer | undefined> {
  const programs = findPostgresPrograms();
  if (programs === undefined) return;
  const server = await startPostgres(programs, { isSafe: true });
  return { url: await server.makeDatabase(), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function waitUntilReady({ stdout }: ChildProcess): Promise<void> {
  if (!stdout) throw new Error("no stdout");
  let last = "no output";
  for await (const line of createInterface({ input: stdout })) {
    last = line;
    if (line.includes("Ready to accept connections")) {
      // The log is small, but a full pipe would block the server.
      stdout.resume();
      return;
    }
  }
  throw new Error(`redis-server ended: ${last}`);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
