import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeBackup } from "./make-backup.ts";
import { restoreBackup } from "./restore-backup.ts";
import { createStoredBackups } from "./stored-backups.ts";

const NOW = Date.parse("2026-05-25T15:30:00.000Z");

let root: string;
let data: string;
let to: string;
let database: DatabaseSync;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-backup-"));
  [data, to] = [join(root, "data"), join(root, "data", "backups")];
  mkdirSync(join(data, "files"), { recursive: true });
  mkdirSync(join(data, "logs"));
  database = new DatabaseSync(join(data, "parley.db"));
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE said (text TEXT); INSERT INTO said VALUES ('hello')");
  writeFileSync(join(data, "databases.json"), '{ "databases": ["parley.db", "../elsewhere/gateway.db"] }');
  writeFileSync(join(data, "settings.json"), "{}");
  writeFileSync(join(data, "instance.lock"), "");
  writeFileSync(join(data, "logs", "today.log"), "noise");
  for (const name of ["cache.db", "cache.db-wal", "cache-node-1.db"]) writeFileSync(join(data, name), "found again");
  // An uploaded file stays a file whatever its name is.
  writeFileSync(join(data, "files", "sent.db"), "no database");
});
afterEach(() => {
  database.close();
  rmSync(root, { recursive: true, force: true });
});

const backUp = (now = NOW, keep?: number) =>
  makeBackup({ data, root, to, version: "1.2.0", now, ...(keep !== undefined && { keep }) });
const restore = (from: string, { version = "1.2.0", isTrial = false, into = join(root, "again") } = {}) =>
  restoreBackup({ from, data: into, root: dirname(into), version, isTrial });

test("a folder in use is backed up and restored unchanged, without files of the running process", async () => {
  const { folder, missing } = await backUp();
  database.exec("INSERT INTO said VALUES ('after that')");
  expect(missing).toEqual([
    {
      error: "../elsewhere/gateway.db is kept outside the data folder and is not in the backup",
      detail: { key: "host.left_outside", params: { path: "../elsewhere/gateway.db" } },
    },
  ]);
  await restore(folder);
  const again = join(root, "again");
  expect(readdirSync(again).toSorted()).toEqual(["databases.json", "files", "parley.db", "settings.json"]);
  using copy = new DatabaseSync(join(again, "parley.db"));
  expect(copy.prepare("SELECT text FROM said").all()).toEqual([{ text: "hello" }]);
  expect(readFileSync(join(again, "files", "sent.db"), "utf8")).toBe("no database");
  expect(statSync(folder).mode & 0o077).toBe(0);
});

test("unchanged files take no space twice, and the configured number of backups is retained", async () => {
  expect(await backUp(NOW)).toMatchObject({ files: 4, shared: 0 });
  writeFileSync(join(data, "settings.json"), '{ "timezone": "UTC" }');
  const second = await backUp(NOW + 1_000, 2);
  expect(second).toMatchObject({ files: 4, shared: 2 });
  const inode = (folder: string) => statSync(join(folder, "data", "files", "sent.db")).ino;
  expect(inode(second.folder)).toBe(inode(join(to, "backup-20260525T153000000Z")));
  const third = await backUp(NOW + 2_000, 2);
  expect(readdirSync(to).toSorted()).toEqual(["backup-20260525T153001000Z", "backup-20260525T153002000Z"]);
  await restore(third.folder);
});

test("a damaged backup does not prevent the next one", async () => {
  const { folder } = await backUp();
  writeFileSync(join(folder, "manifest.json"), "{");
  const next = await backUp(NOW + 1_000);
  expect(next).toMatchObject({ files: 4, shared: 0 });
  await restore(next.folder);
});

describe("the list of backups", () => {
  const way = { commands: ["parley restore"], is_container: false, aside: null, rows_in: null };
  const createBackup = (version = "1.2.0") =>
    createStoredBackups(to, { version, runExclusive: (work) => work(), describeRestore: () => way });

  test("is empty when there is none", async () => {
    expect(await createBackup().list()).toEqual([]);
  });

  test("shows the content and gaps of each, the newest first, and the problem of a damaged one", async () => {
    const first = await backUp();
    const second = await backUp(NOW + 1_000);
    mkdirSync(join(to, "backup-20260525T153009000Z.1.unfinished"));
    writeFileSync(join(first.folder, "manifest.json"), "{");
    expect(await createBackup().list()).toEqual([
      {
        id: "backup-20260525T153001000Z",
        folder: second.folder,
        created_at: "2026-05-25T15:30:01.000Z",
        product_version: "1.2.0",
        problem: null,
        databases: 1,
        files: 3,
        bytes: second.bytes,
        missing: second.missing,
        restore: way,
      },
      expect.objectContaining({
        id: "backup-20260525T153000000Z",
        created_at: "2026-05-25T15:30:00.000Z",
        problem: expect.objectContaining({ error: `${first.folder} is not a complete backup` }),
        restore: null,
      }),
    ]);
    const [newer] = await createBackup("1.1.0").list();
    expect(newer?.problem?.detail).toMatchObject({ key: "host.backup_newer" });
  });

  test("shows backups of earlier versions, which described gaps in English only", async () => {
    const { folder } = await backUp();
    const file = join(folder, "manifest.json");
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...manifest, missing: ["4 files are gone"] }));
    expect(await createBackup().list()).toMatchObject([{ problem: null, missing: [{ error: "4 files are gone" }] }]);
  });

  test("verifies one on request, and removes one only by its name", async () => {
    const { folder } = await backUp();
    const name = basename(folder);
    expect(await createBackup().check(name)).toBeNull();
    writeFileSync(join(folder, "data", "settings.json"), "[]");
    expect(await createBackup().check(name)).toMatchObject({
      error: `the backup ${folder} cannot be used: settings.json is not as it was stored`,
    });
    for (const other of ["..", "no_such_id", `../backups/${name}`, `${name}.1.unfinished`])
      await expect(createBackup().remove(other)).rejects.toMatchObject({ code: "not_found" });
    await createBackup().remove(name);
    expect(readdirSync(to)).toEqual([]);
  });
});

