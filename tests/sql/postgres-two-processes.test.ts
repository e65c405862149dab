import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Clock,
  type Collection,
  Collections,
  Databases,
  Environment,
  LiveEvents,
  Paths,
  Signals,
  silentLogger,
  systemClock,
} from "@parley/core";
import { isPassword } from "@parley/core/secrets";
import { recordedEvents, type StartedPlugins, startPlugins } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Credentials, createCredentials } from "../../plugins/accounts/src/credentials/credentials.ts";
import { ensureAdministrator } from "../../plugins/accounts/src/people/administrator.ts";
import type { Account } from "../../plugins/accounts/src/records.ts";
import { createVerifiedPasswords } from "../../plugins/accounts/src/sign-in/verified-passwords.ts";
import { withNamedLock } from "../../plugins/postgres/src/cluster/membership.ts";
import { type OpenSignals, openSignals } from "../../plugins/postgres/src/cluster/signals.ts";
import { createConnectionOptions } from "../../plugins/postgres/src/connection/connections.ts";
import postgres from "../../plugins/postgres/src/index.ts";
import records from "../../plugins/records/src/index.ts";
import { eventually } from "../harness/eventually.ts";
import { findPostgresPrograms, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";

const programs = findPostgresPrograms();

interface Thing {
  readonly id: string;
  readonly count: number;
}

describe.skipIf(!programs)("cached records of one process changed by another one", () => {
  const data = mkdtempSync(join(tmpdir(), "parley-two-"));
  let server: PostgresServer;
  let signals: OpenSignals;
  let one: StartedPlugins;
  let other: StartedPlugins;
  /** Services of each further process. */
  let shared: readonly (readonly [unknown, unknown])[];
  /** While set, the second process delays received signals until it resolves. */
  let deaf: Promise<void> | undefined;

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
    const url = await server.makeDatabase();
    const own: readonly (readonly [never, unknown])[] = [
      [Paths as never, { root: data, data } satisfies Paths],
      [Environment as never, { get: () => undefined, secret: () => url } satisfies Environment],
      [Clock as never, systemClock],
      [LiveEvents as never, recordedEvents()],
    ];
    one = await startPlugins([postgres, records], { log: silentLogger, services: own as never });
    const databases = one.get(Databases);
    const options = createConnectionOptions(url, 30_000);
    signals = await openSignals({ options, database: databases.main, clock: systemClock, log: silentLogger });
    // Like a second process, with separate caches and connections.
    const late: Signals = {
      ...signals,
      listen: (topic, listener) =>
        signals.listen(topic, async (key) => {
          await deaf;
          listener(key);
        }),
    };
    const alone: Databases["alone"] = (name, work) => withNamedLock(options, name, work);
    shared = [...own, [Databases as never, { ...databases, alone }], [Signals as never, late]];
    other = await startPlugins([records], { log: silentLogger, services: shared as never });
  }, 60_000);
  afterAll(async () => {
    await other?.[Symbol.asyncDispose]();
    await signals?.close();
    await one?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    rmSync(data, { recursive: true, force: true });
  });

  const both = (name: string): readonly [Collection<Thing>, Collection<Thing>] => [
    one.get(Collections).open<Thing>(name),
    other.get(Collections).open<Thing>(name),
  ];

  test("equal the stored ones soon after: put, changed, stored together and deleted", async () => {
    const [here, there] = both("things");
    const received: unknown[] = [];
    there.onElsewhere((id, item) => received.push([id, item?.count]));
    expect([await here.list(), await there.list()]).toEqual([[], []]);
    await here.put({ id: "a", count: 1 });
    // A reader that cannot wait reads the stored document.
    expect(await there.stored?.("a")).toEqual({ id: "a", count: 1 });
    await eventually(async () => expect(await there.get("a")).toEqual({ id: "a", count: 1 }));
    await here.update("a", (thing) => ({ ...thing, count: 2 }));
    await eventually(async () => expect(await there.get("a")).toEqual({ id: "a", count: 2 }));
    await one.get(Collections).putTogether([{ collection: "things", item: { id: "b", count: 3 } as Thing }]);
    await eventually(async () => expect(await there.list()).toHaveLength(2));
    await here.remove("a");
    await eventually(async () => expect(await there.get("a")).toBeUndefined());
    expect(received).toEqual([
      ["a", 1],
      ["a", 2],
      ["b", 3],
      ["a", undefined],
    ]);
  });

  test("are updated also when the change was part of a concurrent change", async () => {
    const [here, there] = both("along");
    await here.put({ id: "a", count: 1 });
    await there.list();
    const received: unknown[] = [];
    there.onElsewhere((id, item) => received.push([id, item?.count]));
    const notified = Promise.withResolvers<void>();
    deaf = notified.promise;
    await here.update("a", () => ({ id: "a", count: 10 }));
    await there.update("a", ({ id, count }) => ({ id, count: count + 1 }));
    deaf = undefined;
    notified.resolve();
    await there.update("a", ({ id, count }) => ({ id, count: count + 1 }));
    // Received once, because the second change was already known here.
    expect(received).toEqual([["a", 11]]);
  });

  test("can be changed by both at once, and no change is lost", async () => {
    const [here, there] = both("counts");
    await here.put({ id: "a", count: 0 });
    await there.list();
    const add = (collection: Collection<Thing>) =>
      collection.update("a", (thing) => ({ ...thing, count: thing.count + 1 }));
    await Promise.all(Array.from({ length: 20 }, (_, at) => add(at % 2 === 0 ? here : there)));
    await eventually(async () =>
      expect([await here.get("a"), await there.get("a")]).toMatchObject([{ count: 20 }, { count: 20 }]),
    );
  });

  test("are not restored by a process that has not received their deletion", async () => {
    const [here, there] = both("gone");
    await here.put({ id: "a", count: 0 });
    await there.list();
    await here.remove("a");
    await expect(there.update("a", (thing) => ({ ...thing, count: 9 }))).rejects.toMatchObject({ code: "not_found" });
    await eventually(async () => expect([await here.list(), await there.list()]).toEqual([[], []]));
  });

  test("are deleted by one of several concurrent callers, also before all know them", async () => {
    const [here, there] = both("once");
    await there.list();
    for (const id of ["a", "b", "c"]) {
      await here.put({ id, count: 0 });
      expect((await Promise.all([here.remove(id), there.remove(id)])).filter(Boolean)).toHaveLength(1);
    }
    await eventually(async () => expect([await here.list(), await there.list()]).toEqual([[], []]));
  });

  const credentialsOf = async (plugins: StartedPlugins) => {
    const collections = plugins.get(Collections);
    const made = createCredentials({
      accounts: collections.open("accounts"),
      tokens: collections.open("login-tokens"),
      keys: collections.open("api-keys"),
      endedLogins: collections.open("ended-logins"),
      events: { publish() {}, subscribe: () => () => {}, watch: () => () => {}, relay() {} },
      clock: systemClock,
    });
    await made.load();
    return made;
  };
  const caller = { kind: "login", username: "ann", scopes: ["admin"] } as never;
  const nodes = async () => {
    const account = { id: "acc_1", username: "ann", password: "", created_at: "", updated_at: "" };
    await one.get(Collections).open<typeof account>("accounts").put(account);
    const [here, there] = [await credentialsOf(one), await credentialsOf(other)];
    const ended: string[] = [];
    there.onRevoked((id) => ended.push(id));
    return { here, there, ended };
  };
  const madeAt = async ({ keys }: Credentials, name: string) => {
    const draft = { name, scopes: ["read", "write"], expires_at: null, enabled: true, rate_limit_per_minute: 0 };
    return (await keys.create?.(draft as never, { caller } as never)) as unknown as { id: string; secret: string };
  };

  test("include one first administrator when both start at once, whose password is the printed one", async () => {
    const lines: string[] = [];
    const begin = (plugins: StartedPlugins) => {
      const accounts = plugins.get(Collections).open<Account>("accounts");
      const rest = { credentials: {} as never, revokeGrantsOf: async () => {}, clock: systemClock, log: silentLogger };
      const environment = { get: () => undefined, secret: () => undefined };
      const verifiedPasswords = createVerifiedPasswords();
      return ensureAdministrator({
        ...rest,
        accounts,
        environment,
        verifiedPasswords,
        print: (line) => lines.push(line),
      });
    };
    const third = await startPlugins([records], { log: silentLogger, services: shared as never });
    await Promise.all([begin(other), begin(third)]);
    const all = await other.get(Collections).open<Account>("accounts").list();
    await third[Symbol.asyncDispose]();
    expect(all.map(({ username }) => username)).toEqual(["admin"]);
    expect(lines).toHaveLength(1);
    const password = /password (\S+)/.exec(lines[0] ?? "")?.[1] ?? "";
    expect(await isPassword(password, all[0]?.password_hash)).toBe(true);
  });

  test("reject revoked logins and keys at once", async () => {
    const { here, there, ended } = await nodes();
    const { token, hash_full } = await here.issue(
      { username: "ann", expires_days: 1 } as never,
      { username: "ann" },
      "",
    );
    await eventually(async () => expect(await there.authenticate(token, "")).toMatchObject({ username: "ann" }));
    const made = await madeAt(here, "key");
    await eventually(async () =>
      expect(await there.authenticate(made.secret, "")).toMatchObject({ scopes: ["read", "write"] }),
    );

    const from = performance.now();
    await here.revokeToken(hash_full);
    await here.keys.change?.(made.id, { scopes: ["read"] } as never, { caller } as never);
    await eventually(async () => {
      expect(await there.authenticate(token, "")).toBeUndefined();
      expect(await there.authenticate(made.secret, "")).toMatchObject({ scopes: ["read"] });
    });
    // The change was signalled; polling would take longer.
    expect(performance.now() - from).toBeLessThan(4_000);
    expect(ended).toEqual([hash_full, made.id]);
    await here.keys.remove?.(made.id, { caller } as never);
    await eventually(async () => expect(await there.authenticate(made.secret, "")).toBeUndefined());
  });

  test("reject a key that was disabled while its first use was recorded", async () => {
    const { here, there, ended } = await nodes();
    const { id, secret } = await madeAt(here, "noted");
    await eventually(() => there.keys.get(id, { caller } as never));
    const notified = Promise.withResolvers<void>();
    deaf = notified.promise;
    await here.keys.change?.(id, { enabled: false } as never, { caller } as never);
    expect(await there.authenticate(secret, "")).toMatchObject({ credentialId: id });
    // The use is added to the stored record, in which the key is now off.
    const stored = one.get(Collections).open<{ id: string; last_used_at: string | null }>("api-keys");
    await eventually(async () => expect((await stored.stored?.(id))?.last_used_at).not.toBeNull());
    deaf = undefined;
    notified.resolve();
    await eventually(async () => expect(await there.authenticate(secret, "")).toBeUndefined());
    expect(ended).toEqual([id]);
  });
});
