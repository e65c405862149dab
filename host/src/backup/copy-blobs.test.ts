import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { AppError, type BlobRows, type BlobStore, fillDetail, type Localized, type NamedBlob } from "@parley/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { verbatim } from "../sentences.ts";
import { type BackupOptions, makeBackup } from "./make-backup.ts";
import { restoreBackup } from "./restore-backup.ts";

const NOW = Date.parse("2026-05-25T15:30:00.000Z");
const NEXT = "select name, size, sha256 from blobs where name > ? order by name limit 2";
const ROWS: BlobRows = { folder: "files", tables: ["blobs"], next: (read, after) => read<NamedBlob>(NEXT, after) };

let root: string;
let data: string;
let to: string;
let storedBlobs: Map<string, string>;
let reads: string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-blobs-backup-"));
  [data, to, storedBlobs, reads] = [join(root, "data"), join(root, "backups"), new Map(), []];
  mkdirSync(join(data, "files"), { recursive: true });
  using database = new DatabaseSync(join(data, "parley.db"));
  database.exec("create table blobs (name text primary key, size integer, sha256 text)");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function insertNames(...contents: readonly string[]) {
  using database = new DatabaseSync(join(data, "parley.db"));
  for (const content of contents) {
    const sha256 = createHash("sha256").update(content).digest("hex");
    database.prepare("insert into blobs values (?, ?, ?)").run(content, content.length, sha256);
  }
}
const writeFile = (name: string, content = name) => writeFileSync(join(data, "files", name), content);
/** Creates a blob store with the content of `storedBlobs`; the first `cut` reads break off halfway. */
function createStore({ cut = 0, ...more }: Partial<BlobStore> & { readonly cut?: number } = {}): BlobStore {
  let left = cut;
  async function* bytes(name: string) {
    reads.push(name);
    const content = storedBlobs.get(name);
    if (content === undefined) throw new AppError("unavailable", "there is no such thing");
    yield Buffer.from(content.slice(0, 1));
    left -= 1;
    const cause = new Error("the connection was cut");
    if (left >= 0) throw new AppError("unavailable", "it does not answer as it should", { cause });
    yield Buffer.from(content.slice(1));
  }
  return {
    place: "bucket 'b'",
    read: (name) => Readable.from(bytes(name), { objectMode: false }),
    find: async (name) =>
      storedBlobs.has(name) ? { size: storedBlobs.get(name)?.length ?? 0, storedAt: 0 } : undefined,
    put: async () => {},
    remove: async () => {},
    async *names() {},
    ...more,
  };
}
const backUp = ({ store, rows = [ROWS], problems = [], ...more }: Partial<Of & Omit<BackupOptions, "rows">> = {}) =>
  makeBackup({ data, root, to, version: "1.2.0", now: NOW, blobs: { rows, store, problems }, ...more });
interface Of {
  readonly store: BlobStore;
  readonly rows: readonly BlobRows[];
  readonly problems: readonly Localized[];
}
const listFiles = (folder: string) => {
  const files = join(folder, "data", "files");
  return readdirSync(files).map((name) => [name, readFileSync(join(files, name), "utf8")]);
};

test("external blobs are backed up and restored into a folder, and fetched only once", async () => {
  insertNames("one", "two", "three", "four");
  for (const name of ["one", "two", "three"]) storedBlobs.set(name, name);
  writeFile("four");
  const first = await backUp({ store: createStore() });
  expect(first).toMatchObject({
    files: 5,
    named: 4,
    elsewhere: { place: "bucket 'b'", files: 3 },
    shared: 0,
    missing: [],
  });
  await restoreBackup({
    from: first.folder,
    data: join(root, "again", "data"),
    root,
    version: "1.2.0",
    isTrial: false,
  });
  const all = ["four", "one", "three", "two"].map((name) => [name, name]);
  expect(listFiles(join(root, "again"))).toEqual(all);
  insertNames("five");
  storedBlobs.set("five", "five");
  reads = [];
  const second = await backUp({ store: createStore(), now: NOW + 1_000 });
  expect(second).toMatchObject({ files: 6, named: 5, elsewhere: { files: 4 }, shared: 4, missing: [] });
  expect(reads).toEqual(["five"]);
  expect(listFiles(second.folder)).toHaveLength(5);
});

test("blobs that are added after listing are in the backup of the rows that name them", async () => {
  insertNames("early", "late");
  writeFile("early");
  const coming: BlobRows = {
    ...ROWS,
    next(read, after) {
      writeFile("late");
      return ROWS.next(read, after);
    },
  };
  expect(await backUp({ rows: [coming] })).toMatchObject({ files: 3, named: 2, missing: [] });
});

test("missing or changed blobs are reported by backup and restore", async () => {
  insertNames("changed", "damaged", "gone", "gone2", "gone3", "gone4", "short");
  writeFile("changed", "another");
  storedBlobs.set("damaged", "DAMAGED").set("short", "s");
  const { folder, missing, files } = await backUp({ store: createStore() });
  expect(missing.map(({ error }) => error)).toEqual([
    "4 files are named by rows, and nowhere to be found: gone, gone2, gone3 and 1 more",
    "2 files are not what was stored, and not in the backup: damaged, short",
    "1 file is not what was stored, and in the backup as found: changed",
  ]);
  expect(fillDetail(missing[0]?.detail ?? {}, "zh")).toBe("4 个文件有记录，但找不到：gone、gone2、gone3 等 4 个");
  expect(files).toBe(2);
  const again = join(root, "again");
  const restored = await restoreBackup({ from: folder, data: again, root, version: "1.2.0", isTrial: false });
  expect(restored.missing).toEqual(missing);
});

test("a broken connection is retried, and if it stays broken there is no backup", async () => {
  insertNames("long");
  storedBlobs.set("long", "long");
  expect(await backUp({ store: createStore({ cut: 2 }) })).toMatchObject({ elsewhere: { files: 1 }, missing: [] });
  const failing = backUp({ store: createStore({ cut: 9 }), now: NOW + 1_000, to: join(root, "others") });
  await expect(failing).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(
      /^no backup was made: files in bucket 'b' cannot be read: the connection was cut .*--without-files/,
    ),
  });
  expect(readdirSync(join(root, "others"))).toEqual([]);
});

test("blobs are left out when that is requested, and the backup says so", async () => {
  insertNames("far", "near");
  storedBlobs.set("far", "far");
  writeFile("near");
  const problems = [expect.objectContaining({ error: "1 file is in bucket 'b', and not in the backup: far" })];
  const asked = await backUp({ store: createStore(), isWithoutFiles: true });
  expect(asked).toMatchObject({ files: 2, named: 2, elsewhere: { files: 0 }, missing: problems });
  const set = { store: createStore({ isOutsideBackups: true }), now: NOW + 1_000 };
  expect(await backUp(set)).toMatchObject({ files: 2, missing: problems });
  expect(reads).toEqual([]);
});

test("an unreachable blob store ends the backup only when blobs are missing", async () => {
  insertNames("near");
  writeFile("near");
  const problems = [verbatim("plugin 's3': 'endpoint' is required")];
  expect(await backUp({ problems })).toMatchObject({ named: 1, missing: [] });
  insertNames("far");
  await expect(backUp({ problems, now: NOW + 1_000 })).rejects.toThrow(/cannot be used .*\n {2}- plugin 's3'/);
  expect(readdirSync(to)).toHaveLength(1);
});