test("unfinished files of an ended process are removed by the next backup", async () => {
  mkdirSync(join(to, "backup-20260101T000000000Z.999999999.unfinished", "data"), { recursive: true });
  await backUp();
  expect(readdirSync(to)).toEqual(["backup-20260525T153000000Z"]);
});

test("a folder that is no data folder is not backed up", async () => {
  const none = { data: join(root, "nothing"), root, to, version: "1", now: NOW };
  await expect(makeBackup(none)).rejects.toMatchObject({ code: "bad_request" });
  mkdirSync(join(root, "other"));
  await expect(makeBackup({ ...none, data: join(root, "other") })).rejects.toThrow(/is no data folder/);
  expect(readdirSync(root)).not.toContain("backups");
});

test("a full disk is reported in one sentence, and leaves no files", async () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  const rows = () => Promise.reject(full);
  await expect(makeBackup({ data, root, to, version: "1", now: NOW, rows })).rejects.toMatchObject({
    code: "unavailable",
    message: `no backup was made: the disk of ${to} is full (${full.message})`,
    detail: {
      key: "host.backup_disk",
      texts: { said: expect.objectContaining({ zh: `${to} 所在的磁盘已满` }) },
    },
  });
  expect(readdirSync(to)).toEqual([]);
  const file = join(data, "settings.json");
  for (const place of [file, join(file, "backups")]) {
    const made = makeBackup({ data, root, to: place, version: "1", now: NOW });
    await expect(made).rejects.toThrow(
      /^no backup was made: \S+settings.json\S* is not a folder, or its parent is not/,
    );
  }
  const { folder } = await backUp();
  const restoring = restore(folder, { into: join(file, "data") });
  await expect(restoring).rejects.toThrow(/^nothing was restored: .*not a folder/);
});

describe("a restore writes nothing", () => {
  test("on a dry run", async () => {
    const { folder } = await backUp();
    expect(await restore(folder, { isTrial: true })).toMatchObject({ product_version: "1.2.0" });
    expect(readdirSync(root)).toEqual(["data"]);
  });

  test("over existing data", async () => {
    const { folder } = await backUp();
    await expect(restore(folder, { into: data })).rejects.toMatchObject({ code: "conflict" });
    mkdirSync(join(root, "empty"));
    await restore(folder, { into: join(root, "empty") });
    expect(readdirSync(join(root, "empty"))).toContain("parley.db");
  });

  test.each([
    [
      "a file is missing",
      (folder: string) => rmSync(join(folder, "data", "settings.json")),
      /settings.json is missing/,
    ],
    [
      "a file is another one",
      (folder: string) => writeFileSync(join(folder, "data", "settings.json"), "[]"),
      /settings.json is not as it was stored/,
    ],
    ["it was not finished", (folder: string) => rmSync(join(folder, "manifest.json")), /is not a complete backup/],
    [
      "its list leads out of the folder",
      (folder: string) => {
        const file = join(folder, "manifest.json");
        writeFileSync(file, readFileSync(file, "utf8").replace("settings.json", "../settings.json"));
      },
      /cannot be used/,
    ],
  ])("when %s", async (_, damage, reason) => {
    const { folder } = await backUp();
    damage(folder);
    await expect(restore(folder)).rejects.toMatchObject({
      code: "bad_request",
      message: expect.stringMatching(reason),
    });
    expect(readdirSync(root)).toEqual(["data"]);
  });

  test("when the backup was made by a newer version", async () => {
    const { folder } = await backUp();
    await expect(restore(folder, { version: "1.1.9" })).rejects.toThrow(/newer version \(Parley 1.2.0\)/);
    await restore(folder, { version: "1.10.0" });
  });
});

test("files outside the data folder are restored too, and overwrite nothing", async () => {
  const beside = "config/words.json";
  writeFileSync(join(data, "outside.json"), JSON.stringify({ files: [beside, "config/gone.json"] }));
  mkdirSync(join(root, "config"));
  writeFileSync(join(root, beside), "[1]");
  const { folder } = await backUp();
  const [empty, other] = [join(root, "empty"), join(root, "other")];
  expect((await restore(folder, { into: join(empty, "data") })).skipped).toEqual([]);
  expect(readFileSync(join(empty, beside), "utf8")).toBe("[1]");
  mkdirSync(join(other, "config"), { recursive: true });
  writeFileSync(join(other, beside), "[2]");
  expect((await restore(folder, { into: join(other, "data") })).skipped).toEqual([beside]);
  expect(readFileSync(join(other, beside), "utf8")).toBe("[2]");
  writeFileSync(join(folder, "outside", beside), "[3]");
  await expect(restore(folder, { into: join(root, "third", "data") })).rejects.toThrow(/words.json is not as it was/);
});
