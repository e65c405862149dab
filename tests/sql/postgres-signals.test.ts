import { type Clock, type Database, fixedStatement, silentLogger, systemClock } from "@parley/core";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type OpenSignals, openSignals } from "../../plugins/postgres/src/cluster/signals.ts";
import { createConnectionOptions } from "../../plugins/postgres/src/connection/connections.ts";
import { createStorage } from "../../plugins/postgres/src/storage.ts";
import { eventually } from "../harness/eventually.ts";
import { findPostgresPrograms, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";

const programs = findPostgresPrograms();
const MINUTE_MS = 60_000;

describe.skipIf(!programs)("signals between processes on one PostgreSQL", () => {
  let server: PostgresServer;
  let url: string;
  let main: Database;
  let stop: () => Promise<void>;
  const open: OpenSignals[] = [];

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
    url = await server.makeDatabase();
    const config = { url_env: "X", read_connections: 2, statement_timeout_s: 30, nodes: false };
    const storage = createStorage({
      config,
      url: () => url,
      version: () => undefined,
      address: () => "",
      clock: systemClock,
      log: silentLogger,
    });
    stop = await storage.start();
    main = storage.main;
  }, 60_000);
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });
  afterAll(async () => {
    await stop?.();
    await server?.[Symbol.asyncDispose]();
  });

  const join = async (clock: Clock = systemClock) => {
    const signals = await openSignals({
      options: createConnectionOptions(url, 30_000),
      database: main,
      clock,
      log: silentLogger,
    });
    open.push(signals);
    const received: (string | undefined)[] = [];
    signals.listen("rules", (key) => received.push(key));
    const tell = (...keys: readonly string[]) =>
      main.write(signals.telling(keys.map((key) => ({ topic: "rules", key }))));
    return { signals, heard: received, tell };
  };

  test("a signal reaches all others, once each, and not its sender", async () => {
    const [one, two, three] = [await join(), await join(), await join()];
    await one.tell("a", "b");
    await two.tell("c");
    await eventually(() =>
      expect([two.heard, three.heard]).toEqual([
        ["a", "b"],
        ["a", "b", "c"],
      ]),
    );
    await eventually(() => expect(one.heard).toEqual(["c"]));
  });

  test("a catch-up waits until earlier signals are applied", async () => {
    const [one, two] = [await join(), await join()];
    const applied: (string | undefined)[] = [];
    two.signals.listen("rules", async (key) => {
      await main.write([]);
      applied.push(key);
    });
    for (const key of ["a", "b", "c"]) {
      await one.tell(key);
      await Promise.all([two.signals.catchUp(), two.signals.catchUp()]);
      expect(applied.at(-1)).toBe(key);
    }
  });

  test("a rolled-back write, another topic and an ended subscription deliver nothing", async () => {
    const [one, two] = [await join(), await join()];
    const failing = {
      query: main.tables<{ processes: { id: string } }>().selectFrom("processes").select("id"),
      expect: 9,
    };
    const undone = main.write([...one.signals.telling([{ topic: "rules", key: "undone" }]), failing]);
    await expect(undone).rejects.toMatchObject({ code: "conflict" });
    const late: unknown[] = [];
    one.signals.listen("rules", (key) => late.push(key))();
    await main.write(two.signals.telling([{ topic: "others", key: "x" }]));
    await one.tell("told");
    await two.tell("back");
    await eventually(() => expect([two.heard, one.heard]).toEqual([["told"], ["back"]]));
    expect(late).toEqual([]);
  });

  test("signals during a disconnection are delivered afterwards", async () => {
    const [one, two] = [await join(), await join()];
    const end = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parley signals'";
    for (const key of ["a", "b", "c"]) {
      await main.write([{ query: fixedStatement(end, []) }, ...one.signals.telling([{ topic: "rules", key }])]);
    }
    await eventually(() => expect(two.heard).toEqual(["a", "b", "c"]));
  });

  test("the signal of a transaction that began first and committed last is delivered, too", async () => {
    const [one, two] = [await join(), await join()];
    const slow = new pg.Client(createConnectionOptions(url, 30_000));
    await slow.connect();
    await slow.query("begin");
    await slow.query("insert into signals (topic, key, node) values ('rules', 'slow', 'elsewhere')");
    for (const key of ["quick", "quicker"]) await one.tell(key);
    await eventually(() => expect(two.heard).toEqual(["quick", "quicker"]));
    await slow.query("select pg_notify('parley_signals', '')");
    await slow.query("commit");
    await slow.end();
    await eventually(() => expect(two.heard).toEqual(["quick", "quicker", "slow"]));
    await one.tell("later");
    await eventually(() => expect(two.heard).toEqual(["quick", "quicker", "slow", "later"]));
  });

  test("a process disconnected for longer than signals are retained is asked to read everything again", async () => {
    let away = 0;
    const [one, two] = [await join(), await join({ ...systemClock, monotonic: () => systemClock.monotonic() + away })];
    away = 40 * MINUTE_MS;
    await one.tell("a");
    await eventually(() => expect(two.heard).toEqual([undefined]));
    await one.tell("b");
    await eventually(() => expect(two.heard).toEqual([undefined, "b"]));
  });

  test("a failing listener does not affect others, and an overlong key is rejected", async () => {
    const [one, two] = [await join(), await join()];
    const also: unknown[] = [];
    two.signals.listen("rules", () => {
      throw new Error("no");
    });
    two.signals.listen("rules", (key) => also.push(key));
    await one.tell("a");
    await eventually(() => expect(also).toEqual(["a"]));
    expect(() => one.signals.telling([{ topic: "rules", key: "x".repeat(1_001) }])).toThrow("1001 characters");
  });
});
