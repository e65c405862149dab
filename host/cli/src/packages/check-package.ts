import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { ObjectSchema } from "@hapi/joi";
import { type ChannelAdapter, ChannelAdapters, type DefinedPlugin, labelOf } from "@parley/core";
import { importInstalledPlugin, toErrorMessage } from "@parley/host/tooling";
import { registerPlugins } from "../check/check-configuration.ts";
import { findContributionProblems } from "../check/contribution-findings.ts";
import { blockExit } from "./block-exit.ts";
import { findUnlistedImports } from "./unlisted-imports.ts";

const TESTS_TIMEOUT_MS = 300_000;

export interface CheckPackageOptions {
  readonly folder: string;
  /** True skips the package's tests. */
  readonly isWithoutTests?: boolean;
  /** True when the process belongs to this program. Default: false. */
  readonly ownsProcess?: boolean;
}

/** Returns the problems of an adapter or plugin package before it is published, each a sentence with the fix. */
export async function checkPackageFolder({
  folder,
  isWithoutTests = false,
  ownsProcess = false,
}: CheckPackageOptions): Promise<readonly string[]> {
  const root = resolve(folder);
  let manifest: Manifest;
  try {
    manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  } catch (error) {
    return [
      `${folder} has no package.json that can be read (${toErrorMessage(error)}): npm init @parley/adapter makes one`,
    ];
  }
  return [
    ...checkManifest(manifest),
    ...(await checkPackedFiles(root, manifest)),
    ...(await checkPlugin(root, ownsProcess)),
    ...(isWithoutTests ? [] : checkTests(root, manifest)),
  ];
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly description?: string;
  readonly license?: string;
  readonly type?: string;
  readonly types?: string;
  readonly main?: string;
  readonly exports?: unknown;
  readonly private?: boolean;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly bundleDependencies?: unknown;
  readonly bundledDependencies?: unknown;
}

function checkManifest(manifest: Manifest): readonly string[] {
  const { name, version, description, license, type, scripts = {} } = manifest;
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifest;
  const published = { ...dependencies, ...optionalDependencies, ...peerDependencies };
  const findings = [
    manifest.private && 'package.json says "private": true: npm publishes nothing of it; remove the line',
    !name && "package.json has no name: npm publishes under it",
    name !== undefined &&
      !PACKAGE_NAME.test(name) &&
      `npm publishes nothing under the name '${name}': write it in lower case, without spaces`,
    !VERSION.test(version ?? "") && 'package.json has no version like "1.0.0"',
    !description && "package.json has no description: npm shows it, write one sentence",
    (!license || license === "UNLICENSED") &&
      'package.json names no licence: nobody may use it; write "license": "MIT", or another',
    type !== "module" && 'package.json does not say "type": "module": files that end in .js are read as CommonJS',
    !("@parley/core" in peerDependencies) &&
      'package.json does not name "@parley/core" under "peerDependencies": the contract must be the host\'s own',
    ...["dependencies", "optionalDependencies", "bundleDependencies", "bundledDependencies"].map(
      (section) =>
        listNames(manifest[section as keyof Manifest]).includes("@parley/core") &&
        `package.json names "@parley/core" under "${section}": that brings a second copy; move it to "peerDependencies"`,
    ),
    ...["@hapi/joi", "joi"].map(
      (joi) =>
        joi in published &&
        `package.json brings '${joi}': schemas must be made by the host's, so import Joi from @parley/core`,
    ),
    JSON.stringify(manifest.exports ?? "").includes("@parley/source") &&
      'exports name the condition "@parley/source", which only a clone of Parley has: remove it',
    ...Object.entries(published).map(
      ([library, range]) =>
        /^((workspace|catalog|file|link):|\.{0,2}\/|~\/)/.test(range) &&
        `package.json wants ${library} as '${range}', which means nothing elsewhere: write a version`,
    ),
    ...INSTALL_SCRIPTS.map(
      (script) =>
        script in scripts &&
        `package.json has the script "${script}", which does not run where npm is told to run none: do without it`,
    ),
  ];
  return findings.filter((one) => typeof one === "string");
}

const VERSION = /^\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/;
const PACKAGE_NAME = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall"];

/** Returns the packages of a section: a list, or an object with their versions. */
const listNames = (section: unknown): readonly unknown[] =>
  Array.isArray(section) ? section : Object.keys(typeof section === "object" ? (section ?? {}) : {});

/** Pattern of files that must not be published, and of files that only the author needs. */
const UNWANTED =
  /(^|\/)(\.env(\..*)?|.*\.(test|spec)\.[cm]?[jt]s|.*\.(pem|key|p12|pfx)|id_(rsa|dsa|ecdsa|ed25519)|config\.ini)$|^data\//;

