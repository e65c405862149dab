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

test("a folder is created with its missing parents, readable by its owner only", () => {
  const folder = join(root, "a", "b", "c");
  makeFolder(folder);
  makeFolder(folder);
  expect(statSync(join(root, "a")).mode & 0o777).toBe(0o700);
  expect(statSync(folder).isDirectory()).toBe(true);
});

test("a file in place of the folder, or a system that refuses, causes the system's error", () => {
  writeFileSync(join(root, "file"), "");
  expect(() => makeFolder(join(root, "file"))).toThrow("EEXIST");
  expect(() => makeFolder(join(root, "file", "below"))).toThrow("ENOTDIR");
  expect(() => makeFolder("/proc/nothing/here")).toThrow("ENOENT");
});
