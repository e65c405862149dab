import { execFile } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NPM_SETTINGS, type Registry, startRegistry } from "../harness/npm-registry.ts";

const repository = join(import.meta.dirname, "..", "..");
const packages = join(repository, ".artefacts", "packages");
const WITHIN_MS = 600_000;
const readme = readFileSync(join(repository, "host", "create-adapter", "README.md"), "utf8");
/** The commands as a reader of the guide copies them. */
const [, begin = ""] = /^```sh\n([\s\S]*?)^```$/m.exec(readme) ?? [];
const [, folder = ""] = /npm init @parley\/adapter (\S+)/.exec(begin) ?? [];
const check = readme.split("\n").flatMap((line) => /^(npm run check)\b/.exec(line)?.[1] ?? []);

let root: string;
let registry: Registry;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-new-adapter-"));
  registry = await startRegistry(packages);
  expect(registry.names, "npm run build packs them").toContain("@parley/testing");
});
afterAll(async () => {
  await registry?.[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

/** Runs commands in a shell. Our packages come from this test's registry, all others from the configured one. */
async function type(commands: string, cwd: string): Promise<string> {
  const own = join(homedir(), ".npmrc");
  const settings = join(root, "npmrc");
  const known = existsSync(own) ? readFileSync(own, "utf8") : "";
  writeFileSync(settings, `${known}\n@parley:registry=${registry.address}\n`);
  const env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    CI: "true",
    NODE_OPTIONS: "",
    npm_config_userconfig: settings,
    ...NPM_SETTINGS,
  };
  const { stdout, stderr } = await promisify(execFile)("sh", ["-ec", commands], { cwd, env, maxBuffer: 2 ** 26 });
  return `${stdout}${stderr}`;
}

test("the README's commands lead from an empty folder to an adapter that is tested, killed and packed", {
  timeout: WITHIN_MS,
}, async () => {
  const seconds: Record<string, number> = {};
  const timed = async (what: string, commands: string, cwd: string) => {
    const begun = performance.now();
    const output = await type(commands, cwd);
    seconds[what] = Math.round((performance.now() - begun) / 1_000);
    return output;
  };
  const tested = await timed("made, installed, tested", begin, root);
  expect(tested).toMatch(/Test Files .*2 passed/);
  expect(tested).toMatch(/chapter +passed failed skipped/);
  const made = join(root, folder);
  // The check would repeat the tests that have just passed; package-templates.long covers that.
  const again = process.env.PARLEY_LONG === undefined ? " -- --no-tests" : "";
  const checked = check.map((one) => `${one}${again}`).join("\n");
  expect(await timed("checked", checked, made)).toContain("nothing is missing: npm publish");
  await timed("packed", "npm pack", made);
  expect(globSync("*.tgz", { cwd: made })).toEqual([`${folder}-parley-adapter-0.1.0.tgz`]);
  const total = Object.values(seconds).reduce((sum, one) => sum + one, 0);
  process.stdout.write(`from an empty folder to a packed adapter: ${total} s (${JSON.stringify(seconds)})\n`);
});
