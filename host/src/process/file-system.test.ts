import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeFolder } from "./file-system.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-folder-"));
});
afterEach(() => rmSync(root, { recursive: true }));

test("a folder is made with all that is missing above it, for its owner alone", () => {
  const folder = join(root, "a", "b", "c");
  makeFolder(folder);
  makeFolder(folder);
  expect(statSync(join(root, "a")).mode & 0o777).toBe(0o700);
  expect(statSync(folder).isDirectory()).toBe(true);
});

test("where a file stands in the way, or the system makes no folders, the error is the system's", () => {
  writeFileSync(join(root, "file"), "");
  expect(() => makeFolder(join(root, "file"))).toThrow("EEXIST");
  expect(() => makeFolder(join(root, "file", "below"))).toThrow("ENOTDIR");
  expect(() => makeFolder("/proc/nothing/here")).toThrow("ENOENT");
});
