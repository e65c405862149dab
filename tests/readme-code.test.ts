import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = dirname(import.meta.dirname);
const COMPILER = {
  target: "es2024",
  lib: ["esnext"],
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  customConditions: ["@parley/source"],
  types: ["node"],
};

test("the code in the READMEs of core and of the test packages compiles", () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-readme-"));
  try {
    const blocks = ["core", "tests/simulators", "tests/testing"]
      .map((name) => `${name}/README.md`)
      .concat("core/a-page-of-a-plugin.md")
      .flatMap((file) =>
        [...readFileSync(join(root, file), "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text),
      );
    expect(blocks.length).toBeGreaterThanOrEqual(3);
    for (const [at, text] of blocks.entries()) writeFileSync(join(folder, `block-${at}.ts`), text);
    mkdirSync(join(folder, "node_modules", "@parley"), { recursive: true });
    mkdirSync(join(folder, "node_modules", "@types"));
    symlinkSync(join(root, "core"), join(folder, "node_modules", "@parley", "core"));
    for (const name of ["simulators", "testing"]) {
      symlinkSync(join(root, "tests", name), join(folder, "node_modules", "@parley", name));
    }
    symlinkSync(join(root, "node_modules", "@types", "node"), join(folder, "node_modules", "@types", "node"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: COMPILER, include: ["*.ts"] }));
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
    expect([status, stdout]).toEqual([0, ""]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
