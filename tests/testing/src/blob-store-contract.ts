import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BlobStore } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Size of a file larger than one read, packet or response. */
const LARGE_BYTES = 5 * 1024 * 1024;

/** Tests that every implementation of `BlobStore` must pass; `make` creates an empty one. */
export function blobStoreContract(name: string, make: () => Promise<BlobStore> | BlobStore): void {
  describe(`${name}: the contract of blob stores`, () => {
    let folder: string;
    let store: BlobStore;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "parley-blobs-"));
      store = await make();
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const createDraft = (content: Buffer) => {
      const path = join(folder, randomBytes(8).toString("hex"));
      writeFileSync(path, content);
      const sha256 = createHash("sha256").update(content).digest("hex");
      return { path, size: content.length, sha256, mimeType: "text/plain" };
    };
    const put = (at: string, content: Buffer) => store.put(at, createDraft(content));
    const read = async (at: string, range?: { readonly start: number; readonly end: number }) =>
      Buffer.concat(await store.read(at, range).toArray());
    const names = async () => (await Array.fromAsync(store.names())).flat().toSorted();

    test("describes its location", () => {
      expect(store.place).not.toBe("");
    });

    test("a stored file is found, and read completely or in parts", async () => {
      const content = randomBytes(LARGE_BYTES);
      await put("0a-large.bin", content);
      const found = await store.find("0a-large.bin");
      expect(found?.size).toBe(LARGE_BYTES);
      expect(Math.abs(Date.now() - (found?.storedAt ?? 0))).toBeLessThan(60_000);
      expect((await read("0a-large.bin")).equals(content)).toBe(true);
      const range = { start: 1_000_000, end: 1_099_999 };
      expect((await read("0a-large.bin", range)).equals(content.subarray(1_000_000, 1_100_000))).toBe(true);
      expect(await read("0a-large.bin", { start: LARGE_BYTES - 1, end: LARGE_BYTES - 1 })).toEqual(
        content.subarray(LARGE_BYTES - 1),
      );
      await store.remove("0a-large.bin");
    });

    test("an empty file is a file", async () => {
      await put("0b-empty.txt", Buffer.alloc(0));
      expect((await store.find("0b-empty.txt"))?.size).toBe(0);
      expect(await read("0b-empty.txt")).toHaveLength(0);
      await store.remove("0b-empty.txt");
    });

    test.each([
      "a b.txt",
      "猫 咪.png",
      "it's (1)!~+=&@,;$.txt",
      "e\u0301.txt".normalize("NFC"),
      `${"长".repeat(38)}.png`,
    ])("the name %j is accepted unchanged", async (at) => {
      await put(at, Buffer.from(at));
      expect((await read(at)).toString()).toBe(at);
      expect(await names()).toEqual([at]);
      await store.remove(at);
      expect(await names()).toEqual([]);
    });

    test("storing a file again replaces it completely", async () => {
      await put("0c.txt", Buffer.from("longer than the other"));
      await put("0c.txt", Buffer.from("short"));
      expect((await read("0c.txt")).toString()).toBe("short");
      await store.remove("0c.txt");
    });

    test("an unknown file is not found, cannot be read, and may be removed", async () => {
      expect(await store.find("0d.txt")).toBeUndefined();
      await expect(read("0d.txt")).rejects.toThrow();
      await store.remove("0d.txt");
      await put("0d.txt", Buffer.from("x"));
      await store.remove("0d.txt");
      expect(await store.find("0d.txt")).toBeUndefined();
    });

    test("every name is listed, also beyond one page", async () => {
      const wanted = Array.from({ length: 60 }, (_, at) => `0e-${String(at).padStart(4, "0")}.txt`);
      const left = [...wanted];
      const some = async () => {
        for (let at = left.pop(); at !== undefined; at = left.pop()) await put(at, Buffer.from("x"));
      };
      await Promise.all([some(), some(), some(), some()]);
      expect(await names()).toEqual(wanted);
      await Promise.all(wanted.map((at) => store.remove(at)));
      expect(await names()).toEqual([]);
    });
  });
}
