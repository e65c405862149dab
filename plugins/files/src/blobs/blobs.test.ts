import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { AppError, type BlobStore } from "@parley/core";
import { blobStoreContract } from "@parley/testing";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type BlobMigration, type FileRecord, migrateBlobs } from "./blob-migration.ts";
import { createDiskBlobs } from "./disk.ts";
import { createMigratingBlobs } from "./migrating-blobs.ts";
import { hasAnyBlob } from "./migration-job.ts";
import { createRouteIntoFolder, createRouteOutOfFolder } from "./migration-routes.ts";

const root = mkdtempSync(join(tmpdir(), "parley-blobs-test-"));
afterAll(() => rmSync(root, { recursive: true }));
const createFolder = (name: string) => {
  const folder = join(root, name);
  mkdirSync(join(folder, "_meta"), { recursive: true });
  return folder;
};

blobStoreContract("a folder", () => createDiskBlobs(createFolder("one")));
blobStoreContract("a folder that files are moved out of", () =>
  createMigratingBlobs(createDiskBlobs(createFolder("from")), createDiskBlobs(createFolder("to"))),
);

describe("the migration of files", () => {
  const [old, next] = [createFolder("old"), createFolder("next")];
  const [from, target] = [createDiskBlobs(old), createDiskBlobs(next)];
  const signal = new AbortController().signal;
  beforeEach(() => {
    for (const folder of [old, next]) {
      for (const name of readdirSync(folder)) if (name !== "_meta") rmSync(join(folder, name));
    }
  });
  const alone = <T>(work: () => Promise<T>) => work();
  const out = (to: BlobStore, known: BlobMigration["findRecords"]) =>
    migrateBlobs({ ...createRouteOutOfFolder(old, from, to), findRecords: known, runExclusively: alone, signal });
  const back = (store: BlobStore, known: BlobMigration["findRecords"]) =>
    migrateBlobs({ ...createRouteIntoFolder(next, target, store), findRecords: known, runExclusively: alone, signal });
  const rows = (...contents: readonly string[]): readonly FileRecord[] =>
    contents.map((content) => {
      const sha256 = createHash("sha256").update(content).digest("hex");
      writeFileSync(join(old, content), content);
      return { name: content, size: content.length, sha256, mimeType: "text/plain" };
    });
  const knownOf = (files: readonly FileRecord[]) => async (names: readonly string[]) =>
    files.filter(({ name }) => names.includes(name));
  const all = async (store: BlobStore) => (await Array.fromAsync(store.names())).flat().toSorted();

  test("moves files that have rows, and leaves others", async () => {
    const known = knownOf(rows("a", "b", "c"));
    writeFileSync(join(old, "orphan"), "x");
    symlinkSync("/etc/hostname", join(old, "link"));
    expect(await out(target, known)).toEqual({ count: 3, damaged: [] });
    expect([await all(from), await all(target)]).toEqual([
      ["link", "orphan"],
      ["a", "b", "c"],
    ]);
  });

  test("leaves files whose content does not match their row", async () => {
    const known = knownOf(rows("whole", "short", "other"));
    writeFileSync(join(old, "short"), "x");
    const checking: BlobStore = {
      ...target,
      put: (name, draft) =>
        name === "other" ? Promise.reject(new AppError("conflict", "other content")) : target.put(name, draft),
    };
    const { count, damaged } = await out(checking, known);
    expect([count, damaged.toSorted()]).toEqual([1, ["other", "short"]]);
    expect(await all(from)).toEqual(["other", "short"]);
  });

  test("serves files from either place while it runs, and resumes after an interruption", async () => {
    const known = knownOf(rows("first", "second", "third"));
    const blobs = createMigratingBlobs(from, target);
    const read = async (name: string) => Buffer.concat(await blobs.read(name).toArray()).toString();
    let taken = 0;
    const failing: BlobStore = {
      ...target,
      put: (name, draft) => {
        taken += 1;
        return taken > 1 ? Promise.reject(new AppError("unavailable", "it is gone")) : target.put(name, draft);
      },
    };
    await expect(out(failing, known)).rejects.toThrow("it is gone");
    expect(await all(target)).toHaveLength(1);
    expect(await Promise.all(["first", "second", "third"].map(read))).toEqual(["first", "second", "third"]);
    expect(await out(target, known)).toEqual({ count: 2, damaged: [] });
    expect(await hasAnyBlob(from)).toBe(false);
    expect(await Promise.all(["first", "second", "third"].map(read))).toEqual(["first", "second", "third"]);
  });

  test("moves files back, except mismatching ones, and resumes after an interruption", async () => {
    const known = knownOf(rows("first", "second", "third", "short", "other"));
    writeFileSync(join(old, "short"), "x");
    writeFileSync(join(old, "other"), "rehto");
    writeFileSync(join(old, "orphan"), "x");
    const read = async (name: string) =>
      Buffer.concat(await createMigratingBlobs(from, target).read(name).toArray()).toString();
    let removed = 0;
    // Fails after a file was stored here and before it is removed there.
    const failing: BlobStore = {
      ...from,
      async remove(name) {
        removed += 1;
        if (removed > 1) throw new AppError("unavailable", "it is gone");
        await from.remove(name);
      },
    };
    await expect(back(failing, known)).rejects.toThrow("it is gone");
    expect(await Promise.all(["first", "second", "third"].map(read))).toEqual(["first", "second", "third"]);
    const { count, damaged } = await back(from, known);
    expect([count, damaged.toSorted()]).toEqual([2, ["other", "short"]]);
    expect([await all(from), await all(target)]).toEqual([
      ["orphan", "other", "short"],
      ["first", "second", "third"],
    ]);
    expect(readdirSync(join(next, "_meta"))).toEqual([]);
  });

  test("leaves files whose content turns out to mismatch, and retries files whose reading breaks off", async () => {
    const known = knownOf(rows("whole"));
    const rejecting = (message: string, upTo: number): BlobStore => ({
      ...from,
      read: () =>
        Readable.from(
          (async function* () {
            yield Buffer.from("whole").subarray(0, upTo);
            throw new AppError("upstream_failed", message);
          })(),
        ),
    });
    expect(await back(rejecting("it is damaged", 5), known)).toEqual({ count: 0, damaged: ["whole"] });
    await expect(back(rejecting("it was cut", 3), known)).rejects.toThrow("it was cut");
    expect([await all(from), await all(target), readdirSync(join(next, "_meta"))]).toEqual([["whole"], [], []]);
  });

  test("reads files completely when they are moved just before they are opened", async () => {
    const [row] = rows("moved");
    if (!row) throw new Error("there is one");
    const looking: BlobStore = {
      ...from,
      async find(name) {
        const found = await from.find(name);
        if (found) await target.put(name, { ...row, path: join(old, name) });
        return found;
      },
    };
    const read = createMigratingBlobs(looking, target).read("moved");
    expect(Buffer.concat(await read.toArray()).toString()).toBe("moved");
    expect(existsSync(join(old, "moved"))).toBe(false);
  });
});
