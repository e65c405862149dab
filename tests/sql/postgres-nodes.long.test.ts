import {
  Clock,
  Databases,
  Environment,
  fixedStatement,
  HostControl,
  LiveEvents,
  type Migration,
  Nodes,
  systemClock,
} from "@parley/core";
import { type StartedPlugins, startPlugins } from "@parley/testing";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import postgres from "../../plugins/postgres/src/index.ts";
import { eventually } from "../harness/eventually.ts";
import { findPostgresPrograms, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";

const programs = findPostgresPrograms();
const run =
  (text: string): Migration["up"] =>
  async (db) =>
    void (await sql.raw(text).execute(db));
const first: Migration = { id: "001-things", up: run("create table things (id integer primary key, old text)") };
const expand: Migration = { id: "002-name", expands: true, up: run("alter table things add column name text") };

describe.skipIf(!programs)("several nodes on one database", () => {
  let server: PostgresServer;
  const running: StartedPlugins[] = [];
  let reloads = 0;

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
  }, 60_000);
  afterEach(async () => {
    for (const one of running.splice(0)) await one[Symbol.asyncDispose]();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  const start = async (url: string, { nodes = true, version = "1.0.0", clock = systemClock } = {}) => {
    const host = {
      version,
      async reload() {
        reloads += 1;
        return { reloaded: [], failed: [], duration_ms: 0 };
      },
    };
    const services: readonly (readonly [unknown, unknown])[] = [
      [Environment, { get: () => undefined, secret: () => url }],
      [Clock, clock],
      [HostControl, host],
      [LiveEvents, { publish() {}, subscribe: () => () => {}, relay() {} }],
    ];
    const config = { storage: { nodes, read_connections: 2 } };
    const started = await startPlugins([postgres], { services: services as never, config });
    running.push(started);
    return started;
  };
  const ask = async (url: string, text: string, values: readonly unknown[] = []) => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      return (await client.query(text, [...values])).rows;
    } finally {
      await client.end();
    }
  };
  const add = (id: number) => ({ query: fixedStatement("insert into things (id) values (?)", [id]) });

  test("named work runs on one node at a time, and a node disconnected during it blocks nobody", async () => {
    const url = await server.makeDatabase();
    const [one, two] = await Promise.all([start(url), start(url)]);
    const alone = async (node: StartedPlugins, name: string, work: () => Promise<string>) =>
      node.get(Databases).alone?.(name, work);
    const [holding, over] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
    const first = alone(one, "tea", () => {
      holding.resolve();
      return over.promise;
    });
    await holding.promise;
    const done: string[] = [];
    const second = alone(two, "tea", async () => `${done.push("second")}`);
    const waits = "select pid from pg_locks where locktype = 'advisory' and not granted";
    await eventually(async () => expect(await ask(url, waits)).toHaveLength(1));
    expect(await alone(two, "coffee", async () => "another name")).toBe("another name");
    expect(done).toEqual([]);
    await ask(
      url,
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
      and (classid, objid) in (select classid, objid from pg_locks where locktype = 'advisory' and not granted)`,
    );
    expect(await second).toBe("1");
    over.resolve("first");
    expect(await first).toBe("first");
    await expect(alone(one, "tea", () => Promise.reject(new Error("spilt")))).rejects.toThrow("spilt");
    expect(await alone(two, "tea", async () => "free")).toBe("free");
  });

  test("all nodes write, each sees the others, and a stopping node leaves", async () => {
    const url = await server.makeDatabase();
    await ask(url, "create table things (id integer primary key)");
    const [one, two] = await Promise.all([start(url), start(url)]);
    for (const [at, node] of [one, two].entries()) await node.get(Databases).main.write([add(at)]);
    expect(await ask(url, "select id from things order by id")).toEqual([{ id: 0 }, { id: 1 }]);
    const ids = [one, two].map((node) => node.get(Nodes).id).sort();
    const seen = await one.get(Nodes).list();
    expect(seen.map(({ id }) => id).sort()).toEqual(ids);
    const gone: string[] = [];
    one.get(Nodes).onGone((those) => gone.push(...those));
    running.splice(running.indexOf(two), 1);
    const { id } = two.get(Nodes);
    await two[Symbol.asyncDispose]();
    await eventually(() => expect(gone).toEqual([id]));
  });

  test("a node considered dead stores nothing any more, notices that, and restarts", async () => {
    const url = await server.makeDatabase();
    await ask(url, "create table things (id integer primary key)");
    const one = await start(url);
    const { main } = one.get(Databases);
    const nodes = one.get(Nodes);
    let losses = 0;
    nodes.onLost(() => {
      losses += 1;
    });
    const before = reloads;
    await main.write([add(1)]);
    expect(nodes.isCounted()).toBe(true);
    await ask(url, "update processes set gone_at = now() where id = $1", [nodes.id]);
    const rejected = { code: "unavailable", message: "the other nodes considered this node offline" };
    const together = [add(2), add(3)].map((write) => expect(main.write([write])).rejects.toMatchObject(rejected));
    await Promise.all(together);
    expect(await ask(url, "select id from things")).toEqual([{ id: 1 }]);
    expect([nodes.isCounted(), losses, reloads - before]).toEqual([false, 1, 1]);
  });

  test("a commit in progress when its node is considered dead is awaited: either it or the mark is stored", async () => {
    const url = await server.makeDatabase();
    await ask(url, "create table things (id integer primary key)");
    const one = await start(url);
    const { main } = one.get(Databases);
    const { id } = one.get(Nodes);
    const blocker = new pg.Client(url);
    await blocker.connect();
    await blocker.query("begin");
    await blocker.query("update processes set gone_at = now() where id = $1", [id]);
    const late = expect(main.write([add(1)])).rejects.toMatchObject({ code: "unavailable" });
    await blocker.query("commit");
    await late;
    await blocker.end();
    expect(await ask(url, "select id from things")).toEqual([]);
  });

  test("a hanging connection of a dead node is ended by the next check, so that the others wait no longer", async () => {
    const url = await server.makeDatabase();
    // The clock is faster, so that eight seconds without a heartbeat pass in less than one.
    await start(url, { clock: { ...systemClock, monotonic: () => performance.now() * 10 } });
    const looking = () =>
      ask(url, "select pid from pg_stat_activity where application_name = 'parley nodes' order by pid");
    const ending = "query like 'update processes set gone_at%' and wait_event_type = 'Lock'";
    const waiting = () => ask(url, `select pid from pg_stat_activity where ${ending}`);
    await ask(url, "insert into processes (id) values ('silent')");
    const holder = new pg.Client(url);
    await holder.connect();
    await holder.query("begin");
    await holder.query("select from processes where id = 'silent' for update");
    const before = await looking();
    await eventually(async () => expect(await waiting()).toHaveLength(1));
    await eventually(async () => expect(await waiting()).toEqual([]));
    await holder.query("commit");
    await holder.end();
    const isGone = () => ask(url, "select id from processes where id = 'silent' and gone_at is not null");
    await eventually(async () => expect(await isGone()).toHaveLength(1));
    // A node with a new connection has observed no other node and starts its count again.
    expect(await looking()).toEqual(before);
  });

  test("both write connections of a node are ended when it is considered dead, and nobody waits for its rows", async () => {
    const url = await server.makeDatabase();
    await ask(url, "create table things (id integer primary key)");
    const one = await start(url);
    const history = await one.get(Databases).open("history", { isHistory: true });
    await history.write([add(1)]);
    const name = `parley ${one.get(Nodes).id}`;
    const named = await ask(url, "select pid from pg_stat_activity where application_name = $1", [name]);
    expect(named.length).toBeGreaterThanOrEqual(2);
  });

  test("a standalone service is rejected beside them", async () => {
    const url = await server.makeDatabase();
    const one = await start(url);
    await expect(start(url, { nodes: false })).rejects.toThrow(/another Parley .* uses the database/);
    running.splice(0);
    await one[Symbol.asyncDispose]();
    const alone = await start(url, { nodes: false, version: "2.0.0" });
    expect(alone.find(Nodes)).toBeUndefined();
    await expect(start(url)).rejects.toThrow(/another Parley .* uses the database/);
  }, 20_000);

  test("a new version works beside the previous one, and removes its leftovers when that is gone", async () => {
    const url = await server.makeDatabase();
    const contract: Migration = { id: "003-old-goes", up: run("alter table things drop column old") };
    const write = (node: StartedPlugins, text: string) =>
      node.get(Databases).main.write([{ query: fixedStatement(text, []) }]);

    const older = await start(url);
    await older.get(Databases).main.migrate("things", [first]);
    // The server caches their plans before the table changes.
    const { main } = older.get(Databases);
    const readAll = () => main.tables<{ things: { id: number } }>().selectFrom("things").selectAll().execute();
    const touch = () =>
      main.write([{ query: fixedStatement("update things set old = old where id = 0 returning *", []) }]);
    for (const use of [readAll, touch]) await use();
    const newer = await start(url, { version: "2.0.0" });
    await newer.get(Databases).main.migrate("things", [first, expand]);
    await touch();
    expect(await readAll()).toEqual([]);
    await write(older, "insert into things (id, old) values (1, 'a')");
    await write(newer, "insert into things (id, name) values (2, 'b')");
    expect(await ask(url, "select id, name from things order by id")).toEqual([
      { id: 1, name: null },
      { id: 2, name: "b" },
    ]);
    // A node of the older version may join again: after a crash, or when the upgrade is reverted.
    const again = await start(url);
    await again.get(Databases).main.migrate("things", [first]);
    await expect(newer.get(Databases).main.migrate("things", [first, expand, contract])).rejects.toThrow(
      "2.0.0 changes tables that other versions use ('003-old-goes' of 'things'), and nodes of them work on the database: 1.0.0, 1.0.0. Stop those first",
    );
    expect(await ask(url, "select old from things where id = 1")).toEqual([{ old: "a" }]);

    for (const one of [older, again]) {
      running.splice(running.indexOf(one), 1);
      await one[Symbol.asyncDispose]();
    }
    await newer.get(Databases).main.migrate("things", [first, expand, contract]);
    await expect(start(url)).rejects.toThrow(
      /was written by Parley 2\.0\.0, and this is 1\.0\.0: it has the step '003-old-goes' of 'things'/,
    );
  }, 30_000);

  test("a node of 0.2.0 connects anew when a table changes, since it does not prepare its statements again; a later one need not", async () => {
    const url = await server.makeDatabase();
    const { main } = (await start(url, { version: "2.0.0" })).get(Databases);
    await main.migrate("things", [first]);
    await ask(url, "insert into processes (id, version) values ('neighbour', '1.0.0')");
    await using neighbour = await connectAs(url, "parley");
    await main.migrate("things", [first, expand]);
    await neighbour.client.query("select 1");
    await ask(url, "update processes set version = '0.2.0', seen_at = now() where id = 'neighbour'");
    await main.migrate("things", [
      first,
      expand,
      { ...expand, id: "003-more", up: run("create table more (id text)") },
    ]);
    await neighbour.ended;
  }, 30_000);
});

/** Opens a connection with the name of an application. */
async function connectAs(url: string, application_name: string) {
  const client = new pg.Client({ connectionString: url, application_name });
  client.on("error", () => {});
  const ended = new Promise<void>((resolve) => client.once("end", resolve));
  await client.connect();
  return { client, ended, [Symbol.asyncDispose]: () => client.end() };
}
