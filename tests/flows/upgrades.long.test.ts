import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Message } from "@parley/core";
import type { List } from "@parley/core/http";
import { startHost } from "@parley/host";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runRestore } from "../../host/cli/src/backup/backup-command.ts";
import { makeBackup } from "../../host/src/backup/make-backup.ts";
import { readHostVersion } from "../../host/src/version.ts";
import { isInFiles, prepareStorage } from "../harness/chosen-storage.ts";
import {
  expectEarlierData,
  listEarlierVersions,
  OLDEST_VERSION,
  unpackEarlierFolder,
} from "../harness/earlier-folders.ts";
import { eventually } from "../harness/eventually.ts";
import { createClient } from "../harness/http/client.ts";
import { startParley } from "../harness/parley.ts";

const DAY_MS = 86_400_000;

const versions = listEarlierVersions();
const prepareFolder = (version: string) => unpackEarlierFolder(root, version);

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-upgrade-"));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(root, { recursive: true, force: true });
});

// Earlier versions stored their rows in files.
const upgradable = isInFiles ? versions.filter((version) => version >= OLDEST_VERSION) : [];
const tooOld = isInFiles ? versions.filter((version) => version < OLDEST_VERSION) : [];
test.each(tooOld)("a data folder of %s is rejected in one sentence, and nothing is changed", async (version) => {
  await prepareFolder(version);
  const file = join(root, "data", "parley.db");
  const before = readFileSync(file);
  const starting = startHost({ root, flags: { port: 0 }, env: {} });
  await expect(starting).rejects.toThrow(
    /^(.*: )?\S+\.db was written by a Parley older than 0\.1\.0: start Parley 0\.1\.0 with it once, then this version\. Nothing was changed$/,
  );
  expect(readFileSync(file)).toEqual(before);
});

test.each(upgradable)("a data folder of %s gets the tables of a new one", async (version) => {
  await prepareFolder(version);
  const getShape = async (folder: string) => {
    {
      await using _parley = await startParley({ root: folder });
    }
    return describeTables(join(folder, "data", "parley.db"));
  };
  const upgraded = await getShape(root);
  const fresh = await getShape(mkdtempSync(join(root, "fresh-")));
  // Tables that are made at their first use may be missing in either.
  // A library made `documents` in 0.1.0, with other spellings of the types.
  const both = Object.keys(upgraded).filter((name) => name in fresh && name !== "documents");
  expect(both.length).toBeGreaterThan(40);
  for (const name of both) expect([name, upgraded[name]]).toEqual([name, fresh[name]]);
});

/** Returns the columns and indexes of each table. */
function describeTables(file: string): Readonly<Record<string, unknown>> {
  using database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
  const columns = database.prepare(
    'select name, type, "notnull", dflt_value, pk from pragma_table_info(?) order by name',
  );
  const indexes = database.prepare(
    "select name, sql from sqlite_schema where type = 'index' and tbl_name = ? order by name",
  );
  return Object.fromEntries(
    tables.map(({ name }) => [name, [columns.all(name as string), indexes.all(name as string)]]),
  );
}

test.each(upgradable)("a data folder of %s works with this version, with all its data", async (version) => {
  const data = await prepareFolder(version);
  expect(data.reads.length).toBeGreaterThan(5);
  for (const _start of ["first", "second"]) {
    await using parley = await startParley({ root });
    await expectEarlierData(parley, data);
  }
});

test.runIf(isInFiles)("a run that waited in 0.3.0 goes on at its time, and repeats no step", async () => {
  const { secret, reads } = await prepareFolder("0.3.0");
  const pathOf = (name: string) => reads.find(({ what }) => what === name)?.path ?? "";
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * DAY_MS });
  await using parley = await startParley({ root });
  const api = createClient(parley.address, secret);
  await eventually(async () => {
    const found = await api.get<object>(pathOf("a run that waits after its first step"));
    const steps = ["before", "wait", "after"].map((key) => ({ key, state: "done", attempts: 1 }));
    expect(found).toMatchObject({ run: { status: "success" }, steps });
  });
  const { items } = await api.get<List<Message>>(pathOf("the message of its first step"));
  expect(items.map(({ content }) => content)).toEqual(["Before the wait.", "After the wait."]);
});

