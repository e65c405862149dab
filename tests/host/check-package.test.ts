import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkPackageFolder } from "../../host/cli/src/packages/check-package.ts";

const MANIFEST = {
  name: "acme-parley-plugin",
  version: "1.0.0",
  description: "The plugin acme.",
  license: "MIT",
  type: "module",
  exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
  files: ["dist"],
  peerDependencies: { "@parley/core": "^0.2.0" },
};
const PLUGIN = 'export default { contract: 1, id: "acme", register() {} };\n';
const FILES = { "README.md": "# Acme\n", LICENSE: "MIT\n", "dist/index.js": PLUGIN, "dist/index.d.ts": "export {};\n" };

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-package-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function check(manifest: object, files: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const all = { ...FILES, ...files, "package.json": JSON.stringify({ ...MANIFEST, ...manifest }) };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return checkPackageFolder({ folder: root, isWithoutTests: true });
}

test("a package without mistakes has no finding", async () => {
  expect(await check({})).toEqual([]);
  expect(await check({ version: "1.0.0-beta.1+build.5", name: "@acme/parley-plugin" })).toEqual([]);
});

test("the mistakes of a manifest are found in one run", async () => {
  const findings = await check({
    name: "Acme Plugin",
    version: "1.0.0.0",
    license: "UNLICENSED",
    scripts: { postinstall: "node x.js" },
    dependencies: { ws: "../ws" },
    optionalDependencies: { "@parley/core": "^0.2.0", joi: "^17.0.0" },
    bundleDependencies: ["@parley/core"],
  });
  const expected = [
    "under the name 'Acme Plugin'",
    "no version",
    "nobody may use it",
    'under "optionalDependencies"',
    'under "bundleDependencies"',
    "brings 'joi'",
    "ws as '../ws', which means nothing elsewhere",
    'the script "postinstall"',
  ];
  for (const finding of expected) expect(findings).toContainEqual(expect.stringContaining(finding));
});

test("private and missing files are found, file by file", async () => {
  const requires = 'import { createRequire } from "node:module"; createRequire(import.meta.url); require("ws");';
  const findings = await check(
    { files: ["dist", ".env.production", "id_ed25519"] },
    {
      "dist/source.js": 'import "../src/util.js";',
      "dist/outside.js": 'import("../../other.js");',
      "dist/requires.js": requires,
      "dist/index.spec.js": "",
      "dist/server.key": "secret",
      ".env.production": "TOKEN=x",
      id_ed25519: "secret",
    },
  );
  expect(findings).toEqual([
    expect.stringMatching(/would hold .env.production, dist\/index.spec.js, dist\/server.key, id_ed25519:/),
    expect.stringContaining("dist/requires.js imports 'ws'"),
    expect.stringContaining("dist/outside.js imports '../../other.js', which is not in the package"),
    expect.stringContaining("dist/source.js imports '../src/util.js', which is not in the package"),
  ]);
});
