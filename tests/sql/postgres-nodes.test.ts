import {
  Clock,
  Databases,
  Environment,
  fixedStatement,
  HostControl,
  LiveEvents,
  Nodes,
  systemClock,
} from "@parley/core";
import { type StartedPlugins, startPlugins } from "@parley/testing";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import postgres from "../../plugins/postgres/src/index.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "../harness/postgres.ts";
import { soon } from "../harness/soon.ts";

const programs = postgresPrograms();

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

  const start = async (url: string, { nodes = true, version = "1.0.0" } = {}) => {
    const host = {
      version,
      async reload() {
        reloads += 1;
        return { reloaded: [], failed: [], duration_ms: 0 };
      },
    };
    const services: readonly (readonly [unknown, unknown])[] = [
      [Environment, { get: () => undefined, secret: () => url }],
      [Clock, systemClock],
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

  test("all of them write, each sees the others, and who stops is gone for those who stay", async () => {
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
    await soon(() => expect(gone).toEqual([id]));
  });

  test("one that was taken for dead stores nothing any more, hears of it, and starts anew", async () => {
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
    const refused = { code: "unavailable", message: "this node was taken for dead by the others" };
    const together = [add(2), add(3)].map((write) => expect(main.write([write])).rejects.toMatchObject(refused));
    await Promise.all(together);
    expect(await ask(url, "select id from things")).toEqual([{ id: 1 }]);
    expect([nodes.isCounted(), losses, reloads - before]).toEqual([false, 1, 1]);
  });

  test("a commit that is under way when its node is taken for dead is waited for: it is stored, or the mark is", async () => {
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

  test("neither a service that works alone nor a node of another version comes in beside them", async () => {
    const url = await server.makeDatabase();
    const one = await start(url);
    await expect(start(url, { nodes: false })).rejects.toThrow(/another Parley .* uses the database/);
    await expect(start(url, { version: "2.0.0" })).rejects.toThrow(
      "nodes of version 1.0.0 work on the database, and this is 2.0.0: stop all of them before a new version starts",
    );
    running.splice(0);
    await one[Symbol.asyncDispose]();
    const alone = await start(url, { nodes: false, version: "2.0.0" });
    expect(alone.find(Nodes)).toBeUndefined();
    await expect(start(url)).rejects.toThrow(/another Parley .* uses the database/);
  }, 20_000);
});