// A folder of the current version needs no upgrade.
test.each(upgradable.filter((version) => version !== readHostVersion()))(
  "data of %s are copied before the upgrade, and the copy works in their place",
  async (version) => {
    const earlier = await prepareFolder(version);
    const data = join(root, "data");
    const before = readSteps(join(data, "parley.db"));
    {
      await using _parley = await startParley({ root });
    }
    const made = readdirSync(join(data, "backups")).filter((name) => name.startsWith("before-"));
    expect(made).toHaveLength(1);
    const copy = join(data, "backups", made[0] ?? "", "parley.db");
    expect(readSteps(copy)).toEqual(before);
    expect(statSync(copy).mode & 0o077).toBe(0);
    // A second start upgrades nothing.
    {
      await using _again = await startParley({ root });
    }
    expect(readdirSync(join(data, "backups")).filter((name) => name.startsWith("before-"))).toEqual(made);
    for (const file of readdirSync(join(data, "backups", made[0] ?? ""))) {
      for (const end of ["-wal", "-shm"]) rmSync(join(data, `${file}${end}`), { force: true });
      copyFileSync(join(data, "backups", made[0] ?? "", file), join(data, file));
    }
    await using parley = await startParley({ root });
    await expectEarlierData(parley, earlier);
  },
);

test.runIf(isInFiles)("a copy is removed after seven days", async () => {
  await prepareFolder(OLDEST_VERSION);
  const backups = join(root, "data", "backups");
  mkdirSync(join(backups, "before-0.2.0-20200101T000000Z"), { recursive: true });
  writeFileSync(join(backups, "before-0.2.0-20200101T000000Z", "parley.db"), "old");
  mkdirSync(join(backups, "mine"));
  {
    await using _parley = await startParley({ root });
  }
  expect(readdirSync(backups)).not.toContain("before-0.2.0-20200101T000000Z");
  expect(readdirSync(backups)).toContain("mine");
});

