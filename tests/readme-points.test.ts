import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as core from "@parley/core";
import { expect, test } from "vitest";

const readme = readFileSync(join(import.meta.dirname, "..", "core", "README.md"), "utf8");
const reference = readFileSync(join(import.meta.dirname, "..", "core", "reference.md"), "utf8");

test("core's README names every extension point of the contract", () => {
  const [, points = ""] = /### Extension points\n([\s\S]*?)\n### /.exec(reference) ?? [];
  const names = [...points.matchAll(/^- `(\w+)`/gm)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) expect(Object.keys(core)).toContain(name);
  expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});
