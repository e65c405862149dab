import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Gateway } from "@parley/core";
import { type ModelServer, startModelServer } from "@parley/simulators";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DATABASE_FILE } from "../harness/chosen-storage.ts";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { findPostgresPrograms, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";
import { openPostgresProxy, type PostgresProxy } from "../harness/servers/postgres-proxy.ts";

const programs = findPostgresPrograms();
const MESSAGE_PATTERN = /say \d+/;

describe.skipIf(!programs)("with a failing database", () => {
  const root = mkdtempSync(join(tmpdir(), "parley-faults-"));
  const disk = join(root, "disk");
  const fake = createFakeChannel();
  const acknowledged: string[] = [];
  let hasDisk = false;
  let server: PostgresServer;
  let way: PostgresProxy;
  let models: ModelServer;
  let parley: Parley;
  let api: Client;
  let count = 0;

  /** Creates the database on a separate disk, if one can be created. */
  const makeDatabase = async () => {
    mkdirSync(disk);
    hasDisk = canMount(disk);
    const url = await server.makeDatabase();
    const [name = ""] = /t_\w+/.exec(url) ?? [];
    if (hasDisk) {
      const { uid, gid } = statSync(join(server.folder, "data"));
      chownSync(disk, uid, gid);
      await server.pool().query(`create tablespace small location '${disk}'`);
      await server.pool().query(`alter database ${name} set tablespace small`);
    }
    return url.replace(/host=.*/, `host=${encodeURIComponent(way.folder)}`);
  };
  /** Sends a message that is too long for the free space of a page. */
  const say = async () => {
    const text = `say ${++count}`;
    await fake.say("team-1", `${text} ${randomBytes(20_000).toString("hex")}`);
    acknowledged.push(text);
  };
  const answers = () => fake.sent.map(({ text }) => MESSAGE_PATTERN.exec(text)?.[0]);
  const expectRejection = () => expect(say()).rejects.toMatchObject({ code: "unavailable", retryAfterS: 1 });
  const posted = async (word: string) => {
    const body = { user_id: "ann", content: "hello" };
    return (await api.send("POST", "/api/gateway/shop/webhook", { body, headers: { "x-svc-token": word } })).status;
  };
  const setServer = async (setting: string) => {
    const pool = server.pool();
    await pool.query(`alter system set ${setting}`);
    await pool.query("select pg_reload_conf()");
  };

  beforeAll(async () => {
    chmodSync(root, 0o755);
    server = await startPostgres(programs ?? "", { isSafe: true });
    way = await openPostgresProxy(server.folder);
    writeFileSync(join(root, DATABASE_FILE), await makeDatabase());
    models = await startModelServer({
      answer: ({ body }) => ({
        kind: "text",
        text: MESSAGE_PATTERN.exec(JSON.stringify(body.messages.at(-1)))?.[0] ?? "?",
      }),
    });
    const env = { SHOP_WORD: "sesame" };
    parley = await startParley({ root, server: server.folder, config: "nodes = true\n", plugins: [fake.plugin], env });
    api = await parley.signIn();
    const draft = { name: "said", model: "said", base_url: models.baseUrl, retry_count: 0 };
    const { id } = await api.post<{ id: string }>("/api/ai-models", draft);
    await api.post(`/api/ai-models/${id}/apply`, {});
    await api.post("/api/channels", { id: fake.id, name: fake.id, type: fake.id, transport: "bridge" });
    const config = { auth: { type: "static", secret_env: "SHOP_WORD" } };
    await api.post("/api/channels", { id: "shop", name: "shop", type: "generic", config });
    await eventually(say);
  }, 120_000);
  afterAll(async () => {
    way?.slow(0);
    await parley?.[Symbol.asyncDispose]();
    for (const one of [models, way, server]) await one?.[Symbol.asyncDispose]();
    if (hasDisk) execFileSync("umount", [disk]);
    rmSync(root, { recursive: true, force: true });
  });

  interface Fault {
    readonly what: string;
    begin(): Promise<unknown>;
    end(): Promise<unknown>;
    readonly needsDisk?: boolean;
  }
  const fill = join(disk, "fill");
  const faults: readonly Fault[] = [
    { what: "it is gone", begin: () => server.interrupt(), end: () => server.resume() },
    {
      what: "it is read-only",
      begin: () => setServer("default_transaction_read_only = on"),
      end: () => setServer("default_transaction_read_only = off"),
    },
    {
      what: "its disk is full",
      needsDisk: true,
      begin: async () => fillUp(fill),
      end: async () => rmSync(fill),
    },
  ];

  test.for(faults)("$what: a message is rejected, and recovery is automatic", async (fault, { skip }) => {
    skip(fault.needsDisk === true && !hasDisk, "only the administrator may mount a disk");
    try {
      await fault.begin();
      // Connections of the server apply a setting with a delay.
      await eventually(expectRejection);
      // A wrong secret is rejected for good, since that needs no database.
      expect(await posted("wrong")).toBe(401);
      const session = await api.send("POST", "/api/sessions", { body: {} });
      // A short row may still fit where a long one does not.
      if (!fault.needsDisk) expect([session.status, session.headers.get("retry-after")]).toEqual([503, "1"]);
    } finally {
      await fault.end();
    }
    await eventually(say);
    await parley.host.get(Gateway).idle();
    expect(answers()).toEqual(acknowledged);
  });

  test("a latency of half a second: all messages are answered in order, and the node is not considered dead", async () => {
    const { self } = await api.get<{ self: string }>("/api/nodes");
    way.slow(500);
    for (let number = 0; number < 2; number += 1) await say();
    await expect.poll(answers, { timeout: 60_000 }).toEqual(acknowledged);
    way.slow(0);
    expect(await eventually(() => api.get("/api/nodes"))).toMatchObject({ self, items: [{ id: self }] });
  }, 90_000);

  test("a server that is too old is reported at the start, with the required version", async () => {
    const url = await server.makeDatabase();
    const client = new pg.Client(url);
    await client.connect();
    await client.query(`create schema aged; create function aged.current_setting(name text) returns text language sql as
      $$ select case name when 'server_version' then '13.9' when 'server_version_num' then '130009'
        else pg_catalog.current_setting(name) end $$`);
    await client.query(`alter database ${/t_\w+/.exec(url)?.[0]} set search_path = public, aged, pg_catalog`);
    await client.end();
    const old = mkdtempSync(join(tmpdir(), "parley-old-"));
    writeFileSync(join(old, DATABASE_FILE), url);
    await expect(startParley({ root: old, server: server.folder })).rejects.toThrow(
      /is PostgreSQL 13\.9: 14 or newer is needed/,
    );
    rmSync(old, { recursive: true, force: true });
  });
});

/** Writes until nothing more fits in; the database may take of the room meanwhile. */
function fillUp(path: string): void {
  const file = openSync(path, "w");
  try {
    for (;;) writeSync(file, Buffer.alloc(4_096));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(file);
  }
}

function canMount(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64m,mode=777", "tmpfs", folder], { stdio: "ignore" });
    return true;
  } catch {
    // Only the administrator of the machine may do this.
    return false;
  }
}