/** Checks the files of the tarball: required and unwanted ones. */
async function checkPackedFiles(root: string, manifest: Manifest): Promise<readonly string[]> {
  const npm = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: root, encoding: "utf8" });
  if (npm.status !== 0) return [`npm pack refuses it: ${npm.stderr.split("\n").find((line) => line !== "") ?? "?"}`];
  const [packed] = JSON.parse(npm.stdout) as readonly { readonly files: readonly { readonly path: string }[] }[];
  const paths = packed?.files.map(({ path }) => path) ?? [];
  const has = (pattern: RegExp) => paths.some((path) => pattern.test(path));
  const unwanted = paths.filter((path) => UNWANTED.test(path));
  const typesFile = findTypes(manifest);
  const findings = [
    !has(/^README(\.md)?$/i) && "there is no README.md: say in it how it is installed and what its settings are",
    !has(/^LICEN[CS]E(\.\w+)?$/i) && "there is no LICENSE file: add the text of the licence that package.json names",
    typesFile === undefined
      ? 'exports name no types: build with "declaration": true and name the file under "types", before "default"'
      : !paths.includes(typesFile) &&
        `exports name the types ${typesFile}, which is not in the package: build it first`,
    unwanted.length > 0 &&
      `the package would hold ${unwanted.join(", ")}: name under "files" only what is needed to run`,
    ...(await findUnlistedImports(root, paths, manifest)),
  ];
  return findings.filter((one) => typeof one === "string");
}

function findTypes({ exports, types }: Manifest): string | undefined {
  const find = (entry: unknown): string | undefined => {
    if (typeof entry !== "object" || entry === null) return undefined;
    const { types: own, ".": main, import: ofImport } = entry as Readonly<Record<string, unknown>>;
    return typeof own === "string" ? own : (find(main) ?? find(ofImport));
  };
  return (find(exports) ?? types)?.replace(/^\.\//, "");
}

/** Loads the plugin as the host would and returns problems, also with its texts. */
async function checkPlugin(root: string, ownsProcess: boolean): Promise<readonly string[]> {
  using _exit = blockExit();
  const empty = mkdtempSync(join(tmpdir(), "parley-check-"));
  try {
    const { id, plugin } = await importInstalledPlugin(root, root, { ownsProcess });
    // Registers the plugin together with the bundled ones only, and starts nothing.
    const { generation } = await registerPlugins({ root: empty, env: {}, plugins: [plugin] });
    generation.dryRun();
    const { failure } = generation.status().find((one) => one.id === id) ?? {};
    const adapters = generation
      .unstarted(ChannelAdapters)
      .flatMap((one) => (one.plugin === id && "made" in one ? [one.made] : []));
    return [
      ...(failure ? [`plugin '${id}': ${failure}`] : []),
      ...findContributionProblems(generation, [plugin]).flatMap((one) => (one.plugin === id ? [one.text.en] : [])),
      ...checkDescriptions(plugin),
      ...adapters.flatMap(checkSettingTitles),
    ];
  } catch (error) {
    return [toErrorMessage(error).replaceAll(root, basename(root))];
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}

/** Reports channel settings without a title, since the console shows them in a form. */
function checkSettingTitles({ type, settings }: ChannelAdapter): readonly string[] {
  const untitled = Object.keys(listKeys(settings)).filter((key) => {
    const title = labelOf(settings.extract(key))?.title;
    return !title?.en || !title.zh;
  });
  const how = 'wrap its schema in withLabel(…, { title: { en: "…", zh: "…" } })';
  return untitled.map(
    (key) => `the setting '${key}' of channels of type '${type}' has no title in both languages: ${how}`,
  );
}

/** Returns settings without a description; people who write them in config.ini need one. */
function checkDescriptions({ id, config }: DefinedPlugin): readonly string[] {
  const bare = config ? Object.entries(listKeys(config)).filter(([, { flags }]) => !flags?.description) : [];
  const how = 'say with .description("…") what it is';
  return bare.map(([key]) => `the setting '${key}' of [plugin.${id}] has no description: ${how}`);
}

function listKeys(
  schema: ObjectSchema,
): Readonly<Record<string, { readonly flags?: { readonly description?: string } }>> {
  return schema.describe().keys ?? {};
}

function checkTests(root: string, { scripts = {} }: Manifest): readonly string[] {
  const sources = globSync("**/*.test.{ts,js,mts,mjs}", {
    cwd: root,
    exclude: (name) => name === "node_modules" || name === "dist",
  });
  if (!scripts.test || /no test specified/.test(scripts.test)) {
    return ['package.json has no script "test": write one that runs its tests, such as "vitest run"'];
  }
  const text = sources.map((file) => readFileSync(join(root, file), "utf8")).join("\n");
  const isAdapter = globSync("{src,.}/*.{ts,js}", { cwd: root }).some((file) =>
    /\bChannelAdapters\b/.test(readFileSync(join(root, file), "utf8")),
  );
  const isSuited = /channelAdapterContract/.test(text);
  const suite =
    isAdapter && !isSuited
      ? [
          "it adds an adapter, and no test of it calls channelAdapterContract of @parley/testing: that suite says what every adapter must do",
        ]
      : [];
  const run = spawnSync("npm", ["test"], {
    cwd: root,
    encoding: "utf8",
    timeout: TESTS_TIMEOUT_MS,
    env: { ...process.env, CI: "true" },
  });
  if (run.status === 0) return suite;
  const failed = `${run.stdout}\n${run.stderr}`
    .split("\n")
    .filter((line) => /(FAIL|✗|×|error TS\d+|AssertionError|Error:)/.test(line));
  return [...suite, `its tests do not pass (npm test):\n    ${failed.slice(0, 10).join("\n    ") || "see npm test"}`];
}
