import type { Files, PictureFields, StoredFile } from "@parley/core";
import { createTestClock } from "@parley/testing";
import { expect, test } from "vitest";
import { createPngOfSize } from "../cards/format/sample-cards.ts";
import { createPortraits } from "./portraits.ts";

const HOUR_MS = 3_600_000;

/** Files in memory, by their safe name. */
function memoryFiles(now: () => number): Files {
  const stored = new Map<string, StoredFile & { readonly storedAt: number }>();
  const find = async (idOrUrl: string) => [...stored.values()].find(({ id, url }) => id === idOrUrl || url === idOrUrl);
  const files: Partial<Files> = {
    find,
    async put(content, { name, id = name, safeName = name }) {
      const url = `/static/files/${safeName}`;
      const size = (content as Uint8Array).length;
      const file = { id, name, safeName, url, mimeType: "image/png", size, sha256: "", storedAt: now() };
      if (!stored.has(safeName)) stored.set(safeName, file);
      return file;
    },
    keep: async () => {},
    async remove(idOrUrl) {
      const found = await find(idOrUrl);
      return found !== undefined && stored.delete(found.safeName);
    },
    named: async (prefix) => [...stored.values()].filter(({ safeName }) => safeName.startsWith(prefix)),
  };
  return files as Files;
}

test("an unused portrait is removed after an hour, and a used one stays", async () => {
  const clock = createTestClock();
  const files = memoryFiles(clock.now);
  const used = new Set<string>();
  const fields: PictureFields = { id: "test", used: async () => used, clear: async () => 0 };
  const portraits = createPortraits({ files: () => files, fields: () => [fields], clock });
  const stored = await portraits.store(createPngOfSize(1, 1));
  const unused = await portraits.store(createPngOfSize(2, 2));
  used.add(stored.url);
  expect(await portraits.clean(false)).toEqual({ removed: 0, freed_bytes: 0, files: [] });
  clock.advance(HOUR_MS + 1);
  const young = await portraits.store(createPngOfSize(3, 3));
  const found = { removed: 1, freed_bytes: unused.size, files: [unused.file_name] };
  expect(await portraits.clean(true)).toEqual(found);
  expect(await files.find(unused.url)).toBeDefined();
  expect(await portraits.clean(false)).toEqual(found);
  expect(await files.find(unused.url)).toBeUndefined();
  for (const { url } of [stored, young]) expect(await files.find(url)).toBeDefined();
});