test.runIf(isInFiles)("data that cannot be copied are not upgraded, and the error names the next step", async () => {
  await prepareFolder(OLDEST_VERSION);
  const file = join(root, "data", "parley.db");
  const before = readSteps(file);
  writeFileSync(join(root, "data", "backups"), "no folder");
  const starting = startHost({ root, flags: { port: 0 }, env: {} });
  const failed: Error = await starting.then(
    () => expect.unreachable("the service started"),
    (error) => error,
  );
  expect(failed.message).toMatch(/parley\.db is not upgraded: it cannot be copied to .*Nothing was changed/s);
  // Many plugins have tables in it, but the error is reported once.
  expect(failed.message.match(/cannot be copied/g)).toHaveLength(1);
  expect(failed.message).toMatch(/^plugins '.*'sessions'/);
  expect(readSteps(file)).toEqual(before);
});

function readSteps(file: string) {
  using database = new DatabaseSync(file, { readOnly: true });
  return database.prepare("select owner, id from migrations order by owner, id").all();
}

test.runIf(!isInFiles)(
  "a backup of an earlier version is not restored to a server, and the error names the next step",
  async () => {
    await prepareFolder(OLDEST_VERSION);
    const to = join(root, "backups");
    const { folder } = await makeBackup({
      data: join(root, "data"),
      root,
      to,
      version: OLDEST_VERSION,
      now: Date.now(),
    });
    const again = join(root, "again");
    mkdirSync(again);
    const { config, env } = await prepareStorage(again);
    const file = join(again, "config.ini");
    writeFileSync(file, config);
    writeFileSync(join(again, ".env"), `PARLEY_DATABASE_URL="${env.PARLEY_DATABASE_URL}"\n`);
    const restoring = runRestore({ flags: { config: file }, from: folder, isTrial: false, print() {} });
    const way = /of an earlier version, they lack .*start that and stop it, then: parley migrate/s;
    await expect(restoring).rejects.toThrow(way);
    expect(readdirSync(again)).not.toContain("data");
    // The database is unchanged.
    await using parley = await startParley({ root: again });
    expect(parley.host.control.phase()).toBe("ready");
  },
);

describe("a data folder of a newer version", () => {
  const path = () => join(root, "data", "parley.db");
  const runInDatabase = (text: string) => {
    using database = new DatabaseSync(path());
    database.exec(text);
  };
  const dump = () => {
    using database = new DatabaseSync(path(), { readOnly: true });
    const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
    const rows = tables.map(({ name }) => {
      try {
        return [name, database.prepare(`select * from "${name}"`).all()];
      } catch {
        // A virtual table whose module is not installed.
        return [name];
      }
    });
    return JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? String(value) : value));
  };
  const getStartError = async () => {
    const failure = await startHost({ root, flags: { port: 0 }, env: {} }).then(
      (host) => host[Symbol.asyncDispose]().then(() => undefined),
      (error: Error) => error.message,
    );
    return failure?.split("\n") ?? [];
  };

  test("is rejected in one sentence, with the part and the version that wrote it, and nothing is changed", async () => {
    await prepareFolder(OLDEST_VERSION);
    runInDatabase(
      `create table if not exists migration_versions (owner text not null, id text not null, version text not null, primary key (owner, id));
       insert into migrations values ('knowledge', '900-from-tomorrow', '2030-01-01T00:00:00.000Z');
       insert into migration_versions values ('knowledge', '900-from-tomorrow', '99.1.0');
       create table of_tomorrow (id text)`,
    );
    const before = dump();
    const [message, ...more] = await getStartError();
    expect(more).toEqual([]);
    expect(message).toMatch(/parley\.db was written by Parley 99\.1\.0, and this is \d+\.\d+\.\d+/);
    expect(message).toContain("it has the step '900-from-tomorrow' of 'knowledge'. Install 99.1.0 or newer");
    expect(dump()).toBe(before);
  });

  test("is rejected, and the copy made before the upgrade is named if there is one", async () => {
    await prepareFolder(OLDEST_VERSION);
    runInDatabase(
      `create table if not exists migration_versions (owner text not null, id text not null, version text not null, primary key (owner, id));
       insert into migration_versions values ('knowledge', '900-from-tomorrow', '99.1.0')`,
    );
    const folder = join(root, "data", "backups", "before-99.1.0-20260101T000000Z");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "parley.db"), "as it was");
    expect((await getStartError()).join()).toContain(
      `Install 99.1.0 or newer, or put ${join(folder, "parley.db")} in its place`,
    );
  });

  test("is rejected also when only another of its databases is newer", async () => {
    await prepareFolder(OLDEST_VERSION);
    const file = join(root, "data", "gateway.db");
    {
      using database = new DatabaseSync(file);
      database.exec(
        `create table if not exists migration_versions (owner text not null, id text not null, version text not null, primary key (owner, id));
         insert into migration_versions values ('gateway-history', '900-from-tomorrow', '99.1.0')`,
      );
    }
    const before = dump();
    expect((await getStartError()).join()).toMatch(/gateway\.db was written by Parley 99\.1\.0/);
    expect(dump()).toBe(before);
  });

  test("is accepted where only a step of this version was recorded", async () => {
    await prepareFolder(OLDEST_VERSION);
    await using parley = await startParley({ root });
    expect(parley.address).toMatch(/^http/);
    using database = new DatabaseSync(path(), { readOnly: true });
    expect(database.prepare("select count(*) as count from migrations").get()).not.toEqual({ count: 0 });
  });
});
