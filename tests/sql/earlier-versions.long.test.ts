import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runBackup, runRestore } from "../../host/cli/src/backup/backup-command.ts";
import { runMigrate } from "../../host/cli/src/migrate/migrate-command.ts";
import { DATABASE_FILE, isInFiles } from "../harness/chosen-storage.ts";
import {
  expectEarlierData,
  listEarlierVersions,
  OLDEST_VERSION,
  unpackEarlierFolder,
} from "../harness/earlier-folders.ts";
import { startParley } from "../harness/parley.ts";
import { findPostgresPrograms, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";
import { type Rows, readRows } from "./one-of-every-kind.ts";

const programs = findPostgresPrograms();
const versions = listEarlierVersions().filter((version) => version >= OLDEST_VERSION);

describe.runIf(programs && isInFiles).each(versions)("a data folder of %s", (version) => {
  let server: PostgresServer;
  let root: string;
  const at = (...path: readonly string[]) => join(root, ...path);

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
  }, 60_000);
  afterAll(() => server?.[Symbol.asyncDispose]());
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "parley-earlier-"));
    writeFileSync(at("config.ini"), "");
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const backUp = async () => {
    const printed: string[] = [];
    const print = (line: string) => printed.push(line);
    await runBackup({ flags: { config: at("config.ini") }, to: at("backups"), keep: undefined, print });
    return (printed.at(-1) ?? "").replace("backup ", "");
  };
  const migrate = (to: string) =>
    runMigrate({ flags: { config: at("config.ini") }, to, isTrial: false, isConfigWritten: true, print() {} });

  test("is backed up, restored into an empty folder and started there, with every row and all contents", async () => {
    const data = await unpackEarlierFolder(root, version);
    const before = readRows(at("data"));
    expect(Object.keys(before).length).toBeGreaterThan(20);
    const folder = at("empty");
    mkdirSync(folder);
    writeFileSync(join(folder, "config.ini"), "");
    const flags = { config: join(folder, "config.ini") };
    await runRestore({ flags, from: await backUp(), isTrial: false, print() {} });
    expect(readRows(join(folder, "data"))).toEqual(before);
    for (const _start of ["first", "second"]) {
      await using parley = await startParley({ root: folder });
      await expectEarlierData(parley, data);
    }
    expectNoneLost(before, readRows(join(folder, "data")));
  }, 120_000);

  test("is migrated to PostgreSQL and back, with every row and all contents at each stop", async () => {
    const data = await unpackEarlierFolder(root, version);
    {
      await using parley = await startParley({ root });
      await expectEarlierData(parley, data);
    }
    const upgraded = readRows(at("data"));
    const url = await server.makeDatabase();
    writeFileSync(at(".env"), `PARLEY_DATABASE_URL="${url}"\n`);
    await migrate("postgres");
    expect(readRows(join(await backUp(), "data"))).toEqual(upgraded);
    {
      writeFileSync(at(DATABASE_FILE), url);
      await using parley = await startParley({ root, server: server.folder });
      await expectEarlierData(parley, data);
    }
    const onServer = readRows(join(await backUp(), "data"));
    expectNoneLost(upgraded, onServer);
    for (const file of ["parley.db", "gateway.db"]) renameSync(at("data", file), at(`${file}-before`));
    await migrate("sqlite");
    expect(readRows(at("data"))).toEqual(onServer);
    rmSync(at(DATABASE_FILE));
    await using parley = await startParley({ root });
    await expectEarlierData(parley, data);
  }, 300_000);
});

/** Expects at least as many rows in each table as before. */
function expectNoneLost(before: Rows, after: Rows): void {
  const lost = Object.entries(before).filter(([table, rows]) => (after[table]?.length ?? 0) < rows.length);
  expect(lost.map(([table, rows]) => `${table}: ${rows.length} -> ${after[table]?.length ?? 0}`)).toEqual([]);
}
