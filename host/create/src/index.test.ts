import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFolder } from "./index.ts";

let root: string;
const read = (...path: string[]) => readFileSync(join(root, ...path), "utf8");

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-create-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("a new folder has everything to install and start Parley, and its data are not committed by accident", () => {
  const output = createFolder(join(root, "My Bot"));
  expect(readdirSync(join(root, "My Bot")).sort()).toEqual([".gitignore", "README.md", "config.ini", "package.json"]);
  expect(JSON.parse(read("My Bot", "package.json"))).toEqual({
    name: "my-bot",
    private: true,
    scripts: { start: "parley" },
    dependencies: { "@parley/server": expect.stringMatching(/^\^\d+\.\d+\.\d+$/) },
  });
  expect(read("My Bot", ".gitignore").split("\n")).toEqual(expect.arrayContaining(["node_modules/", "data/", ".env"]));
  expect(read("My Bot", "config.ini")).toMatch(/^;.*\n(.|\n)*\n\[plugins\]/);
  expect(output.at(-1)).toMatch(/npm install && npm start$/);
});

test("existing files are never overwritten", () => {
  writeFileSync(join(root, "package.json"), '{ "name": "mine" }');
  writeFileSync(join(root, "config.ini"), "[web]\nport = 1\n");
  const output = createFolder(root);
  expect(read("package.json")).toBe('{ "name": "mine" }');
  expect(read("config.ini")).toBe("[web]\nport = 1\n");
  expect(output).toContain("there already, and left as it is: config.ini, package.json");
  expect(output.at(-1)).toMatch(/npm install @parley\/server && npx --no parley$/);
});
