import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type ParleyProcess, startProcess } from "../harness/process.ts";
import { findPostgresPrograms, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";

const repository = dirname(dirname(import.meta.dirname));
const programs = findPostgresPrograms();

describe.skipIf(!programs)("a node that the others consider offline", () => {
  const root = mkdtempSync(join(tmpdir(), "parley-lost-"));
  let server: PostgresServer;
  let url: string;
  let node: ParleyProcess;

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
    url = await server.makeDatabase();
    const plugins = `storage = ${join(repository, "plugins/postgres")}\nbreaking = ${join(import.meta.dirname, "breaking-plugin.ts")}`;
    writeFileSync(
      join(root, "config.ini"),
      `[plugins]\n${plugins}\n[plugin.storage]\nurl_env = DATABASE\nnodes = true\n[log]\nlevel = warn\nfile = off\n`,
    );
    const env = { DATABASE: url, SVC_SECRET_KEY: Buffer.alloc(32, 7).toString("base64") };
    node = await startProcess({ root, env });
  }, 60_000);
  afterAll(async () => {
    node?.child.kill("SIGKILL");
    await node?.ended;
    await server?.[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });

  test("and that cannot start anew ends with a code that its supervisor starts again", async () => {
    writeFileSync(join(root, "broken"), "");
    const client = new pg.Client(url);
    await client.connect();
    await client.query("update processes set gone_at = now()");
    await client.end();
    const code = await node.ended;
    expect(node.output()).toContain("the node could not be restarted");
    expect(readSupervisors().map(({ restarts }) => restarts(code))).toEqual([true, true, true]);
  }, 60_000);
});

interface Supervisor {
  /** Returns whether a process with this exit code is restarted. */
  restarts(code: number | string): boolean;
}

/** Reads the supervisors from the deployment files of the repository. */
function readSupervisors(): readonly Supervisor[] {
  const deploy = join(repository, "host", "server", "deploy");
  const read = (path: string) => readFileSync(join(deploy, path), "utf8");
  const unit = /^Restart=(\S+)$/m.exec(read("parley.service"))?.[1];
  const { services } = parse(read("nodes/compose.yaml"), { merge: true }) as {
    readonly services: Readonly<Record<string, { readonly restart: string }>>;
  };
  const nodes = Object.entries(services).filter(([name]) => name.startsWith("parley-"));
  return [unit ?? "", ...nodes.map(([, { restart }]) => restart)].map((policy) => ({
    restarts: (code) => policy === "always" || policy === "unless-stopped" || (policy === "on-failure" && code !== 0),
  }));
}
