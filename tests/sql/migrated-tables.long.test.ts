import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tablesIn } from "@parley/core/storage";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runBackup, runRestore } from "../../host/cli/src/backup/backup-command.ts";
import { examineUndeclared } from "../../host/cli/src/doctor/examine-undeclared.ts";
import { runMigrate } from "../../host/cli/src/migrate/migrate-command.ts";
import { readConfiguration } from "../../host/src/config/configuration.ts";
import { collectDeclaredSteps } from "../../host/src/migrate/declared-steps.ts";
import { openRows } from "../../host/src/migrate/open-rows.ts";
import { isInFiles } from "../harness/chosen-storage.ts";
import { findPostgresPrograms, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";
import { makeOneOfEveryKind, type Rows, readRows } from "./one-of-every-kind.ts";

const programs = findPostgresPrograms();
const ON_POSTGRES = "[plugins]\nstorage = @parley/plugin-postgres\n";

describe.runIf(programs && isInFiles)("a row of every kind", () => {
  let server: PostgresServer;
  let root: string;
  let url: string;
  let before: Rows;
  const at = (...path: readonly string[]) => join(root, ...path);
  const flagsOf = (folder: string) => ({ config: join(folder, "config.ini") });
  const migrate = (to: string) =>
    runMigrate({ flags: flagsOf(root), to, isTrial: false, isConfigWritten: true, print() {} });
  /** Creates a folder without data; its rows are in the given database, else in files. */
  const folderOn = (name: string, database?: string) => {
    mkdirSync(at(name));
    writeFileSync(at(name, "config.ini"), database === undefined ? "" : ON_POSTGRES);
    if (database !== undefined) writeFileSync(at(name, ".env"), `PARLEY_DATABASE_URL="${database}"\n`);
    return at(name);
  };
  const backUp = async (folder: string, to: string) => {
    const printed: string[] = [];
    await runBackup({ flags: flagsOf(folder), to: at(to), keep: undefined, print: (line) => printed.push(line) });
    return (printed.at(-1) ?? "").replace("backup ", "");
  };
  const restore = (folder: string, from: string) =>
    runRestore({ flags: flagsOf(folder), from, isTrial: false, print() {} });

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
    root = mkdtempSync(join(tmpdir(), "parley-every-kind-"));
    await makeOneOfEveryKind(root);
    url = await server.makeDatabase();
    writeFileSync(at("config.ini"), "");
    writeFileSync(at(".env"), `PARLEY_DATABASE_URL="${url}"\n`);
    before = readRows(at("data"));
  }, 120_000);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });

  test("is migrated to PostgreSQL, backed up there, and restored to files and to PostgreSQL", async () => {
    await migrate("postgres");
    const made = await backUp(root, "backups");
    expect(readRows(join(made, "data"))).toEqual(before);

    const files = folderOn("files");
    await restore(files, made);
    expect(readRows(join(files, "data"))).toEqual(before);

    const again = folderOn("again", await server.makeDatabase());
    await restore(again, made);
    expect(readRows(join(await backUp(again, "backups-again"), "data"))).toEqual(before);

    renameSync(at("data"), at("data-before"));
    await migrate("sqlite");
    expect(readRows(at("data"))).toEqual(before);
  }, 300_000);

  test("is in a table that is declared, that a person's rows can be found in, and that the doctor knows", async () => {
    const configuration = readConfiguration({ root, flags: {}, env: {} });
    const { tables } = await collectDeclaredSteps(configuration, new Set());
    expect(Object.keys(before).filter((name) => !tables.has(name.split(" ")[1] ?? ""))).toEqual([]);
    expect(await examineUndeclared(configuration, [])).toEqual([]);
    await using rows = await openRows(configuration);
    const history = await rows.databases.open(join(configuration.data, "gateway.db"), { isHistory: true });
    const shapes = await Promise.all([rows.databases.main, history].map(tablesIn));
    const keyless = shapes.flatMap((one) => [...one.values()].filter(({ key }) => key.length === 0));
    expect(keyless.map(({ name }) => name).filter((name) => !name.startsWith("text_"))).toEqual([]);
  });

  test("of an undeclared table prevents neither a backup nor a restore, and is reported", async () => {
    const database = await server.makeDatabase();
    const folder = folderOn("strange", database);
    await restore(folder, await backUp(root, "backups-of-files"));
    const client = new pg.Client(database);
    await client.connect();
    await client.query("create table of_strangers (id text); insert into of_strangers values ('a')");
    await client.end();
    await expect(backUp(folder, "backups-strange")).rejects.toThrow(
      /rows are not in it:\n {2}- of_strangers: no enabled plugin has this table, and it has 1 rows: name the plugin/,
    );
  }, 300_000);

  test("of a disabled plugin is migrated too", async () => {
    const database = await server.makeDatabase();
    const folder = folderOn("off", database);
    writeFileSync(join(folder, "config.ini"), `${ON_POSTGRES}memory = off\nknowledge = off\nautomation = off\n`);
    await restore(folder, await backUp(root, "backups-for-off"));
    expect(readRows(join(await backUp(folder, "backups-off"), "data"))).toEqual(before);
  }, 300_000);
});
