import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkPackageFolder } from "../../host/cli/src/packages/check-package.ts";
import { createPackage, type PackageKind } from "../../host/create/src/index.ts";
import { runParley } from "../harness/process.ts";

const repository = join(import.meta.dirname, "..", "..");
const env = {
  ...process.env,
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
  CI: "true",
  NODE_OPTIONS: "",
};

const isBuilt = existsSync(join(repository, "tests/testing/dist/index.js"));

/** Links the local packages that npm would install. */
function link(folder: string): void {
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@parley"), { recursive: true });
  mkdirSync(join(modules, "@types"));
  symlinkSync(join(repository, "core"), join(modules, "@parley", "core"));
  for (const [name, path] of Object.entries({
    testing: "tests/testing",
    simulators: "tests/simulators",
    server: "host/server",
  })) {
    symlinkSync(join(repository, path), join(modules, "@parley", name));
  }
  for (const name of ["typescript", "vitest", "@types/node"]) {
    symlinkSync(join(repository, "node_modules", name), join(modules, name));
  }
  mkdirSync(join(modules, ".bin"));
  const bins = { tsc: "typescript/bin/tsc", vitest: "vitest/vitest.mjs" };
  for (const [name, file] of Object.entries(bins)) {
    const started = `#!/bin/sh\nexec "${process.execPath}" "${join(modules, file)}" "$@"\n`;
    writeFileSync(join(modules, ".bin", name), started, { mode: 0o755 });
  }
}

async function checkPackage(folder: string): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = runParley({ root: folder, args: ["check-package"], env: { PATH: env.PATH, CI: "true" } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (output += text));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, said: output };
}

describe.each<readonly [kind: PackageKind, folder: string, name: string, id: string]>([
  ["adapter", "my-pager", "my-pager-parley-adapter", "my-pager"],
  ["plugin", "parley-plugin-dice2", "parley-plugin-dice2", "dice2"],
])("a package that npm init @parley/%s makes in %s", (kind, given, name, id) => {
  let root: string;
  let folder: string;
  const npm = (...args: readonly string[]) =>
    promisify(execFile)("npm", [...args], { cwd: folder, env, encoding: "utf8" });

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "parley-made-"));
    folder = join(root, given);
    createPackage(kind, folder);
    link(folder);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test("is named after its folder, everywhere", () => {
    const files = ["package.json", "README.md", "LICENSE", "src/index.ts"].map((file) =>
      readFileSync(join(folder, file), "utf8"),
    );
    expect(JSON.parse(files[0] ?? "")).toMatchObject({
      name,
      peerDependencies: { "@parley/core": expect.stringMatching(/^>=/) },
    });
    expect(files.at(-1)).toContain(`id: "${id}"`);
    expect(files.join("\n")).not.toMatch(/acme/i);
  });

  // The tests of an adapter kill a service, so new-adapter.long, which follows the guide, runs them.
  const within = { timeout: 300_000 };
  test.runIf(isBuilt && (kind === "plugin" || process.env.PARLEY_LONG !== undefined))(
    "is valid without changes: types, tests, build, and no finding for npm",
    within,
    async () => {
      await npm("run", "build");
      expect(await checkPackage(folder)).toEqual({ code: 0, said: "nothing is missing: npm publish\n" });
    },
  );

  test("is unchanged by a second call", () => {
    writeFileSync(join(folder, "README.md"), "# mine\n");
    expect(createPackage(kind, folder).join("\n")).toMatch(/^there already, and left as it is: .*README\.md/);
    expect(readFileSync(join(folder, "README.md"), "utf8")).toBe("# mine\n");
  });

  // The manifests of both kinds are generated alike.
  test.runIf(kind === "adapter")("has a finding, with advice, for each thing that is broken afterwards", async () => {
    const broken = join(root, "broken");
    cpSync(folder, broken, { recursive: true, verbatimSymlinks: true });
    const manifest = JSON.parse(readFileSync(join(broken, "package.json"), "utf8"));
    const { license: _, peerDependencies: __, ...rest } = manifest;
    const wrong = {
      ...rest,
      exports: { ".": { "@parley/source": "./src/index.ts", default: "./dist/index.js" } },
      files: ["dist", "src"],
      dependencies: { "@parley/core": "workspace:*", joi: "^18" },
      scripts: {},
    };
    writeFileSync(join(broken, "package.json"), JSON.stringify(wrong));
    for (const file of ["LICENSE", "README.md"]) rmSync(join(broken, file));
    const { code, said } = await checkPackage(broken);
    expect(code).toBe(1);
    for (const part of [
      'names no licence: nobody may use it; write "license": "MIT"',
      'does not name "@parley/core" under "peerDependencies"',
      'names "@parley/core" under "dependencies": that brings a second copy',
      "brings 'joi': schemas must be made by the host's, so import Joi from @parley/core",
      'the condition "@parley/source", which only a clone of Parley has: remove it',
      "wants @parley/core as 'workspace:*', which means nothing elsewhere: write a version",
      "there is no README.md",
      "there is no LICENSE file",
      "exports name no types",
      '.test.ts: name under "files" only what is needed to run',
      'has no script "test"',
    ]) {
      expect(said).toContain(part);
    }
  });
});

describe("each mistake of a package at loading is a separate finding", () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "parley-wrong-package-"));
    mkdirSync(join(root, "node_modules", "@parley"), { recursive: true });
    symlinkSync(join(repository, "core"), join(root, "node_modules", "@parley", "core"));
    writeFileSync(
      join(root, "package.json"),
      '{ "name": "x", "version": "1.0.0", "type": "module", "exports": "./index.js" }',
    );
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test.each([
    ["no file that its exports name", undefined, "names index.js, which is not there: build it"],
    ["no plugin", "export default 5;", "has no plugin as its default export: write export default definePlugin"],
    ["a contract to come", 'export default { id: "x", contract: 9, register() {} };', "built for contract 9"],
    [
      "settings that nothing is said of",
      `import { definePlugin, Joi } from "@parley/core";
       export default definePlugin({ id: "x", config: Joi.object({ size: Joi.number() }), register() {} });`,
      "the setting 'size' of [plugin.x] has no description: say with .description",
    ],
    [
      "channel settings without titles, and no suite",
      `import { ChannelAdapters, definePlugin, Joi } from "@parley/core";
       const settings = Joi.object({ port: Joi.number().description("Port") });
       export default definePlugin({ id: "x", register({ contribute }) {
         contribute(ChannelAdapters, () =>
           ({ type: "x", transports: ["webhook"], capabilities: {}, settings, idempotency: "none", open: async () => ({}) }));
       } });`,
      "the setting 'port' of channels of type 'x' has no title in both languages: wrap its schema in withLabel",
    ],
    [
      "a tool with a blank in its name",
      `import { definePlugin, Joi, Tools, tool } from "@parley/core";
       const shared = { args: Joi.object({}), scope: "gateway.read", risk: "read", audience: ["ai"], run: async () => 1 };
       export default definePlugin({ id: "x", register({ contribute }) {
         contribute(Tools, () => tool({ ...shared, name: "two words", purpose: "x" }));
       } });`,
      "plugin 'x': what it adds to tools cannot be used: 'name' with value 'two words'",
    ],
  ])("%s", async (_what, code, message) => {
    if (code === undefined) rmSync(join(root, "index.js"), { force: true });
    else writeFileSync(join(root, "index.js"), code);
    const findings = await checkPackageFolder({ folder: root, isWithoutTests: true });
    expect(findings.join("\n")).toContain(message);
  });
});
