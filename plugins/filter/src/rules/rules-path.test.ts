import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@parley/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { resolveRulesPath } from "./rules-path.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-rules-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const SHARED = "resources/config/message_filter.json";
const pathOf = (data: string, file?: string) => resolveRulesPath(file, { root, data: join(root, data) }, silentLogger);

test("the rules file is in the operator's folder together with the data", () => {
  expect(pathOf("data")).toBe(join(root, SHARED));
});

test("two services that share a folder but not their data have separate rules", () => {
  expect(pathOf("one")).toBe(join(root, "one", SHARED));
  expect(pathOf("two")).toBe(join(root, "two", SHARED));
});

test("a file in the operator's folder is copied once, and neither is overwritten later", () => {
  mkdirSync(join(root, "resources/config"), { recursive: true });
  writeFileSync(join(root, SHARED), "first");
  expect(readFileSync(pathOf("one"), "utf8")).toBe("first");
  writeFileSync(join(root, "one", SHARED), "own");
  expect(readFileSync(pathOf("one"), "utf8")).toBe("own");
  expect(readFileSync(join(root, SHARED), "utf8")).toBe("first");
});

test("a path in config.ini is relative to its folder, wherever the data are", () => {
  expect(pathOf("one", "rules.json")).toBe(join(root, "rules.json"));
  expect(pathOf("one", "/etc/parley/rules.json")).toBe("/etc/parley/rules.json");
});
